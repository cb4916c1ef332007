import { FeatureMap } from "../../../language/check/names.js";
import {
  type CheckedProgram,
  checkProgram,
  invalidProgram,
} from "../../../language/check/statements/program.js";
import type { Node } from "../../../language/core/operations.js";
import { overflowProblem } from "../../../language/limits/overflow.js";
import { append } from "../../../language/source/lists.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { Definition, Expression } from "../../../language/syntax/tree.js";
import type { TensorType } from "../../../language/types/type.js";
import { defaultLimits } from "../../../program/options.js";
import { callArguments } from "../expressions/call-arguments.js";
import { contentBodies } from "../expressions/content-bodies.js";
import { unreadableOnContentNodes } from "../expressions/content-texts.js";
import { deploymentOf, hiddenParameters } from "../expressions/deployment.js";
import { unreadableTexts } from "../expressions/expression-texts.js";
import { tensorAliases } from "../expressions/function-aliases.js";
import { inputsBelow } from "../expressions/inputs-below.js";
import { invocationLoops } from "../expressions/invocations.js";
import { parameterUses } from "../expressions/parameter-uses.js";
import { unreadablePhases } from "../expressions/phase-texts.js";
import { problem } from "../model/messages.js";
import {
  type FeatureListName,
  featureListNames,
  type PhaseName,
  type Profile,
  phaseNames,
} from "../model/model.js";
import { replacedArguments } from "../rank-features/feature-arguments.js";
import { FeatureTypes, type MentionedFeature } from "../rank-features/feature-types.js";
import { rankFeatures } from "../rank-features/rank-features.js";
import { isHidden } from "../schemas/profiles/reserved-names.js";
import { unreadableProperties, unreadableTensors } from "./property-checks.js";
import { uncalled } from "./uncalled.js";

/** What a rank profile computes, one for each phase, function without parameters and listed feature. */
export interface ComputedValue {
  readonly kind: PhaseName | FeatureListName | "function";
  readonly name: string;
  readonly span: Span;
  /** Nothing where it has a mistake, or depends on what only a model knows. */
  readonly type: TensorType | undefined;
}

/** A rank profile with the types of all that it computes, and everything that is wrong with it. */
export interface CheckedProfile {
  readonly profile: Profile;
  readonly computed: readonly ComputedValue[];
  /** The features that its expressions mention. */
  readonly mentioned: readonly MentionedFeature[];
  readonly problems: readonly Problem[];
}

/**
 * Checks the expressions of a rank profile without any value, when what is found is first asked for: the types first, and what is wrong
 * beside them, which takes as long again, when somebody asks for the problems.
 */
export function checkProfile(profile: Profile): CheckedProfile {
  let typed: TypedProfile | undefined;
  const types = (): TypedProfile => {
    typed ??= typedProfile(profile);
    return typed;
  };
  let problems: readonly Problem[] | undefined;
  return {
    profile,
    get computed() {
      return types().computed;
    },
    get mentioned() {
      return types().mentioned;
    },
    get problems() {
      problems ??= problemsOf(types());
      return problems;
    },
  };
}

/** Nothing is known of features but what the package says. */
const noTypes: ReadonlyMap<string, TensorType> = new Map();

/** A profile whose expressions have types. */
interface TypedProfile extends Omit<CheckedProfile, "problems"> {
  readonly expressions: readonly ProfileExpression[];
  readonly types: FeatureTypes;
  readonly checked: CheckedProgram;
}

function typedProfile(profile: Profile): TypedProfile {
  const expressions = expressionsOf(profile);
  const types = new FeatureTypes(profile, noTypes, "number");
  const checked = checkExpressions(expressions, types);
  const computed = expressions.flatMap(({ kind, name, definition }): ComputedValue[] => {
    if (kind === "function" && definition.parameters !== undefined) return [];
    const { span } = definition.body;
    return [{ kind, name, span, type: checked.values.get(definition.name.text)?.type }];
  });
  return { profile, expressions, types, checked, computed, mentioned: [...types.mentioned.values()] };
}

