import type { TokenKind, TypedToken } from "./tokens.js";

/** How many tokens may be looked at: readers go back and forth, and some texts would have them do so without end. */
const mostSteps = 3_000_000;

/** A text was given up: nothing is said of its terms. */
export class TooManySteps extends Error {}

const end: TypedToken = { kind: "end", text: "", isWhole: false };

/**
 * A position among tokens. What is said to be `next` lies behind spaces; what is `here` may be a space itself.
 * @throws TooManySteps where readers take too many.
 */
export class Cursor {
  at = 0;
  private steps = 0;

  constructor(private readonly tokens: readonly TypedToken[]) {}

  get here(): TypedToken {
    if (++this.steps > mostSteps) throw new TooManySteps();
    return this.tokens[this.at] ?? end;
  }

  /** Whether anything but the end is left. */
  get hasMore(): boolean {
    return this.at + 1 < this.tokens.length;
  }

  after(count: number): TokenKind {
    return (this.tokens[this.at + count] ?? end).kind;
  }

  isHere(kind: TokenKind): boolean {
    return this.here.kind === kind;
  }

  isNext(kind: TokenKind): boolean {
    const { at } = this;
    const { kind: found } = this.take();
    this.at = at;
    return found === kind;
  }

  /** The next token that is no space. */
  take(): TypedToken {
    while (this.here.kind === "space") this.at++;
    const { here } = this;
    this.at++;
    return here;
  }

  skipHere(kind: TokenKind): boolean {
    const isFound = this.isHere(kind);
    if (isFound) this.at++;
    return isFound;
  }

  skipNext(kind: TokenKind): boolean {
    const isFound = this.isNext(kind);
    if (isFound) this.take();
    return isFound;
  }

  /** All in a row, also with spaces between. */
  skipAllNext(kind: TokenKind): boolean {
    const { at } = this;
    while (this.hasMore && this.isNext(kind)) this.take();
    return this.at > at;
  }

  /** All in a row without spaces between. */
  skipAllHere(kind: TokenKind): boolean {
    const { at } = this;
    while (this.hasMore && this.isHere(kind)) this.at++;
    return this.at > at;
  }

  /** What a reader finds; where it finds nothing, it has read nothing. */
  attempt<Found>(read: () => Found | undefined): Found | undefined {
    const { at } = this;
    const found = read();
    if (found === undefined) this.at = at;
    return found;
  }
}
