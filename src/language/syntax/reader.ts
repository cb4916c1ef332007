import type { IOrAlt, IParserErrorMessageProvider, IToken, ParserMethod, TokenType } from "chevrotain";
import type { Spend } from "../limits/spend.js";
import { unquote } from "../source/escapes.js";
import type { Problem } from "../source/problem.js";
import { type Source, type Span, through } from "../source/span.js";
import { spanOf } from "./brackets.js";
import { problem } from "./messages.js";
import { type DecisionRow, PreparedParser } from "./prepared-parser.js";
import { allTokens, end, name, number, type Spelling, token } from "./tokens.js";
import type { Word } from "./tree.js";

/** How many tokens of lookahead decide between alternatives, where no gate does. */
const maxLookahead = 3;

/**
 * How many tokens decide where gates tell all alternatives apart that begin alike. The paths of three tokens into an
 * expression are thousands, and are found when the first text is read.
 */
export const gated = 1;

/** So many tokens are counted at once. */
const mostUncounted = 512;

export type Rule<T> = ParserMethod<[], T>;

/** Rules of which one is read, for what each of them gives. */
export type Alternatives<T> = IOrAlt<T>[];

/**
 * What all rules use: tokens by their spelling, spans and words from tokens, and the gates, which look ahead where three
 * tokens do not decide.
 */
export abstract class TokenReader extends PreparedParser {
  /** The text being read. */
  source: Source = { name: "", text: "" };
  /** Problems inside tokens that are well-formed as a whole: unknown escapes. */
  readonly textProblems: Problem[] = [];

  /** Counts the tokens that are read; throws where they are more than a limit allows. */
  private spend: Spend | undefined;
  /** What counted last, and how many tokens were read since. */
  private lastSpend: Spend | undefined;
  private sinceSpent = 0;

  constructor(messages: IParserErrorMessageProvider, decisions?: readonly DecisionRow[]) {
    super(allTokens, maxLookahead, messages, decisions);
  }

  get counter(): Spend | undefined {
    return this.spend;
  }

  /** What counts from now on: tokens that are read for it alone, which may be of several texts. */
  set counter(spend: Spend | undefined) {
    this.spend = spend;
    if (spend === undefined || spend === this.lastSpend) return;
    this.lastSpend = spend;
    this.sinceSpent = 0;
  }

  protected override consumeToken(): void {
    super.consumeToken();
    if (this.spend === undefined || ++this.sinceSpent < mostUncounted) return;
    this.sinceSpent = 0;
    this.spend(mostUncounted, this.at(this.LA(0)));
  }

  protected eat(spelling: Spelling): IToken {
    return this.CONSUME(token(spelling));
  }

  protected at(token: IToken): Span {
    return spanOf(token, this.source);
  }

  protected from(first: IToken, last: IToken): Span {
    return through(this.at(first), this.at(last));
  }

  protected word(token: IToken): Word {
    return { text: token.image, span: this.at(token) };
  }

  protected quotedWord(token: IToken): Word {
    return { text: this.ACTION(() => this.unquoted(token)), span: this.at(token) };
  }

  /** The text of a quoted token; an unknown escape is a problem. */
  protected unquoted(token: IToken): string {
    const { text, unknown } = unquote(token.image);
    for (const { offset, sequence } of unknown) {
      const start = token.startOffset + offset;
      const span = { source: this.source, start, end: start + sequence.length };
      this.textProblems.push(problem("syntax/escape", span, { sequence }));
    }
    return text;
  }

  protected is(ahead: number, spelling: Spelling): boolean {
    return this.LA(ahead).tokenType === token(spelling);
  }

  protected isName(ahead: number): boolean {
    const { tokenType } = this.LA(ahead);
    return tokenType === name || (tokenType.CATEGORIES?.includes(name) ?? false);
  }

  protected isToken(ahead: number, type: TokenType): boolean {
    return this.LA(ahead).tokenType === type;
  }

  /** How far ahead the token after a bracket's partner is; undefined where the statement ends first. */
  protected behindBracket(ahead: number): number | undefined {
    let depth = 0;
    for (let at = ahead; ; at++) {
      const { tokenType } = this.LA(at);
      if (tokenType === end || tokenType.name === "EOF") return undefined;
      if ("([{".includes(tokenType.name)) depth++;
      else if (")]}".includes(tokenType.name) && --depth === 0) return at + 1;
    }
  }

  /** `tensor(` or `range<` and the like where a type follows, and not the arguments of a call. */
  protected isType(word: "tensor" | "range" | "diag" | "random"): boolean {
    if (!this.is(1, word)) return false;
    if (this.is(2, "<")) return this.isName(3) && this.is(4, ">") && this.is(5, "(");
    if (!this.is(2, "(")) return false;
    if (this.is(3, ")")) return word === "tensor";
    if (!this.isName(3)) return false;
    if (this.is(4, "{")) return this.is(5, "}");
    if (!this.is(4, "[")) return false;
    return (
      this.is(5, "]") ||
      (this.is(6, "]") && (this.isToken(5, number) || this.isName(5)) && this.endsDimension(7))
    );
  }

  private endsDimension(ahead: number): boolean {
    return this.is(ahead, ",") || this.is(ahead, ")");
  }

  /** `f(x, y)(`: only this is a lambda, `f(x)` alone calls a function f. */
  protected isLambda(): boolean {
    if (!this.is(1, "f") || !this.is(2, "(")) return false;
    let at = 3;
    while (this.isName(at) && this.is(at + 1, ",")) at += 2;
    if (this.isName(at)) at++;
    return this.is(at, ")") && this.is(at + 1, "(");
  }

  protected isSwitch(): boolean {
    if (!this.is(1, "switch") || !this.is(2, "(")) return false;
    const behind = this.behindBracket(2);
    if (behind === undefined || !this.is(behind, "{")) return false;
    // Else it is a slice: `switch(a){case}` and `switch(a){case:b}` name a label and a dimension.
    if (this.is(behind + 1, "default")) return this.is(behind + 2, ":");
    return this.is(behind + 1, "case") && !this.is(behind + 2, "}") && !this.is(behind + 2, ":");
  }

  /** A label of a slice ends behind the next token. */
  protected endsLabel(): boolean {
    return this.is(2, ",") || this.is(2, "}");
  }
}