function problemsOf({ profile, expressions, types, checked }: TypedProfile): readonly Problem[] {
  const problems = [
    ...withoutConsequences(expressions, types, checked),
    ...refusedAsDeployed(expressions, profile, checked),
    ...unreadableProperties(profile, types.mentioned.keys()),
    ...hiddenParameters(profile),
    ...parameterUses(profile),
    ...replacedArguments(profile),
    ...callArguments(profile),
    ...invocationLoops(profile),
    ...unreadableTexts(profile),
    ...unreadablePhases(profile),
    ...unreadableOnContentNodes(profile),
  ];
  const read = new Set<string>();
  for (const { kind, definition } of expressions) {
    const node = checked.values.get(definition.name.text);
    if (node === undefined || kind === "function") continue;
    const inputs = inputsBelow(node);
    for (const each of inputs) read.add(each.name);
    append(problems, phaseProblems(kind, node, inputs, definition.body.span));
  }
  append(
    problems,
    unreadableTensors(profile, (input) => read.has(input)),
  );
  for (const each of tensorAliases(profile, (name) => checked.values.get(name)?.type)) problems.push(each);
  return problems;
}

/** An expression of a profile as a definition of a program. */
interface ProfileExpression {
  readonly kind: ComputedValue["kind"];
  readonly name: string;
  readonly definition: Definition;
}

/** The keys of what is no function have a space, so that no expression can mean them. */
function expressionsOf({ phases, functions, features }: Profile): ProfileExpression[] {
  const expressions: ProfileExpression[] = [];
  for (const each of functions.values()) {
    const { name, parameters, expression } = each;
    if (expression.tree === undefined || isHidden(each)) continue;
    const { span, tree: body } = expression;
    const own: Definition = { kind: "definition", span, name, body };
    const definition = parameters.length === 0 ? own : { ...own, parameters };
    expressions.push({ kind: "function", name: name.text, definition });
  }
  const add = (kind: ComputedValue["kind"], name: string, body: Expression | undefined): void => {
    if (body === undefined) return;
    const { span } = body;
    const key = { text: `${kind} ${name}`, span };
    expressions.push({ kind, name, definition: { kind: "definition", span, name: key, body } });
  };
  for (const name of phaseNames) add(name, name, phases[name]?.expression?.tree);
  for (const list of featureListNames)
    for (const { name, expression } of features[list] ?? []) add(list, name, expression.tree);
  return expressions;
}

/** `rankingExpression(f)` is another name of the function f. */
function aliasesOf({ functions }: Profile): Definition[] {
  return [...functions.values()].flatMap(({ name, parameters, expression: { tree } }): Definition[] => {
    if (parameters.length > 0 || tree === undefined) return [];
    const { span } = tree;
    const body: Expression = { kind: "reference", name, outputs: [], span };
    return [{ kind: "definition", span, name: { text: `rankingExpression(${name.text})`, span }, body }];
  });
}

/** What content nodes refuse where a product with 0, a tensor as it is written, has been deployed as 0. */
function refusedAsDeployed(
  expressions: readonly ProfileExpression[],
  profile: Profile,
  { problems }: CheckedProgram,
): readonly Problem[] {
  if (problems.some(({ isError }) => isError) || problems.every(({ code }) => code !== "portability/zero"))
    return [];
  const types = new FeatureTypes(profile, noTypes, "number");
  return checkExpressions(expressions, types, true).problems.filter(({ isError }) => isError);
}

function checkExpressions(
  expressions: readonly ProfileExpression[],
  types: FeatureTypes,
  isTypedAsDeployed = false,
): CheckedProgram {
  const { profile } = types;
  const statements = [...expressions.map((each) => each.definition), ...aliasesOf(profile)];
  const inputs = new FeatureMap<TensorType>();
  for (const { name, type } of profile.inputs.values()) inputs.set(name, type);
  for (const { name, type } of profile.constants.values()) inputs.set(`constant(${name})`, type);
  const { cells, expansions } = defaultLimits;
  const functions = new Map<string, never>();
  const context = {
    ...({ dialect: "vespa", repeatedCells: "left out", cells, expansions, inputs } as const),
    deployment: { ...deploymentOf(profile), isTypedAsDeployed },
    ...{ functions, features: types.typeOf },
  };
  try {
    const checked = checkProgram({ statements }, context);
    const others = uncalled(profile, context);
    const all = [...checked.problems, ...others].filter((each) => each.code !== "name/shadows");
    const problems = withoutContainers(all, profile);
    return { ...checked, problems };
  } catch (error) {
    const [first] = expressions;
    const span = first?.definition.body.span ?? profile.lineage[0]?.span;
    const overflow = span === undefined ? error : overflowProblem(error, span);
    if (!(overflow instanceof SphexError)) throw error;
    return invalidProgram(overflow.problems);
  }
}

