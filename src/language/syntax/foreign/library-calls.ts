import { foreignCalls, rowFor } from "./calls.js";
import type { Captures } from "./template.js";

/** Functions that other languages have in a library, in a table or behind a dot. */

export const wordOf: Readonly<Record<string, string>> = {
  mean: "avg",
  size: "count",
  len: "count",
  amax: "max",
  amin: "min",
  astype: "cell_cast",
  reduce_sum: "sum",
  reduce_mean: "avg",
  reduce_max: "max",
  reduce_min: "min",
  reduce_prod: "prod",
};
/** `SELECT SUM(x) FROM t`, where the aggregator exists here and nothing follows, such as `GROUP BY`. */
export const selected = ({ X = "", Y, Z }: Captures, behind: string): string | undefined => {
  const aggregator = X.toLowerCase();
  const isWhole = behind.trim() === "" && ["sum", "avg", "min", "max", "count"].includes(aggregator);
  return isWhole ? `${aggregator}(${Z}, ${Y})` : undefined;
};
/** `a.sum(x)`, if it is not part of a chain of such calls. */
export const method = (
  { X, Y = "", S = "" }: Captures,
  behind: string,
  before: string,
): string | undefined =>
  before.endsWith(".") || behind.startsWith(".")
    ? undefined
    : `${wordOf[Y] ?? Y}(${[X, ...(S === "" ? [] : [S])].join(", ")})`;
/** `np.std(a)`: the function of this name; where there is none, what stands for it here. */
export const ofLibrary = ({ X = "", S }: Captures): string | undefined => {
  const call = `${wordOf[X] ?? X}(${S})`;
  const row = rowFor(foreignCalls(), call);
  return row === undefined ? call : row.replacement;
};
export const adviceOf = ({ X, S }: Captures): string => rowFor(foreignCalls(), `${X}(${S})`)?.hint ?? "";
export const reductions: ReadonlySet<string> = new Set([
  "sum",
  "avg",
  "mean",
  "max",
  "min",
  "prod",
  "count",
  "median",
  "std",
  "var",
]);

/** What every language has as functions of one argument. */
export const commonFunctions: ReadonlySet<string> = new Set([...reductions, "abs", "sqrt", "exp", "log"]);
