import { canonicalName, type Problem, parseProgram, type Source, type Span } from "../index.js";
import { withLast } from "./last-result.js";

/** The statements that define names in a session, by name. Immutable. */
export class Definitions {
  constructor(private readonly statements: ReadonlyMap<string, string> = new Map()) {}

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

  without(names: Iterable<string>): Definitions {
    const statements = new Map(this.statements);
    for (const name of names) statements.delete(name);
    return new Definitions(statements);
  }

  with(statements: ReadonlyMap<string, string>): Definitions {
    return new Definitions(new Map([...this.statements, ...statements]));
  }

  /** The program of the definitions followed by a new line, which may redefine names. */
  followedBy(line: Source, redefines = false): LineProgram {
    const parts = [...this.statements.values()];
    return new LineProgram(parts, line, redefines);
  }
}

/** The statements of a line by the names that they define, or its problems. */
export interface ParsedLine {
  readonly problems: readonly Problem[];
  readonly defined: ReadonlyMap<string, string>;
  readonly expressions: number;
}

/** `earlier` is the name of the last result in definitions, which is `_` in the line itself. */
export function readLine(line: Source, earlier?: string): ParsedLine {
  const { problems, tree } = parseProgram(line);
  const statements = problems.length > 0 ? [] : (tree?.statements ?? []);
  const defined = statements.flatMap((each): [string, string][] => {
    if (each.kind !== "declaration" && each.kind !== "definition") return [];
    const { start, end } = each.name.span;
    const text = earlier === undefined ? textOf(each.span) : withLast(each, earlier);
    return [[canonicalName(line.text.slice(start, end)), text]];
  });
  return {
    problems,
    defined: new Map(defined),
    expressions: statements.filter(({ kind }) => kind === "result").length,
  };
}

const textOf = ({ source, start, end }: Span): string => source.text.slice(start, end);

/** The program that is compiled for a line; maps its spans back to the line. */
export class LineProgram {
  readonly text: string;
  /** The name of the new line in messages. */
  readonly name: string;
  /** The offsets of the statements, and last of the new line. */
  private readonly starts: readonly number[];

  constructor(
    private readonly statements: readonly string[],
    private readonly line: Source,
    private readonly redefines: boolean,
  ) {
    const starts = [0];
    for (const each of statements) starts.push((starts.at(-1) ?? 0) + each.length + ending.length);
    this.starts = starts;
    this.name = line.name;
    this.text = statements.map((each) => each + ending).join("") + line.text;
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
    return { source, start: span.start - start, end: span.end - start };
  }
}

/** Ends a statement, whatever comment it ends with and whatever comes next. */
const ending = "\n;\n";
const earlier = "an earlier line";
