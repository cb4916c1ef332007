import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";
import { load } from "./bundle.js";

/**
 * Writes into the service worker of the page which files there are, and a checksum of them all: another version of any file is
 * another service worker, which fetches them anew. Every file is also compressed, `main.js.br` beside `main.js`, as servers serve it.
 */
const folder = new URL("../dist/web/", import.meta.url);
const worker = new URL("service-worker.js", folder);
const files = readdirSync(fileURLToPath(folder))
  .filter((name) => name !== "service-worker.js" && !name.endsWith(".br"))
  .sort();
const hash = createHash("sha256");
for (const name of files) hash.update(name).update(readFileSync(new URL(name, folder)));
const version = hash.update(readFileSync(worker)).digest("hex").slice(0, 16);
const names = ["./", ...files];
const head = `const pageFiles=${JSON.stringify(names)},pageVersion=${JSON.stringify(version)};\n`;
const { replaceFile } = load();
replaceFile(fileURLToPath(worker), head + readFileSync(worker, "utf8"));
for (const name of [...files, "service-worker.js"]) {
  const path = fileURLToPath(new URL(name, folder));
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  replaceFile(`${path}.br`, brotliCompressSync(bytes, { params }));
}
