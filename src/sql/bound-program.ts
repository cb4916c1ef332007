import { tensorOfColumns } from "../backends/sql/rows/reading.js";
import { allStatements, type SqlStatement } from "../backends/sql/statements/statement.js";
import type { Node } from "../language/core/operations.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { element } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { CoreProgram, ExternalEngine } from "../program/external.js";
import type { Bindings } from "./bindings.js";
import { BoundInputs, type WritingOptions } from "./bound-inputs.js";
import type { SqlEngine } from "./driver.js";
import { problem } from "./messages.js";
import {
  checkEngineOptions,
  type EngineRunOptions,
  type ExplainOnOptions,
  type SqlOptions,
  selectedRoot,
} from "./run-options.js";
import { Session } from "./session.js";

/** Where results go that are not read: a file of the engine, or a table. */
export type Target = { readonly file: string } | { readonly table: string };

/** A program whose inputs are bound to what an engine has. */
export class BoundProgram {
  private readonly inputs: BoundInputs;

  constructor(
    private readonly engine: SqlEngine,
    private readonly program: CoreProgram,
    bindings: Bindings,
  ) {
    this.inputs = new BoundInputs(program, engine.dialect, bindings);
  }

  /** The statements that compute a result, with comments that name the expressions. */
  sql(options: SqlOptions = {}): string {
    checkEngineOptions("sql", options);
    const { comments = true, ordered = true } = options;
    return allStatements([this.statement(options, { hasComments: comments, isOrdered: ordered })]).join(
      ";\n\n",
    );
  }

  /** The last result. @throws SphexError where rows are not as their binding says, or the engine fails. */
  async run(options: EngineRunOptions = {}): Promise<Tensor> {
    const results = await this.runAll(options);
    return element(results, results.length - 1);
  }

  /** All results, computed one after the other on one connection. */
  async runAll(options: EngineRunOptions = {}): Promise<readonly Tensor[]> {
    checkEngineOptions("runAll", options);
    return await this.connected(options, async (session) => {
      await this.inputs.check(session);
      const results: Tensor[] = [];
      const { roots, limits } = this.program;
      for (const [at, { node, span }] of roots.entries()) {
        const stage = roots.length > 1 ? `computes result ${at + 1} of ${roots.length}` : "computes";
        results.push(await fetched(session, this.inputs, { node, span, stage }, limits.cells));
      }
      return results;
    });
  }

  /** What the engine says that it will do for a result, and with how many rows; and what it did, where that is asked for. */
  async explain(options: ExplainOnOptions = {}): Promise<string> {
    checkEngineOptions("explain", options);
    const statement = this.statement(options, { hasComments: false });
    return await this.connected(
      options,
      async (session) => await explained(session, this.engine, statement, options),
    );
  }

  /** Writes a result to a table or a file of the engine, instead of reading it. */
  async materialize(target: Target, options: EngineRunOptions & SqlOptions = {}): Promise<void> {
    checkEngineOptions("materialize", options);
    const statements = this.writing(
      target,
      this.statement(options, { hasComments: false, isOrdered: false }),
    );
    await this.connected(options, async (session) => {
      await this.inputs.check(session);
      await written(session, this.engine, statements, async () => {});
    });
  }

  private writing(target: Target, { text, preparation }: SqlStatement): readonly string[] {
    return [...preparation, ...writingStatements(text, target, this.engine)];
  }

  private statement(selection: SqlOptions, options: WritingOptions): SqlStatement {
    return this.inputs.statement(selectedRoot(this.program, selection).node, options);
  }

  private async connected<T>(options: EngineRunOptions, use: (session: Session) => Promise<T>): Promise<T> {
    return await Session.with(this.engine, this.program.span, options, use);
  }
}

/** The plan of a statement, in the engine's own words. */
export async function explained(
  session: Session,
  { dialect }: SqlEngine,
  { preparation, text }: SqlStatement,
  { run = false }: ExplainOnOptions,
): Promise<string> {
  for (const each of preparation) await session.query(each);
  const { analyze } = dialect;
  const plans: string[] = [];
  for (const prefix of run && analyze !== undefined ? ["EXPLAIN", analyze] : ["EXPLAIN"]) {
    const lines = await session.query(`${prefix} ${text}`, "explains");
    plans.push(
      element(lines, lines.length - 1)
        .map((line) => session.shown(`${line}`))
        .join("\n"),
    );
  }
  if (run && analyze === undefined) plans.push(`${dialect.title} does not tell the rows that there were.`);
  return plans.join("\n\n");
}

/** The statements that write the rows of another. @throws SphexError where the engine has no such target. */
export function writingStatements(text: string, target: Target, { dialect }: SqlEngine): readonly string[] {
  if ("table" in target) return dialect.writeTable(text, target.table);
  const { file } = target;
  const format = file.endsWith(".csv") ? "csv" : file.endsWith(".parquet") ? "parquet" : undefined;
  if (format !== undefined && dialect.writeFile !== undefined) return [dialect.writeFile(text, file, format)];
  const expected =
    dialect.writeFile === undefined ? "table:NAME" : "table:NAME, or a file that ends in .parquet or .csv";
  throw new SphexError([problem("engine/target", spanOfText("target", file), { target: file, expected })]);
}

/**
 * Runs statements so that all of them are done or none: where one fails, or the connection is lost before others agree, the
 * engine forgets them.
 */
export async function written(
  session: Session,
  { dialect }: SqlEngine,
  statements: readonly string[],
  agreed: () => Promise<void>,
): Promise<void> {
  const { transaction } = dialect;
  if (transaction !== undefined) await session.query(transaction.begin);
  for (const text of statements) await session.query(text, "writes the result");
  await agreed();
  if (transaction !== undefined) await session.query(transaction.commit);
}

/** A node whose value is read. */
export interface FetchedNode {
  readonly node: Node;
  readonly span: Span;
  /** What whoever listens is told meanwhile. */
  readonly stage: string;
}

/** The value of a node, unless it has more cells than are allowed: no more than that is read. */
export async function fetched(
  session: Session,
  inputs: BoundInputs,
  { node, span, stage }: FetchedNode,
  cells = Number.POSITIVE_INFINITY,
): Promise<Tensor> {
  const limit = Number.isFinite(cells) ? { limit: cells + 1 } : {};
  const { text, preparation } = inputs.statement(node, {
    hasComments: false,
    // A tensor has its own order.
    isOrdered: false,
    ...limit,
  });
  for (const each of preparation) await session.query(each);
  const columns = await session.query(text, stage);
  const { length } = columns.at(-1) ?? [];
  if (length > cells)
    throw new SphexError([problem("limit/cells", span, { cells: length, limit: cells, isLeast: true })]);
  // As a number it would be 0.
  if (columns.at(-1)?.includes(null) === true)
    throw new SphexError([problem("sql/null", span, { type: node.type })]);
  return tensorOfColumns(node.type, columns);
}

/** An engine that programs are run on: `program.on(onEngine(duckdb()), bindings)`. */
export const onEngine = (engine: SqlEngine): ExternalEngine<Bindings, BoundProgram> => ({
  bind: (program, bindings) => new BoundProgram(engine, program, bindings),
});
