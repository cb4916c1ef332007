import type { InputRelation } from "../backends/sql/lowering.js";
import { ColumnNames } from "../backends/sql/names.js";
import { type ResultColumns, tensorOfColumns } from "../backends/sql/reading.js";
import { type SqlStatement, statementOf } from "../backends/sql/statement.js";
import { Graph } from "../language/core/graph.js";
import type { Node } from "../language/core/operations.js";
import { SphexError } from "../language/source/problem.js";
import { element } from "../language/values/element.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { CoreProgram, ExternalEngine } from "../program/external.js";
import { type Bindings, isTable } from "./bindings.js";
import type { SqlConnection, SqlEngine } from "./driver.js";
import { inputCheck } from "./input-checks.js";
import { bindingProblems, type InputTable, inputQuery, refuseUnknown, tableNames } from "./input-table.js";
import { problem } from "./messages.js";
import { Session } from "./session.js";

export interface EngineRunOptions {
  /** Stops the query on the engine, too. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the query is stopped. */
  readonly timeout?: number | undefined;
}

export interface SqlOptions {
  /** Of several results one, by position; the last by default. */
  readonly result?: number;
  /** Whether each part is commented with the expression that it computes; it is unless this is false. */
  readonly comments?: boolean;
}

/** Where results go that are not read: a file of the engine, or a table. */
export type Target = { readonly file: string } | { readonly table: string };

/** A program whose inputs are bound to what an engine has. */
export class BoundProgram {
  private readonly tables: ReadonlyMap<string, InputTable>;
  private readonly nodes: ReadonlyMap<string, Node>;

  constructor(
    private readonly engine: SqlEngine,
    private readonly program: CoreProgram,
    bindings: Bindings,
  ) {
    const { dialect } = engine;
    const entries = Object.entries(bindings).map(
      ([name, each]) => [program.canonicalName(name), each] as const,
    );
    refuseUnknown(
      entries.map(([name]) => name),
      [...program.inputs.keys()],
    );
    const tables = new Map<string, InputTable>();
    const nodes = new Map<string, Node>();
    const graph = new Graph();
    for (const [name, binding] of entries) {
      const type = program.inputs.get(name);
      if (type === undefined) continue; // refused above
      if (isTable(binding)) tables.set(name, { name, type, binding, dialect });
      else nodes.set(name, graph.constant(program.tensorOf(name, binding.tensor), program.span));
    }
    const problems = [...tables.values()].flatMap(bindingProblems);
    if (problems.length > 0) throw new SphexError(problems);
    this.tables = tables;
    this.nodes = nodes;
  }

  /** The statement that computes a result, with comments that name the expressions. */
  sql({ result, comments }: SqlOptions = {}): string {
    const { preparation, text } = this.statement(result, { hasComments: comments !== false });
    return [...preparation, text].join(";\n\n");
  }

  /** The last result. @throws SphexError where rows are not as their binding says, or the engine fails. */
  async run(options: EngineRunOptions = {}): Promise<Tensor> {
    const results = await this.runAll(options);
    return element(results, results.length - 1);
  }

  /** All results, computed one after the other on one connection. */
  async runAll(options: EngineRunOptions = {}): Promise<readonly Tensor[]> {
    return await this.connected(options, async (session) => {
      await this.checkInputs(session);
      const results: Tensor[] = [];
      for (const at of this.program.roots.keys()) results.push(await this.result(session, at));
      return results;
    });
  }

  /** What the engine says that it will do for a result. */
  async explain(options: EngineRunOptions & SqlOptions = {}): Promise<string> {
    const { preparation, text } = this.statement(options.result, { hasComments: false });
    const answer = await this.connected(options, async (session) => {
      for (const each of preparation) await session.query(each);
      return await session.query(`EXPLAIN ${text}`);
    });
    return element(answer, answer.length - 1)
      .map((line) => `${line}`)
      .join("\n");
  }

  /** Writes a result to a table or a file of the engine, instead of reading it. */
  async materialize(target: Target, options: EngineRunOptions & SqlOptions = {}): Promise<void> {
    const statements = this.writing(
      target,
      this.statement(options.result, { hasComments: false, isOrdered: false }),
    );
    await this.connected(options, async (session) => {
      await this.checkInputs(session);
      for (const text of statements) await session.query(text);
    });
  }

  private writing(target: Target, { text, preparation }: SqlStatement): readonly string[] {
    const { dialect } = this.engine;
    if ("table" in target) return [...preparation, ...dialect.writeTable(text, target.table)];
    const { file } = target;
    const format = file.endsWith(".csv") ? "csv" : file.endsWith(".parquet") ? "parquet" : undefined;
    if (format !== undefined && dialect.writeFile !== undefined)
      return [...preparation, dialect.writeFile(text, file, format)];
    const expected =
      dialect.writeFile === undefined ? "table:NAME" : "table:NAME, or a file that ends in .parquet or .csv";
    throw new SphexError([problem("engine/target", spanOfText("target", file), { target: file, expected })]);
  }

  private async result(session: Session, at: number): Promise<Tensor> {
    const { cells = Number.POSITIVE_INFINITY } = this.program.limits;
    const { node, span } = this.root(at);
    const limit = Number.isFinite(cells) ? cells + 1 : undefined;
    const { text, preparation } = this.statement(at, {
      hasComments: false,
      ...(limit === undefined ? {} : { limit }),
    });
    for (const each of preparation) await session.query(each);
    const columns = await session.query(text);
    const { length } = columns.at(-1) ?? [];
    if (length > cells) throw new SphexError([problem("limit/cells", span, { cells: length, limit: cells })]);
    return this.tensor(node, columns);
  }

  private tensor(node: Node, columns: ResultColumns): Tensor {
    return tensorOfColumns(node.type, columns);
  }

  private async checkInputs(session: Session): Promise<void> {
    const names = new ColumnNames(
      this.program.roots.map(({ node }) => node),
      this.engine.dialect,
      [...this.tables.values()].map(({ type }) => type),
    );
    for (const table of this.tables.values()) {
      const check = inputCheck(table, names);
      if (check === undefined) continue;
      const problems = check.problems(await session.query(check.text));
      if (problems.length > 0) throw new SphexError(problems);
    }
  }

  private root(at = this.program.roots.length - 1): CoreProgram["roots"][number] {
    return element(this.program.roots, at);
  }

  private statement(
    result: number | undefined,
    options: { readonly hasComments: boolean; readonly isOrdered?: boolean; readonly limit?: number },
  ): SqlStatement {
    const reserved = [...this.tables.values()].flatMap(({ binding }) => tableNames(binding));
    return statementOf(this.root(result).node, {
      dialect: this.engine.dialect,
      isOrdered: true,
      reserved,
      input: (name) => this.input(name),
      ...options,
    });
  }

  private input(name: string): InputRelation | undefined {
    const table = this.tables.get(name);
    if (table !== undefined)
      return {
        query: (names) => inputQuery(table, names),
        isVerbatim: "query" in table.binding.source,
        hasGaps: table.binding.missing === "zero",
      };
    const node = this.nodes.get(name) ?? this.program.defaultOf(name);
    return node && { node };
  }

  private async connected<T>(options: EngineRunOptions, use: (session: Session) => Promise<T>): Promise<T> {
    return await Session.with(this.engine, this.program.span, options, use);
  }
}

export type { SqlConnection };

/** An engine that programs are run on: `program.on(onEngine(duckdb()), bindings)`. */
export const onEngine = (engine: SqlEngine): ExternalEngine<Bindings, BoundProgram> => ({
  bind: (program, bindings) => new BoundProgram(engine, program, bindings),
});
