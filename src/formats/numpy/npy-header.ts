import type { Bytes } from "../bytes.js";
import type { ExpectedBytes, FoundBytes } from "../messages/bytes.js";
import { type Kind, kinds } from "./npy-kinds.js";

/**
 * The header of an .npy file: a signature, a version, a length, and a dictionary as Python writes it. Only what arrays of
 * numbers need is read: a file that would have to run Python's unpickler is refused.
 */
export interface NpyHeader {
  readonly kind: Kind;
  readonly isLittle: boolean;
  readonly isFortran: boolean;
  readonly shape: readonly number[];
  /** The byte at which the shape is written. */
  readonly shapeAt: number;
}

const signature = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

export function parseHeader(bytes: Bytes): NpyHeader {
  const { view } = bytes;
  for (const each of signature) {
    const at = bytes.at;
    if (bytes.byte("signature") !== each) bytes.fail(at, "other byte", "signature");
  }
  const version = bytes.byte("version");
  if (version < 1 || version > 3) bytes.fail(6, { kind: "version", version }, "known version");
  bytes.byte("version");
  const wide = version > 1;
  const lengthAt = bytes.take(wide ? 4 : 2, "header length");
  const length = wide ? view.getUint32(lengthAt, true) : view.getUint16(lengthAt, true);
  const start = bytes.at;
  const text = bytes.text(length, "header");
  const entries = entriesOf(text, (at, found, expected) => bytes.fail(start + at, found, expected));
  const entry = (name: string): HeaderEntry =>
    entries.get(name) ?? bytes.fail(start, { kind: "incomplete header", lacks: name }, "entries");
  const [descr, order, shape] = [entry("descr"), entry("fortran_order"), entry("shape")];
  const fail: Fail<HeaderEntry> = ({ at }, found, expected) => bytes.fail(start + at, found, expected);
  if (!/^(?:True|False)$/.test(order.text)) fail(order, { kind: "written", text: order.text }, "boolean");
  return {
    ...cellsOf(descr, fail),
    isFortran: order.text === "True",
    shape: shapeOf(shape, fail),
    shapeAt: start + shape.at,
  };
}

interface HeaderEntry {
  readonly text: string;
  /** From the start of the header. */
  readonly at: number;
}

type Fail<P> = (position: P, found: FoundBytes, expected: ExpectedBytes) => never;

/** `{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }`, with texts in quotes of either kind. */
function entriesOf(text: string, fail: Fail<number>): Map<string, HeaderEntry> {
  const entries = new Map<string, HeaderEntry>();
  const start = endOf(space, text, 0) ?? 0;
  if (text[start] !== "{") return fail(0, "other text", "dictionary");
  for (let at = start + 1; ; ) {
    const first = endOf(space, text, at) ?? at;
    const entry = entryAt(text, first);
    if (entry === undefined) {
      const isClosed = text[first] === "}" && endOf(space, text, first + 1) === text.length;
      if (!isClosed) fail(first, { kind: "text", text: text.slice(first, first + 20) }, "closing brace");
      return entries;
    }
    const { name, value, end } = entry;
    if (entries.has(name)) fail(at, { kind: "entry", name }, "each entry once");
    entries.set(name, value);
    at = end;
  }
}

// Each is tried at one offset only, and can match there in one way: a header may be all spaces.
const space = /\s*/y;
const name = /'\w+'|"\w+"/y;
const value = /'[^']*'|"[^"]*"|True|False|\([\d,\sL]*\)|\[[^\]]*\]/y;

/** The entry that begins at an offset: `'descr': '<f8',`. */
function entryAt(text: string, start: number) {
  const nameEnd = endOf(name, text, start);
  const colon = nameEnd === undefined ? undefined : endOf(space, text, nameEnd);
  if (nameEnd === undefined || colon === undefined || text[colon] !== ":") return undefined;
  const at = endOf(space, text, colon + 1) ?? colon;
  const valueEnd = endOf(value, text, at);
  if (valueEnd === undefined) return undefined;
  const comma = endOf(space, text, valueEnd) ?? valueEnd;
  return {
    name: text.slice(start + 1, nameEnd - 1),
    value: { text: text.slice(at, valueEnd), at },
    end: text[comma] === "," ? comma + 1 : comma,
  };
}

/** Behind what a pattern matches at an offset. */
function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function cellsOf(descr: HeaderEntry, fail: Fail<HeaderEntry>): { kind: Kind; isLittle: boolean } {
  if (descr.text.startsWith("[")) fail(descr, "structures", "descr");
  const [, sign, letter = "", width = ""] = /^["']([<>=|]?)([A-Za-z?])(\d*)["']$/.exec(descr.text) ?? [];
  if (letter === "O") fail(descr, "objects", "descr");
  const kind =
    letter === "?" ? kinds.b1 : Object.hasOwn(kinds, letter + width) ? kinds[letter + width] : undefined;
  if (kind === undefined) return fail(descr, { kind: "written", text: descr.text }, "descr");
  return { kind, isLittle: sign !== ">" };
}

/** `(2, 3)`, `(2,)` or `()`; Python 2 wrote `2L`. */
function shapeOf(shape: HeaderEntry, fail: Fail<HeaderEntry>): number[] {
  const parts = shape.text.slice(1, -1).split(",");
  const written = parts.map((each) => each.trim());
  if (written.at(-1) === "") written.pop();
  const isTuple = shape.text.startsWith("(") && written.every((each) => /^\d+L?$/.test(each));
  if (!isTuple) fail(shape, { kind: "written", text: shape.text }, "shape tuple");
  const sizes = written.map((each) => Number.parseInt(each, 10));
  if (sizes.length > 64 || sizes.some((size) => size > 0x7fffffff))
    fail(shape, { kind: "written", text: shape.text }, "known shape");
  return sizes;
}
