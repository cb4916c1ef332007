import { backends } from "../src/backends/backends.js";
import { reference } from "../src/backends/reference/backend.js";
import { SphexError } from "../src/language/source/problem.js";
import { cellTypes } from "../src/language/types/cell.js";
import { isNear } from "../src/language/values/near.js";
import type { Tensor } from "../src/language/values/tensor.js";
import { compileExpression, evaluate, explain } from "../src/program/compile.js";
import { type InputValue, inputTypes } from "../src/program/inputs/inputs.js";
import type { Options } from "../src/program/options.js";

/** What every way of running an expression must have in common with the reference (D16). */

type Inputs = Readonly<Record<string, InputValue>>;
export type Way = (text: string, inputs: Inputs, options: Options) => Tensor;
export type Ways = Readonly<Record<string, Way>>;

/** The backends that have to agree with the reference. */
export const others = backends.filter(({ name }) => name !== reference.name);

/** The ways to run an expression, each by its name: by each backend, once and prepared. */
export const ways: Ways = Object.fromEntries(
  others.flatMap(({ name: backend }): [string, Way][] => [
    [backend, (text, inputs, options) => evaluate(text, inputs, { ...options, backend })],
    [
      `${backend}, prepared, a second time`,
      (text, inputs, options) => {
        const { types, values } = inputTypes(inputs, options);
        const prepared = compileExpression(text, { ...options, inputs: types, backend }).prepare();
        prepared.run(values);
        return prepared.run(values);
      },
    ],
  ]),
);

/** How these ways differ from the reference, each with its name; nothing where all agree. */
export function disagreements(ways: Ways, text: string, inputs: Inputs, options: Options = {}): string[] {
  const values = valuesOf(inputs, options);
  const expected = answer(() => evaluate(text, values, { ...options, backend: reference }));
  return Object.entries(ways).flatMap(([name, way]) => {
    const difference = differenceOf(way, expected, text, values, options);
    return difference === undefined ? [] : [`${name}: ${difference}`];
  });
}

/** The inputs, read once for all ways. What cannot be read has to be refused by all of them. */
function valuesOf(inputs: Inputs, options: Options): Inputs {
  const values = answer(() => inputTypes(inputs, options).values);
  return typeof values === "string" ? inputs : values;
}

function differenceOf(
  way: Way,
  expected: Tensor | string,
  text: string,
  inputs: Inputs,
  options: Options,
): string | undefined {
  const found = answer(() => way(text, inputs, options));
  // Nobody has to compute what the table of its backend rules out.
  if (typeof found === "string" && found.startsWith("backend/unsupported")) return undefined;
  if (typeof expected === "string" || typeof found === "string")
    return `${expected}` === `${found}` ? undefined : `${found} instead of ${expected}`;
  const difference = cellsDiffer(found, expected, { scale: 0, isFloat: false });
  if (difference === undefined) return undefined;
  // What cancels out may differ by as much as its terms allow; of floats the terms are floats, whatever the result is.
  return cellsDiffer(found, expected, partsOf(text, inputs, options));
}

/** The value, or the codes of the problems. */
function answer<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map(({ code }) => code).join();
  }
}

/** How one value differs from another by more than it may, where cells of this size are among its parts. */
export function cellsDiffer(found: Tensor, expected: Tensor, { scale, isFloat }: Parts): string | undefined {
  if (`${found.type}` !== `${expected.type}`) return `${found.type} instead of ${expected.type}`;
  if (found.sizes.join() !== expected.sizes.join())
    return `sizes ${found.sizes} instead of ${expected.sizes}`;
  if (JSON.stringify(found.labels) !== JSON.stringify(expected.labels))
    return `${found} instead of ${expected}`;
  const { width } = cellTypes[expected.type.cellType];
  const tolerance = width === 2 ? 2 ** -7 : width === 4 || isFloat ? 1e-6 : 1e-14;
  for (let at = 0; at < expected.data.length; at++) {
    const [a, b] = [found.at(at), expected.at(at)];
    // 1 / 0 is not 1 / -0.
    if (a === 0 && b === 0 && !Object.is(a, b))
      return `${found} instead of ${expected}, whose zero ${at} has another sign`;
    if (isNear(a, b, tolerance * Math.max(Math.abs(a), Math.abs(b), scale))) continue;
    return `${a} instead of ${b} in ${found}`;
  }
  return undefined;
}

/** What is known of all parts of an expression: their largest cell, and whether any is not of doubles. */
export interface Parts {
  readonly scale: number;
  readonly isFloat: boolean;
}

function partsOf(text: string, inputs: Inputs, options: Options): Parts {
  const { nodes } = explain(text, inputs, options);
  const cells = nodes.flatMap(({ value }) => [value?.minimum ?? 0, value?.maximum ?? 0]);
  return {
    scale: Math.max(...cells.map(Math.abs).filter(Number.isFinite), 0),
    isFloat: nodes.some(({ type }) => cellTypes[type.cellType].decaysTo === "float"),
  };
}
