import { readTypedValue } from "../../../formats/json/typed-value.js";
import { JsonLeaf, type JsonValue } from "../../../formats/json/value.js";
import { textAsNumber } from "../../../language/scalar/hash.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { parameterText, type Query } from "../../documents/query.js";
import { propertyTensor } from "../../package/expressions/property-values.js";
import { containerNumber, contentNumber } from "../../package/model/engine-numbers.js";
import type { Field, Input, Profile } from "../../package/model/model.js";
import { isLoopedOver } from "../../package/rank-features/foreach-feature.js";
import { type FieldRanking, fieldRanking } from "../../package/schemas/fields/field-ranking.js";
import { attributeName } from "../../package/schemas/fields/position-fields.js";
import type { QueryTerm } from "../../text/queries/query-term.js";
import { termsOf } from "../../text/queries/query-terms.js";
import type { Statistics } from "../../text/statistics.js";
import { emptyTensor } from "../document/document.js";
import { positionOf } from "../document/position-values.js";
import { isEmbedding } from "../embedders/embedding.js";
import type { QueryContext, SearchedPosition } from "../features/feature-source.js";
import { featureKey, type InjectedFeatures } from "../features/injected-features.js";
import type { InputOrigin } from "../features/input-origin.js";
import { problem } from "../messages.js";
import {
  type FoundSearches,
  type NeighbourSearch,
  type SearchTarget,
  searchesFor,
  searchesOf,
} from "../neighbours/nearest-neighbour.js";

/** What of a query request ranking sees. */
export type QueryInputs = Pick<Query, "inputs" | "parameters" | "properties" | "added" | "repeated">;

/** An input's value as it is written, or as a tensor that the schema has. */
type InputValue = { readonly origin: InputOrigin; readonly json?: JsonValue; readonly tensor?: Tensor };

/** What a query brings to a rank profile: its inputs by their declared types, and what it searches for. */
export interface SettingOptions {
  readonly profile: Profile;
  readonly query: QueryInputs | undefined;
  /** Which inputs are compared with which fields, where the query's YQL does not say. */
  readonly neighbours?: readonly NeighbourSearch[] | undefined;
  /** Seconds since 1970. */
  readonly now?: number | undefined;
  /** What is counted over all documents; features of words are computed where it is there. */
  readonly statistics?: Statistics | undefined;
  /** Whether documents have the fields that they import. */
  readonly hasParents?: boolean | undefined;
  readonly cells: number;
  /** Values that take the place of those of the query, also where the closeness to a field is computed from them. */
  readonly overrides?: InjectedFeatures | undefined;
  /** Makes a vector of a text, `embed(id, "text")`. */
  readonly embed?: ((value: JsonValue, type: TensorType) => Tensor) | undefined;
}

/** One query as the features of a profile see it. */
export class Setting implements QueryContext {
  readonly now: number | undefined;
  private readonly inputValues: ReadonlyMap<string, JsonValue>;
  readonly searches: readonly NeighbourSearch[] | undefined;
  readonly positions: readonly SearchedPosition[];
  readonly terms: readonly QueryTerm[] | undefined;
  readonly statistics: Statistics | undefined;
  private readonly tensors = new Map<string, Tensor>();

  constructor(private readonly of: SettingOptions) {
    const { query, neighbours, now } = of;
    this.now = now ?? timeIn(query);
    this.inputValues = new Map([...(query?.inputs ?? [])].map(([name, value]) => [featureKey(name), value]));
    this.searches = neighbours ?? searchesOf(of.query);
    this.positions = searchedPositions(of.query);
    this.terms = termsOf(of.query, of.profile);
    this.statistics = of.statistics;
  }

  /** The inputs that the query gives, by canonical name. */
  get inputs(): readonly string[] {
    return [...this.inputValues.keys()];
  }

  field(name: string): Field | undefined {
    return this.of.profile.fields.get(name);
  }

