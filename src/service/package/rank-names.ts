import type { Span } from "../../language/source/span.js";
import { partsOf } from "../../language/syntax/parts.js";
import type { Argument, Reference, Word } from "../../language/syntax/tree.js";
import type { CheckedProfile, ExpressionText, Package, Profile, RankProfile } from "../../vespa.js";
import { holds } from "../analysis.js";

/** What rank expressions name by words that a schema defines. */
export type RankNameKind = "function" | "input" | "constant";
export const rankNameKinds: readonly RankNameKind[] = ["function", "input", "constant"];

/** A name in a rank expression. */
export interface RankUse {
  readonly kind: RankNameKind;
  readonly word: string;
  /** Of the word alone: of `query(q)` it is `q`. */
  readonly span: Span;
  /** The parameters and dimensions that are bound around it. */
  readonly bound: ReadonlySet<string>;
  /** Whether a word in its place may be a dimension or a field. */
  readonly mayBeOther: (word: string) => boolean;
}

/** The names of a kind that a profile has. */
const declared: Readonly<
  Record<RankNameKind, (from: Profile | RankProfile, word: string) => Span | undefined>
> = {
  function: ({ functions }, word) => functions.get(word)?.name.span,
  input: ({ inputs }, word) => wordIn(inputs.get(`query(${word})`)?.span, word, /^query\s*\(\s*/),
  constant: ({ constants }, word) =>
    wordIn(constants.get(word)?.span, word, /^constant(?:\s*\(\s*|\s+)/) ??
    wordIn(constants.get(word)?.span, word, /^/),
};

/** Where a word stands in its declaration, behind what may come before it: `query(`, say, which need not be there. */
function wordIn(span: Span | undefined, word: string, before: RegExp): Span | undefined {
  if (span === undefined) return undefined;
  const { source, end } = span;
  const [head = ""] = before.exec(source.text.slice(span.start, end)) ?? [];
  const start = span.start + head.length;
  return source.text.startsWith(word, start) ? { source, start, end: start + word.length } : undefined;
}

/** Where a profile, and those that it inherits, define a name. */
export function definitionsIn(
  { profile }: CheckedProfile,
  kind: RankNameKind,
  word: string,
): readonly Span[] {
  return [profile, ...profile.lineage].flatMap((each) => declared[kind](each, word) ?? []);
}

/** The words of a kind that a profile defines. */
export function wordsOf({ profile }: CheckedProfile, kind: RankNameKind): readonly string[] {
  if (kind === "function") return [...profile.functions.keys()];
  if (kind === "constant") return [...profile.constants.keys()];
  return [...profile.inputs.keys()].map((name) => name.slice("query(".length, -1));
}

/** An expression of a profile, with the parameters that it sees. */
export interface ProfileExpressionText {
  readonly text: ExpressionText;
  readonly parameters: readonly Word[];
}

/** All expressions of a profile. */
export function expressionTextsOf({
  functions,
  phases,
  features,
}: Profile): readonly ProfileExpressionText[] {
  const rest = [
    ...Object.values(phases).flatMap((phase) => phase?.expression ?? []),
    ...Object.values(features).flatMap((list) => (list ?? []).map(({ expression }) => expression)),
  ];
  return [
    ...[...functions.values()].map(({ expression, parameters }) => ({ text: expression, parameters })),
    ...rest.map((text) => ({ text, parameters: [] })),
  ];
}

/** A tree that is to be read. */
interface RankVisit {
  readonly tree: Argument;
  readonly bound: ReadonlySet<string>;
  readonly isArgument: boolean;
}

/** The names that the expressions of a profile use. */
function usesIn(checked: CheckedProfile): readonly RankUse[] {
  const others = otherWords(checked);
  return expressionTextsOf(checked.profile).flatMap((each) => usesInText(each, checked.profile, others));
}

/** The names that the expressions of a profile use which an offset of a file is in. */
export function usesAround(checked: CheckedProfile, file: string, offset: number): readonly RankUse[] {
  const others = otherWords(checked);
  return expressionTextsOf(checked.profile)
    .filter(({ text: { span } }) => span.source.name === file && holds(span, offset))
    .flatMap((each) => usesInText(each, checked.profile, others));
}

/** The names that one expression of a profile uses. */
export function usesInText(
  { text, parameters }: ProfileExpressionText,
  profile: Profile,
  others: OtherWords,
): readonly RankUse[] {
  if (text.tree === undefined) return [];
  const found: RankUse[] = [];
  const outermost = new Set(parameters.map((each) => each.text));
  const open: RankVisit[] = [{ tree: text.tree, bound: outermost, isArgument: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { tree, bound } = next;
    const use = tree.kind === "reference" ? useOf(tree, profile, next, others) : undefined;
    if (use !== undefined) found.push(use);
    if (tree.kind === "reference" && isFeature(tree)) continue;
    const isArgument = tree.kind === "reference";
    for (const { tree: part, binds } of partsOf(tree).toReversed()) {
      const inner = binds.length === 0 ? bound : new Set([...bound, ...binds.map((each) => each.text)]);
      open.push({ tree: part, bound: inner, isArgument });
    }
  }
  return found;
}

function useOf(
  { name, arguments: list, span }: Reference,
  profile: Profile,
  { bound, isArgument }: RankVisit,
  others: OtherWords,
): RankUse | undefined {
  const use = (kind: RankNameKind, word: string, at: Span, isOpen = false): RankUse => ({
    ...{ kind, word, bound, span: at },
    mayBeOther: (each) => isOpen && others.has(each),
  });
  const [only] = list ?? [];
  const word = name.text;
  if (list === undefined) {
    if (bound.has(word)) return undefined;
    if (profile.functions.has(word)) return use("function", word, name.span, isArgument);
    return profile.constants.has(word) ? use("constant", word, span, isArgument) : undefined;
  }
  if (profile.functions.has(word)) return use("function", word, name.span);
  if (list.length !== 1 || only?.kind !== "reference" || only.arguments !== undefined) return undefined;
  const inner = only.name.text;
  // Of a parameter it is what the call says.
  if (bound.has(inner)) return undefined;
  if (word === "query" && profile.inputs.has(`query(${inner})`)) return use("input", inner, only.name.span);
  return word === "constant" && profile.constants.has(inner)
    ? use("constant", inner, only.name.span)
    : undefined;
}

/** Whether the arguments of a call are names of a document or query, and no expressions. */
export const isFeature = ({ name, arguments: list }: Reference): boolean =>
  list !== undefined && /^(?:query|attribute|constant)$/.test(name.text);

/** Words that may mean something else among arguments: dimensions and fields. */
export type OtherWords = Pick<ReadonlySet<string>, "has">;

/** Those of a profile. It is only checked for a word that is no field, and no dimension of what is declared. */
export function otherWords(checked: CheckedProfile): OtherWords {
  const { inputs, constants, fields } = checked.profile;
  const types = [...inputs.values(), ...constants.values()].map(({ type }) => type);
  const tensors = [...fields.values()].flatMap(({ tensorType }) => tensorType ?? []);
  const declared = new Set([...fields.keys(), ...[...types, ...tensors].flatMap(({ names }) => names)]);
  let computed: ReadonlySet<string> | undefined;
  return {
    has: (word) => {
      if (declared.has(word)) return true;
      computed ??= new Set(checked.computed.flatMap(({ type }) => type?.names ?? []));
      return computed.has(word);
    },
  };
}

/** A name of a package, in the profiles that share a definition of it, nearer or farther. */
export interface RankName {
  readonly kind: RankNameKind;
  readonly word: string;
  readonly package: Package;
  readonly profiles: readonly CheckedProfile[];
  readonly definitions: readonly Span[];
  readonly uses: readonly RankUse[];
}

/** The name that an offset of a file is in, where it is defined or used. */
export function rankNameAt(
  profiles: readonly CheckedProfile[],
  owner: Package,
  file: string,
  offset: number,
): RankName | undefined {
  const isHere = (span: Span): boolean => span.source.name === file && holds(span, offset);
  for (const profile of profiles) {
    for (const kind of rankNameKinds)
      for (const word of wordsOf(profile, kind))
        if (definitionsIn(profile, kind, word).some(isHere))
          return { ...rankName(profiles, profile, kind, word), package: owner };
    const use = usesAround(profile, file, offset).find(({ span }) => isHere(span));
    if (use !== undefined) return { ...rankName(profiles, profile, use.kind, use.word), package: owner };
  }
  return undefined;
}

/** A name with all profiles that inherit a definition of it, and all that these replace. */
function rankName(
  all: readonly CheckedProfile[],
  first: CheckedProfile,
  kind: RankNameKind,
  word: string,
): Omit<RankName, "package"> {
  const members = new Set([first]);
  const definitions = new Map<string, Span>();
  const keyOf = ({ source, start }: Span): string => `${start} ${source.name}`;
  const of = new Map(all.map((each) => [each, definitionsIn(each, kind, word)] as const));
  for (const member of members) {
    for (const span of of.get(member) ?? []) definitions.set(keyOf(span), span);
    for (const [each, spans] of of) if (spans.some((span) => definitions.has(keyOf(span)))) members.add(each);
  }
  const profiles = [...members];
  const uses = new Map<string, RankUse>();
  for (const use of profiles.flatMap(usesIn))
    if (use.kind === kind && use.word === word) uses.set(keyOf(use.span), use);
  return { kind, word, profiles, definitions: [...definitions.values()], uses: [...uses.values()] };
}
