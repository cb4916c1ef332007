import { functionDescriptions } from "../../language/check/descriptions/function-descriptions.js";
import { aggregators } from "../../language/scalar/aggregators.js";
import { append } from "../../language/source/lists.js";
import type { Source, Span } from "../../language/source/span.js";
import { wordsWithin } from "../../language/syntax/parse.js";
import { partsOf } from "../../language/syntax/parts.js";
import type { Argument, Reference, Word } from "../../language/syntax/tree.js";
import { cellTypes } from "../../language/types/cell.js";
import type { ParsedSchema, SchemaWordKind } from "../../vespa/package/syntax/parse.js";
import type { FileItem, InputStatement, ProfileItem } from "../../vespa/package/syntax/tree.js";
import type { CheckedProfile, Profile } from "../../vespa.js";
import {
  type ColouredToken,
  coloured,
  colouredLines,
  inOrder,
  type NamedWord,
  type TokenKind,
} from "../token-kinds.js";
import { type PackagePartKind, packageOutlineOf } from "./package-outline.js";
import {
  expressionTextsOf,
  isFeature,
  type OtherWords,
  otherWords,
  type ProfileExpressionText,
  type RankNameKind,
  usesInText,
} from "./rank-names.js";

/** By the offset where each stands. */
type Names = Map<number, NamedWord>;

const kindsOfParts: Readonly<Record<PackagePartKind, TokenKind>> = {
  schema: "value",
  document: "value",
  field: "input",
  group: "keyword",
  constant: "value",
  model: "value",
  profile: "value",
  input: "input",
  function: "function",
  phase: "keyword",
};

const kindsOfNames: Readonly<Record<RankNameKind, TokenKind>> = {
  function: "function",
  input: "input",
  constant: "value",
};

/** Of words that name nothing; a tensor type has words of its own. */
const kindsOfWords: Readonly<
  Record<Exclude<SchemaWordKind, "tensor">, (text: string) => TokenKind | undefined>
> = {
  keyword: () => "keyword",
  text: () => "text",
  comment: () => "comment",
  name: (text) => (Number.isNaN(Number(text)) ? undefined : "number"),
};

/**
 * The words and comments of a schema or a file of rank profiles in its order: those of its statements, and in its expressions
 * and tensor types those of the language. A file of which some cannot be read has the colours of the rest.
 */
export function colouredPackage(
  { source, items, words }: ParsedSchema,
  profiles: readonly CheckedProfile[],
): readonly ColouredToken[] {
  const expressions = expressionsIn(source, profiles);
  const defined = definedIn(items);
  const all = [...expressions.values()].flatMap(({ span, names }) => coloured(wordsWithin(span), names));
  const spans = [...expressions.values()].map(({ span }) => span).sort((a, b) => a.start - b.start);
  let [next, isMember] = [0, false];
  for (const word of words) {
    const isName = isMember;
    isMember = word.text === "struct-field" && word.kind === "keyword";
    while ((spans[next]?.end ?? Number.POSITIVE_INFINITY) <= word.span.start) next++;
    if ((spans[next]?.start ?? Number.POSITIVE_INFINITY) < word.span.end) continue;
    if (word.kind === "tensor") {
      append(all, coloured(wordsWithin(word.span), new Map()));
      continue;
    }
    const name = isName ? memberName : defined.get(word.span.start);
    const kind = name?.kind ?? kindsOfWords[word.kind](word.text);
    if (kind !== undefined) append(all, colouredLines(word, kind, name?.isDefinition));
  }
  return inOrder(all);
}

/** What stands behind `struct-field`, which may be a word of schemas: `value`. */
const memberName: NamedWord = { kind: "input", isDefinition: false };