  get hasParents(): boolean {
    return this.of.hasParents === true;
  }

  get fields(): ReadonlyMap<string, Field> {
    return this.of.profile.fields;
  }

  ranking(field: string): FieldRanking {
    return fieldRanking(field, this.field(field), this.of.profile.lineage);
  }

  /**
   * The value of an input: what the query gives, what the profile says otherwise, or zeros and no cells of its type.
   * An input that no profile declares is a number, and a text is its hash.
   * @throws SphexError where the value does not fit the type.
   */
  query(name: string): Tensor {
    const feature = `query(${name})`;
    const cached = this.tensors.get(feature);
    if (cached !== undefined) return cached;
    const input = this.of.profile.inputs.get(feature);
    const { json, tensor } = this.inputOf(name);
    const value =
      json === undefined ? (tensor ?? emptyTensor(input?.type ?? TensorType.scalar)) : this.read(json, input);
    this.tensors.set(feature, value);
    return value;
  }

  queryOrigin(name: string): InputOrigin {
    return this.inputOf(name).origin;
  }

  /**
   * The sources of an input in the order in which Vespa asks them: a rank property and the feature of the request, then
   * of the schema a rank property, the declared default, and a rank property under the old name.
   */
  private inputOf(name: string): InputValue {
    const { query, profile, overrides } = this.of;
    const feature = `query(${name})`;
    const override = overrides?.get(feature);
    if (override !== undefined) return { origin: "query", json: override };
    const properties = query?.properties;
    const property = properties?.get(feature) ?? properties?.get(name);
    const own = property === undefined ? this.inputValues.get(feature) : undefined;
    const asked = property ?? own ?? properties?.get(`$${name}`);
    const input = profile.inputs.get(feature);
    if (asked !== undefined) {
      const origin = query?.added?.has(feature) === true ? "query profile" : "query";
      if (asked !== own && isPlain(asked) && input?.type.isScalar !== false)
        return { origin, tensor: numberIn(parameterText(asked)) };
      return { origin, json: asParameter(asked, feature, input) };
    }
    const ofSchema = this.ofProperty(feature, feature);
    if (ofSchema !== undefined) return ofSchema;
    if (input?.default !== undefined) return { origin: "default", tensor: input.default };
    return this.ofProperty(`$${name}`, feature) ?? { origin: "unset" };
  }

  /** Vespa's engine reads a number of the schema, whatever the input is declared to be, or takes the hash of the text. */
  private ofProperty(key: string, feature: string): InputValue | undefined {
    const { profile } = this.of;
    const property = profile.properties.get(key);
    if (property === undefined) return undefined;
    const type = profile.inputs.get(feature)?.type ?? TensorType.scalar;
    const tensor = type.isScalar ? numberIn(property.value) : propertyTensor(property, type);
    return { origin: "rank-properties", tensor };
  }

  /** What the query gives for a feature that is none of its own, such as `bm25(title)`: then nothing computes it. */
  override(name: string): JsonValue | undefined {
    return name.startsWith("query(") ? undefined : this.inputValues.get(name);
  }

  /** What is wrong with the values that the query gives for declared inputs, needed or not. */
  get problems(): Problem[] {
    return this.inputs.flatMap((name) => {
      if (!this.of.profile.inputs.has(name)) return [];
      try {
        this.query(name.slice("query(".length, -1));
        return [];
      } catch (error) {
        if (error instanceof SphexError) return error.problems;
        throw error;
      }
    });
  }

  private read(json: JsonValue, input: Input | undefined): Tensor {
    const text = input === undefined || input.isString ? json.string : undefined;
    if (text !== undefined && input?.isString === true) return hashOf(text);
    const number =
      json.string === undefined || input?.type.isScalar === false ? undefined : containerNumber(json.string);
    if (number !== undefined) return Tensor.scalar(number, TensorType.scalar);
    if (text !== undefined) return numberIn(text);
    const { embed } = this.of;
    if (embed !== undefined && input !== undefined && isEmbedding(json)) return embed(json, input.type);
    const read = readTypedValue(json, input?.type ?? TensorType.scalar, { empty: 0, cells: this.of.cells });
    if (read.tree === undefined) throw new SphexError(read.problems);
    return read.tree;
  }

