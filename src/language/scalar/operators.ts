import { keysOf } from "../source/lists.js";
import type { ScalarName } from "./functions.js";

/**
 * The binary operators: which function each stands for, how tightly it binds, and how tightly Vespa's Java front
 * end believes it binds (one level per operator). `tightness` is the conventional one, which
 * content nodes apply and which we do (D1). `in [...]` binds as a comparison; unary `!` and `-` bind tighter than
 * all of these.
 */
export interface Operator {
  readonly function: ScalarName;
  readonly tightness: number;
  readonly java: number;
  readonly rightToLeft?: true;
}

// biome-ignore format: a table
export const operators = {
  "||": { function: "or",             tightness: 1, java: 1 },
  "&&": { function: "and",            tightness: 2, java: 2 },
  ">=": { function: "greaterOrEqual", tightness: 3, java: 3 },
  ">":  { function: "greater",        tightness: 3, java: 4 },
  "<=": { function: "lessOrEqual",    tightness: 3, java: 5 },
  "<":  { function: "less",           tightness: 3, java: 6 },
  "~=": { function: "approximately",  tightness: 3, java: 7 },
  "!=": { function: "notEqual",       tightness: 3, java: 8 },
  "==": { function: "equal",          tightness: 3, java: 9 },
  "+":  { function: "add",            tightness: 4, java: 10 },
  "-":  { function: "subtract",       tightness: 4, java: 11 },
  "*":  { function: "multiply",       tightness: 5, java: 12 },
  "/":  { function: "divide",         tightness: 5, java: 13 },
  "%":  { function: "fmod",           tightness: 5, java: 14 },
  "^":  { function: "pow",            tightness: 6, java: 15, rightToLeft: true },
} satisfies Record<string, Operator>;

export type OperatorSymbol = keyof typeof operators;
export const operatorSymbols = keysOf(operators);

const symbols = new Map<ScalarName, OperatorSymbol>(
  operatorSymbols.map((symbol) => [operators[symbol].function, symbol]),
);

/** The operator that is a function. */
export const symbolOf = (name: ScalarName): OperatorSymbol | undefined => symbols.get(name);

/** How tightly `in [...]` binds. */
export const membershipTightness = operators["=="].tightness;

/** The unary operators. */
export const prefixes = { "!": "not", "-": "negate" } as const satisfies Record<string, ScalarName>;
export type PrefixSymbol = keyof typeof prefixes;
