import { functionDescriptions } from "../language/check/descriptions/function-descriptions.js";
import { statementWords } from "../language/syntax/tokens.js";
import { calledBefore, longestWord, openBrackets, signsOf } from "./cursor.js";

export type CandidateKind = "value" | "function" | "dimension" | "label" | "keyword";

/** A text that may stand in place of the word before the cursor. */
export interface Candidate {
  readonly text: string;
  readonly kind: CandidateKind;
}

/** What may come next. */
export interface ExpressionCompletion {
  /** The part of the word before the cursor, which a candidate replaces. */
  readonly word: string;
  readonly candidates: readonly Candidate[];
}

/** The names that can be completed at a cursor; labels are looked up on request. */
export interface CompletionNames {
  /** Values, such as `query(q)`. */
  readonly values: readonly string[];
  /** Those of the text beside the ones of the language. */
  readonly functions: readonly string[];
  readonly dimensions: readonly string[];
  /** The dimensions of a value, if there is one of the name. */
  readonly dimensionsOf: (name: string) => readonly string[] | undefined;
  /** The inputs and outputs of a model, if there is one of the name. */
  readonly inputsOf?: (name: string) => readonly string[] | undefined;
  readonly outputsOf?: (name: string) => readonly string[] | undefined;
  /** The labels along a dimension, as they are written. */
  readonly labels: (dimension: string) => readonly string[];
}

/** Words that begin a statement or a tensor. */
const keywords = [...statementWords, "tensor(", "tensor<float>("];

/** The words that may stand at the end of a text, judged by that text alone, which need not be complete. */
export function completeExpression(text: string, names: CompletionNames): ExpressionCompletion {
  const signs = signsOf(text);
  const isComment = /\s$/.test(signs.slice(-1)) && /\S$/.test(text.slice(-1));
  if (isComment || /["']/.test(signs)) return { word: "", candidates: [] };
  const end = signs.slice(-longestWord);
  const word = /(?<![\w@$])[\w@$]*$/.exec(end)?.[0] ?? "";
  const bracket = openBrackets(signs.slice(0, signs.length - word.length)).at(-1);
  if (bracket?.sign === "{") {
    const inside = signs.slice(bracket.at + 1, signs.length - word.length);
    return fitting(word, within(signs.slice(0, bracket.at), inside, names));
  }
  const before = signs.slice(0, signs.length - word.length);
  const outputs = names.outputsOf?.(modelBefore(before) ?? "");
  if (outputs !== undefined) return fitting(word, of("label", outputs));
  const call = bracket && calledBefore(signs, bracket);
  const isArgument = ["(", ","].some((sign) => before.trimEnd().endsWith(sign));
  const inputs = isArgument ? names.inputsOf?.(call ?? "") : undefined;
  if (inputs !== undefined) {
    const labels = inputs.map((each) => `${each}:`);
    return fitting(word, [...of("label", labels), ...named(word, call, true, names)]);
  }
  if (call === "tensor") return fitting(word, of("dimension", names.dimensions));
  const feature = /(?<![\w@$])[\w@$]+\([\w.]*$/.exec(end)?.[0];
  if (feature !== undefined && names.values.some((name) => name.startsWith(feature)))
    return fitting(feature, of("value", names.values));
  const isFirst = signs
    .slice(0, signs.length - word.length)
    .trimEnd()
    .endsWith("(");
  return fitting(word, named(word, call, isFirst, names));
}

/** The model whose output a text ends before: `ranker(pixels).`. */
function modelBefore(signs: string): string | undefined {
  if (!signs.endsWith(").")) return undefined;
  const open = openBrackets(signs.slice(0, -2)).at(-1);
  return open && calledBefore(signs, open);
}

const of = (kind: CandidateKind, texts: readonly string[]): readonly Candidate[] =>
  texts.map((text) => ({ text, kind }));

/** Those that begin with the word, each text once. */
function fitting(word: string, candidates: readonly Candidate[]): ExpressionCompletion {
  const byText = new Map<string, Candidate>();
  for (const each of candidates)
    if (each.text.startsWith(word) && !byText.has(each.text)) byText.set(each.text, each);
  return { word, candidates: [...byText.values()] };
}

/** Names, where a value may stand: behind the first argument of a call, rather those of dimensions. */
function named(
  word: string,
  call: string | undefined,
  isFirst: boolean,
  names: CompletionNames,
): readonly Candidate[] {
  if (call === undefined) return topmost(word, names);
  const [values, dimensions] = [of("value", names.values), of("dimension", names.dimensions)];
  if (word === "") return isFirst ? values : dimensions;
  const likely = isFirst ? [] : fitting(word, [...dimensions, ...values]).candidates;
  return likely.length > 0 ? likely : topmost(word, names);
}

/** What may begin an expression; the functions only once there is a letter, for they are many. */
function topmost(word: string, names: CompletionNames): readonly Candidate[] {
  const values = of("value", names.values);
  if (word === "") return values;
  const functions = [...names.functions, ...functionDescriptions().keys()].map((name) => `${name}(`);
  return [...values, ...of("function", functions), ...of("keyword", keywords)];
}

/** Between braces: behind a dimension and `:` its labels, otherwise dimensions, and the labels of an only one. */
function within(before: string, inside: string, names: CompletionNames): readonly Candidate[] {
  const dimension = /(?<![\w@$])([\w@$]+)\s*:\s*$/.exec(inside.slice(-longestWord))?.[1];
  if (dimension !== undefined) return of("label", names.labels(dimension));
  const tensor = before.slice(-longestWord).trimEnd();
  const name = /(?<![\w@$.])[\w@$]+(?:\([\w., ]*\))?(?:\.\w+)*$/.exec(tensor)?.[0] ?? "";
  const dimensions = names.dimensionsOf(name) ?? names.dimensions;
  const [only, ...others] = dimensions;
  const labels = only === undefined || others.length > 0 ? [] : names.labels(only);
  return [
    ...of(
      "dimension",
      dimensions.map((each) => `${each}:`),
    ),
    ...of("label", labels),
  ];
}
