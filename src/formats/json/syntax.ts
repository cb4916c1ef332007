/**
 * Where a text stops being JSON, and what would have to stand there. Engines say so each in words of their own and some
 * without a place; so a text that one has refused is walked once more, without recursion.
 */
export interface Fault {
  readonly start: number;
  readonly end: number;
  readonly wanted: string;
}

/** The first fault between two offsets; nothing where there is none. */
export function faultIn(text: string, start: number, end: number): Fault | undefined {
  const walk = new Walk(text, start, end);
  const fault = (wanted: string): Fault => ({ start: walk.at, end: walk.tokenEnd(), wanted });
  /** What is open, from outside. */
  const open: ("[" | "{")[] = [];
  let state: State = "value";
  for (;;) {
    walk.skipSpace();
    const sign = walk.sign;
    const inner = open.at(-1);
    if (state === "end") return walk.at >= end ? undefined : fault("nothing more");
    if (state === "value" || state === "first") {
      const isClosed: boolean = state === "first" && sign === "]";
      if (isClosed) open.pop();
      else if (sign === "[" || sign === "{") open.push(sign);
      else if (!walk.skipScalar()) return walk.fault ?? fault(state === "first" ? "a value or ]" : "a value");
      if (isClosed || sign === "[" || sign === "{") walk.at++;
      state = !isClosed && sign === "[" ? "first" : !isClosed && sign === "{" ? "first key" : after(open);
    } else if (state === "key" || state === "first key") {
      if (state === "first key" && sign === "}") {
        open.pop();
        walk.at++;
        state = after(open);
      } else {
        if (sign !== '"') return fault(state === "key" ? "a key in quotes" : "a key in quotes, or }");
        if (!walk.skipScalar()) return walk.fault ?? fault("a key in quotes");
        walk.skipSpace();
        if (walk.sign !== ":") return fault("a colon");
        walk.at++;
        state = "value";
      }
    } else {
      const close = inner === "[" ? "]" : "}";
      if (sign !== "," && sign !== close) return fault(`a comma or ${close}`);
      walk.at++;
      if (sign === close) open.pop();
      state = sign === close ? after(open) : inner === "[" ? "value" : "key";
    }
  }
}

type State = "value" | "first" | "key" | "first key" | "comma" | "end";

const after = (open: readonly string[]): State => (open.length === 0 ? "end" : "comma");

class Walk {
  /** What is wrong inside the scalar that was to be skipped. */
  fault: Fault | undefined;

  constructor(
    private readonly text: string,
    public at: number,
    private readonly end: number,
  ) {}

  get sign(): string | undefined {
    return this.at < this.end ? this.text[this.at] : undefined;
  }

  skipSpace(): void {
    while (this.sign !== undefined && " \n\r\t".includes(this.sign)) this.at++;
  }

  /** The end of what stands here: a word, or one character. */
  tokenEnd(): number {
    const word = /[\w.+-]+|[\s\S]?/uy;
    word.lastIndex = this.at;
    return Math.min(this.at + (word.exec(this.text)?.[0].length ?? 0), this.end);
  }

  /** A text, a number, or a word that is a value. */
  skipScalar(): boolean {
    if (this.sign === '"') return this.skipText();
    const word = this.text.slice(this.at, this.tokenEnd());
    const isScalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/.test(word);
    if (isScalar) this.at += word.length;
    return isScalar;
  }

  private skipText(): boolean {
    const { text, end } = this;
    let at = this.at + 1;
    while (at < end && text[at] !== '"') {
      if (text.charCodeAt(at) < 0x20) return this.wrong(at, at + 1, "an escape, as \\n is of a line break");
      const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
      escaped.lastIndex = at;
      const length = text[at] === "\\" ? (escaped.exec(text)?.[0].length ?? 0) : 1;
      if (length === 0) return this.wrong(at, Math.min(at + 2, end), "an escape of JSON, such as \\\\");
      at += length;
    }
    if (at >= end) return this.wrong(this.at, this.at + 1, "a text that a quote ends");
    this.at = at + 1;
    return true;
  }

  private wrong(start: number, end: number, wanted: string): boolean {
    this.fault = { start, end, wanted };
    return false;
  }
}
