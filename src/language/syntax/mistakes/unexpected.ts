import { type Description, quoted, shortened } from "../../source/message.js";
import { type Phrase, phrases } from "../../source/phrase.js";

/** Where the parser stopped. */
export interface Unexpected {
  readonly found: UnexpectedToken;
  readonly expected: readonly ExpectedPart[];
  /** The statement up to there. */
  readonly before: string;
}

const foundParts = {
  token: ({ text }: { text: string }) => quoted(shortened(text)),
  end: "the end",
  "end of statement": "the end of the statement",
};

/** What stands where the grammar does not allow it. */
export type UnexpectedToken = Phrase<typeof foundParts>;

const foundText = phrases(foundParts);

// biome-ignore format: a table
const expectedParts = {
  token:                       ({ text }: { text: string }) => quoted(text),
  argument:                    "an argument",
  cell:                        "a cell",
  "cell type":                 "a cell type",
  cells:                       "cells",
  "cells of tensor":           "the cells of the tensor",
  "colon and cells":           "`:` and cells",
  "colon and type":            "`:` and a type",
  "comma after case":          "`,` after the case",
  "dimension name":            "the name of a dimension",
  "dimension size":            "`{}` or `[size]` after the name of the dimension",
  end:                         "the end",
  "end of statement":          "the end of the statement",
  "equals and value":          "`=` and a value",
  expression:                  "an expression",
  "expression in parentheses": "an expression in parentheses",
  "generated cells":           "`(` and what each cell is",
  index:                       "an index",
  label:                       "a label",
  list:                        "`[` and a list of values",
  name:                        "a name",
  "name of output":            "a name after the `.`",
  number:                      "a number",
  operator:                    "an operator",
  other:                       "something else",
  statement:                   "a statement",
  text:                        "a text",
  value:                       "a value",
};

/** What could stand there: a token by its spelling, or a part of the grammar. */
export type ExpectedPart = Phrase<typeof expectedParts>;

const expectedText = phrases(expectedParts);

function listText(expected: readonly ExpectedPart[]): string {
  const texts = expected.map(expectedText);
  const last = texts.pop() ?? "";
  // A comma before the last one, unless it is only a sign.
  const or = typeof expected.at(-1) === "string" ? ", or " : " or ";
  return texts.length === 0 ? last : texts.join(", ") + or + last;
}

/** A common mistake. All conditions of its row must hold. */
interface Slip {
  /** Of the token that was found. */
  readonly found?: RegExp;
  /** One of these is expected. */
  readonly expected?: readonly ExpectedPart[];
  readonly before?: RegExp;
  readonly hint: string;
}

/** Slips that have a better answer than what the grammar expected. The first row that fits is the hint. */
// biome-ignore format: a table
const slips: readonly Slip[] = [
  { found: /^\*$/,        before: /\*$/,              hint: "a power is written ^" },
  { found: /^\+$/,        expected: ["expression"],   hint: "there is no unary +: leave it out" },
  { found: /^>$/,         before: /<$/,               hint: '"not equal" is written !=' },
  { found: /^}$/,         expected: [{ kind: "token", text: "case" }, "comma after case"], hint: "a switch ends with default: and a value" },
  { found: /^[)\]}]$/,    before: /,$/,               hint: "leave out the last comma" },
  { found: /^in$/,                                    hint: "a list of values is written in [1, 2]" },
  { found: /^:$/,         before: /\btensor(?:<\w+>)?\([^()]*[\]}]\s*$/, hint: "the ) of a type comes before the :" },
  { found: /^:$/,         expected: [{ kind: "token", text: "]" }], hint: "an address is written in braces, as in {x:1}" },
  { before: /^(?:let|const|var|val|def|fn|func|function|macro|set)$/, hint: "a definition is just name = value, or name(parameter) = value" },
  { before: /^(?:input|constant|variable|persistent)$/, hint: "a : stands between a declared name and its type" },
  { found: /^tensor$/,    before: /^\w+(?:\([^()]*\))?$/, hint: "an input is declared as input name: tensor(…)" },
  { before: /^if\s*\(.*\)$/s,                         hint: "a choice is written if(condition, then, otherwise)" },
  { found: /^:$/,         before: /^\w+$/, expected: ["end of statement"], hint: "to name a value, write =" },
  { found: /^,$/,         before: /\)\s*:[^[{]*$/,    hint: "cells stand in brackets: [1, 2, 3]" },
  { found: /^,$/,         expected: ["end of statement"], hint: "results are separated by ;" },
  { found: /^["'\w$@]/,   expected: [{ kind: "token", text: "," }, "comma after case"], hint: "is there a comma missing before it?" },
];

function slipIn({ found, expected, before }: Unexpected): Slip | undefined {
  const isToken = (pattern: RegExp): boolean => typeof found === "object" && pattern.test(found.text);
  const texts = expected.map(expectedText);
  return slips.find(
    (slip) =>
      (slip.found === undefined || isToken(slip.found)) &&
      (slip.expected === undefined || slip.expected.some((each) => texts.includes(expectedText(each)))) &&
      (slip.before === undefined || slip.before.test(before)),
  );
}

/** The problem in words. */
export function describeUnexpected(values: Unexpected): Description {
  const found = foundText(values.found);
  return {
    message: typeof values.found === "object" ? `${found} cannot stand here` : "something is missing here",
    found,
    expected: listText(values.expected),
    hint: slipIn(values)?.hint,
  };
}
