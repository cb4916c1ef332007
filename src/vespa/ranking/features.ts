import type { Tensor } from "../../language/values/tensor.js";
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
import { dotProduct, operatorProduct } from "./dot-product.js";
import type { FeatureCall } from "./feature-call.js";
import { external, noClock, ofDocument, ofQuery, type QueryContext, type Source } from "./feature-source.js";
import { foreachOf } from "./foreach.js";
import { closenessTo, distanceOutputs } from "./geo-features.js";
import { farthest, metricNamed, metrics } from "./metrics.js";
import type { SearchTarget } from "./nearest-neighbour.js";
import { closest, closestType, type Neighbour, nearestIn } from "./nearest-vector.js";
import { nearestPosition, positionsIn } from "./positions.js";
import { textSource } from "./text-features.js";

/**
 * The features whose values need no engine: one row each, which says what makes the value. All others, such as the outputs
 * of models that are not in the package, are supplied by the caller.
 */

type Row = (call: FeatureCall, context: QueryContext) => Source;

// biome-ignore format: a table
const rows: Readonly<Record<string, Row>> = {
  attribute:             attribute,
  query:                 ({ arguments: [name = ""] }, context) => ofQuery(context.query(name), context.queryOrigin(name)),
  now:                   (_, { now }) => now === undefined ? noClock : ofQuery(now),
  age:                   (call, context) => aged(call, context, (seconds) => seconds),
  freshness:             fresh,
  distance:              (call, context) => near(call, context, ({ distance }) => distance),
  closeness:             (call, context) => near(call, context, ({ closeness }) => closeness),
  closest:               closestVector,
  tensorFromLabels:      (call, context) => collected(call, context, labels),
  tensorFromWeightedSet: (call, context) => collected(call, context, weightedSet),
  tensorFromStructs:     structs,
  dotProduct:            products,
  rawScore:              ({ arguments: [field = ""] }, context) => rawScores({ field }, context),
  itemRawScore:          ({ arguments: [label = ""] }, context) => rawScores({ label }, context),
  foreach:               (call, context) => foreachOf(call, context, sourceOf),
  great_circle_distance: (call, context) => positioned({ ...call, output: call.output ?? "km" }, context, call.arguments.at(-1) ?? ""),
};

/** The features that are computed from a document, a query and a clock. */
export const computedFeatures: readonly string[] = Object.keys(rows);

/** Features that ranking a list fills in: one that is missing has not come so far. */
const ofLists = new Set(["firstPhaseRank", "firstPhaseMax"]);

/** Where the value of a feature comes from. */
export function sourceOf(call: FeatureCall, context: QueryContext): Source {
  const row = Object.hasOwn(rows, call.head) ? rows[call.head] : undefined;
  const isPlain = call.output !== undefined && rankFeatures[call.head]?.plain === call.output;
  const plain = isPlain ? { ...call, output: undefined } : call;
  const otherwise = external(ofLists.has(call.head) ? "of list" : "engine only");
  const source = row?.(plain, context) ?? textSource(plain, context) ?? otherwise;
  const isImported = source.kind === "document" && context.field(source.field)?.where === "imported";
  return isImported && !context.hasParents ? external("imported") : source;
}

function attribute({ arguments: [name = "", key], output }: FeatureCall, context: QueryContext): Source {
  const field = context.field(name);
  if (field === undefined) return external("no field");
  if (output === "count") return ofDocument(name, (document) => document.count(name));
  if (output === "weight" && key !== undefined)
    return ofDocument(name, (document) => document.weight(name, key) ?? 0);
  if (output === "contains" && key !== undefined) {
    return ofDocument(name, (document) => Number(document.weight(name, key) !== undefined));
  }
  if (output !== undefined) return external("unknown output");
  if (key !== undefined) return ofDocument(name, (document) => document.element(name, Number(key)));
  const type = field.tensorType;
  if (type === undefined) return ofDocument(name, (document) => document.number(field));
  const empty = emptyTensor(type);
  return ofDocument(name, (document) => document.tensor(field, type) ?? empty, type);
}

