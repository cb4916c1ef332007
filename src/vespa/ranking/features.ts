import { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Field } from "../package/model.js";
import { rankFeatures } from "../package/rank-features.js";
import { age, type FreshnessSettings, freshness, logarithmicFreshness } from "./ages.js";
import {
  type Collection,
  fromStructs,
  fromWeights,
  labels,
  structsType,
  weightedSet,
  weightsType,
} from "./collections.js";
import { type Document, emptyTensor } from "./document.js";
import type { MissingReason } from "./messages.js";
import { farthest, metricNamed, metrics } from "./metrics.js";
import { closest, closestType, type Neighbour, nearestIn } from "./nearest.js";
import type { Asked, FoundSearch } from "./neighbour-searches.js";

/**
 * The features whose values need no engine: one row each, which says what makes the value. All others, such as `bm25`
 * and the outputs of models, are given by whoever asks.
 */

/** A feature as it is called: `attribute(a,3)` is `attribute` of `a` and `3`, `freshness(t).logscale` has an output. */
export interface FeatureCall {
  /** Canonical. */
  readonly name: string;
  readonly head: string;
  readonly arguments: readonly string[];
  readonly output: string | undefined;
}

/** What a feature may look at, but for the document: a rank profile, a query, a clock. */
export interface Surroundings {
  readonly field: (name: string) => Field | undefined;
  /** The tensor of an input by the name inside `query(…)`. */
  readonly query: (name: string) => Tensor;
  /** The text of an input that is no tensor, as the query has it. */
  readonly queryText: (name: string) => string | undefined;
  readonly property: (key: string) => string | undefined;
  readonly search: (asked: Asked) => FoundSearch;
  /** Seconds since 1970. */
  readonly now: number | undefined;
}

/** How a feature gets its value: of any document, or of each; or why it cannot. */
export type Source =
  | {
      readonly kind: "document";
      /** The field that the value is made of. */
      readonly field: string;
      readonly type: TensorType;
      readonly of: (document: Document) => Value;
    }
  | { readonly kind: "query"; readonly type: TensorType; readonly value: Value }
  | { readonly kind: "given"; readonly reason: MissingReason };

export type Value = Tensor | number;

type Row = (call: FeatureCall, around: Surroundings) => Source;

// biome-ignore format: a table
const rows: Readonly<Record<string, Row>> = {
  attribute:             attribute,
  query:                 ({ arguments: [name = ""] }, around) => ofQuery(around.query(name)),
  now:                   (_, { now }) => now === undefined ? noClock : ofQuery(now),
  age:                   (call, around) => aged(call, around, (seconds) => seconds),
  freshness:             fresh,
  distance:              (call, around) => near(call, around, ({ distance }) => distance),
  closeness:             (call, around) => near(call, around, ({ closeness }) => closeness),
  closest:               closestVector,
  tensorFromLabels:      (call, around) => collected(call, around, labels),
  tensorFromWeightedSet: (call, around) => collected(call, around, weightedSet),
  tensorFromStructs:     structs,
};

/** Where the value of a feature comes from. */
export function sourceOf(call: FeatureCall, around: Surroundings): Source {
  const row = Object.hasOwn(rows, call.head) ? rows[call.head] : undefined;
  if (row === undefined) return given("engine only");
  const isPlain = call.output !== undefined && rankFeatures[call.head]?.plain === call.output;
  return row(isPlain ? { ...call, output: undefined } : call, around);
}

const given = (reason: MissingReason): Source => ({ kind: "given", reason });
const noClock = given("no clock");

const ofQuery = (value: Value): Source => ({ kind: "query", type: typeOfValue(value), value });

const typeOfValue = (value: Value): TensorType =>
  typeof value === "number" ? TensorType.scalar : value.type;

const ofDocument = (
  field: string,
  of: (document: Document) => Value,
  type: TensorType = TensorType.scalar,
): Source => ({ kind: "document", field, type, of });

function attribute({ arguments: [name = "", key], output }: FeatureCall, around: Surroundings): Source {
  const field = around.field(name);
  if (field === undefined) return given("no field");
  if (field.where === "imported") return given("imported");
  if (output === "count") return ofDocument(name, (document) => document.count(name));
  if (output === "weight" && key !== undefined)
    return ofDocument(name, (document) => document.weight(name, key) ?? 0);
  if (output === "contains" && key !== undefined) {
    return ofDocument(name, (document) => Number(document.weight(name, key) !== undefined));
  }
  if (output !== undefined) return given("unknown output");
  if (key !== undefined) return ofDocument(name, (document) => document.element(name, Number(key)));
  const type = field.tensorType;
  if (type === undefined) return ofDocument(name, (document) => document.number(field));
  const empty = emptyTensor(type);
  return ofDocument(name, (document) => document.tensor(field, type) ?? empty, type);
}

