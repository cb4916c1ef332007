import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { parserCore } from "./parser-core.js";

/**
 * Makes the bundles that are named, of all those in the table. What esbuild put into each of them is in
 * node_modules/.cache/sphex-build, for the notices and for who wants to know what is large.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const metafiles = `${root}node_modules/.cache/sphex-build`;

const library = {
  ...{ bundle: true, format: "esm", platform: "neutral", target: "es2022" },
  mainFields: ["module", "main"],
};
const page = { ...library, platform: "browser", minify: true };
const drivers = ["yaml", "@duckdb/node-api", "pg"];

const bundles = {
  library: {
    ...library,
    entryPoints: ["index", "vespa", "sql", "errors", "models"].map((name) => `src/${name}.ts`),
    ...{ splitting: true, chunkNames: "library-[hash]", external: drivers, outdir: "dist" },
  },
  browser: {
    ...page,
    ...{ entryPoints: ["src/index.ts"], outfile: "dist/browser.js" },
    ...{ sourcemap: true, sourcesContent: false },
  },
  thread: {
    ...library,
    ...{ entryPoints: ["src/thread/thread.ts"], format: "iife", outfile: "dist/thread.js" },
  },
  command: {
    ...{ entryPoints: ["bin/command.ts"], outfile: "dist/command.cjs", bundle: true, minify: true },
    ...{ format: "cjs", platform: "node", target: "node20", external: drivers },
    supported: { "dynamic-import": false },
    define: { "import.meta": "bundleMeta" },
    banner: {
      js: "'use strict'; const bundleMeta = { url: require('node:url').pathToFileURL(__filename).href };",
    },
  },
  web: {
    ...page,
    entryPoints: {
      main: "src/web/main.ts",
      worker: "src/web/worker/worker.ts",
      embed: "src/web/embed/playground-element.ts",
      style: "src/web/style.css",
      panels: "src/web/panels.css",
    },
    ...{ splitting: true, chunkNames: "part-[hash]", external: ["yaml"], outdir: "dist/web" },
  },
  vscode: {
    ...{ entryPoints: ["src/editors/vscode/extension.cjs"], outfile: "dist/vscode/extension.cjs" },
    ...{
      bundle: true,
      minify: true,
      format: "cjs",
      platform: "node",
      target: "node20",
      external: ["vscode"],
    },
  },
  "service-worker": {
    ...page,
    ...{ entryPoints: ["src/web/offline/service-worker.ts"], format: "iife" },
    outfile: "dist/web/service-worker.js",
  },
};

mkdirSync(metafiles, { recursive: true });
for (const name of process.argv.slice(2)) {
  const common = { absWorkingDir: root, plugins: [parserCore], metafile: true, logLevel: "warning" };
  const { metafile } = await build({ ...common, ...bundles[name] });
  for (const path of unreachable(metafile.outputs, Object.values(bundles[name].entryPoints))) {
    rmSync(`${root}${path}`);
    delete metafile.outputs[path];
  }
  writeFileSync(`${metafiles}/${name}.json`, JSON.stringify(metafile));
}

/** Scripts that no entry loads, at once or later: esbuild writes what is imported on demand also where it has dropped who imports it. */
function unreachable(outputs, entries) {
  const scripts = Object.keys(outputs).filter((path) => path.endsWith("js"));
  const reached = new Set(scripts.filter((path) => entries.includes(outputs[path].entryPoint)));
  for (const path of reached) for (const { path: next } of outputs[path]?.imports ?? []) reached.add(next);
  return scripts.filter((path) => !reached.has(path));
}