function aged(
  { arguments: [name = ""] }: FeatureCall,
  context: QueryContext,
  result: (seconds: number) => number,
): Source {
  const field = context.field(name);
  const { now } = context;
  if (field === undefined) return external("no field");
  return now === undefined
    ? noClock
    : ofDocument(name, (document) => result(age(now, document.number(field))));
}

function fresh(call: FeatureCall, context: QueryContext): Source {
  const { arguments: list, output } = call;
  const setting = (name: string): number | undefined => {
    const text = context.property(`freshness(${list.join(",")}).${name}`);
    return text === undefined || Number.isNaN(Number(text)) ? undefined : Number(text);
  };
  const settings: FreshnessSettings = { maxAge: setting("maxAge"), halfResponse: setting("halfResponse") };
  if (output !== undefined && output !== "logscale") return external("unknown output");
  const scale = output === undefined ? freshness : logarithmicFreshness;
  return aged(call, context, (seconds) => scale(seconds, settings));
}

/** A neighbour, and how close it is by the field's metric. */
interface NeighbourMatch extends Neighbour {
  readonly closeness: number;
}

function near(call: FeatureCall, context: QueryContext, result: (found: NeighbourMatch) => number): Source {
  const [by, name = by ?? ""] = call.arguments;
  const isTensor = context.field(name)?.tensorType !== undefined;
  if ((call.arguments.length === 1 || by === "field") && !isTensor) return positioned(call, context, name);
  if (call.arguments.length === 1) return near({ ...call, arguments: ["field", name] }, context, result);
  if (call.arguments.length !== 2 || (by !== "field" && by !== "label") || call.output !== undefined)
    return external("positions");
  return compared(
    by === "field" ? { field: name } : { label: name },
    context,
    ({ of, none, field: fieldName }) => ofDocument(fieldName, (document) => result(of?.(document) ?? none)),
  );
}

/** `distance(p)` and `closeness(p)` of positions. */
function positioned({ head, output }: FeatureCall, context: QueryContext, name: string): Source {
  const field = context.field(name);
  if (field === undefined) return external("no field");
  const own = context.positions.filter((each) => each.field === name);
  const searched = (own.length > 0 ? own : context.positions).map(({ position }) => position);
  const setting = (key: string): number => Number(context.property(`${head}(${name}).${key}`));
  const compute = head === "closeness" ? closenessTo(output, setting) : distanceOutputs[output ?? ""];
  if (compute === undefined) return external("unknown output");
  return ofDocument(name, (document) => compute(nearestPosition(searched, positionsIn(document.json(name)))));
}

/** The scores of the operators of a query: of those that search neighbours, or else of those that multiply weights. */
function rawScores(target: SearchTarget, context: QueryContext): Source {
  const products = (context.terms ?? []).flatMap(({ pattern, fields: [field = ""], label }) => {
    const isTarget = "field" in target ? field === target.field : label === target.label;
    return pattern.kind === "product" && isTarget ? [{ field, of: operatorProduct(pattern.weights) }] : [];
  });
  const [product] = products;
  if (product !== undefined)
    return ofDocument(product.field, (document) =>
      products.reduce((sum, { field, of }) => sum + of(document.json(field)), 0),
    );
  const searches = (context.searches ?? []).filter((each) =>
    "field" in target ? each.field === target.field : each.label === target.label,
  );
  const all = searches.length > 0 ? searches : [undefined];
  const sources = all.map((search) => {
    const own = search?.label === undefined ? target : { label: search.label };
    return compared(own, context, ({ of, none, field }) =>
      ofDocument(field, (document) => (of === undefined ? 0 : (of(document) ?? none).closeness)),
    );
  });
  const [first] = sources;
  const documents = sources.flatMap((each) => (each.kind === "document" ? [each] : []));
  if (first === undefined || documents.length < sources.length) return first ?? external("engine only");
  return ofDocument(documents[0]?.field ?? "", (document) =>
    documents.reduce((sum, { of }) => sum + Number(of(document)), 0),
  );
}

