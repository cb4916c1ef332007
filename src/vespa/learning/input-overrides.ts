import { JsonLeaf, type JsonValue } from "../../formats/json/value.js";
import { nearest } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Query } from "../documents/query.js";
import type { Package, Profile } from "../package/model/model.js";
import { completedQuery } from "../package/query-profiles/query-values.js";
import { readFeature } from "../ranking/features/read-feature.js";
import { problem } from "./messages.js";

/** What is given to an input in place of its default. */
export interface InputOverride {
  readonly json: JsonValue;
  /** Whether it is in the `rank-properties` of the schema. */
  readonly isProperty: boolean;
}

/** What is given to inputs by their canonical names, if anything is. */
export type InputOverrides = (name: string) => InputOverride | undefined;

/**
 * What has an input of a request that says no more than its query profile, which is `default` where it names none: in the order in which
 * Vespa asks, which is that of `ranking/query/setting.ts`.
 * @throws SphexError where no query profile has the id.
 */
export function inputOverrides(
  { inputs, properties }: Profile,
  queryProfile: string | undefined,
  from: Package,
): InputOverrides {
  const query =
    queryProfile === undefined ? completedQuery(undefined, from).query : queryOf(queryProfile, from);
  const property = (key: string): InputOverride | undefined => {
    const { value, span } = properties.get(key) ?? {};
    if (value === undefined || span === undefined) return undefined;
    return { json: new JsonLeaf(value, span, key), isProperty: true };
  };
  return (name) => {
    const bare = /^query\((.*)\)$/.exec(name)?.[1];
    if (bare === undefined) return undefined;
    const json =
      query?.properties.get(name) ??
      query?.properties.get(bare) ??
      query?.inputs.get(name) ??
      query?.properties.get(`$${bare}`);
    if (json !== undefined) return { json, isProperty: false };
    const hasDefault = inputs.get(name)?.default !== undefined;
    return property(name) ?? (hasDefault ? undefined : property(`$${bare}`));
  };
}

/** A request with a query profile, what that inherits and refers to. */
function queryOf(id: string, from: Package): Query | undefined {
  const span = { source: { name: "--query-profile", text: id }, start: 0, end: id.length };
  if (!from.queryProfiles.has(id)) {
    const values = { name: id, nearest: nearest(id, from.queryProfiles.keys()) };
    throw new SphexError([problem("learning/query-profile", span, values)]);
  }
  const parameters = new Map([["queryProfile", new JsonLeaf(id, span, "queryProfile")]]);
  const request = { profile: undefined, inputs: new Map(), properties: new Map(), parameters };
  return completedQuery(request, from).query;
}

/**
 * The values that these inputs of a rank profile have where rows have none: what is given to them, and otherwise their defaults.
 * @throws SphexError where something is given that is no value of an input.
 */
export function commonInputs(
  { inputs }: Profile,
  names: readonly string[],
  overrideOf: InputOverrides,
): readonly (readonly [string, Tensor])[] {
  return names.flatMap((name) => {
    const input = inputs.get(name);
    const own = overrideOf(name);
    const value =
      own === undefined ? input?.default : readFeature(name, own.json, input?.type ?? TensorType.scalar);
    return value === undefined ? [] : [[name, value] as const];
  });
}
