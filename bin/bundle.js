import { existsSync, readFileSync, statSync } from "node:fs";
import module, { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * The command is one file, `dist/command.cjs`. To read it takes V8 longer than a short run does, so what V8 made of it is
 * kept beside it when it is built. That is of use to the same version only; any other reads the file as always.
 */
export const bundle = fileURLToPath(new URL("../dist/command.cjs", import.meta.url));
export const codeFile = `${bundle}.${process.version}-${process.arch}`;

/** What the bundle exports; nothing where it was not built. */
export function load() {
  if (!existsSync(bundle)) return undefined;
  const code = keptCode();
  if (code !== undefined) return run(scriptOf(code));
  module.enableCompileCache?.(); // from Node 22 on: the second start is faster
  return createRequire(import.meta.url)(bundle);
}

/** V8 knows the bundle that code was made of by its length alone: code that is older than the bundle is not taken. */
function keptCode() {
  const kept = statSync(codeFile, { throwIfNoEntry: false });
  return kept !== undefined && kept.mtimeMs >= statSync(bundle).mtimeMs ? readFileSync(codeFile) : undefined;
}

/** The bundle within the function that Node puts around it. Code that does not fit is as good as none. */
export function scriptOf(cachedData) {
  const text = `(function (exports, require, module, __filename) {${readFileSync(bundle, "utf8")}\n})`;
  return new Script(text, { filename: bundle, ...(cachedData && { cachedData }) });
}

export function run(script) {
  const own = { exports: {} };
  script.runInThisContext()(own.exports, createRequire(bundle), own, bundle);
  return own.exports;
}
