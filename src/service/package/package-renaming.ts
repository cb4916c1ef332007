import { functionDescriptions } from "../../language/check/descriptions/function-descriptions.js";
import { featureHeads } from "../../language/check/functions/feature-heads.js";
import { parseExpression } from "../../language/syntax/parse.js";
import { treesIn } from "../../language/syntax/parts.js";
import type { Word } from "../../language/syntax/tree.js";
import type { Package, Profile } from "../../vespa.js";
import type { TextEdit } from "../text-edits.js";
import { expressionTextsOf, type RankName, type RankNameKind, rankNameKinds, wordsOf } from "./rank-names.js";

/** The edits that give a name of a package another word, or why it cannot have it: no file may mean anything else then. */
export function renamedInPackage(
  name: RankName | undefined,
  word: string,
): readonly TextEdit[] | { readonly refused: string } {
  if (name === undefined) return { refused: "there is no name here that can be renamed" };
  if (!isWord(word)) return { refused: `${JSON.stringify(word)} is no name` };
  const reason = obstacle(name, word);
  if (reason !== undefined) return { refused: reason };
  const spans = [...name.definitions, ...name.uses.map(({ span }) => span)];
  return spans.map((span) => ({ span, text: word }));
}

const rankFeatureHeads: ReadonlySet<string> = new Set(featureHeads);

/** What would be in the way of a rename. */
function obstacle(
  { kind, word: old, package: owner, profiles, definitions, uses }: RankName,
  word: string,
): string | undefined {
  if (definitions.length === 0) return `${old} is not defined in a file of the package`;
  for (const each of profiles) {
    const { profile } = each;
    if (expressionTextsOf(profile).some(({ text }) => text.tree === undefined))
      return `an expression of ${profile.name} cannot be read, and may have the name`;
    // Inputs have names of their own: `query(q)`.
    const kinds = rankNameKinds.filter((other) => (other === "input") === (kind === "input"));
    if (kinds.some((other) => wordsOf(each, other).includes(word))) return `${word} is defined already`;
    const models = [...profile.models.values()].flatMap(({ inputs }) => [...inputs.values()]);
    const settings = [...profile.properties.values()].flatMap(({ key, value }) => [key, value]);
    const isElsewhere = [...models, ...settings].some((text) => new Set(text.match(/\w+/g)).has(old));
    if (isElsewhere) return `${old} is named by a model or a property of ${profile.name} as well`;
  }
  const inQueries = kind === "input" ? [old, word].find((each) => isInQueryProfile(owner, each)) : undefined;
  if (inQueries !== undefined) return `${inQueries} is named by a query profile as well`;
  // Before a bracket it begins a type, also behind the word function.
  if (kind === "function" && word === "tensor") return `${word} begins a type of tensors`;
  if (kind !== "input" && functionDescriptions().has(word)) return `${word} is a function of the language`;
  if (kind === "function" && rankFeatureHeads.has(word)) return `${word} is a rank feature`;
  const other = [old, word].find((each) => uses.some(({ mayBeOther }) => mayBeOther(each)));
  if (other !== undefined) return `${other} is the name of a dimension or a field as well`;
  if (uses.some(({ bound }) => bound.has(word))) return `${word} is bound where ${old} is used`;
  for (const { profile } of profiles) {
    const reason = obstacleIn(profile, kind, old, word);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Whether a query profile, or a type of one, has a word in the name of a parameter or in its value, as a query has the names of inputs. */
function isInQueryProfile({ queryProfiles, inputs }: Package, word: string): boolean {
  const all = [...queryProfiles.values()].flatMap(({ own, variants }) => [own, ...variants]);
  const texts = all.flatMap(({ fields }) => [...fields].flatMap(([name, { text }]) => [name, text]));
  return [...texts, ...inputs.keys()].some((text) => new Set(text.match(/\w+/g)).has(word));
}

/** What of the expressions of a profile is in the way: the new word there, and the old one as another name, or in quotes. */
function obstacleIn(profile: Profile, kind: RankNameKind, old: string, word: string): string | undefined {
  const { functions, constants, name } = profile;
  // Of a parameter or an index with its name Vespa reads the constant, or the inline function.
  const hides = kind === "constant" || (kind === "function" && functions.get(old)?.isInline === true);
  const isHidden = (words: readonly Word[]): boolean => hides && words.some(({ text }) => text === old);
  for (const { text, parameters } of expressionTextsOf(profile)) {
    if (isHidden(parameters)) return `${old} is a parameter of a function of ${name} as well`;
    for (const tree of text.tree === undefined ? [] : treesIn(text.tree)) {
      if (tree.kind === "reference" && tree.name.text === word)
        return `${word} means something else in an expression of ${name}`;
      if (tree.kind === "text" && tree.value === old)
        return `${old} stands in quotes in an expression of ${name}`;
      if (tree.kind === "generate" && isHidden(tree.type.dimensions.map((each) => each.name)))
        return `${old} is a dimension of a tensor in ${name} as well`;
    }
  }
  const isBound = [...functions.values()].some(({ parameters }) =>
    parameters.some(({ text }) => text === word),
  );
  return isBound && (constants.has(old) || hides)
    ? `${word} is a parameter of a function of ${name}`
    : undefined;
}

/** Whether a text is a word that a schema may define: not a constant of the language. */
function isWord(text: string): boolean {
  const { tree } = parseExpression({ name: "name", text });
  const isName = tree?.kind === "reference" && tree.arguments === undefined && tree.name.text === text;
  return isName && text !== "true" && text !== "false";
}
