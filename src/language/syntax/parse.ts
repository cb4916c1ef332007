import { type IToken, Lexer } from "chevrotain";
import { overflowProblem } from "../limits/overflow.js";
import { cellsPerCharacter, SliceMeter, type Slices } from "../limits/slices.js";
import type { Spend } from "../limits/spend.js";
import { append } from "../source/lists.js";
import { type Problem, SphexError } from "../source/problem.js";
import { type Source, type Span, textIn } from "../source/span.js";
import { bracketProblem, spanOf } from "./brackets.js";
import { decisions } from "./decisions.js";
import { foldedIn, foldedTokens } from "./folding.js";
import { mendAt } from "./foreign/mend.js";
import { Grammar } from "./grammar.js";
import { problem } from "./messages.js";
import { expectations } from "./mistakes/expectations.js";
import { strangersAt } from "./mistakes/strangers.js";
import { endOf, syntaxProblem } from "./mistakes/syntax-problem.js";
import { endStatements, ignoreLines, statementsOf } from "./statements.js";
import { end, type LexerMode, unclosedText, vocabulary } from "./tokens.js";
import type * as Tree from "./tree.js";
import type { ConstantTree, Expression, ProgramTree, TypeText, Word } from "./tree.js";

/** A tree, or why there is none. Trees of a program leave out the statements that have problems. */
export interface Parsed<T> {
  readonly tree: T | undefined;
  readonly problems: readonly Problem[];
}

/** How deep brackets may nest by default. */
export const defaultNesting = 1000;

/** A program's tree; what could be read of it, if not all could. */
export interface ParsedProgram extends Parsed<ProgramTree> {
  /** The names that statements with mistakes would define, which are not to be reported as unknown. */
  readonly unparsedNames: ReadonlySet<string>;
}

/**
 * Reads a program, which may be a part of its source: statements, with all problems of syntax, one a statement. A mistake does
 * not hide the next: each statement is read alone where one has a problem.
 */
export function parseProgram(
  source: Source,
  nesting = defaultNesting,
  within: Span = wholeOf(source),
  spend?: Spend,
): ParsedProgram {
  return counted(spend, () => {
    const text = tokenize(source, "program", nesting, within.start, within.end);
    spend?.(text.tokens.length, within);
    return programOf(text, source, nesting);
  });
}

/** As `parseProgram`, in slices: statements that are no longer than a slice are read together. A mistake is looked for at a stretch. */
export function* programSlices(source: Source, nesting: number, spend: Spend): Slices<ParsedProgram> {
  const text = tokenize(source, "program", nesting);
  spend(text.tokens.length, wholeOf(source));
  yield;
  const statements: Tree.Statement[] = [];
  const meter = new SliceMeter();
  let part: IToken[] = [];
  const parts = text.problems.length > 0 ? [] : statementsOf(endStatements(text.tokens));
  for (const [at, tokens] of parts.entries()) {
    append(part, tokens);
    const isLong = meter.isFull(cellsPerCharacter * charactersOf(tokens));
    if (!isLong && at + 1 < parts.length) continue;
    const read = part;
    const { tree } = counted(spend, () => run(source, read, programRule));
    if (tree === undefined) return counted(spend, () => programOf(text, source, nesting));
    append(statements, tree.statements);
    part = [];
    yield;
  }
  if (parts.length === 0) return counted(spend, () => programOf(text, source, nesting));
  return { tree: { statements }, problems: [], unparsedNames: new Set() };
}

const charactersOf = (tokens: readonly IToken[]): number =>
  (tokens.at(-1)?.startOffset ?? 0) - (tokens[0]?.startOffset ?? 0);

/** Reads something with a grammar that counts tokens. */
function counted<T>(spend: Spend | undefined, read: () => T): T {
  grammar ??= new Grammar(expectations, decisions);
  const before = grammar.counter;
  grammar.counter = spend;
  try {
    return read();
  } finally {
    grammar.counter = before;
  }
}

function programOf(text: Tokenized, source: Source, nesting: number): ParsedProgram {
  if (text.problems.length === 0) {
    const whole = run(source, endStatements(text.tokens), programRule);
    if (whole.problems.length === 0) return { ...whole, unparsedNames: new Set() };
  }
  const statements: Tree.Statement[] = [];
  const problems: Problem[] = [];
  const unparsedNames = new Set<string>();
  const mender = new Mender();
  for (const part of partsOf(text, source, nesting)) {
    const { tree, problems: found } =
      part.problems.length > 0 ? { tree: undefined, ...part } : run(source, part.tokens, programRule);
    if (tree !== undefined) append(statements, tree.statements);
    else for (const token of part.tokens.slice(0, definesUntil(part.tokens))) unparsedNames.add(token.image);
    append(problems, mender.mended(found, part.span, programRule, nesting));
    if (problems.length >= mostProblems) break;
  }
  return { tree: { statements }, problems, unparsedNames };
}

