import type { Dialect } from "../../src/language/check/dialect.js";
import { TensorType } from "../../src/language/types/type.js";
import { Builder, type Definition, type Goal, type HostFunction, type Input } from "./builder.js";
import { Choice } from "./choice.js";
import { anyCells } from "./dimensions.js";
import { type Expression, textOf } from "./expression.js";
import { forms } from "./forms/forms.js";
import { networkType } from "./forms/networks.js";

/** A program with its inputs. */
export interface Program {
  /** The dialect, where the program means something in it; otherwise it is the formalism's. */
  readonly dialect: Dialect;
  readonly inputs: readonly Input[];
  readonly definitions: readonly Definition[];
  readonly hosts: readonly HostFunction[];
  readonly results: readonly Expression[];
}

/** How many cells a tensor may have, about: some programs are large, and all of them where that is asked for. */
const [smallBudget, largeBudget, largestBudget] = [300, 8_000, 80_000];

/** How often a program has so many results. */
const resultWeights: Readonly<Record<number, number>> = { 1: 80, 2: 10, 3: 10, 8: 3 };

/** The program of a seed; one with tensors as large as the hunt has where that is asked for. */
export function programOf(seed: number, isLargest = false): Program {
  const choice = new Choice(seed);
  const dialect = choice.percent(8) ? "vespa" : "formalism";
  const isLarge = isLargest || choice.percent(4);
  const builder = new Builder(choice, isLarge, forms);
  const goal = (): Goal => {
    const rank = choice.oneOf(builder.dimensions.isWide ? [3, 5, 7, 8, 9] : [0, 1, 1, 2, 2, 3]);
    const dimensions = builder.dimensions.others([], rank, choice.percent(50), choice.percent(70));
    const cells =
      isLarge && choice.percent(80) ? choice.oneOf(["double", "float"] as const) : anyCells(choice);
    const type = choice.percent(4) ? networkType(choice) : TensorType.of(cells, dimensions);
    const depth = choice.oneOf(isLarge ? [2, 2, 3] : [1, 2, 3, 3, 4, 4, 5, 6]);
    const budget = isLargest ? largestBudget : isLarge ? largeBudget : smallBudget;
    return { type, depth, budget, scope: { variables: [], isOpen: true } };
  };
  if (choice.percent(4)) for (let left = choice.between(4, 16); left > 0; left--) builder.statement(goal());
  const count = choice.weighted([1, 2, 3, 8], (each) => resultWeights[each] ?? 0);
  const results = Array.from({ length: count }, () => builder.expression(goal()));
  return { dialect, inputs: builder.inputs, definitions: builder.definitions, hosts: builder.hosts, results };
}

/** The text of a program: a statement a line. */
export function sourceOf({ definitions, results }: Program): string {
  const lines = definitions.map(({ role, name, parameters, lambdas, typeParameters, body }) => {
    if (role !== undefined) return `${role} ${name}: ${body.type} = ${textOf(body)}`;
    const all = [...parameters, ...lambdas, ...typeParameters].map((each) => each.name);
    const names = all.length === 0 ? "" : `(${all.join(", ")})`;
    return `${name}${names} = ${textOf(body)}`;
  });
  return [...lines, ...results.map(textOf)].join(";\n");
}
