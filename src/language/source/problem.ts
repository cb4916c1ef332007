import { isBranded } from "./brand.js";
import {
  beginning,
  type Description,
  type LongValue,
  longestText,
  type Message,
  type Severity,
} from "./message.js";
import { type Position, positionOf, type Span } from "./span.js";

/**
 * The tables of messages by the folder that has each. A table adds itself, in its own file and in types alone, so that
 * the codes of all tables form `Problem` and nothing here imports any of them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: the tables add themselves
export interface MessageTables {}

type Folder = keyof MessageTables;

/** The codes of the tables of these folders. */
export type CodeOf<F extends Folder> = { [Each in F]: keyof MessageTables[Each] & string }[F];

type RowOf<F extends Folder, Code> = F extends unknown
  ? Code extends keyof MessageTables[F]
    ? MessageTables[F][Code]
    : never
  : never;

/** The values that the message of a code in these folders describes. */
export type ValuesOf<F extends Folder, Code> = RowOf<F, Code> extends Message<infer Values> ? Values : never;

/** A problem of these folders. Its code decides the type of its values. */
export type ProblemOf<F extends Folder> = ProblemsByCode<F>[CodeOf<F>];

type ProblemsByCode<F extends Folder> = { [Code in CodeOf<F>]: CodedProblem<Code, ValuesOf<F, Code>> };

/** What is wrong, as data: `switch (problem.code)` narrows the values. */
export type Problem = { [Each in Folder]: ProblemOf<Each> }[Folder];

const problemBrand = "sphex.problem.1";
const errorBrand = "sphex.error.1";

/**
 * A problem of one code: the values that its message describes, its span, and related spans. Its text is built on
 * demand.
 */
export class CodedProblem<Code extends string, Values> {
  /** What messages and consoles call it: bundles give classes other names. */
  static readonly name = "Problem";

  constructor(
    readonly code: Code,
    readonly values: Values,
    readonly span: Span,
    private readonly row: Message<Values>,
    readonly related: readonly RelatedSpan[] = [],
    readonly severity: Severity = row.severity,
  ) {}

  /** Also one of another copy of the library. */
  static [Symbol.hasInstance](value: unknown): value is CodedProblem<string, unknown> {
    return isBranded(value, problemBrand);
  }

  protected get brand(): string {
    return problemBrand;
  }

  /** The sentence, what was found, what was expected, and a hint, as far as the code has them; of long ones the beginning. */
  get description(): Description {
    const { message, found, expected, replacement, hint } = this.row.describe(toldValues(this.values));
    // What the sentence ends with need not be told twice.
    const isTold = replacement === undefined || message.endsWith(` ${replacement}`);
    const advice = hint ?? (isTold ? undefined : `write ${replacement}`);
    return {
      message: cut(message),
      found: found && cut(found),
      expected: expected && cut(expected),
      hint: advice && cut(advice),
      // At a call, what would have to be replaced stands in the function.
      replacement: this.isAtCall ? undefined : replacement,
    };
  }

  /** Whether the span is a call of the function in which the mistake stands. */
  get isAtCall(): boolean {
    return this.related.some(({ isDefinition }) => isDefinition === true);
  }

  /** One plain sentence. */
  get message(): string {
    return this.description.message;
  }

  /** The sentence, with the hint in parentheses behind it. */
  get summary(): string {
    const { message, hint } = this.description;
    return hint === undefined ? message : `${message} (${hint})`;
  }

  /** Where the primary span starts, as a line and a column. */
  get position(): Position {
    return positionOf(this.span.source, this.span.start);
  }

  /** Errors stop a program; warnings and portability warnings do not. */
  get isError(): boolean {
    return this.severity === "error";
  }

  /** The same problem at another span. */
  at(span: Span, related: readonly RelatedSpan[] = this.related): CodedProblem<Code, Values> {
    return new CodedProblem(this.code, this.values, span, this.row, related, this.severity);
  }

  /** The same problem in another text: all of its spans are moved. */
  moved(move: (span: Span) => Span): CodedProblem<Code, Values> {
    return this.at(
      move(this.span),
      this.related.map((each) => ({ ...each, span: move(each.span) })),
    );
  }

  withSeverity(severity: Severity): CodedProblem<Code, Values> {
    return new CodedProblem(this.code, this.values, this.span, this.row, this.related, severity);
  }

  /** As plain data, for `--json` and logs. */
  toJSON(): object {
    const { message, found, expected, hint, replacement } = this.description;
    const places = this.related.map(({ label, span }) => ({ says: cut(label), ...spanData(span) }));
    return {
      code: this.code,
      severity: this.severity,
      ...{ message, found, wanted: expected, hint, replacement },
      ...spanData(this.span),
      ...(places.length === 0 ? {} : { places }),
    };
  }

  /** What `console.log` of Node shows, of an error too: the same plain data. */
  [Symbol.for("nodejs.util.inspect.custom")](): object {
    return this.toJSON();
  }
}

const cut = (text: string): string => (text.length > longestText ? `${text.slice(0, longestText)}…` : text);

const isLong = (value: unknown): value is LongValue =>
  typeof value === "object" && value !== null && beginning in value;

