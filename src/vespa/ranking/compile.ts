import type { JsonValue } from "../../formats/json/value.js";
import { Suggestions } from "../../language/source/nearest.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Options } from "../../program/options.js";
import { hiddenParameters } from "../package/expressions/deployment.js";
import type { Package, Profile } from "../package/model/model.js";
import { FeatureTypes } from "../package/rank-features/feature-types.js";
import { constantsOf } from "./constants.js";
import type { Document } from "./document/document.js";
import { UnknownMembers } from "./document/unknown-members.js";
import { embedding } from "./embedders/embedding.js";
import { sourceOf } from "./features/features.js";
import type { InjectedFeatures } from "./features/injected-features.js";
import { typeInValue } from "./features/read-feature.js";
import { withFirstPhase } from "./implied-phase.js";
import { problem } from "./messages.js";
import { ProfileProgram } from "./program/program.js";
import type { Derivative } from "./program/quantities.js";
import { phaseProblems } from "./query/phase-parameters.js";
import { neighbourProblems, queryWarnings } from "./query/query-check.js";
import { type QueryInputs, Setting, type SettingOptions } from "./query/setting.js";
import { Scorer } from "./scorer.js";

/** What a rank profile is compiled from. */
export interface RankingOptions {
  readonly package: Package;
  readonly profile: Profile;
  /** Features that override computed values. */
  readonly overrides?: InjectedFeatures;
  /** Features for values that cannot be computed; of many hits those of one suffice. */
  readonly fallbacks?: InjectedFeatures;
  /** Where fallbacks are needed: a query, and which fields its documents have; all by default. */
  readonly setting?: Omit<SettingOptions, "profile">;
  readonly hasField?: (name: string) => boolean;
  /** Derivatives that are computed besides. */
  readonly derivatives?: readonly Derivative[];
  /** Whether the terms that a score is the sum of are values, too. */
  readonly hasTerms?: boolean;
  readonly options?: Options;
}

/** A rank profile compiled: asked with one query after another. */
export class Ranking {
  readonly program: ProfileProgram;
  /** The functions that are not computed, because an override or a fallback has their value. */
  readonly taken: readonly string[];
  readonly constants: ReadonlyMap<string, Tensor>;

  /** @throws SphexError with what is wrong with the profile's expressions and constants. */
  constructor(private readonly of: RankingOptions) {
    const { program, taken } = programOf(of);
    this.program = program;
    this.taken = taken;
    this.constants = constantsOf(of.profile, of.package, new Set(this.program.inputs));
  }

  /** Whether all features that a value needs are computed or supplied, where a run has what the options say. */
  isComputable(key: string): boolean {
    const { fallbacks = [], overrides = [] } = this.of;
    return isComputable(this.program, key, new Map([...fallbacks, ...overrides]), this.of);
  }

  get profile(): Profile {
    return withFirstPhase(this.of.profile);
  }

  /**
   * That each feature is one which the profile knows: a slip in its name would change nothing.
   * @throws SphexError with a problem for each other.
   */
  refuseUnused(features: Iterable<readonly [string, JsonValue]>): void {
    const { uses, inputs, computed } = this.program;
    const { functions } = this.profile;
    const names = new Set([...uses.keys(), ...computed.keys(), ...functions.keys(), ...inputs]);
    const unused = [...features].filter(([name]) => !names.has(name));
    const suggestions = new Suggestions();
    const problems = unused.map(([name, { span }]) =>
      problem("ranking/unused", span, { name, nearest: suggestions.nearest(name, () => names) }),
    );
    if (problems.length > 0) throw new SphexError(problems);
  }

  /** The fields of documents, and members of structs, that the schema does not have, each told once: as a slip, it would change nothing. */
  unknownFields(documents: Iterable<Document>): Problem[] {
    const { fields, isPartial, schema, structs } = this.of.profile;
    const unknown = new Map<string, Span>();
    if (isPartial) return [];
    const members = new UnknownMembers(structs);
    for (const document of documents)
      for (const [field, span] of document.isWhole ? document.unknown(fields, members) : [])
        if (!unknown.has(field)) unknown.set(field, span());
    const suggestions = new Suggestions();
    return [...unknown].map(([field, span]) => {
      const meant = suggestions.nearest(field, () => fields.keys());
      const values = { field, schema: schema.name.text, nearest: meant };
      return problem("ranking/unknown-field", span, values);
    });
  }

