import { EOF, type ILexingError, type IRecognitionException, type IToken, Lexer } from "chevrotain";
import { overflowProblem } from "../source/overflow.js";
import { type Problem, problem, SphexError } from "../source/problem.js";
import type { Source, Span } from "../source/span.js";
import { bracketProblem, spanOf } from "./brackets.js";
import { expectations, foundText } from "./expectations.js";
import { Grammar } from "./grammar.js";
import { endStatements, ignoreLines } from "./statements.js";
import { end, vocabulary } from "./tokens.js";
import type { ConstantTree, Expression, ProgramTree, TypeText } from "./tree.js";

/** A tree, or why there is none. Trees of a program leave out the statements that have problems. */
export interface Parsed<T> {
  readonly tree: T | undefined;
  readonly problems: readonly Problem[];
}

/** How deep brackets may nest where nobody says otherwise. */
export const defaultNesting = 1000;

/** Reads a program: statements, with all problems of syntax, one a statement. */
export function parseProgram(source: Source, nesting = defaultNesting): Parsed<ProgramTree> {
  const { tokens, problems } = tokenize(source, "program", nesting);
  if (problems.length > 0) return { tree: undefined, problems };
  const ended = endStatements(tokens);
  const whole = run(source, ended, (grammar) => grammar.Program());
  if (whole.problems.length === 0) return whole;
  // One mistake must not hide the next: read each statement alone.
  const statements = split(ended).map((part) => run(source, part, (grammar) => grammar.Program()));
  const good = statements.flatMap(({ tree }) => tree?.statements ?? []);
  return { tree: { statements: good }, problems: statements.flatMap((each) => each.problems) };
}

/** Reads one expression; line breaks mean nothing in it. */
export function parseExpression(source: Source, nesting = defaultNesting): Parsed<Expression> {
  const { tokens, problems } = tokenize(source, "program", nesting);
  if (problems.length > 0) return { tree: undefined, problems };
  const meaningful = ignoreLines(tokens);
  if (meaningful.length === 0)
    return { tree: undefined, problems: [problem("syntax/empty", wholeOf(source), {})] };
  return run(source, meaningful, (grammar) => grammar.SingleExpression());
}

/** Reads a tensor type: `tensor<float>(x[3])`. */
export function parseTypeText(source: Source): Parsed<TypeText> {
  const { tokens, problems } = tokenize(source, "program", defaultNesting);
  if (problems.length > 0) return { tree: undefined, problems };
  return run(source, ignoreLines(tokens), (grammar) => grammar.Type());
}

/** Reads a constant string: a tensor as data, with its type in front or without. */
export function parseConstant(source: Source, nesting = defaultNesting): Parsed<ConstantTree> {
  const prefix = /^\s*tensor\s*[<(][^)]*\)\s*/.exec(source.text)?.[0].length ?? 0;
  const type = tokenize(source, "program", nesting, 0, prefix);
  const body = tokenize(source, "constant", nesting, prefix);
  const problems = [...type.problems, ...body.problems];
  if (problems.length > 0) return { tree: undefined, problems };
  const tokens = ignoreLines(type.tokens).concat(body.tokens);
  if (tokens.length === 0)
    return { tree: undefined, problems: [problem("syntax/empty", wholeOf(source), {})] };
  return run(source, tokens, (grammar) => grammar.TensorText());
}

let lexer: Lexer | undefined;
let grammar: Grammar | undefined;

function tokenize(
  source: Source,
  mode: "program" | "constant",
  nesting: number,
  from = 0,
  to = source.text.length,
) {
  lexer ??= new Lexer(vocabulary, { positionTracking: "onlyOffset", skipValidations: true });
  const { tokens, errors } = lexer.tokenize(source.text.slice(from, to), mode);
  if (from > 0) for (const token of tokens) token.startOffset += from;
  const problems = errors.map((error) => characterProblem(error, source, from));
  const unbalanced = problems.length > 0 ? undefined : bracketProblem(tokens, source, nesting);
  return { tokens, problems: unbalanced === undefined ? problems : [unbalanced] };
}

function characterProblem(error: ILexingError, source: Source, from: number): Problem {
  const start = error.offset + from;
  const character = String.fromCodePoint(source.text.codePointAt(start) ?? 0);
  if (character !== '"' && character !== "'") {
    return problem("syntax/character", { source, start, end: start + character.length }, { character });
  }
  return problem("syntax/unterminated", { source, start, end: source.text.length }, { quote: character });
}

function run<T>(source: Source, tokens: readonly IToken[], rule: (grammar: Grammar) => T): Parsed<T> {
  grammar ??= new Grammar(expectations);
  grammar.source = source;
  grammar.textProblems.length = 0;
  grammar.input = [...tokens];
  try {
    const tree = rule(grammar);
    const [error] = grammar.errors;
    const problems = error === undefined ? [...grammar.textProblems] : [syntaxProblem(error, source)];
    return problems.length > 0 ? { tree: undefined, problems } : { tree, problems };
  } catch (error) {
    // Brackets within the limit of nesting may still be more than the stack holds.
    const overflow = overflowProblem(error, wholeOf(source));
    if (overflow instanceof SphexError) return { tree: undefined, problems: overflow.problems };
    throw overflow;
  } finally {
    grammar.input = [];
  }
}

/** The parser's complaint as a problem; common slips have words of their own. */
function syntaxProblem(error: IRecognitionException, source: Source): Problem {
  const { token } = error;
  // Chevrotain adds the token before to all errors but those of input that was left over.
  const previousToken = "previousToken" in error ? (error.previousToken as IToken | undefined) : undefined;
  const span =
    token.tokenType === EOF || token.tokenType === end ? endOf(source, previousToken) : spanOf(token, source);
  if (token.tokenType.name === "=") return problem("syntax/equals", span, {});
  const found = foundText(token);
  return problem("syntax/unexpected", span, {
    found,
    wanted: error.message,
    after: previousToken?.image ?? "",
  });
}

/** Just behind the last token: where something is missing. */
function endOf(source: Source, previous: IToken | undefined): Span {
  const start =
    previous === undefined || Number.isNaN(previous.startOffset)
      ? 0
      : previous.startOffset + previous.image.length;
  return { source, start, end: start };
}

function split(tokens: readonly IToken[]): IToken[][] {
  const parts: IToken[][] = [[]];
  for (const token of tokens) {
    parts.at(-1)?.push(token);
    if (token.tokenType === end) parts.push([]);
  }
  return parts.filter((part) => part.length > 0);
}

const wholeOf = (source: Source): Span => ({ source, start: 0, end: source.text.length });
