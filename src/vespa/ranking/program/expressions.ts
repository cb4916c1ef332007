import type { Checker, FeatureResolver } from "../../../language/check/checker.js";
import type { Deployment } from "../../../language/check/deployment/deployment.js";
import { featureName } from "../../../language/check/names.js";
import type { Scope } from "../../../language/check/scope.js";
import { type CheckedProgram, checkProgram } from "../../../language/check/statements/program.js";
import type { Span } from "../../../language/source/span.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import type { Definition, Expression, Reference } from "../../../language/syntax/tree.js";
import { TensorType } from "../../../language/types/type.js";
import { defaultLimits } from "../../../program/options.js";
import { deployedNumber, deploymentOf } from "../../package/expressions/deployment.js";
import type { ExpressionText } from "../../package/model/model.js";
import { featureListNames, phaseNames } from "../../package/model/model.js";
import { isHidden } from "../../package/schemas/profiles/reserved-names.js";
import { callOf } from "../features/feature-call.js";
import { linear, type Normalizer, reciprocalRank } from "./normalizers.js";
import {
  type ComputedFeature,
  type Derivative,
  derivativeKey,
  type FeatureUse,
  type NormalizerUse,
  type ProfileOptions,
  type Quantity,
} from "./quantities.js";
import { scoreTerms, termKey } from "./score-terms.js";

/**
 * The expressions of a rank profile as the statements of a program, and their meaning: a definition for each function,
 * for each phase, and for each feature that is listed. The keys of the latter have a space or a hyphen, so that no name
 * of an expression is one of them.
 */
export interface CheckedQuantities {
  readonly checked: CheckedProgram;
  readonly quantities: readonly Omit<Quantity, "type">[];
  readonly uses: ReadonlyMap<string, FeatureUse>;
  readonly normalizers: readonly NormalizerUse[];
  /** By canonical name. */
  readonly computed: ReadonlyMap<string, ComputedFeature>;
}

export function checkQuantities(of: ProfileOptions): CheckedQuantities {
  const { statements, quantities } = statementsOf(of);
  const first = new Checking(of, statements);
  // What a normalizer reads is a separate value: it is needed of every hit before any is scored.
  const normalized = [...first.normalized].map(([key, body]) => definition(key, body));
  const checking = normalized.length === 0 ? first : new Checking(of, [...statements, ...normalized]);
  const { checked, uses, normalizers, computed } = checking;
  return { checked, quantities, uses, normalizers: [...normalizers.values()], computed };
}

function statementsOf({ profile, overrides, derivatives = [], hasTerms }: ProfileOptions): {
  readonly statements: readonly Definition[];
  readonly quantities: readonly Omit<Quantity, "type">[];
} {
  const statements: Definition[] = [];
  const quantities: Omit<Quantity, "type">[] = [];
  const add = (quantity: Omit<Quantity, "type" | "span">, { span, tree }: ExpressionText): void => {
    if (tree === undefined) return;
    quantities.push({ ...quantity, span });
    statements.push(definition(quantity.key, tree));
  };
  for (const name of phaseNames) {
    const expression = profile.phases[name]?.expression;
    if (expression !== undefined) add({ key: name, name, kind: "phase" }, expression);
  }
  for (const each of profile.functions.values()) {
    if (isHidden(each)) continue;
    const { name, parameters, expression } = each;
    const { text } = name;
    const { tree, span } = expression;
    if (parameters.length === 0)
      statements.push(definition(`rankingExpression(${text})`, referenceTo(text, span)));
    if (overrides.has(text)) continue;
    if (tree === undefined) continue;
    if (parameters.length > 0) {
      statements.push({ kind: "definition", span, name, parameters, body: tree });
      continue;
    }
    quantities.push({ key: text, name: text, kind: "function", span });
    statements.push({ kind: "definition", span, name, body: tree });
  }
  for (const list of featureListNames) {
    if (list === "rank-features") continue;
    for (const { name, expression } of profile.features[list] ?? [])
      add({ key: `${list} ${name}`, name, kind: list }, expression);
  }
  const differentiated = derivatives.flatMap((each) => derivativeOf(each) ?? []);
  const terms = hasTerms === true ? scoreTerms(profile) : [];
  const added = [
    ...terms.map(({ expression }, at) => definition(termKey(at), expression)),
    ...differentiated,
  ];
  return { statements: [...statements, ...phaseAliases(profile), ...added], quantities };
}

/** `gradient(first-phase, query(w))`, as a tree: a phase has no name that a text could have. */
function derivativeOf(derivative: Derivative): Definition | undefined {
  const { tree: variable } = parseExpression({ name: derivative.in, text: derivative.in });
  if (variable === undefined) return undefined;
  const { span } = variable;
  const call: Reference = {
    ...referenceTo("gradient", span),
    arguments: [referenceTo(derivative.of, span), variable],
  };
  return definition(derivativeKey(derivative), call);
}

