import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { lowered } from "../hunt/thresholds.js";

/** Other texts for files of the project, by their paths from its root. */
export type Texts = ReadonlyMap<string, string>;

/** Has a bundler read these texts, those of the engine with low thresholds or not, and tells tests where they lie. */
const reading = (root: string, texts: Texts, isLow: boolean): Plugin => ({
  name: "mutated",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/](?:src|test)[\\/].*\.ts$/ }, ({ path }) => {
      const file = relative(root, path).replaceAll("\\", "/");
      const text = texts.get(file) ?? readFileSync(path, "utf8");
      const changed = isLow ? lowered(file, text) : text;
      const here = JSON.stringify(pathToFileURL(path).href);
      return { loader: "ts", contents: changed.replaceAll("import.meta.url", here) };
    });
  },
});

/** The judge and its worker, bundled with these texts: paths of scripts in a folder. */
export interface Scripts {
  readonly judge: string;
  readonly thread: string;
}

export async function bundled(root: string, folder: string, texts: Texts, isLow: boolean): Promise<Scripts> {
  const plugins = [reading(root, texts, isLow)];
  const common = { bundle: true, platform: "node", logLevel: "silent", plugins } as const;
  const [judge, thread] = [join(folder, "judge.mjs"), join(folder, "thread.cjs")];
  await Promise.all([
    build({
      ...common,
      entryPoints: [join(root, "test/mutation/judge.ts")],
      format: "esm",
      packages: "external",
      outfile: judge,
    }),
    build({ ...common, entryPoints: [join(root, "src/thread/thread.ts")], format: "cjs", outfile: thread }),
  ]);
  return { judge, thread };
}
