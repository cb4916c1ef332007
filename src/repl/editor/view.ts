import {
  colouredWords,
  graphemesOf,
  type Ink,
  inked,
  signsOf,
  type TokenKind,
} from "../../service/service.js";
import type { Draft } from "./draft.js";

/** How a draft looks: its rows on the screen, and where the cursor is in them. */
export interface View {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
}

export interface Look {
  readonly columns: number;
  readonly inColour: boolean;
  /** Before the first line. */
  readonly prompt: string;
  /** Whether the bracket at the cursor and its partner stand out. */
  readonly matches: boolean;
  /** What may come behind the text, in grey. */
  readonly suggestion?: string | undefined;
}

/** Before all other lines. */
const continued = "… ";

/** Longer texts are data, and shown as they are. */
const mostColoured = 4000;

const inks: Readonly<Partial<Record<TokenKind, Ink>>> = {
  comment: "grey",
  keyword: "violet",
  number: "teal",
  text: "green",
  function: "blue",
};

export function viewOf(
  { text, cursor }: Draft,
  { columns, inColour, prompt, matches, suggestion = "" }: Look,
): View {
  const paints = inColour && text.length <= mostColoured ? paintsOf({ text, cursor }, matches) : new Map();
  const rows: string[] = [];
  let [row, column] = [0, 0];
  let [shown, width] = ["", 0];
  const nextRow = (): void => {
    rows.push(shown);
    [shown, width] = ["", 0];
  };
  const put = (sign: string, size: number): void => {
    if (width + size > columns) nextRow();
    shown += sign;
    width += size;
  };
  const mark = (): void => {
    // Behind a full row the cursor is at the beginning of the next.
    if (width >= columns) nextRow();
    [row, column] = [rows.length, width];
  };
  let start = 0;
  for (const [at, line] of text.split("\n").entries()) {
    if (at > 0) nextRow();
    const before = at === 0 ? prompt : continued;
    put(before, before.length);
    for (const cell of graphemesOf(line, start)) {
      if (cell.start === cursor) mark();
      put(paints.get(cell.start)?.(cell.text) ?? cell.text, cell.columns);
    }
    start += line.length + 1;
    if (cursor === start - 1) mark();
  }
  const [first = ""] = suggestion.split("\n");
  for (const cell of graphemesOf(first)) {
    if (width + cell.columns >= columns) break;
    put(inked("grey", cell.text), cell.columns);
  }
  rows.push(shown);
  return { rows, row, column };
}

type Paint = (text: string) => string;

/** The colours of a text by offsets; brackets that match at the cursor are bold. */
function paintsOf({ text, cursor }: Draft, matches: boolean): ReadonlyMap<number, Paint> {
  const paints = new Map<number, Paint>();
  for (const { start, length, kind } of text.startsWith(".") ? [] : colouredWords({ name: "line", text })) {
    const ink = inks[kind];
    if (ink !== undefined)
      for (let at = start; at < start + length; at++) paints.set(at, (sign) => inked(ink, sign));
  }
  for (const at of matches ? matchedBrackets(text, cursor) : [])
    paints.set(at, (sign) => inked("brown", sign, true));
  return paints;
}

// biome-ignore format: a table
const partners: Readonly<Record<string, string>> = {
  "(": ")", "[": "]", "{": "}",
  ")": "(", "]": "[", "}": "{",
};

/** The bracket at the cursor, or before it, and its partner. */
export function matchedBrackets(text: string, cursor: number): readonly number[] {
  const signs = signsOf(text);
  const at = [cursor, cursor - 1].find((each) => Object.hasOwn(partners, signs.charAt(each)));
  if (at === undefined) return [];
  const sign = signs.charAt(at);
  const step = "([{".includes(sign) ? 1 : -1;
  let depth = 0;
  for (let other = at; other >= 0 && other < signs.length; other += step) {
    if (signs[other] === sign) depth++;
    else if (signs[other] === partners[sign]) depth--;
    if (depth === 0) return [at, other];
  }
  return [];
}
