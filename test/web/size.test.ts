import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { brotliSize, pageFolder as folder, neededForPaint, pageFiles } from "./files.js";

/** How many bytes the page is, as it was built, compressed: by gzip as any server does, and by Brotli as the build does. */
const all = pageFiles();

const gzipOf = (name: string): number => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
const sum = (names: readonly string[], sizeOf: (name: string) => number): number =>
  names.reduce((total, name) => total + sizeOf(name), 0);

const first = neededForPaint();

test("what is loaded before the page is painted is at most 32.3 kB", () => {
  expect(first.length).toBeGreaterThan(3);
  expect(sum(first, gzipOf)).toBeLessThan(32_300);
});

test("the editor and the language are not among it", () => {
  expect(first).not.toContain("worker.js");
  const texts = first.map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts.filter((text) => text.includes("cm-content"))).toEqual([]);
});

test("every file is there in Brotli, as it is", () => {
  expect(all.length).toBeGreaterThan(10);
  for (const name of all)
    expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`)))).toEqual(
      readFileSync(join(folder, name)),
    );
});

test("all of the page is at most 785 kB by gzip and 677 kB by Brotli; without the code of models 628 kB", () => {
  const models = all.filter((name) =>
    readFileSync(join(folder, name), "utf8").includes("LayerNormalization"),
  );
  expect(models.length).toBeGreaterThan(0);
  expect(sum(all, gzipOf)).toBeLessThan(785_000);
  expect(sum(all, brotliSize)).toBeLessThan(677_000);
  const others = all.filter((name) => !models.includes(name));
  expect(sum(others, brotliSize)).toBeLessThan(628_000);
});
