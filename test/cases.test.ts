import { describe, expect, test } from "vitest";
import { SphexError } from "../src/language/source/problem.js";
import { cellTypes } from "../src/language/types/cell.js";
import { evaluate } from "../src/program/compile.js";
import { parseTensor } from "../src/program/inputs.js";
import { caseFiles, type Dialect, type Line, linesOf } from "./case-files.js";

/** The cases of test/cases give the value, or have the problems, that stands there. */
/** The value in canonical text, or the codes of the problems. */
function answer({ expression, inputs }: Line, dialect: Dialect): string {
  try {
    return evaluate(expression, inputs, { dialect }).toString();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map((each) => each.code).join(",");
  }
}

/** Engines differ in the last digits of functions and sums; ours must be as near as decision D16 says. */
function expectSame(found: string, wanted: string): void {
  if (!found.startsWith("tensor")) expect(found).toBe(wanted);
  const [ours, theirs] = [parseTensor(found), parseTensor(wanted)];
  expect(`${ours.type}`).toBe(`${theirs.type}`);
  const tolerance = cellTypes[ours.type.cellType].width === 8 ? 1e-14 : 1e-6;
  const cells = [...theirs.cells()];
  expect([...ours.cells()].map((cell) => cell.address)).toEqual(cells.map((cell) => cell.address));
  for (const [at, { value }] of [...ours.cells()].entries()) {
    const other = cells[at]?.value ?? Number.NaN;
    const same =
      Object.is(value, other) || value === other || Math.abs(value - other) <= tolerance * Math.abs(other);
    if (!same) expect(found).toBe(wanted);
  }
}

describe.each(caseFiles)("%s", (file) => {
  for (const [at, line] of linesOf(file).entries()) {
    for (const dialect of line.dialects) {
      test(`${at + 1}. ${line.expression} (${dialect})`, () => {
        const found = answer(line, dialect);
        if (line.problems !== undefined) expect(found).toBe(line.problems);
        else expectSame(found, line.value ?? "");
      });
    }
  }
});
