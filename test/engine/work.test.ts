import { describe, expect, test } from "vitest";
import { finish } from "../../src/backends/meter.js";
import { workOf } from "../../src/backends/reference/work.js";
import { compileExpression, type InputValue } from "../../src/index.js";
import { inputTypes } from "../../src/program/inputs/inputs.js";
import { Execution } from "../../src/program/runs/execution.js";
import { caseFiles, linesOf } from "../case-files.js";
import { casesOf, hasCases, inputsOf } from "../conformance/cases.js";
import { checkedExpression } from "../core.js";
import { unlessRefused } from "../problem-codes.js";

/** How much work an expression is at most is known before it is computed: there are no more cells, and hardly more steps. */

/** The bound, and what came of it: cells of the result, and steps of the reference; nothing where there is no result. */
function measured(expression: string, inputs: Readonly<Record<string, InputValue>>): Measured | undefined {
  return unlessRefused(() => {
    const { types, values } = inputTypes(inputs, { dialect: "vespa" });
    compileExpression(expression, { inputs: types, dialect: "vespa" }); // refused where it is no expression
    const checked = checkedExpression(expression, new Map(Object.entries(types)), "vespa");
    const execution = new Execution(checked, { backend: "reference" }, 0);
    const read = execution.read(values);
    const before = read.meter.steps;
    const run = execution.run(read);
    const { data } = execution.last(finish(run.results()));
    const work = workOf(
      checked.results.map(({ node }) => node),
      read.tensors,
    );
    return { expression, work, cells: data.length, steps: run.meter.steps - before };
  });
}

interface Measured {
  readonly expression: string;
  readonly work: number;
  readonly cells: number;
  readonly steps: number;
}

/** Sorting takes some more steps for each cell. */
const exceeds = ({ work, cells, steps }: Measured): boolean =>
  cells > work || steps > work * (1 + Math.log2(1 + work));

const isMeasured = (each: Measured | undefined): each is Measured => each !== undefined;

describe("no value has more cells, or takes more steps, than was said", () => {
  test("of the cases here", () => {
    const lines = caseFiles.flatMap((name) => linesOf(name)).filter(({ value }) => value !== undefined);
    const all = lines.map(({ expression, inputs }) => measured(expression, inputs)).filter(isMeasured);
    expect(all.filter(exceeds)).toEqual([]);
    expect(all.length).toBeGreaterThan(500);
  });

  for (const suite of ["engine", "scalar", "random", "docs"])
    test.skipIf(!hasCases(suite))(`of the cases of Vespa's engines: ${suite}`, () => {
      const all = casesOf(suite)
        .map(({ expr, vars }) => measured(expr, inputsOf(vars)))
        .filter(isMeasured);
      expect(all.filter(exceeds)).toEqual([]);
    });
});

const rows = `tensor(k{}):{${Array.from({ length: 40 }, (_, at) => `l${at}:1`)}}`;

// biome-ignore format: a table
const known: readonly { readonly text: string; readonly work: number }[] = [
  { text: "1 + 2",                                                   work: 3 },
  { text: "tensor(x[100])(x)",                                       work: 200 },
  { text: "tensor(x[100])(sum(tensor(y[100])(x + y)))",              work: 100 * 100 },
  { text: "tensor(x[100])(1) * tensor(y[100])(1)",                   work: 100 * 100 },
  { text: "sum(a * rename(a, k, l))",                                work: 40 * 40 },
  { text: "sum(a * rename(a, k, l) * rename(a, k, m))",              work: 40 * 40 * 40 },
  { text: "map_subspaces(a, f(t)(tensor(x[100])(t)))",               work: 40 * 100 },
];

test.each(known)("$text is that much work at least", ({ text, work }) => {
  expect(measured(text, { a: rows })?.work).toBeGreaterThanOrEqual(work);
});
