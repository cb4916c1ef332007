import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compile, parseTensor, type Tensor } from "../../src/index.js";
import { patient } from "../patience.js";

/**
 * Every example is run, and gives what stands below its expressions in lines that begin with `#>`. These values were
 * computed apart from Sphex; numbers agree within 1e-9 of their size.
 */
const folder = new URL("../../examples/", import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, folder), "utf8");
const programs = readdirSync(folder).filter((name) => name.endsWith(".sphex"));

function expectNear(found: Tensor, expected: Tensor): void {
  expect(`${found.type}`).toBe(`${expected.type}`);
  const [ours, theirs] = [[...found.cells()], [...expected.cells()]];
  expect(ours.map((cell) => cell.address)).toEqual(theirs.map((cell) => cell.address));
  for (const [at, { value }] of ours.entries()) {
    const other = theirs[at]?.value ?? Number.NaN;
    expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(other)));
  }
}

describe("programs", () => {
  test("are all there", () => {
    expect(programs.length).toBeGreaterThanOrEqual(9);
  });

  test.each(programs)("%s gives its results", (name) => {
    const text = textOf(name);
    const expected = [...text.matchAll(/^#> (.*)$/gm)].map(([, value]) => parseTensor(`${value}`));
    const program = compile(text, { name, readFile: textOf });
    const { results } = program.runAll();
    expect(program.warnings).toEqual([]);
    expect(results).toHaveLength(expected.length);
    for (const [at, result] of results.entries()) expectNear(result, expected[at] as Tensor); // as long as the results
  });
});

test("the library in a program prints what its comments say", patient, () => {
  const printed = execFileSync(process.execPath, [fileURLToPath(new URL("embed.js", folder))], {
    encoding: "utf8",
  });
  const code = textOf("embed.js").slice(textOf("embed.js").indexOf("import "));
  const comments = [...code.matchAll(/(?:;|^) ?\/\/ (.+)$/gm)].map(([, comment]) => comment ?? "");
  const said = comments.filter((comment) => printed.includes(comment));
  expect(printed.trim().split("\n")).toEqual(said);
  expect(said).toHaveLength(8);
});
