import { builtins } from "../../../language/check/calls/builtins.js";
import type { Checker, FeatureResolver } from "../../../language/check/checker.js";
import { bareWord, featureName } from "../../../language/check/names.js";
import { preludeNames } from "../../../language/check/prelude-names.js";
import type { Scope } from "../../../language/check/scope.js";
import { Suggestions } from "../../../language/source/nearest.js";
import type { Span } from "../../../language/source/span.js";
import type { Argument, Expression, Reference } from "../../../language/syntax/tree.js";
import { TensorType } from "../../../language/types/type.js";
import { problem } from "../model/messages.js";
import type { Field, Profile } from "../model/model.js";
import { computedTypes, type FeatureContext, type FeatureMeaning, wordOf } from "./computed-types.js";
import { isOfKind } from "./field-kinds.js";
import {
  type ArgumentKind,
  argumentKind,
  isFieldKind,
  type RankFeature,
  rankFeatures,
} from "./rank-features.js";

/** A feature that an expression mentions and that no function of the rank profile defines. */
export interface MentionedFeature {
  /** Canonical: `bm25(title)`. */
  readonly name: string;
  /** Nothing where only a model knows it. */
  readonly type: TensorType | undefined;
  readonly feature: Reference;
}

/** The type of a feature that has one. */
function typeIn(meaning: FeatureMeaning): TensorType | undefined {
  if (meaning === "untyped") return undefined;
  return meaning instanceof TensorType ? meaning : meaning.type;
}

/** What is known of features where one rank profile is checked. */
export class FeatureTypes implements FeatureContext {
  /** All features that were looked at, by canonical name. */
  readonly mentioned = new Map<string, MentionedFeature>();
  readonly undeclared = new Map<string, Span>();
  readonly computing = new Set<Expression>();
  private readonly suggestions = new Suggestions();

  constructor(
    readonly profile: Profile,
    /** Types that the host knows, such as those of a model's outputs. */
    private readonly hostTypes: ReadonlyMap<string, TensorType>,
    readonly undeclaredAs: "number" | "untyped",
  ) {}

  readonly typeOf: FeatureResolver = (checker, feature, scope) => {
    if (isOfTheLanguage(feature)) return undefined;
    const name = featureName(feature);
    const meaning = this.hostTypes.get(name) ?? this.meaningOf(checker, feature, scope);
    if (meaning !== undefined) this.mentioned.set(name, { name, type: typeIn(meaning), feature });
    return meaning;
  };

  private meaningOf(checker: Checker, feature: Reference, scope: Scope): FeatureMeaning | undefined {
    const { text } = feature.name;
    const row = Object.hasOwn(rankFeatures, text) ? rankFeatures[text] : undefined;
    const report = checker.report(scope);
    if (this.isLost(feature)) return "untyped";
    const own = this.profile.functions.get(text);
    if (row === undefined && own !== undefined && feature.outputs.length === 0) {
      const { length: count } = own.parameters;
      const signature = `${text}(${own.parameters.map((each) => each.text).join(", ")})`;
      const related = [{ span: own.name.span, label: "defined here" }];
      const found = feature.arguments?.length ?? 0;
      const values = { name: text, found, least: count, most: count, signature };
      report(problem("call/arity", feature.span, values, related));
      return "untyped";
    }
    if (row === undefined) {
      // The parameters that a lambda sees are better told by who knows them.
      if (!scope.isOutermostFrame || builtins.has(text)) return undefined;
      if (this.profile.isOpen) return "untyped";
      const values = { name: text, nearest: checker.guess(text, () => this.names) };
      report(problem("feature/unknown", feature.name.span, values));
      return "untyped";
    }
    if (!this.fits(checker, feature, row, scope)) return "untyped";
    if (row.value === "untyped") return "untyped";
    const compute = row.value === "computed" ? computedTypes[text] : undefined;
    return compute === undefined ? TensorType.scalar : compute(this, checker, feature, scope);
  }

  /** A name that is declared, but whose declaration has a mistake of its own. */
  private isLost(feature: Reference): boolean {
    const { lost, functions } = this.profile;
    const name = featureName(feature);
    const inner = /^rankingExpression\((.*)\)$/.exec(name)?.[1] ?? feature.name.text;
    const own = functions.get(inner);
    return (
      lost.has(name) ||
      lost.has(`constant(${name})`) ||
      (own !== undefined && own.expression.tree === undefined)
    );
  }

