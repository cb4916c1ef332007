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
/** What stands before a dot: `a`, a literal, a sum in parentheses or a call. */
const receiver = ({ X, V, L, "…": inner = "" }: Captures): string =>
  V !== undefined ? `${V}:${L}` : X === undefined ? inner : inner === "" ? X : `${X}(${inner})`;

/** Whether what follows a text is a part of a name or of a call that the text begins. */
export const endsName = (before: string): boolean => /[\w.$@]$/.test(before);

/** `a.sum(x)`, if it is no part of a longer name. */
export const method = (captures: Captures, _behind: string, before: string): string | undefined => {
  const { Y = "", S = "" } = captures;
  const items = [receiver(captures), ...(S === "" ? [] : [S])];
  return endsName(before) ? undefined : `${wordOf[Y] ?? Y}(${items.join(", ")})`;
};

/** `a.T`, of what is no name. */
export const transposed = (captures: Captures, _behind: string, before: string): string | undefined =>
  endsName(before) ? undefined : receiver(captures);

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
