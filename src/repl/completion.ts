import { commandNames, offerOf } from "./commands.js";
import { signsOf } from "./open-lines.js";

/**
 * What Tab offers: the words that may come next, as far as what stands before the cursor says, and help for the
 * function that is being called. A list of candidates for a word is all that a terminal needs.
 */
export interface Completion {
  /** What stands before the cursor of the thing to complete. */
  readonly word: string;
  readonly candidates: readonly string[];
  /** What to show of the function that is called here. */
  readonly help?: string;
}

/** What is known where the cursor is. */
export interface Knowledge {
  /** Named values and tensors, such as `query(q)`. */
  readonly names: readonly string[];
  readonly functions: readonly string[];
  readonly dimensions: readonly string[];
  readonly inputs: readonly string[];
  /** The dimensions of a named tensor, if there is one. */
  readonly dimensionsOf: (name: string) => readonly string[] | undefined;
  /** The labels that known values have along a dimension. */
  readonly labels: (dimension: string) => readonly string[];
  readonly help: (name: string) => string | undefined;
  readonly files: (prefix: string) => readonly string[];
}

/** Words that begin a statement or a tensor. */
const keywords = ["input", "constant", "variable", "persistent", "tensor(", "tensor<float>("];

/** The completion of a line up to the cursor; `before` are the open lines that it goes on with. */
export function complete(line: string, known: Knowledge, before = ""): Completion {
  const [, dotted] = /^\s*\.(\w*)$/.exec(line) ?? [];
  if (before === "" && dotted !== undefined)
    return fitting(
      `.${dotted}`,
      commandNames.map((name) => `.${name}`),
    );
  const [, command, rest = ""] = /^\s*\.(\w+)\s+(.*)$/.exec(line) ?? [];
  if (before === "" && command !== undefined) return argument(command, rest, known);
  return expression(before === "" ? line : `${before}\n${line}`, known);
}

function argument(command: string, rest: string, known: Knowledge): Completion {
  const offer = offerOf(command);
  if (offer === "expression") return expression(rest, known);
  if (offer === "file") return fitting(rest, known.files(rest));
  if (offer !== "input") return fitting(rest, offer);
  return rest.includes("=")
    ? fitting(rest, [])
    : fitting(
        rest,
        known.inputs.map((name) => `${name} = `),
      );
}

const fitting = (word: string, words: readonly string[]): Completion => ({
  word,
  candidates: [...new Set(words)].filter((each) => each.startsWith(word)),
});

function expression(text: string, known: Knowledge): Completion {
  const signs = signsOf(text);
  const isComment = /\s$/.test(signs) && /\S$/.test(text);
  if (isComment || /["']/.test(signs)) return fitting("", []);
  const word = /[\w@$]*$/.exec(signs)?.[0] ?? "";
  const open = innermost(signs.slice(0, signs.length - word.length));
  if (open?.sign === "{") return within(signs.slice(0, open.at), signs.slice(open.at + 1), word, known);
  const call =
    open?.sign === "(" ? /([\w@]+)\s*(?:<\w+>)?\s*$/.exec(signs.slice(0, open.at))?.[1] : undefined;
  if (call === "tensor") return fitting(word, known.dimensions);
  return { ...named(signs, word, call, known), ...help(word, call, known) };
}

/** Names, at the place of a value. */
function named(signs: string, word: string, call: string | undefined, known: Knowledge): Completion {
  const feature = /[\w@$]+\([\w.]*$/.exec(signs)?.[0];
  if (feature !== undefined && known.names.some((name) => name.startsWith(feature)))
    return fitting(feature, known.names);
  if (call === undefined) return fitting(word, topmost(word, known));
  const isFirst = /\(\s*$/.test(signs.slice(0, signs.length - word.length));
  if (word === "") return fitting(word, isFirst ? known.names : known.dimensions);
  const likely = isFirst ? [] : fitting(word, [...known.dimensions, ...known.names]).candidates;
  return fitting(word, likely.length > 0 ? likely : topmost(word, known));
}

/** What may begin an expression; the functions only once there is a letter, for they are many. */
function topmost(word: string, known: Knowledge): readonly string[] {
  if (word === "") return known.names;
  return [...known.names, ...known.functions.map((name) => `${name}(`), ...keywords];
}

/** The function that the cursor is behind or, if that is none, within the parentheses of. */
function help(word: string, call: string | undefined, known: Knowledge): { readonly help?: string } {
  const text = word !== "" ? known.help(word) : call === undefined ? undefined : known.help(call);
  return text === undefined ? {} : { help: text };
}

/** Between braces: behind a dimension and `:` its labels, otherwise dimensions, or the labels of the only one. */
function within(before: string, inside: string, word: string, known: Knowledge): Completion {
  const dimension = /([\w@$]+)\s*:\s*$/.exec(inside.slice(0, inside.length - word.length))?.[1];
  if (dimension !== undefined) return fitting(word, known.labels(dimension));
  const name = /[\w@$]+(?:\([\w., ]*\))?(?:\.\w+)*\s*$/.exec(before)?.[0].trim() ?? "";
  const dimensions = known.dimensionsOf(name) ?? known.dimensions;
  const [only, ...others] = dimensions;
  const labels = only === undefined || others.length > 0 ? [] : known.labels(only);
  return fitting(word, [...dimensions.map((each) => `${each}:`), ...labels]);
}

/** The innermost bracket that is open at the end of a text, and where it is. */
function innermost(signs: string): { readonly sign: string; readonly at: number } | undefined {
  const open: { sign: string; at: number }[] = [];
  for (const { 0: sign, index } of signs.matchAll(/[([{)\]}]/g)) {
    if ("([{".includes(sign)) open.push({ sign, at: index });
    else open.pop();
  }
  return open.at(-1);
}