/** `dotProduct(a,v)`: the vector of the query is the rank property `dotProduct.v`. */
function products({ arguments: [name = "", vector = ""] }: FeatureCall, context: QueryContext): Source {
  const field = context.field(name);
  if (field === undefined) return external("no field");
  const of = dotProduct(context.property(`dotProduct.${vector}`) ?? "", field.typeText);
  return ofDocument(name, (document) => of(document.json(name)));
}

function closestVector({ arguments: [name = "", label] }: FeatureCall, context: QueryContext): Source {
  const type = context.field(name)?.tensorType;
  if (type === undefined) return external("no tensor field");
  return compared(label === undefined ? { field: name } : { label }, context, ({ of, none }) =>
    ofDocument(name, (document) => closest(type, of?.(document) ?? none), closestType(type)),
  );
}

interface Comparison {
  readonly field: string;
  /** Nothing where the query searches for no neighbours there. */
  readonly of: ((document: Document) => NeighbourMatch) | undefined;
  readonly none: NeighbourMatch;
}

function compared(
  target: SearchTarget,
  context: QueryContext,
  result: (comparison: Comparison) => Source,
): Source {
  const found = context.search(target);
  if (found.kind === "unknown") return external(found.reason);
  const noMatch: NeighbourMatch = { distance: farthest, closeness: 0 };
  if (found.kind === "none") {
    const field = "field" in target ? target.field : "";
    return result({ field, of: undefined, none: noMatch });
  }
  const field = context.field(found.search.field);
  const type = field?.tensorType;
  if (field === undefined || type === undefined)
    return external({ kind: "not a tensor", field: found.search.field });
  const { distanceMetric = "euclidean" } = field;
  const metric = metricNamed(distanceMetric);
  if (metric === undefined) return external({ kind: "unknown metric", metric: distanceMetric });
  const query = context.query(found.search.query);
  const none = metric === metrics.dotproduct ? { ...noMatch, closeness: -farthest } : noMatch;
  const of = (document: Document): NeighbourMatch => {
    const nearest = nearestIn(document.tensor(field, type), query, metric);
    return nearest.labels === undefined
      ? none
      : { ...nearest, closeness: metric.closeness(nearest.distance) };
  };
  return result({ field: field.name.text, of, none });
}

/** The tensors of `attribute(f)` or `query(q)` that are no tensors, by one dimension, which is named as they are. */
function collected(call: FeatureCall, context: QueryContext, { ofValue, ofText }: Collection): Source {
  const [source = "", dimension] = call.arguments;
  const [, kind, name = ""] = /^(attribute|query)\((.+)\)$/.exec(source) ?? [];
  if (kind === undefined) return external("unknown source");
  const named = dimension ?? name;
  if (kind === "query") return ofQuery(fromWeights(ofText(context.queryText(name) ?? ""), named));
  if (context.field(name) === undefined) return external("no field");
  const of = (document: Document): Tensor => fromWeights(ofValue(document.json(name)), named);
  return ofDocument(name, of, weightsType(named));
}

function structs({ arguments: list }: FeatureCall, context: QueryContext): Source {
  const [, name = ""] = /^attribute\((.+)\)$/.exec(list[0] ?? "") ?? [];
  const keys = list.slice(1, -2);
  const [field, cellType] = list.slice(-2);
  if (list.length < 4 || field === undefined || (cellType !== "float" && cellType !== "double"))
    return external("struct arguments");
  if (context.field(name) === undefined) return external("no field");
  const of = (document: Document): Tensor => fromStructs(document.json(name), { keys, field, cellType });
  return ofDocument(name, of, structsType(cellType, keys));
}
