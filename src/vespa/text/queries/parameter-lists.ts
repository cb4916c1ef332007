/** Lists that parameters of a request hold, for operators that name the parameter: `tag in (@tags)`, `wand(tag, @weights)`. */

/** `a, "b, c"`: values with commas between; in quotes a comma belongs to the value. */
export function listedValues(text: string): readonly string[] {
  const values: string[] = [];
  for (let at = skipSpaces(text, 0); at < text.length; ) {
    const { value, end } = isQuote(text.charAt(at)) ? quoted(text, at) : upTo(",", text, at);
    values.push(value);
    at = skipSpaces(text, end);
    if (text.charAt(at) === ",") at = skipSpaces(text, at + 1);
  }
  return values;
}

/** `{"a": 1, b: 2}` or `[[1, 2], [3, 4]]`: values with their weights; nothing where the text is neither. */
export function listedWeights(text: string): ReadonlyMap<string, number> | undefined {
  const trimmed = text.trim();
  const isObject = trimmed.startsWith("{") && trimmed.endsWith("}");
  if (!isObject && !(trimmed.startsWith("[") && trimmed.endsWith("]"))) return undefined;
  const weights = new Map<string, number>();
  const [separator, end, first] = isObject ? [":", "}", 0] : [",", "]", 1];
  const inner = trimmed.slice(1, -1);
  for (let at = skipSpaces(inner, 0); at < inner.length; ) {
    const start = skipSpaces(inner, at + first);
    const key = isQuote(inner.charAt(start)) ? quoted(inner, start) : upTo(separator, inner, start);
    const behind = skipSpaces(inner, key.end);
    if (inner.charAt(behind) !== separator) return undefined;
    weightText.lastIndex = behind + 1;
    const written = weightText.exec(inner)?.[0] ?? "";
    const weight = Number(written);
    if (written.trim() === "" || Number.isNaN(weight)) return undefined;
    weights.set(key.value, weight);
    at = skipSpaces(inner, behind + 1 + written.length);
    if (inner.charAt(at) === end) at = skipSpaces(inner, at + 1);
    if (inner.charAt(at) === ",") at = skipSpaces(inner, at + 1);
  }
  return weights;
}

const weightText = /[^,\]}]*/y;

interface ListedValue {
  readonly value: string;
  readonly end: number;
}

const isQuote = (character: string): boolean => character === '"' || character === "'";

/** A value in quotes; up to the end of the text where they are not closed. */
function quoted(text: string, start: number): ListedValue {
  const found = text.indexOf(text.charAt(start), start + 1);
  const end = found < 0 ? text.length : found;
  return { value: text.slice(start + 1, end), end: Math.min(end + 1, text.length) };
}

function upTo(separator: string, text: string, start: number): ListedValue {
  const found = text.indexOf(separator, start);
  const end = found < 0 ? text.length : found;
  return { value: text.slice(start, end).trim(), end };
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text.charAt(at))) at++;
  return at;
}
