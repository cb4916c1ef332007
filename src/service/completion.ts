import { functionDescriptions } from "../language/check/descriptions/function-descriptions.js";
import { statementWords } from "../language/syntax/tokens.js";
import { cellTypeNames } from "../language/types/cell.js";
import { type ArgumentKind, argumentKinds } from "./argument-kinds.js";
import { argumentAt, calledBefore, longestWord, type OpenBracket, openBrackets, signsOf } from "./cursor.js";
import { dimensionsOfCall, mentions, parametersAround, slicedBefore } from "./own-dimensions.js";

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
  /** The dimensions of a value, if there is one of the name, or of another expression, as far as they are known. */
  readonly dimensionsOf: (expression: string) => readonly string[] | undefined;
  /** The inputs and outputs of a model, if there is one of the name. */
  readonly inputsOf?: (name: string) => readonly string[] | undefined;
  readonly outputsOf?: (name: string) => readonly string[] | undefined;
  /** What an argument of a function may be, where only that may stand there: a field of a rank feature. */
  readonly argumentsOf?: (name: string, position: number) => readonly string[] | undefined;
  /** The labels along a dimension, as they are written. */
  readonly labels: (dimension: string) => readonly string[];
}

/** Words that begin a statement or a tensor. */
const keywords = [...statementWords, "tensor(", "tensor<float>("];

/** The words that may stand at the end of a text, judged by that text alone, which need not be complete. */
export function completeExpression(text: string, names: CompletionNames): ExpressionCompletion {
  // Comments are spaces there: what is written next would be one too.
  const next = signsOf(`${text}x`);
  const signs = next.slice(0, -1);
  if (next.endsWith(" ") || /["']/.test(signs)) return { word: "", candidates: [] };
  const end = signs.slice(-longestWord);
  const word = /(?<![\w@$])[\w@$]*$/.exec(end)?.[0] ?? "";
  const before = signs.slice(0, signs.length - word.length);
  const brackets = openBrackets(before);
  const bracket = brackets.at(-1);
  const { visible, dimensionsOf } = visibleNames(before, brackets, names);
  if (bracket?.sign === "{") {
    const sliced = slicedBefore({ text: text.slice(0, bracket.at), signs: signs.slice(0, bracket.at) });
    return fitting(word, within(dimensionsOf(sliced), before.slice(bracket.at + 1), names));
  }
  const outputs = names.outputsOf?.(modelBefore(before) ?? "");
  if (outputs !== undefined) return fitting(word, of("label", outputs));
  if (/(?<![\w@$])(?:tensor|cell_cast)\s*<\s*$/.test(before.slice(-longestWord)))
    return fitting(word, of("keyword", cellTypeNames));
  const call = bracket && calledBefore(signs, bracket);
  const begins = bracket !== undefined && /[(,]\s*$/.test(before.slice(-longestWord));
  const inputs = begins ? names.inputsOf?.(call ?? "") : undefined;
  if (inputs !== undefined) {
    const labels = inputs.map((each) => `${each}:`);
    return fitting(word, [...of("label", labels), ...valuesFor(word, names)]);
  }
  if (call === "tensor") return fitting(word, of("dimension", names.dimensions));
  const feature = /(?<![\w@$])[\w@$]+\([\w.]*$/.exec(end)?.[0];
  if (feature !== undefined && names.values.some((name) => name.startsWith(feature)))
    return fitting(feature, of("value", names.values));
  if (call === undefined || !begins) return fitting(word, valuesFor(word, visible));
  const position = argumentAt(before.slice(bracket.at + 1));
  const fields = names.argumentsOf?.(call, position);
  if (fields !== undefined) return fitting(word, of("value", fields));
  const kinds = argumentKinds(call, position);
  const own = kinds.includes("own dimension")
    ? dimensionsOfCall({ text, signs: before }, { name: call, bracket }, dimensionsOf)
    : undefined;
  return fitting(word, argumentsFor(word, kinds, { ...visible, dimensions: own ?? names.dimensions }));
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

/** What an argument may be. Where a dimension is meant, functions come only if no name fits. */
function argumentsFor(
  word: string,
  kinds: readonly ArgumentKind[],
  names: CompletionNames,
): readonly Candidate[] {
  const found = kinds.flatMap((kind): readonly Candidate[] => {
    if (kind === "value") return kinds.length === 1 ? valuesFor(word, names) : of("value", names.values);
    return typeof kind === "string" ? of("dimension", names.dimensions) : of("keyword", kind.words);
  });
  return kinds.some((kind) => kind === "dimension" || kind === "own dimension") &&
    fitting(word, found).candidates.length === 0
    ? valuesFor(word, names)
    : found;
}

/** What may begin an expression; the functions only once there is a letter, for they are many. */
function valuesFor(word: string, names: CompletionNames): readonly Candidate[] {
  const values = of("value", names.values);
  if (word === "") return values;
  const functions = [...names.functions, ...functionDescriptions().keys()].map((name) => `${name}(`);
  return [...values, ...of("function", functions), ...of("keyword", keywords)];
}

/**
 * The names that can be seen from within brackets: the dimensions of a generator, and in a lambda its parameters and, of all
 * others, scalars. Of what is bound there, and of parameters of a function, nobody knows the dimensions.
 */
function visibleNames(
  signs: string,
  brackets: readonly OpenBracket[],
  names: CompletionNames,
): { readonly visible: CompletionNames; readonly dimensionsOf: CompletionNames["dimensionsOf"] } {
  let values = names.values;
  let bound: readonly string[] = [];
  for (const { sign, at } of brackets) {
    const before = signs.slice(Math.max(0, at - longestWord), at);
    const lambda = sign === "(" ? /(?<![\w@$])f\s*\(([\w\s,]*)\)\s*$/.exec(before)?.[1] : undefined;
    const generator =
      sign === "(" ? /(?<![\w@$])tensor\s*(?:<\w+>\s*)?\(([\w\s,[\]{}]*)\)\s*$/.exec(before)?.[1] : undefined;
    if (lambda !== undefined) values = values.filter((name) => names.dimensionsOf(name)?.length === 0);
    bound = [...((lambda ?? generator)?.match(/[A-Za-z_]\w*(?=\s*(?:[,[{]|$))/g) ?? []), ...bound];
  }
  const unknown = [...bound, ...parametersAround(signs, brackets[0])];
  return {
    visible: { ...names, values: [...bound, ...values] },
    dimensionsOf: (expression) =>
      expression === "" || mentions(expression, unknown) ? undefined : names.dimensionsOf(expression),
  };
}

/** Between braces: behind a dimension and `:` its labels, otherwise dimensions, and the labels of an only one. */
function within(
  own: readonly string[] | undefined,
  inside: string,
  names: CompletionNames,
): readonly Candidate[] {
  const dimension = /(?<![\w@$])([\w@$]+)\s*:\s*$/.exec(inside.slice(-longestWord))?.[1];
  if (dimension !== undefined) return of("label", names.labels(dimension));
  const dimensions = own ?? names.dimensions;
  const [only, ...others] = dimensions;
  const named = new Set(Array.from(inside.matchAll(/(?<![\w@$])([\w@$]+)\s*:/g), ([, each]) => each));
  const labels = only === undefined || others.length > 0 ? [] : names.labels(only);
  return [
    ...of(
      "dimension",
      dimensions.filter((each) => !named.has(each)).map((each) => `${each}:`),
    ),
    ...of("label", labels),
  ];
}
