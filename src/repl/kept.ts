import { canonicalName, Problem, parseProgram, type Source, type Span } from "../index.js";
import { parts } from "./lines.js";

/** The statements that a session keeps between lines, by the name that each defines. Immutable. */
export class Kept {
  constructor(private readonly statements: ReadonlyMap<string, string> = new Map()) {}

  has(name: string): boolean {
    return this.statements.has(name);
  }

  without(names: Iterable<string>): Kept {
    const statements = new Map(this.statements);
    for (const name of names) statements.delete(name);
    return new Kept(statements);
  }

  with(statements: ReadonlyMap<string, string>): Kept {
    return new Kept(new Map([...this.statements, ...statements]));
  }

  /** The program of what is kept and a new line behind it. */
  and(line: Source): Whole {
    const parts = [...this.statements.values()];
    return new Whole(parts, line);
  }
}

/** What a line defines, by name, or why it cannot be read. */
export interface Line {
  readonly problems: readonly Problem[];
  readonly defined: ReadonlyMap<string, string>;
  readonly expressions: number;
}

export function readLine(line: Source): Line {
  const { problems } = parseProgram(line);
  const statements = problems.length > 0 ? [] : parts(line.text).flatMap(read);
  const defined = new Map(statements.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));
  return { problems, defined, expressions: statements.filter(({ name }) => name === undefined).length };
}

/** A statement and the name that it defines, if any; nothing where there is only a comment. */
function read(text: string): { readonly text: string; readonly name?: string }[] {
  const [statement] = parseProgram({ name: "statement", text }).tree?.statements ?? [];
  if (statement === undefined || statement.kind === "result")
    return statement === undefined ? [] : [{ text }];
  const { start, end } = statement.name.span;
  return [{ text, name: canonicalName(text.slice(start, end)) }];
}

/** The text that is compiled for a line, and the way back from its places to those of the line. */
export class Whole {
  readonly text: string;
  /** Where each kept statement begins, and last the new line. */
  private readonly starts: readonly number[];

  constructor(
    private readonly kept: readonly string[],
    private readonly line: Source,
  ) {
    const starts = [0];
    for (const each of kept) starts.push((starts.at(-1) ?? 0) + each.length + ending.length);
    this.starts = starts;
    this.text = kept.map((each) => each + ending).join("") + line.text;
  }

  /** A problem as one of the new line; nothing where it is an old warning. */
  problem(problem: Problem): readonly Problem[] {
    const { code, values, severity } = problem;
    const span = this.place(problem.span);
    const places = problem.places.map((each) => ({ ...each, span: this.place(each.span) }));
    if (span.source.name !== earlier) return [new Problem(code, values, span, places, severity)];
    if (!problem.isError) return [];
    // A redefinition broke what was there before: it is the line's fault.
    const all = { source: this.line, start: 0, end: this.line.text.trimEnd().length };
    return [new Problem(code, values, all, [{ span, says: "needs it as it was" }, ...places], severity)];
  }

  private place(span: Span): Span {
    if (span.source.name !== this.line.name || span.source.text !== this.text) return span;
    const at = this.starts.findLastIndex((start) => start <= span.start);
    const start = this.starts[at] ?? 0;
    const kept = this.kept[at];
    const source = kept === undefined ? this.line : { name: earlier, text: kept };
    return { source, start: span.start - start, end: span.end - start };
  }
}

/** Ends a statement, whatever comment it ends with and whatever comes next. */
const ending = "\n;\n";
const earlier = "an earlier line";
