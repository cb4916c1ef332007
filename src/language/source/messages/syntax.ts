import { error, warning } from "./row.js";

export interface Unexpected {
  readonly found: string;
  readonly wanted: string;
  /** The statement up to there. */
  readonly before: string;
}

interface Slip {
  readonly found?: RegExp;
  readonly wanted?: RegExp;
  readonly before?: RegExp;
  readonly hint: string;
}

/** Slips that have a better answer than what the grammar wanted. The first row that fits is the hint. */
// biome-ignore format: a table
const slips: readonly Slip[] = [
  { found: /^`\*`$/,      before: /\*$/,              hint: "a power is written ^" },
  { found: /^`\+`$/,      wanted: /^an expression$/,  hint: "there is no sign +: leave it out" },
  { found: /^`>`$/,       before: /<$/,               hint: "different is written !=" },
  { found: /^`}`$/,       wanted: /case/,             hint: "a switch ends with default: and a value" },
  { found: /^`[)\]}]`$/,  before: /,$/,               hint: "leave out the last comma" },
  { found: /^`in`$/,                                  hint: "a list of values is written in [1, 2]" },
  { found: /^`:`$/,       before: /\btensor(?:<\w+>)?\([^()]*$/, hint: "the ) of a type comes before the :" },
  { found: /^`:`$/,       wanted: /`]`$/,             hint: "an address is written in braces, as in {x:1}" },
  { before: /^(?:let|const|var|val|def|fn|func|function|macro|set)$/, hint: "a definition is just name = value, or name(parameter) = value" },
  { before: /^(?:input|constant|variable|persistent)$/, hint: "a : stands between a declared name and its type" },
  { found: /^`tensor`$/,  before: /^\w+(?:\([^()]*\))?$/, hint: "an input is declared as input name: tensor(…)" },
  { before: /^if\s*\(.*\)$/s,                         hint: "a choice is written if(condition, then, otherwise)" },
  { found: /^`:`$/,       wanted: /the statement$/,   hint: "to name a value, write =" },
  { found: /^`,`$/,       before: /\)\s*:[^[{]*$/,    hint: "cells stand in brackets: [1, 2, 3]" },
  { found: /^`,`$/,       wanted: /the statement$/,   hint: "results are separated by ;" },
  { found: /^`["'\w$@]/,  wanted: /`,`/,              hint: "is there a comma missing before it?" },
];

function slip({ found, wanted, before }: Unexpected): string | undefined {
  const fits = (pattern: RegExp | undefined, text: string): boolean => pattern?.test(text) ?? true;
  const row = slips.find(
    (each) => fits(each.found, found) && fits(each.wanted, wanted) && fits(each.before, before),
  );
  return row?.hint;
}

/** What can be wrong with a text before it means anything. */
export const syntaxMessages = {
  "syntax/unexpected": error((values: Unexpected) => ({
    says: values.found.startsWith("the end")
      ? "something is missing here"
      : `${values.found} cannot stand here`,
    found: values.found,
    wanted: values.wanted,
    hint: slip(values),
  })),
  "syntax/equals": error(({ inAddress }: { inAddress: boolean }) => ({
    says: "a single = defines a name, and cannot stand inside an expression",
    found: "`=`",
    wanted: inAddress ? "`:`" : "an operator",
    hint: inAddress ? "an address is written with :, as in {x:1}" : "to compare, write ==",
  })),
  "syntax/empty": error((_: object) => ({
    says: "there is nothing here to evaluate",
    found: "an empty text",
    wanted: "an expression",
  })),
  "syntax/unclosed": error(({ bracket, wanted }: { bracket: string; wanted: string }) => ({
    says: `this ${bracket} is never closed`,
    found: "the end",
    wanted: `\`${wanted}\``,
  })),
  "syntax/unopened": error(({ bracket }: { bracket: string }) => ({
    says: `this ${bracket} closes nothing`,
    found: `\`${bracket}\``,
    wanted: "no bracket, or one that opens before it",
  })),
  "syntax/mismatched": error(({ found, wanted }: { found: string; wanted: string }) => ({
    says: `this ${found} does not fit the bracket that it would close`,
    found: `\`${found}\``,
    wanted: `\`${wanted}\``,
  })),
  "syntax/character": error(({ character }: { character: string }) => ({
    says: `the character ${JSON.stringify(character)} has no meaning outside quotes`,
    found: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    wanted: "names, numbers, operators and brackets",
    hint:
      instead[character] ??
      (/\p{L}/u.test(character) ? "names are made of a to z, digits, _ @ and $" : undefined),
  })),
  "syntax/unterminated": error(({ quote }: { quote: string }) => ({
    says: "this text is never closed",
    found: "the end",
    wanted: `\`${quote}\``,
  })),
  "syntax/escape": error(({ sequence }: { sequence: string }) => ({
    says: `${sequence} is no escape`,
    found: `\`${sequence}\``,
    wanted: "one of \\n \\r \\t \\f \\\\ \\\" \\' \\uXXXX \\xHH",
    hint: "write \\\\ for a backslash",
  })),
  "syntax/number": error(({ text }: { text: string }) => ({
    says: `${text} is neither a number nor a known name`,
    found: `\`${text}\``,
    wanted: "a decimal number without a suffix",
    hint: /^0x/i.test(text) ? `in decimal this is ${Number(text)}` : `write ${Number.parseFloat(text)}`,
  })),
  "statement/minus": warning((_: object) => ({
    says: "this line begins with a minus and is read as an expression of its own",
    hint: "end the line before with the -, or with a ; if two results are meant",
  })),
  "limit/nesting": error(({ limit }: { limit: number }) => ({
    says: `brackets nest more than ${limit} deep here`,
    found: "one bracket more",
    wanted: `at most ${limit}`,
    hint: "give parts names of their own, or raise the limit of nesting",
  })),
};

const instead: Readonly<Record<string, string>> = {
  "&": "and is written &&",
  "|": "or is written ||",
  "~": "approximately equal is written ~=",
  "?": "a choice is written if(condition, then, otherwise)",
  "\u00a0": "this is a no-break space: replace it with a plain one",
  "“": 'quote with "',
  "”": 'quote with "',
  "‘": "quote with '",
  "’": "quote with '",
  "−": "a minus is written -",
  "×": "a product is written *",
};
