/** A value of a field as it is typed, whole: behind it a weight may stand, and stars for parts of values on both sides. */
export interface WholeValue {
  readonly text: string;
  readonly hasStar: boolean;
  /** Where what follows begins. */
  readonly end: number;
}

/**
 * The value that begins at a place. With a terminator it goes as far as that; otherwise to the next space, unless it stands in
 * quotes. An exclamation mark, a star or a parenthesis only ends it where no more of the value can follow.
 */
export function wholeValue(
  text: string,
  start: number,
  terminator: string | undefined,
  depth: number,
): WholeValue {
  if (terminator !== undefined) {
    const end = text.indexOf(terminator, start);
    if (end < 0) return { text: text.slice(start), hasStar: false, end: text.length };
    return { text: text.slice(start, end), hasStar: false, end: end + terminator.length };
  }
  const near = text.slice(start, start + mostSpaces);
  const first = start + near.length - near.trimStart().length;
  const hasStar = isStar(text.charAt(first));
  const begin = hasStar ? first + 1 : first;
  if (text.charAt(begin) !== '"')
    return unquoted(text, { start, first, begin }, (at) => isOver(text, at, depth));
  return (
    quoted(text, begin, depth) ??
    unquoted(text, { start, first, begin }, (at) => text.charAt(at) !== ")" || depth > 0)
  );
}

const mostSpaces = 1000;

const isStar = (character: string): boolean => character === "*" || character === "\uFF0A";

/** A value in quotes; nothing where they are not closed. */
function quoted(text: string, open: number, depth: number): WholeValue | undefined {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1))
    if (isOver(text, at + 1, depth))
      return { text: text.slice(open + 1, at), hasStar: isStar(text.charAt(open - 1)), end: at + 1 };
  return undefined;
}

/** Where a value may begin: where it is looked for, behind spaces, and behind a star. */
interface Beginning {
  readonly start: number;
  readonly first: number;
  readonly begin: number;
}

function unquoted(
  text: string,
  { start, first, begin }: Beginning,
  endsAt: (at: number) => boolean,
): WholeValue {
  let end = begin;
  for (; end < text.length; end++) {
    const character = text.charAt(end);
    if (/\s/.test(character)) break;
    if (end > begin && /[!*\uFF0A)]/.test(character) && endsAt(end)) break;
  }
  if (end > begin) return { text: text.slice(begin, end), hasStar: begin > first, end };
  return { text: text.slice(begin > first ? first : start, end), hasStar: false, end };
}

/** Whether nothing of the value follows: but one star, one weight, and parentheses that are open, up to a space. */
function isOver(text: string, start: number, depth: number): boolean {
  let [stars, weights, open] = [1, 1, depth];
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at);
    if (/\s/.test(character)) return true;
    if (isStar(character) && stars > 0) stars--;
    else if (character === ")" && open > 0) open--;
    else if (character === "!" && weights > 0) {
      weights--;
      const more = text.charAt(at + 1) === "!" ? /!/ : /\d/;
      while (more.test(text.charAt(at + 1))) at++;
    } else return false;
  }
  return true;
}
