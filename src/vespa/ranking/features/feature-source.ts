import { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Field } from "../../package/model/model.js";
import type { FieldRanking } from "../../package/schemas/fields/field-ranking.js";
import type { QueryTerm } from "../../text/queries/query-term.js";
import type { Statistics } from "../../text/statistics.js";
import type { Document } from "../document/document.js";
import type { MissingReason } from "../messages.js";
import type { Position } from "../neighbours/great-circle.js";
import type { FoundSearches, NeighbourSearch, SearchTarget } from "../neighbours/nearest-neighbour.js";
import type { InputOrigin } from "./input-origin.js";

/** What a feature may look at, but for the document: a rank profile, a query, a clock. */
export interface QueryContext {
  readonly field: (name: string) => Field | undefined;
  readonly fields: ReadonlyMap<string, Field>;
  /** How the rank profile weighs a field. */
  readonly ranking: (field: string) => FieldRanking;
  /** The tensor of an input by the name inside `query(…)`. */
  readonly query: (name: string) => Tensor;
  readonly queryOrigin: (name: string) => InputOrigin;
  /** The text of an input that is no tensor, as the query has it. */
  readonly queryText: (name: string) => string | undefined;
  /** A rank property of the rank profile. */
  readonly property: (key: string) => string | undefined;
  readonly searchesFor: (target: SearchTarget) => FoundSearches;
  /** All that the query searches, where it says so. */
  readonly searches: readonly NeighbourSearch[] | undefined;
  /** The places that the query searches, and in which field. */
  readonly positions: readonly SearchedPosition[];
  /** The words of the query, where they are known. */
  readonly terms: readonly QueryTerm[] | undefined;
  /** What is counted over all documents, where features are to be made of words. */
  readonly statistics: Statistics | undefined;
  /** Whether documents have the fields that they import. */
  readonly hasParents: boolean;
  /** The names of all fields that are attributes, or that have an index. */
  readonly fieldsThat: (are: "attributes" | "fields") => readonly string[];
  /** Seconds since 1970. */
  readonly now: number | undefined;
}

export interface SearchedPosition {
  /** Nothing where the query names no field. */
  readonly field: string | undefined;
  readonly position: Position;
}

/** A value that each document has. */
export interface FieldSource {
  readonly kind: "document";
  /** The fields that the value is made of. */
  readonly fields: readonly string[];
  readonly type: TensorType;
  readonly of: (document: Document) => Value;
  /** Of those that Vespa makes when a document is fed: the fields of the document from which it makes them. */
  readonly madeOf?: ReadonlyMap<string, readonly string[]>;
}

/**
 * The first of the fields of a value that a document does not say. What is made when it is fed is not known, unless all that it
 * is made of is unset.
 */
export function unsaidField({ fields, madeOf }: FieldSource, document: Document): string | undefined {
  const isUnset = (field: string): boolean => {
    const inputs = madeOf?.get(field);
    return inputs === undefined || (inputs.length > 0 && !inputs.some((each) => document.has(each)));
  };
  return fields.find((each) => !document.has(each) && !(document.isWhole && isUnset(each)));
}

/** How a feature gets its value: of any document, or of each; or why it cannot. */
export type Source =
  | FieldSource
  | { readonly kind: "query"; readonly type: TensorType; readonly value: Value; readonly origin: InputOrigin }
  | { readonly kind: "external"; readonly reason: MissingReason };

export type Value = Tensor | number;

export const external = (reason: MissingReason): Source => ({ kind: "external", reason });
export const noClock = external("no clock");

export const ofQuery = (value: Value, origin: InputOrigin = "query"): Source => {
  return { kind: "query", type: typeOfValue(value), value, origin };
};

const typeOfValue = (value: Value): TensorType =>
  typeof value === "number" ? TensorType.scalar : value.type;

export const ofDocument = (
  fields: string | readonly string[],
  of: (document: Document) => Value,
  type: TensorType = TensorType.scalar,
): Source => ({ kind: "document", fields: typeof fields === "string" ? [fields] : fields, type, of });