/** The features that are the scores of phases, but for those that functions and constants have the names of. */
function phaseAliases({ phases, functions, constants }: ProfileOptions["profile"]): Definition[] {
  const [first, second] = [phases["first-phase"]?.expression?.tree, phases["second-phase"]?.expression?.tree];
  const trees = { firstPhase: first, secondPhase: second, relevanceScore: second ?? first };
  return Object.entries(trees).flatMap(([name, tree]) =>
    tree === undefined || functions.has(name) || constants.has(name) ? [] : [definition(name, tree)],
  );
}

const definition = (name: string, body: Expression): Definition => {
  const { span } = body;
  return { kind: "definition", span, name: { text: name, span }, body };
};

const referenceTo = (text: string, span: Span): Reference => {
  return { kind: "reference", span, name: { text, span }, outputs: [] };
};

/** One checking, which notes the features that it meets. */
class Checking {
  readonly uses = new Map<string, FeatureUse>();
  readonly normalizers = new Map<string, NormalizerUse>();
  readonly computed = new Map<string, ComputedFeature>();
  /** What normalizers look at, by the key that it has as a value. */
  readonly normalized = new Map<string, Expression>();
  readonly checked: CheckedProgram;

  constructor(
    private readonly of: ProfileOptions,
    statements: readonly Definition[],
  ) {
    this.checked = checkProgram(
      { statements },
      {
        dialect: "vespa",
        repeatedCells: "left out",
        deployment: deployed(this.of),
        inputs: this.declared(),
        cells: defaultLimits.cells,
        expansions: defaultLimits.expansions,
        features: (checker, feature, scope) => this.feature(checker, feature, scope),
      },
    );
  }

  /** The inputs and constants of the profile. */
  private declared(): Map<string, TensorType> {
    const { inputs, constants } = this.of.profile;
    const all = new Map([...inputs.values()].map(({ name, type }) => [name, type]));
    for (const { name, type, span } of inputs.values()) {
      const call = { name, head: "query", arguments: [name.slice("query(".length, -1)], output: undefined };
      this.uses.set(name, { call, type, span });
    }
    for (const { name, type } of constants.values()) all.set(`constant(${name})`, type);
    return all;
  }

  private feature(checker: Checker, tree: Reference, scope: Scope): ReturnType<FeatureResolver> {
    const name = featureName(tree);
    const override = this.of.overrides.get(name);
    if (override === undefined && this.normalizes(tree, name)) return TensorType.scalar;
    const resolved = override ?? this.of.features(checker, tree, scope);
    if (resolved === undefined) return undefined;
    if (resolved !== "untyped" && !(resolved instanceof TensorType)) {
      this.computed.set(name, { name, node: resolved });
      return resolved;
    }
    const type = resolved === "untyped" ? undefined : resolved;
    this.uses.set(name, { call: callOf(tree, name), type, span: tree.span });
    return resolved;
  }

  /** Notes a normalizer, and what it looks at. */
  private normalizes(tree: Reference, name: string): boolean {
    const kind = Object.hasOwn(normalizers, tree.name.text) ? normalizers[tree.name.text] : undefined;
    if (kind === undefined || tree.arguments === undefined) return false;
    const values = kind.several ? tree.arguments : tree.arguments.slice(0, 1);
    const keys = values.flatMap((value) => {
      if (value.kind !== "reference") return [];
      const key = `normalized ${featureName(value)}`;
      this.normalized.set(key, value);
      return [key];
    });
    if (keys.length !== values.length) return false;
    this.normalizers.set(name, {
      name,
      normalizer: kind.of(deployedNumber(tree.arguments[1], this.of.profile)),
      keys,
    });
    return true;
  }
}

/** What Vespa deploys; of a constant that is differentiated in, only that it is some number other than 0. */
function deployed({ profile, derivatives = [] }: ProfileOptions): Deployment {
  const deployment = deploymentOf(profile);
  const isVaried = (name: string): boolean => derivatives.some((each) => each.in === `constant(${name})`);
  const constants = [...deployment.constants].map(
    ([name, value]) => [name, isVaried(name) ? 1 : value] as const,
  );
  return { ...deployment, constants: new Map(constants), isTypedAsDeployed: true };
}

interface NormalizerKind {
  readonly several: boolean;
  readonly of: (second: number | undefined) => Normalizer;
}

// biome-ignore format: a table
const normalizers: Readonly<Record<string, NormalizerKind>> = {
  normalize_linear:       { several: false, of: () => linear },
  reciprocal_rank:        { several: false, of: (k) => reciprocalRank(k) },
  reciprocal_rank_fusion: { several: true,  of: () => reciprocalRank() },
};
