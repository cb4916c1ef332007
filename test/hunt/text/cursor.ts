import { refuse } from "./refusal.js";
import type { WrittenDimension, WrittenType } from "./syntax.js";
import { type Token, tokensOf } from "./token.js";

const end: Token = { kind: "end", text: "" };

/** A place among the tokens of a text, and what is read alike everywhere. */
export class Cursor {
  protected place = 0;
  private readonly tokens: readonly Token[];

  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  protected ahead(count = 0): Token {
    return this.tokens[this.place + count] ?? end;
  }

  protected is(kind: Token["kind"], ahead = 0): boolean {
    return this.ahead(ahead).kind === kind;
  }

  protected isMark(text: string, ahead = 0): boolean {
    return this.is("mark", ahead) && this.ahead(ahead).text === text;
  }

  protected isName(text: string, ahead = 0): boolean {
    return this.is("name", ahead) && this.ahead(ahead).text === text;
  }

  protected take(kind: Token["kind"]): string {
    const { text } = this.ahead();
    if (!this.is(kind)) refuse(`a ${kind} is expected at ${text}`);
    this.place++;
    return text;
  }

  /** Goes past a mark if it is the next token. */
  protected passes(text: string): boolean {
    const isNext = this.isMark(text);
    if (isNext) this.place++;
    return isNext;
  }

  protected pass(text: string): void {
    if (!this.passes(text)) refuse(`${text} is expected at ${this.ahead().text}`);
  }

  protected passWord(text: string): void {
    if (this.take("name") !== text) refuse(`${text} is expected`);
  }

  /** One or more, with commas between them. */
  protected list<T>(read: () => T): readonly T[] {
    const all = [read()];
    while (this.passes(",")) all.push(read());
    return all;
  }

  /** A label, or the name of a dimension. */
  protected label(): string {
    if (this.is("string")) return this.take("string");
    if (this.is("name")) return this.take("name");
    return this.passes("-") ? `-${this.take("number")}` : this.take("number");
  }

  /** Names with commas between them, then a bracket: how many tokens that takes. Nothing where something else comes. */
  protected namesAhead(from: number): readonly string[] | undefined {
    const names: string[] = [];
    for (let ahead = from; this.is("name", ahead); ahead += 2) {
      names.push(this.ahead(ahead).text);
      if (this.isMark(")", ahead + 1)) return names;
      if (!this.isMark(",", ahead + 1)) return undefined;
    }
    return undefined;
  }

  /** Whether what follows a word is a type: `<float>(…`, `()`, `(x[…` or `(x{}…`. */
  protected isTypeAhead(): boolean {
    if (this.isMark("<", 1)) return this.is("name", 2) && this.isMark(">", 3) && this.isMark("(", 4);
    if (!this.isMark("(", 1)) return false;
    if (this.isMark(")", 2)) return true;
    return this.is("name", 2) && (this.isMark("[", 3) || (this.isMark("{", 3) && this.isMark("}", 4)));
  }

  /** A type after its first word. */
  protected type(): WrittenType {
    let cells = "double";
    if (this.passes("<")) {
      cells = this.take("name");
      this.pass(">");
    }
    this.pass("(");
    const dimensions = this.isMark(")") ? [] : this.list(() => this.dimension());
    this.pass(")");
    return { cells, dimensions };
  }

  private dimension(): WrittenDimension {
    const name = this.label();
    if (this.passes("{")) {
      this.pass("}");
      return { name, isMapped: true, size: undefined };
    }
    this.pass("[");
    const size = this.isMark("]") ? undefined : this.label();
    this.pass("]");
    return { name, isMapped: false, size };
  }
}
