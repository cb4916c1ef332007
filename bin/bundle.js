import { existsSync, readFileSync, statSync } from "node:fs";
import module, { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

/**
 * The command is one file, `dist/command.cjs`. Parsing it takes V8 longer than a short run does, so the build stores the code
 * cache of V8 beside it. The cache serves one version of V8 only; any other parses the file.
 */
export const bundle = fileURLToPath(new URL("../dist/command.cjs", import.meta.url));
export const codeFile = `${bundle}.${process.version}-${process.arch}`;

/** What the bundle exports; nothing where it was not built. */
export function load() {
  if (!existsSync(bundle)) return undefined;
  const code = cachedCode();
  if (code !== undefined) return run(scriptOf(code));
  module.enableCompileCache?.(); // from Node 22 on: the second start is faster
  return createRequire(import.meta.url)(bundle);
}

/** V8 identifies the source of a code cache by its length alone, so a cache older than the bundle is not used. */
function cachedCode() {
  const status = statSync(codeFile, { throwIfNoEntry: false });
  return status !== undefined && status.mtimeMs >= statSync(bundle).mtimeMs
    ? readFileSync(codeFile)
    : undefined;
}

/** The bundle within the function that Node puts around it. A cache that does not fit is ignored. */
export function scriptOf(cachedData) {
  const text = `(function (exports, require, module, __filename) {${readFileSync(bundle, "utf8")}\n})`;
  return new Script(text, { filename: bundle, ...(cachedData && { cachedData }) });
}

export function run(script) {
  const own = { exports: {} };
  script.runInThisContext()(own.exports, createRequire(bundle), own, bundle);
  return own.exports;
}