  /**
   * What a query gives that nothing reads, or asks for that is not done here; what is wrong with it `scorer` throws. And what of
   * the profile is computed otherwise than it is written.
   */
  warnings(query: QueryInputs | undefined): readonly Problem[] {
    const { deploymentWarnings } = this.program;
    return [
      ...queryWarnings(query, this.of, this.program),
      ...deploymentWarnings,
      ...hiddenParameters(this.of.profile),
    ];
  }

  /**
   * What scores documents for a query; overrides may have other values than those it was compiled with.
   * @throws SphexError with all that is wrong with the inputs that the query gives, and with what it compares them with.
   */
  scorer(
    setting: Omit<SettingOptions, "profile">,
    overrides: InjectedFeatures = this.of.overrides ?? new Map(),
  ): Scorer {
    const query = new Setting({
      ...setting,
      overrides,
      profile: this.of.profile,
      embed: embedOf(setting, this.of.package),
    });
    const isUnset = (input: string): boolean => query.queryOrigin(input) === "unset";
    const problems = [
      ...query.problems,
      ...neighbourProblems(setting.query, this.of.profile, isUnset),
      ...phaseProblems(setting.query),
    ];
    if (problems.length > 0) throw new SphexError(problems);
    return new Scorer(this.program, query, overrides, this.constants);
  }
}

/** What makes vectors of the texts of a query. */
function embedOf({ query }: Omit<SettingOptions, "profile">, from: Package): SettingOptions["embed"] {
  return query === undefined ? undefined : (value, type) => embedding(value, type, from, query.parameters);
}

/**
 * Functions with an override are not computed, and neither are those that cannot be computed but have a fallback.
 * A first compilation of the profile finds which these are, and their types.
 */
function programOf(of: RankingOptions): {
  readonly program: ProfileProgram;
  readonly taken: readonly string[];
} {
  const { overrides = new Map(), fallbacks = new Map(), derivatives = [], options } = of;
  const profile = withFirstPhase(of.profile);
  const values = new Map([...fallbacks, ...overrides]);
  const compiled = (types: ReadonlyMap<string, TensorType>): ProfileProgram =>
    new ProfileProgram({
      profile,
      overrides: types,
      hasTerms: of.hasTerms,
      features: new FeatureTypes(profile, types, "number").typeOf,
      derivatives,
      ...(options === undefined ? {} : { options }),
    });
  const types = new Map<string, TensorType>();
  const add = (name: string, type: TensorType | undefined): void => {
    const value = values.get(name);
    const found = type ?? (value === undefined ? undefined : typeInValue(value));
    if (found !== undefined) types.set(name, found);
  };
  const first = compiled(types);
  for (const { call, type } of first.uses.values()) if (type === undefined) add(call.name, undefined);
  const taken = first.quantities.filter(
    ({ kind, name, key }) =>
      kind === "function" &&
      values.has(name) &&
      (overrides.has(name) || !isComputable(first, key, values, of)),
  );
  for (const each of first.computed.values()) {
    const isTaken =
      values.has(each.name) &&
      (overrides.has(each.name) || !areComputable(first, first.inputsOfComputed(each), values, of));
    if (isTaken) add(each.name, each.node.type);
  }
  for (const { name, type } of taken) add(name, type);
  const program = types.size === 0 ? first : compiled(types);
  return { program, taken: taken.map(({ name }) => name) };
}

/** Whether all features that a value needs are computed or supplied. */
function isComputable(
  program: ProfileProgram,
  key: string,
  values: InjectedFeatures,
  of: RankingOptions,
): boolean {
  const names = program.inputsOf(key);
  return names !== undefined && areComputable(program, names, values, of);
}

function areComputable(
  program: ProfileProgram,
  names: readonly string[],
  values: InjectedFeatures,
  { profile, setting = { query: undefined, cells: 1 }, hasField = () => true }: RankingOptions,
): boolean {
  const query = new Setting({ ...setting, profile });
  return names.every((name) => {
    const use = program.uses.get(name);
    if (use === undefined || values.has(name)) return true;
    const source = sourceOf(use.call, query);
    return source.kind === "document" ? source.fields.every(hasField) : source.kind !== "external";
  });
}
