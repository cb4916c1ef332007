import { JsonLeaf, type JsonValue } from "../../formats/json/value.js";
import { nearest } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Package, Profile } from "../package/model/model.js";
import { completedQuery } from "../package/query-profiles/query-values.js";
import { readFeature } from "../ranking/features/read-feature.js";
import { problem } from "./messages.js";

/** What a query profile gives to inputs, by their canonical names. */
export type QueryProfileInputs = ReadonlyMap<string, JsonValue>;

/**
 * The inputs of a request that says no more than its query profile, with what that inherits and refers to; none without an id.
 * @throws SphexError where no query profile has the id.
 */
export function queryProfileInputs(id: string | undefined, from: Package): QueryProfileInputs {
  if (id === undefined) return new Map();
  const span = { source: { name: "--query-profile", text: id }, start: 0, end: id.length };
  if (!from.queryProfiles.has(id)) {
    const values = { name: id, nearest: nearest(id, from.queryProfiles.keys()) };
    throw new SphexError([problem("learning/query-profile", span, values)]);
  }
  const parameters = new Map([["queryProfile", new JsonLeaf(id, span, "queryProfile")]]);
  const request = { profile: undefined, inputs: new Map(), properties: new Map(), parameters };
  return completedQuery(request, from).query?.inputs ?? new Map();
}

/**
 * The values that these inputs of a rank profile have where rows have none: those of the query profile, and otherwise their defaults.
 * @throws SphexError where the query profile has something that is no value of an input.
 */
export function commonInputs(
  { inputs }: Profile,
  names: readonly string[],
  given: QueryProfileInputs,
): readonly (readonly [string, Tensor])[] {
  return names.flatMap((name) => {
    const input = inputs.get(name);
    if (input === undefined) return [];
    const own = given.get(name);
    const value = own === undefined ? input.default : readFeature(name, own, input.type);
    return value === undefined ? [] : [[name, value] as const];
  });
}
