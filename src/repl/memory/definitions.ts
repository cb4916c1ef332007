import { canonicalName, type Problem, parseProgram, type Source, type Span } from "../../index.js";
import {
  type IsValue,
  isName,
  last,
  mentionsValue,
  type Renaming,
  renamed,
  renamingsIn,
  withNames,
} from "./last-result.js";
import { type LineStatement, Remarks } from "./remarks.js";

/** The statements that define names in a session, by name. Immutable. */
export class Definitions {
  constructor(
    private readonly statements: ReadonlyMap<string, string> = new Map(),
    /** The comments outside of the statements. */
    readonly remarks = new Remarks(),
  ) {}

  has(name: string): boolean {
    return this.statements.has(name);
  }

  get names(): readonly string[] {
    return [...this.statements.keys()];
  }

  /** The statements by name, in the order of their names' first definitions. */
  get texts(): readonly (readonly [name: string, text: string])[] {
    return [...this.statements];
  }

  /** The statements that define functions. */
  get functions(): ReadonlyMap<string, string> {
    return new Map(
      this.texts.filter(([name, text]) => /^\w+$/.test(name) && new RegExp(`^${name}\\s*\\(`).test(text)),
    );
  }

  /** Whether a name is that of a value with a formula: no function, and no declaration. */
  isFormula(name: string): boolean {
    const text = this.statements.get(name);
    return text?.startsWith(name) === true && text.slice(name.length).trimStart().startsWith("=");
  }

  without(names: Iterable<string>): Definitions {
    const statements = new Map(this.statements);
    for (const name of names) statements.delete(name);
    return new Definitions(statements, this.remarks.without(names));
  }

  with(statements: ReadonlyMap<string, string>, remarks: Remarks): Definitions {
    return new Definitions(new Map([...this.statements, ...statements]), remarks);
  }

  /** The program of the definitions followed by a new line, which may redefine names. */
  followedBy(line: Source, redefines = false, renamings: readonly Renaming[] = []): LineProgram {
    const parts = [...this.statements.values()];
    return new LineProgram(parts, line, redefines, renamings);
  }
}

/** The statements of a line by the names that they define, or its problems. */
export interface ParsedLine {
  readonly problems: readonly Problem[];
  readonly defined: ReadonlyMap<string, string>;
  readonly statements: readonly LineStatement[];
  readonly expressions: number;
  /** The names among the expressions, which stand there alone, by their positions. */
  readonly names: ReadonlyMap<number, string>;
  /** The names whose definitions read what they define: `total = total + 1`. */
  readonly renewed: readonly string[];
  /** The words of statements that only runs of a program heed, and steps of training. */
  readonly unheeded: readonly string[];
  /** Where other names than those of the line stand in what is compiled. */
  readonly renamings: readonly Renaming[];
}

/** `others` has other names for the last result, which is `_` in the line itself, and for values that are defined anew. */
export function readLine(
  line: Source,
  valuesIn: (body: Span) => IsValue = () => () => true,
  others: ReadonlyMap<string, string> = new Map(),
): ParsedLine {
  const { problems, tree } = parseProgram(line);
  const statements = problems.length > 0 ? [] : (tree?.statements ?? []);
  const nameOf = (each: (typeof statements)[number]): string | undefined =>
    each.kind === "declaration" || each.kind === "definition" || each.kind === "model"
      ? canonicalName(textOf(each.name.span))
      : undefined;
  const defined = statements.flatMap((each): [string, string][] => {
    const name = nameOf(each);
    if (name === undefined) return [];
    const isValue = each.kind === "definition" ? valuesIn(each.body.span) : undefined;
    return [[name, withNames(each, own(others, name), isValue)]];
  });
  const results = statements.flatMap((each) => (each.kind === "result" ? [each.expression] : []));
  return {
    problems,
    defined: new Map(defined),
    statements: statements.map((each) => ({ name: nameOf(each), span: each.span })),
    expressions: results.length,
    names: new Map(results.flatMap((each, at) => (isName(each) ? [[at, each.name.text]] : []))),
    renewed: statements.flatMap((each) =>
      each.kind === "definition" &&
      each.parameters === undefined &&
      mentionsValue(each.body, each.name.text, valuesIn(each.body.span))
        ? [each.name.text]
        : [],
    ),
    unheeded: statements.flatMap((each) =>
      each.kind === "assignment" ? [each.action] : each.kind === "objective" ? ["minimise"] : [],
    ),
    // What the last result is called, the line knows.
    renamings: statements.flatMap((each) =>
      each.kind === "definition"
        ? renamingsIn(each, own(others, each.name.text, false), valuesIn(each.body.span))
        : [],
    ),
  };
}