const programRule = (grammar: Grammar): ProgramTree => grammar.Program();
const expressionRule = (grammar: Grammar): Expression => grammar.SingleExpression();

/** A statement, or what seems to be one, with the problems of its characters and brackets. */
interface ProgramPart {
  readonly tokens: readonly IToken[];
  readonly span: Span;
  readonly problems: readonly Problem[];
}

/** The statements of a text. Where brackets have no partners, a line that begins like a statement is taken for one. */
function partsOf({ tokens, strangers, unclosed, isBalanced }: Tokenized, source: Source, nesting: number) {
  if (unclosed !== undefined) return [{ tokens, span: wholeOf(source), problems: [unclosed] }];
  const parts = statementsOf(endStatements(tokens, { isUnbalanced: !isBalanced }));
  if (parts.length === 0) parts.push([]);
  let next = 0;
  return parts.map((part, at): ProgramPart => {
    const start = part[0]?.startOffset ?? strangers[0]?.span.start ?? 0;
    const isLast = at === parts.length - 1;
    const following = isLast ? Number.POSITIVE_INFINITY : (part.at(-1)?.startOffset ?? start);
    const own: Problem[] = [];
    for (; (strangers[next]?.span.start ?? following) < following; next++) {
      const stranger = strangers[next];
      if (stranger !== undefined) own.push(stranger);
    }
    const last = part.findLast((each) => each.tokenType !== end);
    const stranger = own.at(-1);
    const behind = Math.max(endOf(source, last).end, stranger === undefined ? 0 : endOfLine(stranger.span));
    const span = {
      source,
      start: Math.min(start, own[0]?.span.start ?? start),
      end: Math.max(start, behind),
    };
    const unbalanced = own.length > 0 || isBalanced ? undefined : bracketProblem(part, source, nesting);
    return { tokens: part, span, problems: unbalanced === undefined ? own : [unbalanced] };
  });
}

