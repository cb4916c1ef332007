import type { Span } from "../../language/source/span.js";

/**
 * Where in a JSON text a path leads. Values are read with JSON.parse, which forgets places; hardly any is ever asked
 * for, so the text is walked again for those. It is known to be JSON; where it is not, the walk ends early and no more.
 */

/** The place of the value at these keys inside the value that `root` spans; of the last that exists, where one lacks. */
export function placeIn(root: Span, keys: readonly (string | number)[]): Span {
  const { text } = root.source;
  let start = afterSpace(text, root.start);
  for (const key of keys) {
    const inner = typeof key === "number" ? elementStart(text, start, key) : memberStart(text, start, key);
    if (inner === undefined) break;
    start = inner;
  }
  return { source: root.source, start, end: Math.min(Math.max(valueEnd(text, start), start), root.end) };
}

/** The end of the value that starts at an offset: behind it, or the end of the text where nothing ends it. */
export function valueEnd(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return textEnd(text, start);
  if (first !== "{" && first !== "[") return wordEnd(text, start);
  const sign = /["{}[\]]/g;
  sign.lastIndex = start;
  let depth = 0;
  for (let found = sign.exec(text); found !== null; found = sign.exec(text)) {
    if (found[0] === '"') sign.lastIndex = textEnd(text, found.index);
    else depth += found[0] === "{" || found[0] === "[" ? 1 : -1;
    if (depth === 0) return sign.lastIndex;
  }
  return text.length;
}

export function afterSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}

/** Behind the quote that ends the text which starts at an offset: one with an even number of backslashes before it. */
function textEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  for (; quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text[before] === "\\") before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

function wordEnd(text: string, start: number): number {
  const end = /[\s,:{}[\]"]|$/g;
  end.lastIndex = start + 1;
  return end.exec(text)?.index ?? text.length;
}

/** A key that the object at these keys has twice: JSON.parse keeps the last of its values and says nothing. */
export function repeatedKey(root: Span, keys: readonly (string | number)[]): string | undefined {
  const { text } = root.source;
  const seen = new Set<string>();
  for (const { written } of membersOf(text, placeIn(root, keys).start)) {
    const key = keyOf(written);
    if (key !== undefined && seen.has(key)) return key;
    if (key !== undefined) seen.add(key);
  }
  return undefined;
}

/** Of equal keys the last one counts, as it does for JSON.parse. */
function memberStart(text: string, object: number, key: string): number | undefined {
  let found: number | undefined;
  for (const { written, value } of membersOf(text, object)) {
    if (keyOf(written) === key) found = value;
  }
  return found;
}

/** The keys of an object, as they are written, and where the value of each starts. */
function* membersOf(text: string, object: number): Generator<{ written: string; value: number }> {
  if (text[object] !== "{") return;
  for (let at = afterSpace(text, object + 1); text[at] === '"'; ) {
    const end = textEnd(text, at);
    const value = afterSpace(text, afterSpace(text, end) + 1);
    yield { written: text.slice(at, end), value };
    at = nextItem(text, value);
  }
}

function elementStart(text: string, list: number, index: number): number | undefined {
  if (text[list] !== "[") return undefined;
  let at = afterSpace(text, list + 1);
  for (let before = 0; before < index && at < text.length; before++) at = nextItem(text, at);
  return at < text.length && text[at] !== "]" ? at : undefined;
}

function nextItem(text: string, start: number): number {
  const comma = afterSpace(text, valueEnd(text, start));
  return text[comma] === "," ? afterSpace(text, comma + 1) : text.length;
}

/** What a key says; nothing where it is no JSON. */
function keyOf(written: string): string | undefined {
  if (!written.includes("\\")) return written.slice(1, -1);
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}
