import { SphexError } from "../../../language/source/problem.js";
import { compileExpression } from "../../../program/compile.js";

/** What an output of `elementSimilarity` may be made of, of each element that has a term: `max((0.35*p+0.65*o)*w)`. */
export interface ElementQuantities {
  /** Proximity, order, query coverage, field coverage. */
  readonly p: number;
  readonly o: number;
  readonly q: number;
  readonly f: number;
  /** The weight of the element. */
  readonly w: number;
}

/** An output of `elementSimilarity`: what is computed of each element, and what is made of these values. */
export interface ElementExpression {
  readonly aggregator: "max" | "avg" | "sum";
  readonly value: (quantities: ElementQuantities) => number;
}

const cache = new Map<string, ElementExpression | undefined>();

/** Nothing where a text is no such output. */
export function elementExpression(text: string): ElementExpression | undefined {
  if (!cache.has(text)) cache.set(text, read(text));
  return cache.get(text);
}

function read(output: string): ElementExpression | undefined {
  const [, name, text = ""] = /^\s*(\w+)\s*\(([\s\S]*)\)\s*$/.exec(output) ?? [];
  const aggregator = (["max", "avg", "sum"] as const).find((each) => each === name);
  const value = aggregator === undefined ? undefined : compiled(text);
  return aggregator === undefined || value === undefined ? undefined : { aggregator, value };
}

const inputs = Object.fromEntries(["p", "o", "q", "f", "w"].map((each) => [each, "tensor()"]));

function compiled(text: string): ElementExpression["value"] | undefined {
  try {
    const program = compileExpression(text, { dialect: "vespa", inputs });
    return program.results[0]?.type.isScalar === true
      ? (quantities) => program.run({ ...quantities }).asNumber()
      : undefined;
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}
