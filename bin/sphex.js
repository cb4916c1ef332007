#!/usr/bin/env node
/** The command `sphex`, as it was built. Its sources are in src/cli and src/repl. */
import { existsSync } from "node:fs";
import module from "node:module";

const built = new URL("../dist/main.js", import.meta.url);
if (existsSync(built)) {
  module.enableCompileCache?.(); // from Node 22 on: the second start is faster
  const { start } = await import(built.href);
  await start(() => import(new URL("terminal.js", built).href));
} else {
  console.error("sphex is not built: run `npm install && npm run build` in its folder");
  process.exitCode = 70;
}
