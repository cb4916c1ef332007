import type { Source, Span } from "../../index.js";
import { commentsIn } from "../../service/service.js";

/** The comments at a definition: the lines above it, and the one behind it. */
interface Remark {
  readonly above: readonly string[];
  readonly behind: string | undefined;
}

/** A statement of a line, with the name that it defines, if it defines one. */
export interface LineStatement {
  readonly span: Span;
  readonly name: string | undefined;
}

/** The comments of a session that stand outside of its statements. Immutable. */
export class Remarks {
  constructor(
    private readonly ofNames: ReadonlyMap<string, Remark> = new Map(),
    /** Those that the next statement may have. */
    readonly open: readonly string[] = [],
  ) {}

  /** The text of a definition with its comments. */
  around(name: string, text: string): string {
    const { above = [], behind } = this.ofNames.get(name) ?? {};
    return [...above, behind === undefined ? text : `${text} ${behind}`].join("\n");
  }

  without(names: Iterable<string>): Remarks {
    const left = new Map(this.ofNames);
    for (const name of names) left.delete(name);
    return new Remarks(left, this.open);
  }

  /** With those of a line. What stood above a name stays there until the line has something else for it. */
  with(line: Source, statements: readonly LineStatement[]): Remarks {
    const found = remarksIn(line, statements, this.open);
    const ofNames = new Map(this.ofNames);
    for (const [at, { name }] of statements.entries()) {
      const { above = [], behind } = found.ofStatements[at] ?? {};
      if (name === undefined) continue;
      ofNames.set(name, { above: above.length > 0 ? above : (ofNames.get(name)?.above ?? []), behind });
    }
    return new Remarks(ofNames, found.open);
  }
}

/** The remarks of a statement, as they are found. */
interface StatementRemarks {
  readonly above: string[];
  behind: string | undefined;
}

/** The remarks of each statement of a line, and those behind all of them, which are about what the next line has. */
function remarksIn(line: Source, statements: readonly LineStatement[], before: readonly string[]) {
  const ofStatements = statements.map((): StatementRemarks => ({ above: [], behind: undefined }));
  const open: string[] = [];
  for (const each of before) (ofStatements[0]?.above ?? open).push(each);
  for (const { text, span } of commentsIn(line)) {
    const next = statements.findIndex((each) => each.span.end > span.start);
    const at = next < 0 ? statements.length : next;
    if ((statements[at]?.span.start ?? span.start) < span.start) continue; // it is within the statement
    const [last, comment] = [ofStatements[at - 1], text.trimEnd()];
    const isBehind = !line.text.slice(statements[at - 1]?.span.end ?? 0, span.start).includes("\n");
    if (last !== undefined && isBehind) last.behind = comment;
    else (ofStatements[at]?.above ?? open).push(comment);
  }
  return { ofStatements, open };
}
