import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

/** How many bytes the page is, as it was built, compressed as servers do. */
const folder = fileURLToPath(new URL("../dist/web/", import.meta.url));

const sizeOf = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
const sum = (names: readonly string[]): number => names.reduce((total, name) => total + sizeOf(name), 0);

/** The scripts that a script needs before it runs. */
function staticImports(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(folder, name), "utf8");
  for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
    staticImports(imported, found);
  return found;
}

const sheets = readdirSync(folder).filter((name) => name.endsWith(".css"));
const first = ["index.html", ...sheets, ...staticImports("main.js")];

test("what is loaded before the page is painted is at most 100 kB", () => {
  expect(first.length).toBeGreaterThan(3);
  expect(sum(first)).toBeLessThan(100_000);
});

test("the editor and the language are not among it", () => {
  expect(first).not.toContain("worker.js");
  const texts = first.map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts.filter((text) => text.includes("cm-content"))).toEqual([]);
});

test("all of the page is at most 650 kB, and without the code of models 600 kB", () => {
  const all = readdirSync(folder);
  const models = all.filter((name) =>
    readFileSync(join(folder, name), "utf8").includes("LayerNormalization"),
  );
  expect(models.length).toBeGreaterThan(0);
  expect(sum(all)).toBeLessThan(650_000);
  expect(sum(all.filter((name) => !models.includes(name)))).toBeLessThan(600_000);
});