function aged(
  { arguments: [name = ""] }: FeatureCall,
  around: Surroundings,
  result: (seconds: number) => number,
): Source {
  const field = around.field(name);
  const { now } = around;
  if (field === undefined) return given("no field");
  return now === undefined
    ? noClock
    : ofDocument(name, (document) => result(age(now, document.number(field))));
}

function fresh(call: FeatureCall, around: Surroundings): Source {
  const { arguments: list, output } = call;
  const setting = (name: string): number | undefined => {
    const text = around.property(`freshness(${list.join(",")}).${name}`);
    return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
  };
  const settings: FreshnessSettings = { maxAge: setting("maxAge"), halfResponse: setting("halfResponse") };
  if (output !== undefined && output !== "logscale") return given("unknown output");
  const scale = output === undefined ? freshness : logarithmicFreshness;
  return aged(call, around, (seconds) => scale(seconds, settings));
}

/** A neighbour, and how close it is by the field's metric. */
interface Found extends Neighbour {
  readonly closeness: number;
}

function near(call: FeatureCall, around: Surroundings, result: (found: Found) => number): Source {
  const [by, name = ""] = call.arguments;
  if (call.arguments.length !== 2 || (by !== "field" && by !== "label") || call.output !== undefined)
    return given("positions");
  return compared(by === "field" ? { field: name } : { label: name }, around, ({ of, none, field: place }) =>
    ofDocument(place, (document) => result(of?.(document) ?? none)),
  );
}

function closestVector({ arguments: [name = "", label] }: FeatureCall, around: Surroundings): Source {
  const type = around.field(name)?.tensorType;
  if (type === undefined) return given("no tensor field");
  return compared(label === undefined ? { field: name } : { label }, around, ({ of, none }) =>
    ofDocument(name, (document) => closest(type, of?.(document) ?? none), closestType(type)),
  );
}

interface Comparison {
  readonly field: string;
  /** Nothing where the query searches for no neighbours there. */
  readonly of: ((document: Document) => Found) | undefined;
  readonly none: Found;
}

function compared(asked: Asked, around: Surroundings, result: (comparison: Comparison) => Source): Source {
  const found = around.search(asked);
  if (found.kind === "unknown") return given(found.reason);
  const nothing: Found = { distance: farthest, closeness: 0 };
  if (found.kind === "none") {
    const field = "field" in asked ? asked.field : "";
    return result({ field, of: undefined, none: nothing });
  }
  const field = around.field(found.search.field);
  const type = field?.tensorType;
  if (field === undefined || type === undefined)
    return given({ kind: "not a tensor", field: found.search.field });
  const { distanceMetric = "euclidean" } = field;
  const metric = metricNamed(distanceMetric);
  if (metric === undefined) return given({ kind: "unknown metric", metric: distanceMetric });
  const query = around.query(found.search.query);
  const none = metric === metrics.dotproduct ? { ...nothing, closeness: -farthest } : nothing;
  const of = (document: Document): Found => {
    const nearest = nearestIn(document.tensor(field, type), query, metric);
    return nearest.labels === undefined
      ? none
      : { ...nearest, closeness: metric.closeness(nearest.distance) };
  };
  return result({ field: field.name.text, of, none });
}

/** The tensors of `attribute(f)` or `query(q)` that are no tensors, by one dimension, which is named as they are. */
function collected(call: FeatureCall, around: Surroundings, { ofValue, ofText }: Collection): Source {
  const [source = "", dimension] = call.arguments;
  const [, kind, name = ""] = /^(attribute|query)\((.+)\)$/.exec(source) ?? [];
  if (kind === undefined) return given("unknown source");
  const named = dimension ?? name;
  if (kind === "query") return ofQuery(fromWeights(ofText(around.queryText(name) ?? ""), named));
  if (around.field(name) === undefined) return given("no field");
  const of = (document: Document): Tensor => fromWeights(ofValue(document.json(name)), named);
  return ofDocument(name, of, weightsType(named));
}

function structs({ arguments: list }: FeatureCall, around: Surroundings): Source {
  const [, name = ""] = /^attribute\((.+)\)$/.exec(list[0] ?? "") ?? [];
  const keys = list.slice(1, -2);
  const [field, cellType] = list.slice(-2);
  if (list.length < 4 || field === undefined || (cellType !== "float" && cellType !== "double"))
    return given("struct arguments");
  if (around.field(name) === undefined) return given("no field");
  const of = (document: Document): Tensor => fromStructs(document.json(name), { keys, field, cellType });
  return ofDocument(name, of, structsType(cellType, keys));
}
