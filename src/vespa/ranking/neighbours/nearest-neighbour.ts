import type { TensorType } from "../../../language/types/type.js";
import type { Query } from "../../documents/query.js";
import { type Condition, conditionOf } from "../../text/queries/yql.js";
import type { MissingReason } from "../messages.js";
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

/** An operator of a query. One that is negated is refused as others are, but no feature sees it. */
interface NeighbourOperator extends NeighbourSearch {
  readonly isRanked: boolean;
}

/** The operators in a query's YQL that features see; nothing where there is none, or where it cannot be read. */
export function searchesOf(
  query: Pick<Query, "parameters"> | undefined,
): readonly NeighbourSearch[] | undefined {
  return operatorsOf(query)?.filter(({ isRanked }) => isRanked);
}

/** All operators in a query's YQL; nothing where there is none, or where it cannot be read. */
export function operatorsOf(
  query: Pick<Query, "parameters"> | undefined,
): readonly NeighbourOperator[] | undefined {
  const yql = query?.parameters.get("yql")?.value;
  if (query === undefined || typeof yql !== "string") return undefined;
  const condition = conditionOf(yql);
  if (condition !== undefined) return operatorsIn(condition, query, { isRanked: true, label: undefined });
  return yql.includes(operatorName) ? undefined : [];
}

const operatorName = "nearestNeighbor";

function operatorsIn(
  condition: Condition,
  query: Pick<Query, "parameters">,
  around: Pick<NeighbourOperator, "isRanked" | "label">,
): NeighbourOperator[] {
  if (condition.kind !== "call") return [];
  const { name, arguments: parts, annotations } = condition;
  const isRanked = around.isRanked && name !== "not";
  const label = annotations.get("label") ?? around.label;
  if (name !== operatorName) return parts.flatMap((each) => operatorsIn(each, query, { isRanked, label }));
  const [field, tensor] = parts;
  if (parts.length !== 2 || field?.kind !== "leaf" || tensor?.kind !== "leaf") return [];
  return [
    {
      field: field.text,
      query: tensor.type === "parameter" ? (query.parameters.get(tensor.text)?.string ?? "") : tensor.text,
      ...{ label, isRanked },
    },
  ];
}

/** What `closeness(field,f)` or `closeness(label,l)` asks about. */
export type SearchTarget = { readonly field: string } | { readonly label: string };

/** The searches that a feature is about, or why there is none: then the feature has its default, or is not known at all. */
export type FoundSearches =
  /** At least one, and all in the same field. */
  | { readonly kind: "searches"; readonly searches: readonly NeighbourSearch[] }
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly reason: MissingReason };

/**
 * The searches that a feature is about: of those that are known all in a field, or the first with a label; otherwise the
 * only one that there can be.
 */
export function searchesFor(
  target: SearchTarget,
  searches: readonly NeighbourSearch[] | undefined,
  types: {
    readonly fields: ReadonlyMap<string, TensorType>;
    readonly inputs: ReadonlyMap<string, TensorType>;
  },
): FoundSearches {
  if (searches !== undefined) {
    const found =
      "field" in target
        ? searches.filter(({ field }) => field === target.field)
        : searches.filter(({ label }) => label === target.label).slice(0, 1);
    return found.length === 0 ? { kind: "none" } : { kind: "searches", searches: found };
  }
  const fields = "field" in target ? [target.field] : [...types.fields.keys()];
  const possible = fields.flatMap((field) => {
    const type = types.fields.get(field);
    const fitting = [...types.inputs].filter(([, each]) => type !== undefined && isQueryFor(each, type));
    return fitting.map(([name]): NeighbourSearch => ({ field, query: name }));
  });
  const { length: count } = possible;
  if (count === 1) return { kind: "searches", searches: possible };
  return { kind: "unknown", reason: count === 0 ? "no fitting input" : { kind: "fitting inputs", count } };
}
