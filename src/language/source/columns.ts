import { replaceHidden } from "./hidden-characters.js";

/**
 * Texts of strangers on a screen with columns of one width. What a terminal would obey becomes visible, so that a text
 * can neither move the cursor nor hide; each user-perceived character gets the columns that it takes, so that what is
 * written below or beside it stands where it should.
 */

/** One user-perceived character as it is shown, with its offsets in the text. */
export interface Grapheme {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly column: number;
  readonly columns: number;
}

/** What terminals show in two columns: East Asian wide characters, and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\ufe0f|\p{Emoji_Presentation}/u;

/** What terminals do not show, or obey: controls, directions, lone surrogates. */
const invisible = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const tab = 4;

let segmenter: Intl.Segmenter | undefined;

export function graphemesOf(text: string, offset = 0): Grapheme[] {
  if (isSimple(text)) return simpleGraphemesOf(text, offset);
  segmenter ??= new Intl.Segmenter();
  let column = 0;
  return [...segmenter.segment(text)].map(({ segment, index }) => {
    const shown = segment === "\t" ? " ".repeat(tab - (column % tab)) : visible(segment);
    const columns = segment === "\t" ? shown.length : (wide.test(shown) ? 2 : 1) + replaced(shown);
    column += columns;
    return {
      start: offset + index,
      end: offset + index + segment.length,
      text: shown,
      column: column - columns,
      columns,
    };
  });
}

const replacement = "\ufffd";

/** How many characters of a grapheme were replaced behind its first one, each of which takes a column of its own. */
const replaced = (shown: string): number => shown.slice(1).split(replacement).length - 1;

/** The same where each character takes one column: finding their borders takes a hundred times as long as this. */
function simpleGraphemesOf(text: string, offset: number): Grapheme[] {
  const graphemes: Grapheme[] = [];
  for (let at = 0; at < text.length; at++) {
    const start = offset + at;
    graphemes.push({ start, end: start + 1, text: text.charAt(at), column: at, columns: 1 });
  }
  return graphemes;
}

function visible(character: string): string {
  if (/^\p{M}/u.test(character)) return `◌${character}`;
  // A joiner or another sign without a width may hide behind a letter.
  if (!invisible.test(character)) return replaceHidden(character, () => replacement);
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "␡" : replacement;
}

/** Each character of such a text takes one column: this shortcut makes large tables a hundred times faster. */
const simple = /^[ -~…–—“”‘’·×]*$/;

export const isSimple = (text: string): boolean => simple.test(text);

export const columnsOf = (text: string): number =>
  isSimple(text) ? text.length : graphemesOf(text).reduce((sum, { columns }) => sum + columns, 0);

/** A text of one line, visible, and cut where it is longer than that many columns. */
export function clip(text: string, columns: number): string {
  if (text.length <= columns && isSimple(text)) return text;
  const cells = graphemesOf(text.slice(0, 4 * columns));
  const last = cells.at(-1);
  const fits = text.length <= 4 * columns && (last === undefined || last.column + last.columns <= columns);
  return (fits ? cells : [...cells.filter((each) => each.column + each.columns < columns), { text: "…" }])
    .map((each) => each.text)
    .join("");
}

/** A text in lines of so many columns, broken at spaces; all lines but the first are indented. A longer word has a line of its own. */
export function wrapped(text: string, columns: number, indent: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last === undefined) lines.push(word);
    else if (last.trim() === "" || columnsOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(" ".repeat(indent) + word);
  }
  return lines;
}

export const textOf = (cells: readonly Grapheme[]): string => cells.map((each) => each.text).join("");

/** A visible text, padded with spaces after or before it to a number of columns. */
export function padded(text: string, columns: number, side: "start" | "end"): string {
  const spaces = " ".repeat(Math.max(0, columns - columnsOf(text)));
  return side === "start" ? spaces + text : text + spaces;
}