/** Without what only content nodes refuse, where only containers compute it. */
function withoutContainers(problems: readonly Problem[], profile: Profile): readonly Problem[] {
  if (problems.every(({ code }) => code !== "portability/branches")) return problems;
  const bodies = Array.from(contentBodies(profile), ({ span }) => span);
  return problems.filter(
    ({ code, span }) => code !== "portability/branches" || bodies.some((body) => contains(body, span)),
  );
}

/**
 * The problems of a profile, with one more for each undeclared query feature: as a warning where a number does,
 * which Vespa takes it for, and otherwise as the error of which all that follows is a consequence.
 */
function withoutConsequences(
  expressions: readonly ProfileExpression[],
  types: FeatureTypes,
  { problems }: CheckedProgram,
): readonly Problem[] {
  const { profile, undeclared } = types;
  if (undeclared.size === 0) return problems;
  const undeclaredProblem = (
    code: "query/number" | "query/strict" | "query/undeclared",
    [name, span]: [string, Span],
  ): Problem => problem(code, span, { name, nearest: types.like(name, "query") });
  const errors = problems.filter((each) => each.isError);
  const silent = errors.length === 0 ? undefined : new FeatureTypes(profile, noTypes, "untyped");
  const remaining = silent === undefined ? problems : checkExpressions(expressions, silent).problems;
  const remainingKeys = new Set(remaining.map(keyOf));
  const consequences = errors.filter((each) => !remainingKeys.has(keyOf(each)));
  const isBlamed = ([name]: [string, Span]): boolean =>
    consequences.some(({ span, related }) =>
      [span, ...related.map((each) => each.span)].some((each) => isMentionedIn(name, each, expressions)),
    );
  const all = [...undeclared];
  const blamed = all.filter(isBlamed);
  const wrong = consequences.length > 0 && blamed.length === 0 ? all : blamed;
  const otherwise = isStrict(profile) ? "query/strict" : "query/number";
  const undeclaredProblems = all.map((each) =>
    undeclaredProblem(wrong.includes(each) ? "query/undeclared" : otherwise, each),
  );
  return [...remaining, ...undeclaredProblems];
}

/** Whether the profile, or the nearest one that it inherits and that says anything of it, is strict. */
function isStrict({ lineage }: Profile): boolean {
  const settings = lineage.flatMap((each) =>
    each.settings.filter(({ keyword }) => keyword.text === "strict"),
  );
  return settings[0]?.details[0]?.keyword.text === "true";
}

const keyOf = ({ code, span }: Problem): string => `${code} ${span.source.name} ${span.start} ${span.end}`;

const contains = ({ source, start, end }: Span, inner: Span): boolean =>
  source === inner.source && start <= inner.start && inner.end <= end;

/** Whether the expression that a place is in says a name. */
function isMentionedIn(name: string, span: Span, expressions: readonly ProfileExpression[]): boolean {
  const enclosing = expressions.find(({ definition: { body } }) => contains(body.span, span));
  if (enclosing === undefined) return false;
  const { source, start, end } = enclosing.definition.body.span;
  const [, word = name] = /^query\((.*)\)$/.exec(name) ?? [];
  return source.text.slice(start, end).includes(word);
}

/** What a value may not be, or be made of, where it stands. */
function phaseProblems(
  kind: ComputedValue["kind"],
  node: Node,
  inputs: ReturnType<typeof inputsBelow>,
  span: Span,
): Problem[] {
  if (kind === "function") return [];
  const isPhase = phaseNames.some((each) => each === kind);
  if (isPhase && !node.type.isScalar)
    return [problem("phase/not-scalar", span, { phase: kind, type: node.type })];
  return inputs.flatMap(({ name, span }) => {
    const row = rankFeatures[/^\w*/.exec(name)?.[0] ?? ""];
    if (row?.absent?.includes(kind) !== true) return [];
    const values = { phase: kind, feature: name, where: row.where ?? "elsewhere" } as const;
    return [problem("phase/feature", span, values)];
  });
}
