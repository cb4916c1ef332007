import type { Source, Span } from "../../language/source/span.js";
import type { ExpectedSyntax } from "./messages.js";
import { fields, Tape } from "./tape.js";

/** Where a text stops being JSON, and what would have to stand there. */
export interface Fault {
  readonly span: Span;
  readonly expected: ExpectedSyntax;
}

interface Container {
  readonly entry: number;
  readonly bracket: "]" | "}";
}

// Each character can be matched in one way only: a long text that is no JSON must not take forever.
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
/** All but quotes, backslashes and control characters. */
const characters = /[ !#-[\]-\uffff]*/y;
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
/** What a fault marks: a word, or one character. */
const token = /[\w.+-]+|[\s\S]?/uy;

/**
 * The syntax of JSON (RFC 8259), in one walk from left to right up to the first fault. What is open is kept on a list, so
 * that depth is no danger.
 */
export class Scanner {
  private readonly text: string;
  private at = 0;
  private numbers = new Int32Array(fields * 256);
  private entries = 0;
  private readonly open: Container[] = [];

  /** Reads up to an offset. */
  constructor(
    private readonly source: Source,
    end = source.text.length,
  ) {
    this.text = source.text.slice(0, end);
  }

  /** Behind what was read. */
  get end(): number {
    return this.at;
  }

  /** The first value from an offset on, whatever stands behind it. */
  scan(start: number): Tape | Fault {
    this.at = start;
    this.entries = 0;
    this.open.length = 0;
    let fault = this.readValue("value");
    for (let inner = this.open.at(-1); fault === undefined && inner !== undefined; inner = this.open.at(-1)) {
      fault = this.readNext(inner);
    }
    return fault ?? new Tape(this.source, this.numbers.slice(0, this.entries * fields));
  }

  /** That nothing more stands behind what was read. */
  finish(): Fault | undefined {
    this.skipSpace();
    return this.at < this.text.length ? this.fault("end") : undefined;
  }

  /** A value, or the beginning of an array or object. */
  private readValue(expected: ExpectedSyntax): Fault | undefined {
    this.skipSpace();
    const { sign } = this;
    if (sign === "[") return this.begin("]");
    if (sign === "{") return this.begin("}");
    if (sign === '"') return this.readString();
    const end = this.endOf(scalar, this.at);
    return end === undefined ? this.fault(expected) : this.add(end);
  }

  /** What follows in the innermost array or object: its end, or its next value. */
  private readNext({ entry, bracket }: Container): Fault | undefined {
    const isFirst = this.entries === entry + 1;
    this.skipSpace();
    if (this.sign === bracket) return this.close(entry);
    if (!isFirst && this.sign !== ",") return this.fault(`comma or ${bracket}`);
    if (!isFirst) this.at++;
    if (bracket === "]") return this.readValue(isFirst ? "value or ]" : "value");
    this.skipSpace();
    if (this.sign !== '"') return this.fault(isFirst ? "key or }" : "key");
    return this.readString() ?? this.readColon() ?? this.readValue("value");
  }

  private begin(bracket: Container["bracket"]): undefined {
    this.open.push({ entry: this.entries, bracket });
    this.add(this.at + 1);
  }

  private close(entry: number): undefined {
    this.at++;
    this.numbers[entry * fields + 1] = this.at;
    this.numbers[entry * fields + 2] = this.entries;
    this.open.pop();
  }

  private readColon(): Fault | undefined {
    this.skipSpace();
    if (this.sign !== ":") return this.fault("colon");
    this.at++;
    return undefined;
  }

  private readString(): Fault | undefined {
    const { text, at } = this;
    for (let next = at + 1; ; ) {
      const end = this.endOf(characters, next) ?? next;
      const sign = text[end];
      if (sign === '"') return this.add(end + 1);
      if (sign === undefined) return this.fault("closing quote", at, at + 1);
      if (sign !== "\\") return this.fault("escaped line break", end, end + 1);
      const after = this.endOf(escaped, end);
      if (after === undefined) return this.fault("escape", end, Math.min(end + 2, text.length));
      next = after;
    }
  }

  /** An entry from here up to an offset. */
  private add(end: number): undefined {
    const first = this.entries * fields;
    if (first === this.numbers.length) {
      const smaller = this.numbers;
      this.numbers = new Int32Array(2 * smaller.length);
      this.numbers.set(smaller);
    }
    this.entries++;
    this.numbers[first] = this.at;
    this.numbers[first + 1] = end;
    this.numbers[first + 2] = this.entries;
    this.at = end;
  }

  private fault(expected: ExpectedSyntax, start = this.at, end = this.endOf(token, start) ?? start): Fault {
    return { span: { source: this.source, start, end }, expected };
  }

  private get sign(): string | undefined {
    return this.text[this.at];
  }

  private skipSpace(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
  }

  /** Behind what matches at an offset. */
  private endOf(pattern: RegExp, start: number): number | undefined {
    pattern.lastIndex = start;
    return pattern.test(this.text) ? pattern.lastIndex : undefined;
  }
}

/** Of a code unit; behind the end there is none. */
const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
