import type { Source, Span } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { JsonNode } from "./node.js";
import { problemOf } from "./parse.js";
import { Scanner } from "./scanner.js";
import { Tape } from "./tape.js";
import type { JsonValue } from "./value.js";

/**
 * The JSON values that stand one after the other in a text: on lines of their own or over several, with commas between
 * them, as they have when they are copied out of an array, or without. One that is no JSON hides none of the others.
 */
export function* parseSequence(source: Source): Generator<Parsed<JsonValue>> {
  const { text } = source;
  const whole = new Scanner(source);
  /** Up to here a line that begins with a brace begins a value. */
  let lined = 0;
  for (let at = nextStart(text, 0); at < text.length; ) {
    const cut = nextLine(text, at, lined);
    const scanner = cut === undefined ? whole : new Scanner(source, cut);
    const scanned = scanner.scan(at);
    if (scanned instanceof Tape) {
      yield { tree: new JsonNode(scanned, 0, "$"), problems: [] };
      at = nextStart(text, scanner.end);
    } else if (cut === undefined && nextLine(text, at, scanned.span.start + 1) !== undefined) {
      // A value that lacks its end has taken in the lines below it.
      lined = scanned.span.start + 1;
    } else {
      yield { tree: undefined, problems: [problemOf(scanned)] };
      at = nextStart(text, endOf(text, at, scanned.span));
    }
  }
}

function nextStart(text: string, from: number): number {
  const between = /[ \n\r\t,\ufeff]*/y;
  between.lastIndex = from;
  between.test(text);
  return between.lastIndex;
}

/** The first line break in a part of a text that a brace follows. */
function nextLine(text: string, start: number, end: number): number | undefined {
  const found = text.slice(start, end).indexOf("\n{", 1);
  return found < 0 ? undefined : start + found;
}

/**
 * Where what has a fault ends, by its brackets and quotes, with those that close nothing; or before the first line behind
 * the fault that begins with a brace.
 */
function endOf(text: string, start: number, fault: Span): number {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "\n" && text[at + 1] === "{" && at + 1 >= fault.start) return at;
    if (sign === "\n") isString = false;
    else if (sign === '"') isString = !isString;
    else if (sign === "\\" && isString && text[at + 1] !== "\n") at++;
    else if ("[{".includes(sign) && !isString) depth++;
    else if ("]}".includes(sign) && !isString) depth--;
    const isOver = depth <= 0 && !isString && at + 1 >= fault.end;
    if (isOver && !/[\]}]/.test(text.charAt(at + 1))) return at + 1;
  }
  return text.length;
}
