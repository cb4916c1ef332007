import {
  EOF,
  type IOrAlt,
  type IParserErrorMessageProvider,
  type IToken,
  isRecognitionException,
  type ParserMethod,
  type TokenType,
} from "chevrotain";
import type { Source, Span } from "../../../language/source/span.js";
import { type DecisionRow, PreparedParser } from "../../../language/syntax/prepared-parser.js";
import type { Word } from "../../../language/syntax/tree.js";
import { spanOf } from "./braces.js";
import { allTokens, name, newline, type Spelling, tensor, text, token } from "./tokens.js";

export type Rule<T> = ParserMethod<[], T>;

/** Rules of which one is read, for what each of them gives. */
export type Alternatives<T> = IOrAlt<T>[];

/** A text that is no schema at all need not be told so at every line. */
export const mostMistakes = 1000;

/** One token tells alternatives apart; where it does not, a gate looks further. */
const maxLookahead = 1;

/** What all rules use: tokens by their spelling, spans, gates, and blocks whose statements may have mistakes. */
export abstract class SchemaReader extends PreparedParser {
  private source: Source = { name: "", text: "" };
  private mistakes = 0;

  constructor(messages: IParserErrorMessageProvider, decisions?: readonly DecisionRow[]) {
    super(allTokens, maxLookahead, messages, decisions);
  }

  /** Takes the tokens of a text. */
  begin(source: Source, tokens: IToken[]): void {
    this.source = source;
    this.mistakes = 0;
    this.input = tokens;
  }

  /** Where a block begins, its brace in this line or in one below. */
  abstract readonly Open: Rule<void>;

  protected eat(spelling: Spelling): IToken {
    return this.CONSUME(token(spelling));
  }

  /** `"a" | "b"` */
  protected oneOf(...spellings: readonly Spelling[]): IToken {
    return this.OR8(spellings.map((each) => ({ ALT: () => this.eat(each) })));
  }

  /** `( "query" "(" name ")" | name )`, with this word for `query`. */
  protected nameIn(feature: Spelling): IToken {
    return this.OR8([
      {
        GATE: () => this.is(2, "("),
        ALT: () => {
          this.eat(feature);
          this.eat("(");
          const found = this.CONSUME8(name);
          this.eat(")");
          return found;
        },
      },
      { ALT: () => this.CONSUME9(name) },
    ]);
  }

  protected word(found: IToken): Word {
    return this.ACTION(() => ({ text: found.image, span: spanOf(found, this.source) }));
  }

  /** From a token up to the last one that was read. */
  protected since({ startOffset }: IToken): Span {
    return { source: this.source, start: startOffset, end: this.position };
  }

  /** What every node has: the word that it begins with, and where it stands, up to the last token that was read. */
  protected node<K extends string>(kind: K, first: IToken): { kind: K; keyword: Word; span: Span } {
    return this.ACTION(() => ({ kind, keyword: this.word(first), span: this.since(first) }));
  }

  /** What the rest of a rule reads, without the ends of lines around it. */
  protected extent(read: () => void): Span {
    const start = this.position;
    const first = this.LA(1).tokenType === newline ? this.LA(2) : this.LA(1);
    read();
    const end = this.LA(0).tokenType === newline ? endOf(this.LA(-1)) : this.position;
    return { source: this.source, start: end > start ? first.startOffset : start, end: Math.max(start, end) };
  }

  /** Behind the last token that was read. */
  private get position(): number {
    return endOf(this.LA(0));
  }

  protected is(ahead: number, spelling: Spelling): boolean {
    return this.LA(ahead).tokenType === token(spelling);
  }

  protected isName(ahead: number): boolean {
    return isOf(this.LA(ahead), name);
  }

  /** Whether a block begins here, or after the end of the line. */
  protected opens(ahead = 1): boolean {
    return this.is(ahead, "{") || (this.LA(ahead).tokenType === newline && this.is(ahead + 1, "{"));
  }

  /** The subject of a setting: a name, and then what the setting says of it. */
  protected isSubject(): boolean {
    return (
      this.isName(1) && (this.is(2, ":") || this.is(2, "type") || this.is(2, "inherits") || this.opens(2))
    );
  }

  /** A type, and not the next entry: `query(a)` has none in `query(a) query(b)`. */
  protected isType(): boolean {
    return this.LA(1).tokenType === tensor || (this.isName(1) && !this.is(2, "("));
  }

  protected brace(): void {
    try {
      this.eat("{");
    } catch (error) {
      // What cannot stand here is told, but the block behind it may be sound.
      if (!isMistake(error) || !this.stepToBrace()) throw error;
      this.eat("{");
    }
  }

  /** `Open ( A | B | newline )* "}"`, with these rules for A and B; without `Open` the brace is in this line. */
  protected block<T>(rules: readonly Rule<T>[], isBraceBelow = true): readonly T[] {
    const items: T[] = [];
    if (isBraceBelow) this.SUBRULE(this.Open);
    else this.brace();
    this.items(rules, items);
    this.eat("}");
    return items;
  }

  /** `( A | B | newline )*`: statements, those with mistakes left out. */
  protected items<T>(rules: readonly Rule<T>[], into: T[]): void {
    const statements = rules.map((rule) => ({ ALT: () => void into.push(this.SUBRULE9(rule)) }));
    const DEF = [...statements, { ALT: () => void this.CONSUME9(newline) }];
    this.MANY(() => this.attempt(() => this.OR9({ IGNORE_AMBIGUITIES: true, DEF })));
  }

  /** `A | B`: the first that fits. */
  protected firstOf<T>(rules: readonly Rule<T>[]): T {
    const DEF = rules.map((rule) => ({ ALT: () => this.SUBRULE9(rule) }));
    return this.OR9<Alternatives<T>>({ IGNORE_AMBIGUITIES: true, DEF });
  }

  /** Reads a statement. What is wrong with it is told, and the rest of it stepped over, so that the next one is read. */
  private attempt(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!isMistake(error)) throw error;
      this.mistakes++;
      this.stepOver();
    }
  }

  /**
   * Goes to the end of the line, past the blocks that begin in it or right after it; not out of the block around it.
   * After too many mistakes, it goes to the end of the text.
   */
  private stepOver(): void {
    let depth = 0;
    for (;;) {
      const { tokenType } = this.LA(1);
      const isEnd = depth === 0 && (tokenType === token("}") || (tokenType === newline && !this.opens()));
      if (tokenType === EOF || (isEnd && this.mistakes < mostMistakes)) return;
      if (tokenType === token("{")) depth++;
      else if (tokenType === token("}")) depth--;
      this.SKIP_TOKEN();
    }
  }

  /** Goes to the brace that opens a block, past what cannot stand before it in its line; false where there is none. */
  protected stepToBrace(): boolean {
    let ahead = 1;
    while (isOf(this.LA(ahead), text)) ahead++;
    const found = this.is(ahead, "{");
    for (; found && ahead > 1; ahead--) this.SKIP_TOKEN();
    return found;
  }
}

/** What the parser throws where the text is not what a rule describes. */
const isMistake = (error: unknown): boolean => error instanceof Error && isRecognitionException(error);

const endOf = ({ startOffset, image }: IToken): number => startOffset + image.length;

const isOf = ({ tokenType }: IToken, category: TokenType): boolean =>
  tokenType === category || (category.categoryMatchesMap?.[tokenType.tokenTypeIdx ?? -1] ?? false);
