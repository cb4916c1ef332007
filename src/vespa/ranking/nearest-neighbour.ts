import type { TensorType } from "../../language/types/type.js";
import type { Query } from "../documents/query.js";
import type { MissingReason } from "./messages.js";
import { isQueryFor } from "./nearest-vector.js";

/**
 * Which tensor of a query is compared with which field of its documents. The `nearestNeighbor` operators of a query's
 * YQL say so, or the caller does; where there is neither, a field is compared with the one input that fits it.
 */
export interface NeighbourSearch {
  readonly field: string;
  /** The name of the input: `q` for `query(q)`. */
  readonly query: string;
  readonly label?: string | undefined;
}

/** The operators in a query's YQL; nothing where the query has none at all. */
export function searchesOf(
  query: Pick<Query, "parameters"> | undefined,
): readonly NeighbourSearch[] | undefined {
  const yql = query?.parameters.get("yql")?.value;
  if (typeof yql !== "string") return undefined;
  const operators = yql.matchAll(/\bnearestNeighbor\s*\(\s*([\w.]+)\s*,\s*(\w+)\s*\)/g);
  return Array.from(operators, ({ 1: field = "", 2: tensor = "", index }) => {
    const annotations = annotationsBefore(yql, index);
    const [, label] = /\blabel["']?\s*:\s*["']([^"']*)["']/.exec(annotations) ?? [];
    return { field, query: tensor, label };
  });
}

/** What stands in the braces before an operator, which may be in parentheses: `{label:"a"}(nearestNeighbor(…))`. */
export function annotationsBefore(yql: string, at: number): string {
  let end = behindSpaces(yql, at);
  if (yql[end - 1] === "(") end = behindSpaces(yql, end - 1);
  if (yql[end - 1] !== "}") return "";
  let start = end - 1;
  while (start > 0 && !"{}".includes(yql[start - 1] ?? "")) start--;
  return yql[start - 1] === "{" ? yql.slice(start, end - 1) : "";
}

/** The offset behind the last character before an offset that is no space. */
function behindSpaces(text: string, at: number): number {
  let end = at;
  while (end > 0 && /\s/.test(text[end - 1] ?? "")) end--;
  return end;
}

/** What `closeness(field,f)` or `closeness(label,l)` asks about. */
export type SearchTarget = { readonly field: string } | { readonly label: string };

/** How a search was found, or why there is none: then the feature has its default, or is not known at all. */
export type FoundSearch =
  | { readonly kind: "search"; readonly search: NeighbourSearch }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: MissingReason };

/** The search that a feature is about, of those that are known, or the only one that there can be. */
export function searchFor(
  target: SearchTarget,
  searches: readonly NeighbourSearch[] | undefined,
  types: {
    readonly fields: ReadonlyMap<string, TensorType>;
    readonly inputs: ReadonlyMap<string, TensorType>;
  },
): FoundSearch {
  const isTarget = (search: NeighbourSearch): boolean =>
    "field" in target ? search.field === target.field : search.label === target.label;
  const named = searches?.find(isTarget);
  if (named !== undefined) return { kind: "search", search: named };
  if (searches !== undefined) return { kind: "none" };
  const fields = "field" in target ? [target.field] : [...types.fields.keys()];
  const possible = fields.flatMap((field) => {
    const type = types.fields.get(field);
    const fitting = [...types.inputs].filter(([, each]) => type !== undefined && isQueryFor(each, type));
    return fitting.map(([name]): NeighbourSearch => ({ field, query: name }));
  });
  const [only] = possible;
  if (only !== undefined && possible.length === 1) return { kind: "search", search: only };
  const { length: count } = possible;
  return { kind: "unknown", reason: count === 0 ? "no fitting input" : { kind: "fitting inputs", count } };
}
