import { describe, expect, test } from "vitest";
import { inputsOf, lambdaOf, type Node, visit } from "../../src/language/core/operations.js";
import { coreText } from "../../src/language/core/print.js";
import { SphexError } from "../../src/language/source/problem.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { isNear } from "../../src/language/values/near.js";
import { compileExpression } from "../../src/program/compile.js";
import { inputTypes, parseTensor } from "../../src/program/inputs/inputs.js";
import { type BlockKind, caseFiles, type Dialect, type Line, linesOf, withBlocks } from "../case-files.js";
import { checkedExpression } from "../core.js";
import { evaluate } from "../engine-evaluate.js";

/** The cases of test/cases give the value, or have the problems, that stands there; their core and plan are those below them. */

/** The value in canonical text, or the codes of the problems. */
function answer({ expression, inputs }: Line, dialect: Dialect): string {
  try {
    return evaluate(expression, inputs, { dialect }).toString();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map((each) => each.code).join(",");
  }
}

/**
 * Engines differ in the last digits of functions and sums; ours must be as near as decision D16 says. Zeros of derivatives have
 * either sign.
 */
function expectSame(found: string, expected: string, hasSigns: boolean): void {
  if (!found.startsWith("tensor")) expect(found).toBe(expected);
  const [ours, theirs] = [parseTensor(found), parseTensor(expected)];
  expect(`${ours.type}`).toBe(`${theirs.type}`);
  const tolerance = cellTypes[ours.type.cellType].width === 8 ? 1e-14 : 1e-6;
  const cells = [...theirs.cells()];
  expect([...ours.cells()].map((cell) => cell.address)).toEqual(cells.map((cell) => cell.address));
  for (const [at, { value }] of [...ours.cells()].entries()) {
    const other = cells[at]?.value ?? Number.NaN;
    const isSameZero = !hasSigns || value !== 0 || other !== 0 || Object.is(value, other);
    if (!isSameZero || !isNear(value, other, tolerance * Math.abs(other))) expect(found).toBe(expected);
  }
}

describe.each(caseFiles)("%s", (file) => {
  for (const [at, line] of linesOf(file).entries()) {
    for (const dialect of line.dialects) {
      test(`${at + 1}. ${line.expression} (${dialect})`, () => {
        const found = answer(line, dialect);
        if (line.problems !== undefined) expect(found).toBe(line.problems);
        else expectSame(found, line.value ?? "", !file.includes("gradients"));
      });
    }
  }
});

/** The results of a line, as the checker leaves them. */
function rootsOf({ expression, inputs }: Line, dialect: Dialect): readonly Node[] {
  const types = new Map(Object.entries(inputTypes(inputs, { dialect }).types));
  return checkedExpression(expression, types, dialect).results.map(({ node }) => node);
}

/** The plan of a line, as `explain --plan` prints it. */
function planOf({ expression, inputs }: Line, dialect: Dialect): string {
  const { types, values } = inputTypes(inputs, { dialect });
  return compileExpression(expression, { inputs: types, dialect }).plan(values).ir;
}

/** What is derived of a line, in a dialect. */
const derived: Readonly<Record<BlockKind, (line: Line, dialect: Dialect) => string>> = {
  core: (line, dialect) => coreText(rootsOf(line, dialect)),
  plan: planOf,
};

const blockOf = (line: Line, kind: BlockKind): string => {
  const [text = "", ...others] = line.dialects.map((dialect) => derived[kind](line, dialect));
  for (const other of others) expect(other, `the ${kind} is the same in both dialects`).toBe(text);
  return text;
};

test.each(
  caseFiles.filter((file) => linesOf(file).some(({ blocks }) => blocks.length > 0)),
)("the blocks in %s: npm run cases writes them anew", async (file) => {
  await expect(withBlocks(file, blockOf)).toMatchFileSnapshot(`../cases/${file}`);
});

test("cores are shown of every operation", () => {
  const shown = caseFiles.flatMap(linesOf).filter(({ blocks }) => blocks.includes("core"));
  const operations = new Set<string>();
  const open = shown.flatMap((line) => line.dialects.flatMap((dialect) => rootsOf(line, dialect)));
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    operations.add(node.op);
    const lambda = lambdaOf(node);
    open.push(...visit(inputsOf, node), ...(lambda === undefined ? [] : [lambda.body]));
  }
  // A function of a host is no part of an expression's text.
  expect([...operations, "host"].sort()).toEqual(Object.keys(inputsOf).sort());
});
