import { type Span, textIn } from "../../source/span.js";
import {
  dimensionMessage,
  type ForeignName,
  foreignCalls,
  interactiveMessage,
  missingMessage,
  modeHint,
  modeMessage,
  type NameRow,
  rowFor,
  rowsOf,
  shapeHint,
  shapeMessage,
} from "../../syntax/foreign/calls.js";
import { inContext } from "../../syntax/foreign/grouping.js";
import { juxtaposed, productMessage } from "../../syntax/foreign/products.js";
import { partsOf } from "../../syntax/parts.js";
import type { Argument, Reference } from "../../syntax/tree.js";

// biome-ignore format: a table
const nameRows: readonly NameRow[] = [
  { of: ["True", "TRUE"],                     is: "true",    message: "true is written in lower case" },
  { of: ["False", "FALSE"],                   is: "false",   message: "false is written in lower case" },
  { of: ["NaN", "nan", "NAN", "np . nan", "math . nan"], is: "0/0",     message: "what is not a number is written as a division" },
  { of: ["Infinity", "inf", "Inf", "INF", "infinity", "np . inf", "math . inf"], is: "1/0", message: "infinity is written as a division" },
  { of: ["None", "null", "nil", "NULL", "undefined"], message: missingMessage, hint: "leave the cell out, or write 0/0 for what is not a number" },
  { of: ["pi", "PI", "Pi", "math . pi", "Math . PI", "np . pi"], is: "3.141592653589793", message: "this number has no name here" },
  { of: ["math . e", "Math . E", "np . e"],   is: "exp(1)",  message: "this number has no name here" },
  { of: ["now"],                              message: "the time of the query is an input here", hint: "declare it: input now: tensor()" },
  { of: ["mode"],                             message: modeMessage, hint: modeHint },
  { of: ["exit", "quit"],                     message: interactiveMessage, hint: "write .exit" },
  { of: ["help"],                             message: interactiveMessage, hint: "write .help" },
  { of: ["X . T"],                            is: "X",       message: dimensionMessage },
  { of: ["X . size", "X . length"],           is: "count(X)", message: "count gives the number of cells" },
  { of: ["X . shape", "X . ndim", "X . dtype", "X . type"], message: shapeMessage, hint: shapeHint },
];

let names: ReturnType<typeof rowsOf> | undefined;

/** A text of more parts is not a line that a person typed. Parts are counted, and not characters: layout changes no problem. */
const mostParts = 100;

function isShort(tree: Reference): boolean {
  const open: Argument[] = [tree];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (++count + open.length > mostParts) return false;
    for (const part of partsOf(next)) open.push(part.tree);
  }
  return true;
}

/** What stands for a call or a name of another library, which is written in this span. */
export function foreignName(tree: Reference, written: Span): ForeignName | undefined {
  if (!isShort(tree)) return undefined;
  const isCall = tree.arguments !== undefined;
  const rows = isCall ? foreignCalls() : (names ??= rowsOf(nameRows));
  const found = rowFor(rows, textIn(written));
  if (found?.replacement === undefined) return found;
  const [before, behind] = around(written);
  return { ...found, replacement: inContext(found.replacement, before, behind) };
}

/** So much of a text may take a part of what stands beside it. */
const longestContext = 1000;

const around = ({ source: { text }, start, end }: Span): readonly [before: string, behind: string] => [
  text.slice(Math.max(0, start - longestContext), start),
  text.slice(end, end + longestContext),
];

/** How far an assignment is looked for around its name. */
const longestLine = 1000;

/** `x <- 3`, with which R names a value, and which compares `x` with -3 here: the statement, with what to write instead. */
export function foreignAssignment({
  source,
  start,
  end,
}: Span): (ForeignName & { readonly span: Span }) | undefined {
  const behind = source.text.slice(end, end + longestLine);
  const [all = "", value = ""] = /^\s*<-\s([^\r\n;#]*)/.exec(behind) ?? [];
  if (value.trim() === "") return undefined;
  const before = source.text.slice(Math.max(0, start - longestLine), start);
  if (!/(?:^|[\r\n;])\s*$/.test(before)) return undefined;
  const mended = rowFor(foreignCalls(), value.trim())?.replacement ?? value.trim();
  return {
    ...{ span: { source, start, end: end + all.trimEnd().length }, message: "a value is named with =" },
    ...{ replacement: `${source.text.slice(start, end)} = ${mended}`, hint: undefined },
  };
}

/** A number with signs between its digits, or a name or a call right after it: `1_000`, `2x`, `2sum(t)`. */
export function foreignNumber(written: Span): ForeignName | undefined {
  const text = textIn(written);
  if (/^\d+(?:_\d+)+$/.test(text))
    return {
      message: "a number has no separator between its thousands",
      replacement: text.replaceAll("_", ""),
      hint: undefined,
    };
  const [, factor] = /^(\d+)[A-Za-z_]\w{0,40}(?=$|\()/.exec(text) ?? [];
  // What begins with 0 is a number of another notation, 0b101 or 0xFFn, and no product.
  if (factor === undefined || factor === "0") return undefined;
  const other = text.slice(factor.length);
  if (/^[eE]$/.test(other))
    return {
      message: "this number lacks its exponent",
      replacement: undefined,
      hint: `write its digits after the e, as in ${text}3`,
    };
  const [before, behind] = around(written);
  return { message: productMessage, ...juxtaposed(factor, other, before, behind) };
}