  fieldsThat(are: "attributes" | "fields"): readonly string[] {
    return [...this.of.profile.fields.values()].filter(isLoopedOver[are]).map(attributeName);
  }

  /** The rank property of that name, which an input of the request becomes; the schema says nothing of it. */
  queryText(name: string): string | undefined {
    const { query, overrides } = this.of;
    const feature = `query(${name})`;
    const own = query?.properties.get(name) ?? this.inputValues.get(feature);
    return overrides?.get(feature)?.string ?? (own === undefined ? undefined : parameterText(own));
  }

  /** What the rank profile says: features are set up by it when it is deployed. */
  property(key: string): string | undefined {
    return this.of.profile.properties.get(key)?.value;
  }

  searchesFor(target: SearchTarget): FoundSearches {
    const { fields, inputs } = this.of.profile;
    const tensors = [...fields.values()].flatMap(({ name, tensorType }): [string, TensorType][] =>
      tensorType === undefined ? [] : [[name.text, tensorType]],
    );
    const queries = [...inputs.values()].map(({ name, type }): [string, TensorType] => [
      name.slice(6, -1),
      type,
    ]);
    return searchesFor(target, this.searches, { fields: new Map(tensors), inputs: new Map(queries) });
  }
}

const hashOf = (text: string): Tensor =>
  Tensor.scalar(textAsNumber(text.replace(/^'/, "")), TensorType.scalar);

/** What content nodes read in a text: a number, or the hash of the text. */
function numberIn(text: string): Tensor {
  const number = contentNumber(text);
  return number === undefined ? hashOf(text) : Tensor.scalar(number, TensorType.scalar);
}

/** What is one text in a request, not a list of some. */
const isPlain = ({ kind }: JsonValue): boolean =>
  kind === "string" || kind === "number" || kind === "boolean";

/** A parameter as Vespa has it: a text, which is read as a tensor where the input is one; `null` is none. */
function asParameter(value: JsonValue, name: string, input: Input | undefined): JsonValue {
  if (input === undefined || input.isString) return new JsonLeaf(parameterText(value), value.span, value.key);
  if (value.kind !== "null") return value;
  throw new SphexError([problem("ranking/null-input", value.span, { name, type: input.type })]);
}

/** `pos.ll` with `pos.attribute`, and `geoLocation(field, latitude, longitude, "10 km")` in the YQL. */
function searchedPositions(query: QueryInputs | undefined): readonly SearchedPosition[] {
  const text = (name: string): string => query?.parameters.get(name)?.string ?? "";
  const field = text("pos.attribute") || text("pos.field") || undefined;
  const asked = (positionOf(text("pos.ll")) ?? []).map((position) => ({ field, position }));
  const number = "\\s*(-?\\d+(?:\\.\\d+)?)\\s*";
  const operators = new RegExp(`\\bgeoLocation\\s*\\(\\s*([\\w.]+)\\s*,${number},${number},`, "g");
  const found = Array.from(text("yql").matchAll(operators), ([, name, latitude, longitude]) => ({
    field: name,
    position: { latitude: Number(latitude), longitude: Number(longitude) },
  }));
  return [...asked, ...found];
}

/** `ranking.freshness`: the time of the query in seconds since 1970, where it says one. */
function timeIn(query: QueryInputs | undefined): number | undefined {
  const value = query?.parameters.get("ranking.freshness")?.scalar;
  const isNumber = typeof value === "number" || (typeof value === "string" && value.trim() !== "");
  return isNumber && !Number.isNaN(Number(value)) ? Number(value) : undefined;
}
