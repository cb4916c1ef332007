import { requireObject } from "../language/source/arguments.js";
import {
  boolean,
  isObject,
  type OptionRule,
  type OptionRules,
  object,
  oneOf,
  problemsIn,
  text,
} from "../language/source/option-rule.js";
import { SphexError } from "../language/source/problem.js";
import type { Tensor } from "../language/values/tensor.js";
import type { InputValue } from "../program/inputs/inputs.js";

/** Where the inputs of a program are, by name: in a table, in a file, in the rows of a query, or here. */
export type Bindings = Readonly<Record<string, Binding>>;

/** Where the rows of an input are, and which columns are its dimensions and its value. */
export type Binding = TableBinding | { readonly tensor: InputValue | Tensor };

/** Rows as cells: which column has what. */
export interface TableBinding {
  readonly source: TableSource;
  /** The column of each dimension, by name. */
  readonly dimensions: Readonly<Record<string, string>>;
  /** The column of the cells; `value` by default. */
  readonly value?: string;
  /**
   * The column of arrays that hold the cells of a dense block each, row-major along the dimensions in the order of the
   * input's declaration. Where that is not the order of their names, the engine reads the arrays cell by cell, which is slower.
   */
  readonly block?: string;
  /** Several rows with one address: an error, or what becomes of their cells. */
  readonly duplicates?: DuplicateRule;
  /** Cells of a dense block without a row: an error, or 0. */
  readonly missing?: "error" | "zero";
  /** Rows with a NULL in one of the columns: an error, or no cells. */
  readonly nulls?: "error" | "absent";
  /** On a cluster, the mapped dimension by whose labels the rows are spread over the shards. */
  readonly partition?: string;
  /** On a cluster, whether each shard has all rows. */
  readonly isReplicated?: boolean;
  /** Whether the rules above are known to hold, and values to be of the cell type: nothing is looked at before a run, or rounded. */
  readonly isTrusted?: boolean;
}

/** What becomes of rows with equal labels. */
export type DuplicateRule = "error" | "sum" | "max" | "min" | "avg";
export const duplicateRules = [
  "error",
  "sum",
  "max",
  "min",
  "avg",
] as const satisfies readonly DuplicateRule[];
export const missingRules = ["error", "zero"] as const;
export const nullRules = ["error", "absent"] as const;

/** A table, or a file that an engine reads as one. */
export type TableSource =
  /** A table or a view; dots part its schema from its name. */
  | { readonly table: string }
  /** A file that the engine reads: Parquet, CSV or JSON. */
  | { readonly file: string }
  /** The rows of a query in the engine's own SQL. */
  | { readonly query: string };

export const sourceKinds = ["table", "file", "query"] as const;

/** One of the three, as a text. */
const source: OptionRule = {
  form: "a table, a file or a query",
  holds: (value) =>
    isObject(value) &&
    Object.keys(value).length === 1 &&
    sourceKinds.some((kind) => typeof value[kind] === "string"),
};

// biome-ignore format: a table
const tableRules: OptionRules<TableBinding> = {
  source,
  dimensions:   object,
  value:        text,
  block:        text,
  duplicates:   oneOf(duplicateRules),
  missing:      oneOf(missingRules),
  nulls:        oneOf(nullRules),
  partition:    text,
  isReplicated: boolean,
  isTrusted:    boolean,
};

/** What the tensor is, is looked at with the type of the input. */
const tensorRules: OptionRules<{ readonly tensor: unknown }> = {
  tensor: { form: "a value of the input", holds: () => true },
};

/**
 * Refuses bindings that callers without types get wrong: a rule with a slip of the pen would be none.
 * @throws SphexError with all problems.
 */
export function checkBindings(bindings: Bindings): void {
  requireObject("on", bindings);
  const problems = Object.entries(bindings).flatMap(([name, binding]) => {
    requireObject("on", binding);
    const rules = isTable(binding) ? tableRules : tensorRules;
    return [...problemsIn(binding, rules, `${name}.`, (value) => value === undefined)];
  });
  if (problems.length > 0) throw new SphexError(problems);
}

/** Whether a binding names a table, and not a tensor. */
export const isTable = (binding: Binding): binding is TableBinding => "source" in binding;
