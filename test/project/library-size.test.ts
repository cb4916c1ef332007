import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { parserCore } from "../../bin/parser-core.js";

/** How many bytes a page loads for what it uses of the library, bundled, minified and compressed as servers do. */
const root = fileURLToPath(new URL("../..", import.meta.url));

const compressed = (bytes: Uint8Array): number => gzipSync(bytes, { level: 9 }).length;

/** The first part of a bundle, without what is loaded when it is needed. */
async function bundleOf(statement: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: statement, resolveDir: `${root}/src`, loader: "ts" },
    ...{ bundle: true, splitting: true, minify: true, write: false, outdir: "out" },
    ...{ format: "esm", platform: "neutral", mainFields: ["module", "main"], target: "es2022" },
    ...{ external: ["yaml"], plugins: [parserCore] },
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*\//, ""), text]));
  const loaded = new Set(["stdin.js"]);
  for (const name of loaded)
    for (const [, other = ""] of (texts.get(name) ?? "").matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
      loaded.add(other);
  return [...loaded].map((name) => texts.get(name) ?? "").join("");
}

// biome-ignore format: a table
const parts = [
  { statement: 'export * from "./index.js"',                    most: 374_200 },
  { statement: 'export { compile } from "./index.js"',          most: 338_200 },
  { statement: 'export { Tensor } from "./index.js"',           most: 15_000 },
  { statement: 'export { parseProgram } from "./index.js"',     most: 51_800 },
  { statement: 'export { SphexError } from "./index.js"',       most: 1_750 },
];

test.each(parts)("$statement is at most $most bytes", async ({ statement, most }) => {
  const size = compressed(Buffer.from(await bundleOf(statement)));
  expect(size).toBeLessThan(most);
  expect(size).toBeGreaterThan(300);
});

test("who compiles programs loads no pictures, no reference texts, no tables of results and no archives", async () => {
  const text = await bundleOf('export { compile } from "./index.js"');
  for (const other of ["<svg", "searchTopics", "fflate", "invalid snappy"]) expect(text).not.toContain(other);
});

test("sphex/browser is at most 380 kB", () => {
  expect(compressed(readFileSync(`${root}/dist/browser.js`))).toBeLessThan(380_000);
});
