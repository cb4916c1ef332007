import { commandNames, completionsOf } from "./commands.js";
import { signsOf } from "./open-lines.js";

/**
 * What Tab offers: the words that may come next, judged by the text before the cursor, and help for the
 * function that is being called. A list of candidates for a word is all that a terminal needs.
 */
export interface Completion {
  /** The part of the word before the cursor. */
  readonly word: string;
  readonly candidates: readonly string[];
  /** What to show of the function that is called here. */
  readonly help?: string;
}

/** The names that can be completed at the cursor. */
export interface CompletionContext {
  /** Named values and tensors, such as `query(q)`. */
  readonly names: readonly string[];
  readonly functions: readonly string[];
  readonly dimensions: readonly string[];
  readonly inputs: readonly string[];
  /** The dimensions of a named tensor, if there is one. */
  readonly dimensionsOf: (name: string) => readonly string[] | undefined;
  /** The labels of the values along a dimension. */
  readonly labels: (dimension: string) => readonly string[];
  readonly help: (name: string) => string | undefined;
  readonly files: (prefix: string) => readonly string[];
}

/** Words that begin a statement or a tensor. */
const keywords = [
  "input",
  "constant",
  "variable",
  "persistent",
  "assign",
  "minimise",
  "tensor(",
  "tensor<float>(",
];

/** The completion of a line up to the cursor; `before` are the open lines that it goes on with. */
export function complete(line: string, context: CompletionContext, before = ""): Completion {
  const [, dotted] = /^\s*\.(\w*)$/.exec(line) ?? [];
  if (before === "" && dotted !== undefined)
    return fitting(
      `.${dotted}`,
      commandNames.map((name) => `.${name}`),
    );
  const [, command, rest = ""] = /^\s*\.(\w+)\s+(.*)$/s.exec(line) ?? [];
  if (before === "" && command !== undefined) return argument(command, rest, context);
  return expression(before === "" ? line : `${before}\n${line}`, context);
}

function argument(command: string, rest: string, context: CompletionContext): Completion {
  const completions = completionsOf(command);
  if (completions === "expression") return expression(rest, context);
  if (completions === "file") return fitting(rest, context.files(rest));
  if (completions !== "input") return fitting(rest, completions);
  return rest.includes("=")
    ? fitting(rest, [])
    : fitting(
        rest,
        context.inputs.map((name) => `${name} = `),
      );
}

const fitting = (word: string, words: readonly string[]): Completion => ({
  word,
  candidates: [...new Set(words)].filter((each) => each.startsWith(word)),
});

function expression(text: string, context: CompletionContext): Completion {
  const signs = signsOf(text);
  const isComment = /\s$/.test(signs.slice(-1)) && /\S$/.test(text.slice(-1));
  if (isComment || /["']/.test(signs)) return fitting("", []);
  const word = /(?<![\w@$])[\w@$]*$/.exec(signs)?.[0] ?? "";
  const bracket = innermost(signs.slice(0, signs.length - word.length));
  if (bracket?.sign === "{")
    return within(signs.slice(0, bracket.at), signs.slice(bracket.at + 1), word, context);
  const call =
    bracket?.sign === "("
      ? /(?<![\w@])([\w@]+)\s*(?:<\w+>\s*)?$/.exec(signs.slice(0, bracket.at))?.[1]
      : undefined;
  if (call === "tensor") return fitting(word, context.dimensions);
  return { ...named(signs, word, call, context), ...help(word, call, context) };
}

/** Names, where a value may stand. */
function named(
  signs: string,
  word: string,
  call: string | undefined,
  context: CompletionContext,
): Completion {
  const feature = /(?<![\w@$])[\w@$]+\([\w.]*$/.exec(signs)?.[0];
  if (feature !== undefined && context.names.some((name) => name.startsWith(feature)))
    return fitting(feature, context.names);
  if (call === undefined) return fitting(word, topmost(word, context));
  const isFirst = signs
    .slice(0, signs.length - word.length)
    .trimEnd()
    .endsWith("(");
  if (word === "") return fitting(word, isFirst ? context.names : context.dimensions);
  const likely = isFirst ? [] : fitting(word, [...context.dimensions, ...context.names]).candidates;
  return fitting(word, likely.length > 0 ? likely : topmost(word, context));
}

/** What may begin an expression; the functions only once there is a letter, for they are many. */
function topmost(word: string, context: CompletionContext): readonly string[] {
  if (word === "") return context.names;
  return [...context.names, ...context.functions.map((name) => `${name}(`), ...keywords];
}

/** The function that the cursor is behind or, if that is none, within the parentheses of. */
function help(
  word: string,
  call: string | undefined,
  context: CompletionContext,
): { readonly help?: string } {
  const text = word !== "" ? context.help(word) : call === undefined ? undefined : context.help(call);
  return text === undefined ? {} : { help: text };
}

/** Between braces: behind a dimension and `:` its labels, otherwise dimensions, or the labels of the only one. */
function within(before: string, inside: string, word: string, context: CompletionContext): Completion {
  const dimension = /(?<![\w@$])([\w@$]+)\s*:\s*$/.exec(inside.slice(0, inside.length - word.length))?.[1];
  if (dimension !== undefined) return fitting(word, context.labels(dimension));
  const name = /(?<![\w@$.])[\w@$]+(?:\([\w., ]*\))?(?:\.\w+)*$/.exec(before.trimEnd())?.[0] ?? "";
  const dimensions = context.dimensionsOf(name) ?? context.dimensions;
  const [only, ...others] = dimensions;
  const labels = only === undefined || others.length > 0 ? [] : context.labels(only);
  return fitting(word, [...dimensions.map((each) => `${each}:`), ...labels]);
}

/** The innermost bracket that is open at the end of a text, and where it is. */
function innermost(signs: string): { readonly sign: string; readonly at: number } | undefined {
  const brackets: { sign: string; at: number }[] = [];
  for (const { 0: sign, index } of signs.matchAll(/[([{)\]}]/g)) {
    if ("([{".includes(sign)) brackets.push({ sign, at: index });
    else brackets.pop();
  }
  return brackets.at(-1);
}
