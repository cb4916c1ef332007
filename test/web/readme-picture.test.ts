import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile, renderSvg } from "../../src/index.js";

/** The picture in README.md is what `sphex plot --svg` draws of the program above it; `vitest --update` draws it anew. */
test("README.md shows the similarities of its first program", async () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const [, program = ""] = /```sphex\n([\s\S]*?)\n```/.exec(readme) ?? [];
  expect(readme).toContain("(examples/similarity.svg)");
  const svg = renderSvg(compile(program).runAll().value("similarity"), { title: "similarity", width: 480 });
  await expect(svg).toMatchFileSnapshot("../../examples/similarity.svg");
});