/** What a definition may have other names for: the last result, and what it defines itself. */
function own(others: ReadonlyMap<string, string>, name: string, ofLast = true): ReadonlyMap<string, string> {
  return new Map([...others].filter(([each]) => each === name || (ofLast && each === last)));
}

/** The statements of a text that end before an offset. */
export function statementsBefore(source: Source, offset: number): string {
  const { tree } = parseProgram(source);
  const ends = (tree?.statements ?? []).flatMap(({ span }) => (span.end <= offset ? [span.end] : []));
  return source.text.slice(0, ends.at(-1) ?? 0);
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** The program that is compiled for a line; maps its spans back to the line. */
export class LineProgram {
  readonly text: string;
  /** The line as it is compiled. */
  readonly lineText: string;
  /** The name of the new line in messages. */
  readonly name: string;
  /** The offsets of the statements, and last of the new line. */
  private readonly starts: readonly number[];

  constructor(
    private readonly statements: readonly string[],
    readonly line: Source,
    private readonly redefines: boolean,
    private readonly renamings: readonly Renaming[] = [],
  ) {
    let start = 0;
    const starts = [start];
    for (const each of statements) {
      start += each.length + ending.length;
      starts.push(start);
    }
    this.starts = starts;
    this.name = line.name;
    this.lineText = renamed(line.text, 0, line.text.length, renamings);
    this.text = statements.map((each) => each + ending).join("") + this.lineText;
  }

  /** A problem with its span in the new line; none for the warning of an earlier statement. */
  problem(problem: Problem): readonly Problem[] {
    const moved = problem.moved((span) => this.spanInLine(span));
    const { span, related } = moved;
    if (span.source.name !== earlier) return [moved];
    if (!problem.isError) return [];
    // A redefinition broke an earlier statement, or the line needs a value that is missing: it is the line's fault.
    const all = { source: this.line, start: 0, end: this.line.text.trimEnd().length };
    return [moved.at(all, [{ span, label: this.reason(problem) }, ...related])];
  }

  private reason({ code, span }: Problem): string {
    if (this.redefines) return "needs it as it was";
    return code === "input/missing" ? `has no value yet: .set ${textOf(span)} = …` : "this is what it needs";
  }

  private spanInLine(span: Span): Span {
    if (span.source.name !== this.line.name || span.source.text !== this.text) return span;
    const at = this.starts.findLastIndex((start) => start <= span.start);
    const start = this.starts[at] ?? 0;
    const statement = this.statements[at];
    const source = statement === undefined ? this.line : { name: earlier, text: statement };
    if (statement !== undefined) return { source, start: span.start - start, end: span.end - start };
    return { source, start: this.offsetInLine(span.start - start), end: this.offsetInLine(span.end - start) };
  }

  /** Where the line has what the compiled line has at an offset. */
  private offsetInLine(offset: number): number {
    let at = offset;
    for (const { span, other } of this.renamings) {
      if (span.start >= at) break;
      at = Math.max(span.start, at - other.length + (span.end - span.start));
    }
    return at;
  }
}

/** Ends a statement, whatever comment it ends with and whatever comes next. */
const ending = "\n;\n";
const earlier = "an earlier line";