/** The names that the statements of a file define, and those of what is inherited. */
function definedIn(read: readonly FileItem[]): Names {
  const names: Names = new Map();
  const open = [...packageOutlineOf(read)];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const kind = kindsOfParts[part.kind];
    names.set(part.nameSpan.start, { kind, isDefinition: kind !== "keyword" });
    append(open, part.parts);
  }
  const items: (FileItem | ProfileItem | InputStatement)[] = [...read];
  const add = (words: readonly Word[], kind: TokenKind): void => {
    for (const { span } of words) names.set(span.start, { kind, isDefinition: kind === "parameter" });
  };
  for (let item = items.pop(); item !== undefined; item = items.pop()) {
    if ("inherits" in item) add(item.inherits, "value");
    if (item.kind === "function") add(item.parameters, "parameter");
    if (item.kind === "schema" || item.kind === "rank-profile") append(items, item.items);
  }
  return names;
}

/** An expression of a file, with what its words name. */
interface NamedExpression {
  readonly span: Span;
  readonly names: Names;
}

/** The expressions that stand in a file, by where they begin; one that several profiles have is as in the first of them. */
function expressionsIn(
  source: Source,
  profiles: readonly CheckedProfile[],
): ReadonlyMap<number, NamedExpression> {
  const found = new Map<number, NamedExpression>();
  for (const checked of profiles) {
    const texts = expressionTextsOf(checked.profile).filter(
      ({ text: { span } }) => span.source.name === source.name && !found.has(span.start),
    );
    if (texts.length === 0) continue;
    const names = new ExpressionNames(checked);
    for (const each of texts)
      found.set(each.text.span.start, { span: each.text.span, names: names.of(each) });
  }
  return found;
}

interface ColourVisit {
  readonly tree: Argument;
  /** The parameters that are bound around it. */
  readonly bound: ReadonlySet<string>;
  /** What it is an argument of. */
  readonly call: Reference | undefined;
}

/** What the words of the expressions of a profile name: what the package defines, parameters, features, and fields in them. */
class ExpressionNames {
  private readonly profile: Profile;
  private readonly others: OtherWords;

  constructor(checked: CheckedProfile) {
    this.profile = checked.profile;
    this.others = otherWords(checked);
  }

  of(expression: ProfileExpressionText): Names {
    const uses = usesInText(expression, this.profile, this.others).map(
      ({ kind, span }): [number, NamedWord] => [
        span.start,
        { kind: kindsOfNames[kind], isDefinition: false },
      ],
    );
    const used: Names = new Map(uses);
    const { text, parameters } = expression;
    const root = text.tree;
    const names: Names = new Map();
    const outermost = new Set(parameters.map(({ text }) => text));
    const open: ColourVisit[] = root === undefined ? [] : [{ tree: root, bound: outermost, call: undefined }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { tree, bound } = next;
      if (tree.kind === "reference") {
        const name = used.get(tree.name.span.start) ?? this.nameOf(tree, next);
        if (name !== undefined) names.set(tree.name.span.start, name);
      }
      const call = tree.kind === "reference" ? tree : undefined;
      for (const { tree: part, binds } of partsOf(tree)) {
        const isLambda = tree.kind === "lambda";
        if (isLambda)
          for (const { span } of binds) names.set(span.start, { kind: "parameter", isDefinition: true });
        const own = binds.map(({ text }) => text);
        const inner = isLambda ? [...bound, ...own] : [...bound].filter((each) => !own.includes(each));
        open.push({ tree: part, bound: binds.length === 0 ? bound : new Set(inner), call });
      }
    }
    return names;
  }

  /** What a name is that the package does not define; nothing for a dimension, or a word of the language. */
  private nameOf(
    { name: { text }, arguments: list }: Reference,
    { bound, call }: ColourVisit,
  ): NamedWord | undefined {
    const named = (kind: TokenKind): NamedWord => ({ kind, isDefinition: false });
    if (list !== undefined) return functionDescriptions().has(text) ? undefined : named("function");
    if (bound.has(text)) return named("parameter");
    if (call === undefined) return named("value");
    const isOfFeature = isFeature(call) || !functionDescriptions().has(call.name.text);
    if (isOfFeature) return named(this.profile.fields.has(text) ? "input" : "value");
    return languageWords.has(text) || this.others.has(text) ? undefined : named("value");
  }
}

/** Words that functions of the language take as arguments. */
const languageWords: ReadonlySet<string> = new Set([...Object.keys(aggregators), ...Object.keys(cellTypes)]);
