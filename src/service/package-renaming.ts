import { functionDescriptions } from "../language/check/descriptions/function-descriptions.js";
import { parseExpression } from "../language/syntax/parse.js";
import { expressionTextsOf, type RankName, rankNameKinds, wordsOf } from "./package-names.js";
import type { TextEdit } from "./text-edits.js";

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

/** What would be in the way of a rename. */
function obstacle(
  { kind, word: old, profiles, definitions, uses }: RankName,
  word: string,
): string | undefined {
  if (definitions.length === 0) return `${old} is not defined in a file of the package`;
  for (const each of profiles) {
    const { profile } = each;
    if (expressionTextsOf(profile).some(({ text }) => text.tree === undefined))
      return `an expression of ${profile.name} cannot be read, and may have the name`;
    const kinds =
      kind === "input" ? (["input"] as const) : rankNameKinds.filter((other) => other !== "input");
    if (kinds.some((other) => wordsOf(each, other).includes(word))) return `${word} is defined already`;
    const models = [...profile.models.values()].flatMap(({ inputs }) => [...inputs.values()]);
    const settings = [...profile.properties.values()].flatMap(({ key, value }) => [key, value]);
    const isElsewhere = [...models, ...settings].some((text) => new Set(text.match(/\w+/g)).has(old));
    if (isElsewhere) return `${old} is named by a model or a property of ${profile.name} as well`;
  }
  if (kind !== "input" && functionDescriptions().has(word)) return `${word} is a function of the language`;
  const other = [old, word].find((each) => uses.some(({ mayBeOther }) => mayBeOther(each)));
  if (other !== undefined) return `${other} is the name of a dimension or a field as well`;
  if (uses.some(({ bound }) => bound.has(word))) return `${word} is bound where ${old} is used`;
  return undefined;
}

/** Whether a text is a word that a schema may define: not a constant of the language. */
function isWord(text: string): boolean {
  const { tree } = parseExpression({ name: "name", text });
  const isName = tree?.kind === "reference" && tree.arguments === undefined && tree.name.text === text;
  return isName && text !== "true" && text !== "false";
}
