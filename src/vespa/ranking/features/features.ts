import type { Tensor } from "../../../language/values/tensor.js";
import { outerOf } from "../../documents/members.js";
import { leadingNumber } from "../../package/model/engine-numbers.js";
import type { Field } from "../../package/model/model.js";
import { rankFeatures } from "../../package/rank-features/rank-features.js";
import { sumOf } from "../../text/sum.js";
import type { Document } from "../document/document.js";
import { positionsIn } from "../document/position-values.js";
import type { SearchTarget } from "../neighbours/nearest-neighbour.js";
import { age, type FreshnessSettings, freshness, logarithmicFreshness } from "./ages.js";
import { attribute } from "./attributes.js";
import {
  type Collection,
  fromStructs,
  fromWeights,
  labels,
  structsType,
  weightedSet,
  weightsType,
} from "./collections.js";
import { dotProduct, operatorProduct } from "./dot-product.js";
import type { FeatureCall } from "./feature-call.js";
import {
  external,
  type FieldSource,
  noClock,
  ofDocument,
  ofQuery,
  type QueryContext,
  type Source,
  type Value,
} from "./feature-source.js";
import { foreachOf } from "./foreach.js";
import { closenessTo, distanceOutputs } from "./geo-features.js";
import { closestVector, type NeighbourMatch, nearestFeature, neighbourScores } from "./neighbour-features.js";
import { nearestPosition } from "./positions.js";
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
  return source.kind === "document" ? checked(source, context) : source;
}

/** The value of a document whose fields are of their types. An imported one stands in another document. */
function checked(source: FieldSource, context: QueryContext): Source {
  const fields = source.fields.flatMap((name) => context.field(outerOf(name)) ?? []);
  const isImported = fields.some(({ where }) => where === "imported");
  if (isImported) return context.hasParents ? source : external("imported");
  const made = source.fields.flatMap((name): [string, readonly string[]][] => {
    const { where, made, inputs = [] } = context.field(outerOf(name)) ?? {};
    const isMade = where === "outside" && (made !== undefined || inputs.length > 0);
    return isMade ? [[name, inputs.map(({ text }) => text)]] : [];
  });
  const stored = fields.filter(({ tensorType }) => tensorType === undefined);
  const of = (document: Document): Value => {
    for (const each of stored) document.check(each);
    return source.of(document);
  };
  return {
    ...source,
    ...(made.length === 0 ? {} : { madeOf: new Map(made) }),
    ...(stored.length === 0 ? {} : { of }),
  };
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
    : ofDocument(name, (document) => result(age(now, document.stored(field))));
}

function fresh(call: FeatureCall, context: QueryContext): Source {
  const { arguments: list, output } = call;
  const setting = (name: string): number | undefined => {
    const text = context.property(`freshness(${list.join(",")}).${name}`);
    return text === undefined ? undefined : (leadingNumber(text) ?? 0);
  };
  const settings: FreshnessSettings = { maxAge: setting("maxAge"), halfResponse: setting("halfResponse") };
  if (output !== undefined && output !== "logscale") return external("unknown output");
  const scale = output === undefined ? freshness : logarithmicFreshness;
  return aged(call, context, (seconds) => scale(seconds, settings));
}

function near(call: FeatureCall, context: QueryContext, result: (found: NeighbourMatch) => number): Source {
  const [by, name = by ?? ""] = call.arguments;
  const isTensor = context.field(name)?.tensorType !== undefined;
  if ((call.arguments.length === 1 || by === "field") && !isTensor) return positioned(call, context, name);
  if (call.arguments.length === 1) return near({ ...call, arguments: ["field", name] }, context, result);
  if (call.arguments.length !== 2 || (by !== "field" && by !== "label") || call.output !== undefined)
    return external("positions");
  return nearestFeature(by === "field" ? { field: name } : { label: name }, context, result);
}

/** `distance(p)` and `closeness(p)` of positions. */
function positioned(
  { head, arguments: list, output }: FeatureCall,
  context: QueryContext,
  name: string,
): Source {
  const field = context.field(name);
  if (field === undefined) return external("no field");
  const own = context.positions.filter((each) => each.field === name);
  const searched = (own.length > 0 ? own : context.positions).map(({ position }) => position);
  const setting = (key: string): number => {
    const text = context.property(`${head}(${list.join(",")}).${key}`);
    return text === undefined ? Number.NaN : (leadingNumber(text) ?? 0);
  };
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
    return ofDocument(
      products.map(({ field }) => field),
      (document) => sumOf(products, ({ field, of }) => of(document.json(field))),
    );
  return neighbourScores(target, context);
}

/** `dotProduct(a,v)`: the vector is the rank property `dotProduct.v` of the query. */
function products({ arguments: [name = "", vector = ""] }: FeatureCall, context: QueryContext): Source {
  const field = context.field(name);
  if (field === undefined) return external("no field");
  return ofDocument(name, dotProduct(context.queryText(`dotProduct.${vector}`) ?? "", field));
}

/** The tensors of `attribute(f)` or `query(q)` that are no tensors, by one dimension, which is named as they are. */
function collected(call: FeatureCall, context: QueryContext, { ofField, ofText }: Collection): Source {
  const [source = "", dimension] = call.arguments;
  const [, kind, name = ""] = /^(attribute|query)\((.+)\)$/.exec(source) ?? [];
  if (kind === undefined) return external("unknown source");
  const named = dimension ?? name;
  if (kind === "query") return ofQuery(fromWeights(ofText(context.queryText(name) ?? ""), named));
  const field = context.field(name);
  if (field === undefined) return external("no field");
  const of = (document: Document): Tensor => fromWeights(ofField(document, field), named);
  return ofDocument(name, of, weightsType(named));
}

function structs({ arguments: list }: FeatureCall, context: QueryContext): Source {
  const [, name = ""] = /^attribute\((.+)\)$/.exec(list[0] ?? "") ?? [];
  const names = list.slice(1, -2);
  const [value, cellType] = list.slice(-2);
  if (list.length < 4 || value === undefined || (cellType !== "float" && cellType !== "double"))
    return external("struct arguments");
  const outer = context.field(name);
  if (outer === undefined) return external("no field");
  // A member that no statement makes an attribute is read as it is.
  const member = (path: string): Field =>
    context.field(`${name}.${path}`) ?? {
      ...outer,
      name: { ...outer.name, text: `${name}.${path}` },
      typeText: "",
    };
  const columns = { keys: names.map(member), field: member(value), cellType } as const;
  return ofDocument(name, (document) => fromStructs(document, columns), structsType(cellType, names));
}