/** The values with as much of long texts as is told. */
function toldValues<Values>(values: Values): Values {
  if (typeof values !== "object" || values === null) return values;
  const entries = Object.entries(values).flatMap(([name, value]) =>
    isLong(value) ? [[name, value[beginning]()] as const] : [],
  );
  return entries.length === 0 ? values : { ...values, ...Object.fromEntries(entries) };
}

function spanData(span: Span): object {
  const { line, column } = positionOf(span.source, span.start);
  return { file: span.source.name, line, column, start: span.start, end: span.end };
}

/** Another span that a problem is about, and what is there. */
export interface RelatedSpan {
  readonly span: Span;
  readonly label: string;
  /** Whether it is where the problem arose: in the definition of a function whose call the problem points at. */
  readonly isDefinition?: boolean;
}

/** Whether a value is a problem. */
export const isProblem = (value: unknown): value is Problem => value instanceof CodedProblem;

/** A constructor for problems of these folders: the code decides which values it takes. */
export type ProblemMaker<F extends Folder> = <Code extends CodeOf<F>>(
  code: Code,
  span: Span,
  values: ValuesOf<F, Code>,
  related?: readonly RelatedSpan[],
) => ProblemsByCode<F>[Code];

/** The constructor for problems of the tables of these folders. */
export const problemsOf =
  <F extends Folder>(tables: { readonly [Code in CodeOf<F>]: Message<ValuesOf<F, Code>> }): ProblemMaker<F> =>
  (code, span, values, related) =>
    new CodedProblem(code, values, span, tables[code], related);

/** Takes problems as they are found. */
export type Report = (problem: Problem) => void;

/** An error as plain data: a thread that clones an error of a class loses all but its message. */
export interface TransferableError {
  readonly sphexError: 1;
  readonly problems: readonly TransferableProblem[];
}

/** A problem as plain data. */
export interface TransferableProblem {
  readonly code: string;
  readonly severity: Severity;
  readonly description: Description;
  readonly values: unknown;
  readonly span: Span;
  readonly related: readonly RelatedSpan[];
}

const transferable = ({
  code,
  severity,
  description,
  values,
  span,
  related,
}: Problem): TransferableProblem => ({
  ...{ code, severity, description, span, related },
  values: plain(values),
});

/** Values that can be cloned: what is of a class, such as a type, as its text. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "function" || typeof value === "symbol") return String(value);
  if (typeof value !== "object" || value === null) return value;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return isPlain
    ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
    : `${value}`;
}

/** Of so many problems the message of an error has a line. */
const mostLines = 1000;

/**
 * `program:3:14: type/unknown-dimension: there is no dimension y here`. What is wrong with a whole text, or with an argument, has no
 * place but what was found and wanted.
 */
function lineOf(problem: Problem): string {
  const { code, span } = problem;
  const { source, start, end } = span;
  if (end - start < source.text.length) {
    const { line, column } = problem.position;
    return `${source.name}:${line}:${column}: ${code}: ${problem.summary}`;
  }
  const { message, found, expected, hint } = problem.description;
  const parts = [message, found && `found ${found}`, expected && `wanted ${expected}`, hint];
  return `${code}: ${parts.filter((part) => part !== undefined).join("; ")}`;
}

/**
 * What every failure of the library throws. Its message has a line for each problem, but for those of very many: with the place, and
 * with the hint where there is one.
 */
export class SphexError extends Error {
  /** What messages and consoles call it: bundles give classes other names. */
  static override readonly name = "SphexError";
  override readonly name = "SphexError";
  declare readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options?: { readonly cause?: unknown }) {
    const lines = problems.slice(0, mostLines).map(lineOf);
    if (problems.length > mostLines) lines.push(`and ${problems.length - mostLines} more`);
    super(lines.join("\n"), options);
    // Of an error that nobody catches Node shows what can be enumerated, with the whole text of each source; the message says enough.
    Object.defineProperty(this, "problems", { value: problems });
  }

  /** Also one of another copy of the library; for a class that extends this one, only its own. */
  static override [Symbol.hasInstance](value: unknown): value is SphexError {
    // biome-ignore lint/complexity/noThisInStatic: the class that is asked about, which may extend this one
    return this === SphexError ? isBranded(value, errorBrand) : super[Symbol.hasInstance](value);
  }

  protected get brand(): string {
    return errorBrand;
  }

  /** What `console.log` of Node shows: the problems, too. */
  [Symbol.for("nodejs.util.inspect.custom")](
    _: number,
    options: object,
    inspect: (value: object, options: object) => string,
  ): string {
    return `${this.stack} ${inspect({ problems: this.problems }, options)}`;
  }

  /** As plain data with the whole texts, which `receiveError` makes an error of, in another thread. */
  toTransferable(): TransferableError {
    return { sphexError: 1, problems: this.problems.map(transferable) };
  }

  /** As plain data for logs. */
  toJSON(): { readonly name: string; readonly message: string; readonly problems: readonly object[] } {
    return { name: this.name, message: this.message, problems: this.problems.map((each) => each.toJSON()) };
  }
}
