import { textInUtf8 } from "../../formats/utf8.js";

/**
 * Reads Universal Binary JSON, in which XGBoost saves models: a letter says what follows, and lists of numbers of one kind are
 * their bytes, one after the other.
 */
export class UnreadableBytes extends Error {
  constructor(readonly offset: number) {
    super(`no UBJSON at byte ${offset}`);
  }
}

/** Objects and lists in each other are no deeper in any model. */
const deepest = 200;

interface NumberKind {
  readonly width: number;
  readonly read: (view: DataView, at: number) => number;
}

// biome-ignore format: a table
const numbers: Readonly<Record<string, NumberKind>> = {
  i: { width: 1, read: (view, at) => view.getInt8(at) },
  U: { width: 1, read: (view, at) => view.getUint8(at) },
  I: { width: 2, read: (view, at) => view.getInt16(at) },
  l: { width: 4, read: (view, at) => view.getInt32(at) },
  L: { width: 8, read: (view, at) => Number(view.getBigInt64(at)) },
  d: { width: 4, read: (view, at) => view.getFloat32(at) },
  D: { width: 8, read: (view, at) => view.getFloat64(at) },
};

/** @throws UnreadableBytes where there is something else. */
export function readUbjson(bytes: Uint8Array): unknown {
  return new UbjsonReader(bytes).value(0);
}

class UbjsonReader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(depth: number, marker = this.marker()): unknown {
    if (depth > deepest) return this.fail();
    const number = numbers[marker];
    if (number !== undefined) return this.number(number);
    switch (marker) {
      case "T":
      case "F":
        return marker === "T";
      case "Z":
        return null;
      case "S":
        return this.text(this.length());
      case "C":
        return this.text(1);
      case "[":
        return this.list(depth);
      case "{":
        return this.object(depth);
      default:
        return this.fail();
    }
  }

  private fail(): never {
    throw new UnreadableBytes(Math.max(0, this.at - 1));
  }

  /** The next letter; an N is nothing. */
  private marker(): string {
    let byte = this.bytes[this.at++];
    while (byte === 0x4e) byte = this.bytes[this.at++];
    return byte === undefined ? this.fail() : String.fromCharCode(byte);
  }

  private number({ width, read }: NumberKind): number {
    if (this.at + width > this.bytes.length) return this.fail();
    const number = read(this.view, this.at);
    this.at += width;
    return number;
  }

  private length(): number {
    const kind = numbers[this.marker()];
    const length = kind === undefined ? this.fail() : this.number(kind);
    return Number.isInteger(length) && length >= 0 && length <= this.bytes.length ? length : this.fail();
  }

  private text(length: number): string {
    if (this.at + length > this.bytes.length) return this.fail();
    const bytes = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return textInUtf8(bytes, "a part") ?? this.fail();
  }

  /** Behind the bracket of a list or object: of what kind its values are, and how many there are. */
  private header(): { readonly kind: string | undefined; readonly count: number | undefined } {
    const next = (sign: string): boolean => this.bytes[this.at] === sign.charCodeAt(0);
    const skip = (sign: string): boolean => next(sign) && ++this.at > 0;
    const kind = skip("$") ? this.marker() : undefined;
    // Values of these kinds take no bytes: any number of them would fit into a short file.
    if (kind !== undefined && "TFZ".includes(kind)) return this.fail();
    const count = skip("#") ? this.length() : undefined;
    if (kind !== undefined && count === undefined) return this.fail();
    return { kind, count };
  }

  private list(depth: number): unknown[] {
    const { kind, count } = this.header();
    const items: unknown[] = [];
    if (count === undefined) {
      for (let marker = this.marker(); marker !== "]"; marker = this.marker())
        items.push(this.value(depth + 1, marker));
      return items;
    }
    for (let at = 0; at < count; at++) items.push(this.value(depth + 1, kind ?? this.marker()));
    return items;
  }

  private object(depth: number): Record<string, unknown> {
    const { kind, count } = this.header();
    const entries: [string, unknown][] = [];
    for (let at = 0; count === undefined ? !this.closes() : at < count; at++) {
      const name = this.text(this.length());
      entries.push([name, this.value(depth + 1, kind ?? this.marker())]);
    }
    return Object.fromEntries(entries);
  }

  private closes(): boolean {
    const isClosed = this.marker() === "}";
    if (!isClosed) this.at--;
    return isClosed;
  }
}