  /** Whether the arguments and outputs of a feature are as its row says. */
  private fits(checker: Checker, feature: Reference, row: RankFeature, scope: Scope): boolean {
    const report = checker.report(scope);
    const argumentList = feature.arguments ?? [];
    const least = row.least ?? row.arguments.length;
    const most = row.repeats === true ? Number.POSITIVE_INFINITY : row.arguments.length;
    // Arguments with names may come in any number.
    const isNamed = argumentList.some((each) => each.kind === "named");
    if (!isNamed && (argumentList.length < least || argumentList.length > most)) {
      const values = { feature: feature.name.text, found: argumentList.length, least, most };
      report(problem("feature/arguments", feature.span, values));
      return false;
    }
    if (!this.hasOutput(checker, feature, row, scope)) return false;
    return argumentList.every((each, at) => this.suits(checker, each, argumentKind(row, at), scope));
  }

  hasOutput(checker: Checker, feature: Reference, row: RankFeature, scope: Scope): boolean {
    const [output] = feature.outputs;
    const outputs = row.outputs === "any" ? undefined : [row.outputs ?? [], row.plain ?? []].flat();
    if (output === undefined || outputs?.includes(output.text) !== false) return true;
    const nearest = checker.guess(output.text, () => outputs);
    const values = { feature: feature.name.text, output: output.text, nearest };
    checker.report(scope)(problem("feature/output", output.span, values));
    return false;
  }

  private suits(checker: Checker, argument: Argument, kind: ArgumentKind, scope: Scope): boolean {
    if (argument.kind === "named") {
      const isField = argument.name.text === "field" || argument.name.text === "attribute";
      const field = wordOf(argument.value) ?? "";
      return !isField || this.field(checker, field, argument.value.span, scope) !== "unknown";
    }
    if (!isFieldKind(kind)) return true;
    const name = wordOf(argument);
    if (name === undefined) {
      const values = { expected: "field", found: "other" } as const;
      checker.report(scope)(problem("feature/argument", argument.span, values));
      return false;
    }
    const field = this.field(checker, name, argument.span, scope);
    if (field === undefined || field === "unknown") return field !== "unknown";
    if (kind.startsWith("attribute") && !this.isAttribute(checker, field, argument.span, scope)) return false;
    if (isOfKind(field, kind)) return true;
    const values = { field: field.name.text, type: field.typeText, kind };
    checker.report(scope)(problem("feature/field-kind", argument.span, values));
    return false;
  }

  field(checker: Checker, name: string, span: Span, scope: Scope): Field | "unknown" | undefined {
    const { fields, isPartial, schema } = this.profile;
    const found = fields.get(name);
    if (found !== undefined || isPartial || isMadeByVespa(name, fields)) return found;
    const meant = checker.guess(name, () => fields.keys());
    const values = { field: name, schema: schema.name.text, nearest: meant };
    checker.report(scope)(problem("feature/field", span, values));
    return "unknown";
  }

  isAttribute(checker: Checker, field: Field, span: Span, scope: Scope): boolean {
    if (field.isAttribute) return true;
    checker.report(scope)(problem("feature/not-attribute", span, { field: field.name.text }));
    return false;
  }

  like(name: string, head: string): string | undefined {
    const plain = (each: string): string => each.slice(head.length + 1, -1);
    const meant = this.suggestions.nearest(plain(name), () =>
      head === "query" ? [...this.profile.inputs.keys()].map(plain) : this.profile.constants.keys(),
    );
    return meant === undefined ? undefined : `${head}(${meant})`;
  }

  private get names(): string[] {
    const { functions, constants } = this.profile;
    return [
      ...functions.keys(),
      ...constants.keys(),
      ...Object.keys(rankFeatures),
      ...builtins.keys(),
      ...prelude(),
    ];
  }
}

const prelude = () => preludeNames().all;

/** What expressions mean by themselves: `sum(…)`, `true`. A word in `random(…)` makes it a feature. */
function isOfTheLanguage({ name, arguments: argumentList, outputs }: Reference): boolean {
  if (argumentList === undefined)
    return outputs.length === 0 && (name.text === "true" || name.text === "false");
  if (outputs.length > 0) return false;
  if (name.text === "random")
    return argumentList.some((each) => bareWord(each) === undefined) || argumentList.length > 1;
  return builtins.has(name.text) || preludeNames().own(name.text) !== undefined;
}

/** Members of structs and maps, positions, and fields of `rank: literal` have attributes and indexes that no statement names. */
function isMadeByVespa(name: string, fields: ReadonlyMap<string, Field>): boolean {
  const outer = name.replace(/_zcurve$|_literal$|[.{[][\s\S]*$/, "");
  return outer !== name && fields.has(outer);
}
