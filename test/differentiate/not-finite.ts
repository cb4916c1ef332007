import { finish, Meter } from "../../src/backends/meter.js";
import { Evaluation, unboxed } from "../../src/backends/reference/evaluation.js";
import type { Tensor } from "../../src/index.js";
import { checkProgram } from "../../src/language/check/statements/program.js";
import { parseExpression } from "../../src/language/syntax/parse.js";
import { uniform } from "../../src/program/random.js";

/** Whether such a number is met on the way to the value of an expression, also where the value itself has none. */
export function meets(
  isSuch: (number: number) => boolean,
  text: string,
  inputs: Readonly<Record<string, Tensor>>,
): boolean {
  const { tree } = parseExpression({ name: "expression", text });
  if (tree === undefined) return false;
  const types = new Map(Object.entries(inputs).map(([name, { type }]) => [name, type]));
  const { results } = checkProgram(
    { statements: [{ kind: "result", span: tree.span, expression: tree }] },
    { dialect: "formalism", cells: 10_000_000, expansions: 10_000, inputs: types },
  );
  const node = results[0]?.node;
  if (node === undefined) return false;
  let isMet = false;
  const evaluation: Evaluation = new Evaluation({
    meter: new Meter({ cells: 10_000_000 }),
    random: uniform(1),
    watch: {
      begins: () => undefined,
      ends: (each) => {
        isMet ||= numbersOf(evaluation.lookUp(each)).some(isSuch);
      },
    },
    // biome-ignore lint/correctness/useYield: an input takes no time
    *input(name) {
      const tensor = inputs[name];
      if (tensor === undefined) throw new Error(`no input ${name}`);
      return unboxed(tensor);
    },
  });
  finish(evaluation.value(node));
  return isMet;
}

/** The cells of a value. */
export const numbersOf = (value: number | Tensor | undefined): readonly number[] =>
  typeof value === "object"
    ? Array.from({ length: value.data.length }, (_, at) => value.at(at))
    : value === undefined
      ? []
      : [value];
