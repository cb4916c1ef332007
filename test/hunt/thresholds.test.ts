import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lowered, thresholds } from "./thresholds.js";

/** The engine with low thresholds, in which `npm run hunt:low` hunts. */
const textOf = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8").replaceAll("\r", "");

test.each([
  ...new Set(thresholds.map(({ file }) => file)),
])("%s has low thresholds, and nothing else that is new", (file) => {
  const rows = thresholds.filter((each) => each.file === file);
  const [before, after] = [textOf(file), lowered(file, textOf(file))].map((text) => text.split("\n"));
  const changed = (after ?? []).filter((line, at) => line !== before?.[at]);
  expect(after).toHaveLength(before?.length ?? 0);
  expect(changed).toHaveLength(rows.length);
  for (const { name, low } of rows)
    expect(
      changed.filter((line) => line.includes(`const ${name}`) && line.includes(`= ${low};`)),
    ).toHaveLength(1);
});

test("a threshold that there is not is told", () => {
  const [{ file, name } = { file: "", name: "" }] = thresholds;
  expect(() => lowered(file, "const other = 1;")).toThrow(`${file} has no constant ${name}`);
});
