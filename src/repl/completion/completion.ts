import { completeExpression, openCall } from "../../service/service.js";
import { commandNames, completionsOf } from "../commands.js";

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

/** Help is of the function that the cursor is behind or, if that is none, of the one whose argument is written. */
function expression(text: string, context: CompletionContext): Completion {
  const { names: values, functions, dimensions, dimensionsOf, labels } = context;
  const found = completeExpression(text, { values, functions, dimensions, dimensionsOf, labels });
  const { word } = found;
  const called = word === "" ? openCall(text)?.name : word;
  const help = called === undefined ? undefined : context.help(called);
  const candidates = found.candidates.map((each) => each.text);
  return { word, candidates, ...(help === undefined ? {} : { help }) };
}