/** Behind what stands in the line of a character without a meaning: such characters are no tokens. */
function endOfLine({ source, end: from }: Span): number {
  const [line = ""] = source.text.slice(from, from + longestLine).split(/[\r\n;#]/, 1);
  return from + line.trimEnd().length;
}

/** What is longer is no line of a person. */
const longestLine = 1000;

/** Up to where a statement names what it defines or declares. */
function definesUntil(part: readonly IToken[]): number {
  const names = part.slice(0, 8);
  return Math.max(
    0,
    names.findIndex(({ image }) => image === "=" || image === ":" || image === "tensor"),
  );
}

/** A limit for texts that are no programs at all. */
const mostProblems = 1000;

/** A program with the tokens and comments of its text. */
export interface ParsedText extends ParsedProgram {
  /** In order, with an empty one after each statement; without line breaks and semicolons. */
  readonly tokens: readonly Word[];
  readonly comments: readonly Word[];
}

/** Reads a program as `parseProgram` does, with its tokens and comments. */
export function parseText(source: Source, nesting = defaultNesting, spend?: Spend): ParsedText {
  return counted(spend, () => {
    const text = tokenize(source, "program", nesting);
    spend?.(text.tokens.length, wholeOf(source));
    const wordOf = wordOfToken(source);
    const words = { tokens: endStatements(text.tokens).map(wordOf), comments: text.comments.map(wordOf) };
    return { ...programOf(text, source, nesting), ...words };
  });
}

const wordOfToken =
  (source: Source) =>
  (token: IToken): Word => ({ text: token.image, span: spanOf(token, source) });

/** The tokens and comments of a part of a text, in order, whether or not it can be read. */
export function wordsWithin({ source, start, end: stop }: Span): Pick<ParsedText, "tokens" | "comments"> {
  const { tokens, comments } = tokenize(source, "program", defaultNesting, start, stop);
  const wordOf = wordOfToken(source);
  return { tokens: tokens.map(wordOf), comments: comments.map(wordOf) };
}

/** Reads one expression, which may be a part of its source; line breaks in it are ignored. */
export function parseExpression(
  source: Source,
  nesting = defaultNesting,
  within: Span = wholeOf(source),
  spend?: Spend,
): Parsed<Expression> {
  return counted(spend, () => {
    const { tokens, problems } = tokenize(source, "program", nesting, within.start, within.end);
    spend?.(tokens.length, within);
    const meaningful = ignoreLines(tokens);
    if (meaningful.length === 0 && problems.length === 0)
      return { tree: undefined, problems: [problem("syntax/empty", within, {})] };
    const parsed =
      problems.length > 0 ? { tree: undefined, problems } : run(source, meaningful, expressionRule);
    return { ...parsed, problems: new Mender().mended(parsed.problems, within, expressionRule, nesting) };
  });
}

/** Reads a tensor type: `tensor<float>(x[3])`. */
export function parseTypeText(source: Source): Parsed<TypeText> {
  const { tokens, problems } = tokenize(source, "program", defaultNesting);
  if (problems.length > 0) return { tree: undefined, problems };
  return run(source, ignoreLines(tokens), (grammar) => grammar.Type());
}

/** How long the type is that a constant string begins with. */
export const typePrefix = (text: string): number => /^\s*tensor\s*[<(][^)]*\)\s*/.exec(text)?.[0].length ?? 0;

/** Reads a constant string: a tensor as data, with its type in front or without. */
export function parseConstant(source: Source, spend?: Spend): Parsed<ConstantTree> {
  return counted(spend, () => {
    const prefix = typePrefix(source.text);
    const type = tokenize(source, "program", defaultNesting, 0, prefix);
    const body = tokenize(source, "constant", defaultNesting, prefix);
    const problems = [...type.problems, ...body.problems];
    if (problems.length > 0) return { tree: undefined, problems };
    const tokens = ignoreLines(type.tokens).concat(body.tokens);
    if (tokens.length === 0)
      return { tree: undefined, problems: [problem("syntax/empty", wholeOf(source), {})] };
    spend?.(tokens.length, wholeOf(source));
    return run(source, tokens, (grammar) => grammar.TensorText());
  });
}

/** Of each mode, made when the first text of it is read. */
const lexers: Partial<Record<LexerMode, Lexer>> = {};
let grammar: Grammar | undefined;

interface Tokenized {
  readonly tokens: readonly IToken[];
  readonly comments: readonly IToken[];
  /** Characters that have no meaning. */
  readonly strangers: readonly Problem[];
  /** A text that is never closed. */
  readonly unclosed: Problem | undefined;
  readonly isBalanced: boolean;
  /** All of these that there are; of brackets the first. */
  readonly problems: readonly Problem[];
}

function tokenize(
  source: Source,
  mode: LexerMode,
  nesting: number,
  from = 0,
  to = source.text.length,
): Tokenized {
  lexers[mode] ??= new Lexer(vocabulary[mode], { positionTracking: "onlyOffset", skipValidations: true });
  const { tokens, errors, groups } = lexers[mode].tokenize(source.text.slice(from, to));
  const comments = groups.comments ?? [];
  if (from > 0) for (const token of [...tokens, ...comments]) token.startOffset += from;
  const strangers = strangersAt(
    errors.slice(0, mostProblems).map(({ offset }) => offset + from),
    source,
  );
  const last = tokens.at(-1);
  const unclosed = last?.tokenType === unclosedText ? unterminated(last, tokens, source) : undefined;
  const problems = unclosed === undefined ? strangers : [...strangers, unclosed];
  const unbalanced = unclosed === undefined ? bracketProblem(tokens, source, nesting) : undefined;
  return {
    ...{ tokens, comments, strangers, unclosed, isBalanced: unbalanced === undefined },
    problems: unbalanced === undefined || problems.length > 0 ? problems : [unbalanced],
  };
}

/**
 * A text that is never closed, of which only the first line is shown. The quote that is one too many may well be an
 * earlier one: where a text before goes over lines, that one is shown.
 */
function unterminated(unclosed: IToken, tokens: readonly IToken[], source: Source): Problem {
  const firstLine = ({ startOffset, image }: IToken): Span => {
    const { length } = /^[^\r\n]*/.exec(image)?.[0] ?? "";
    return { source, start: startOffset, end: startOffset + length };
  };
  const isLong = ({ tokenType, image }: IToken): boolean =>
    tokenType.name === "string" && /[\r\n]/.test(image);
  const earlier = tokens.find(isLong);
  const quote = (earlier ?? unclosed).image.slice(0, 1);
  const related = earlier === undefined ? [] : [{ span: firstLine(unclosed), label: "or this one" }];
  return problem("syntax/unterminated", firstLine(earlier ?? unclosed), { quote }, related);
}

/** The tree of some tokens, without a stack as deep as their nesting. */
function run<T>(source: Source, tokens: readonly IToken[], rule: (grammar: Grammar) => T): Parsed<T> {
  let failure: Parsed<Expression> | undefined;
  const textProblems: Problem[] = [];
  const folded = foldedTokens(tokens, source, (part) => {
    const parsed = runFlat(source, part, (grammar) => grammar.SingleExpression());
    append(textProblems, parsed.textProblems);
    if (parsed.tree === undefined) failure = parsed;
    return parsed.tree;
  });
  const ofFolded = folded.flatMap((token) => foldedIn(token) ?? []);
  if (ofFolded.length === 0 && failure === undefined) return runFlat(source, folded, rule);
  const parsed = runFlat(source, folded, rule);
  append(textProblems, parsed.textProblems);
  const isWhole = parsed.tree !== undefined && ofFolded.every(({ isRead }) => isRead);
  if (isWhole) return textProblems.length > 0 ? { tree: undefined, problems: textProblems } : parsed;
  // What is wrong is shown in the text as it is; where that is too deep, by what was read last.
  const unfolded = runFlat(source, tokens, rule);
  const isTooDeep = unfolded.problems.some(({ code }) => code === "limit/stack");
  return isTooDeep && failure !== undefined ? { ...failure, tree: undefined } : unfolded;
}

/** What the parser itself makes of tokens; texts with mistakes of their own are problems, but have a tree. */
function runFlat<T>(
  source: Source,
  tokens: readonly IToken[],
  rule: (grammar: Grammar) => T,
): Parsed<T> & { readonly textProblems: readonly Problem[] } {
  grammar ??= new Grammar(expectations, decisions);
  grammar.source = source;
  grammar.textProblems.length = 0;
  grammar.input = [...tokens];
  try {
    const tree = rule(grammar);
    const [error] = grammar.errors;
    const textProblems = [...grammar.textProblems];
    const problems = error === undefined ? textProblems : [syntaxProblem(error, tokens, source)];
    return { tree: problems.length > 0 ? undefined : tree, problems, textProblems };
  } catch (error) {
    if (error instanceof SphexError) throw error; // a limit
    // Brackets within the limit of nesting may still be more than the stack holds.
    const overflow = overflowProblem(error, wholeOf(source));
    if (overflow instanceof SphexError)
      return { tree: undefined, problems: overflow.problems, textProblems: [] };
    throw overflow;
  } finally {
    grammar.input = [];
  }
}

/** In one text so many problems at most are looked at for forms of other languages. */
const mostMends = 100;

/** Finds what a text has from other languages in place of problems of syntax. */
class Mender {
  private left = mostMends;

  /** The first of the problems of a part of a text as one of its foreign form, if it has one; the others may come of it. */
  mended(
    problems: readonly Problem[],
    { source, start, end: stop }: Span,
    rule: (grammar: Grammar) => unknown,
    nesting: number,
  ): readonly Problem[] {
    const [first] = problems;
    if (first === undefined || !isMendable(first) || this.left-- <= 0) return problems;
    const firstProblem = (text: string): number | undefined => firstOffset(text, rule, nesting);
    const found = mendAt(source.text.slice(start, stop), first.span.start - start, firstProblem);
    if (found === undefined) return problems;
    const span = { source, start: start + found.start, end: start + found.end };
    const { message, hint, replacement } = found;
    const text = textIn(span);
    return [problem("syntax/foreign", span, { text, message, replacement, hint })];
  }
}

const isMendable = ({ code }: Problem): boolean =>
  code === "syntax/unexpected" ||
  code === "syntax/equals" ||
  code === "syntax/character" ||
  code === "syntax/unterminated" ||
  code === "syntax/mismatched";

/** Where the first problem of a text begins. */
function firstOffset(text: string, rule: (grammar: Grammar) => unknown, nesting: number): number | undefined {
  const source = { name: "mended", text };
  const { tokens, problems } = tokenize(source, "program", nesting);
  const [first] = problems;
  if (first !== undefined) return first.span.start;
  const ended = rule === expressionRule ? ignoreLines(tokens) : endStatements(tokens);
  return run(source, ended, rule).problems[0]?.span.start;
}

const wholeOf = (source: Source): Span => ({ source, start: 0, end: source.text.length });
