import { EOF, type IRecognitionException, type IToken, Lexer, type TokenType } from "chevrotain";
import { overflowProblem } from "../../../language/limits/overflow.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import type { Word } from "../../../language/syntax/tree.js";
import { balanced, spanOf } from "./braces.js";
import { decisions } from "./decisions.js";
import { declarations, expectations, expectedAt, foundAt } from "./expectations.js";
import { SchemaGrammar } from "./grammar.js";
import { problem } from "./messages.js";
import { mostMistakes } from "./reader.js";
import { comment, flag, name, newline, setting, string, tensor, vocabulary } from "./tokens.js";
import type { FileItem } from "./tree.js";
import { keywords } from "./words.js";

/** The statements of a file that could be read, and what is wrong with the others. */
export interface ParsedSchema {
  readonly source: Source;
  readonly items: readonly FileItem[];
  readonly problems: readonly Problem[];
  /** Its words and comments, in order, without brackets and other marks. */
  readonly words: readonly SchemaWord[];
}

let lexer: Lexer | undefined;
let grammar: SchemaGrammar | undefined;

/** Reads a schema file, or a file of rank profiles. */
export function parseSchema(source: Source): ParsedSchema {
  const { tokens, groups } = tokenize(source);
  let words: readonly SchemaWord[] | undefined;
  return {
    ...{ source, ...parsedTokens(tokens, source) },
    get words() {
      words ??= wordsOf([...tokens, ...(groups.comments ?? [])], source);
      return words;
    },
  };
}

function parsedTokens(all: readonly IToken[], source: Source): Pick<ParsedSchema, "items" | "problems"> {
  grammar ??= new SchemaGrammar(expectations, decisions);
  try {
    const { tokens, problems } = balanced(all, source);
    grammar.begin(source, tokens);
    const items = grammar.File();
    const mistakes = grammar.errors.slice(0, mostMistakes).map((each) => syntaxProblem(each, source));
    return { items, problems: [...problems, ...mistakes] };
  } catch (error) {
    // Types and brackets may nest more deeply than the stack holds.
    const whole: Span = { source, start: 0, end: source.text.length };
    const overflow = overflowProblem(error, whole);
    if (overflow instanceof SphexError) return { items: [], problems: overflow.problems };
    throw overflow;
  } finally {
    grammar.input = [];
  }
}

// What the lexer has no token for, such as a control character, is as good as white space.
function tokenize(source: Source) {
  lexer ??= new Lexer(vocabulary, { positionTracking: "onlyOffset", skipValidations: true });
  return lexer.tokenize(source.text);
}

/** What a word of a schema is by itself, whatever it means where it stands. */
export type SchemaWordKind = "keyword" | "text" | "tensor" | "comment" | "name";
export interface SchemaWord extends Word {
  readonly kind: SchemaWordKind;
}

const wordsOf = (tokens: readonly IToken[], source: Source): readonly SchemaWord[] =>
  tokens
    .toSorted((a, b) => a.startOffset - b.startOffset)
    .flatMap((token) => {
      const kind = kindOfToken(token);
      return kind === undefined ? [] : { text: token.image, span: spanOf(token, source), kind };
    });

const kindsOfTokens: ReadonlyMap<TokenType, SchemaWordKind> = new Map([
  [setting, "keyword"],
  [flag, "keyword"],
  [string, "text"],
  [tensor, "tensor"],
  [comment, "comment"],
  [name, "name"],
]);

const keywordSet: ReadonlySet<string> = new Set(keywords);

const kindOfToken = ({ tokenType, image }: IToken): SchemaWordKind | undefined =>
  kindsOfTokens.get(tokenType) ?? (keywordSet.has(image) ? "keyword" : undefined);

/** The parser's complaint as a problem. */
function syntaxProblem(error: IRecognitionException & { previousToken?: IToken }, source: Source): Problem {
  const { token, message, context, previousToken } = error;
  const what = declarations[context.ruleStack.at(-1) ?? ""];
  const expected = expectedAt(message);
  if (expected === "name" && previousToken !== undefined && what !== undefined)
    return problem("schema/name", spanOf(previousToken, source), { what });
  const isEnd = token.tokenType === EOF || token.tokenType === newline || token.image === "";
  const end = previousToken === undefined ? 0 : spanOf(previousToken, source).end;
  const span = isEnd ? { source, start: end, end } : spanOf(token, source);
  return problem("syntax/unexpected", span, { found: foundAt(token), expected });
}
