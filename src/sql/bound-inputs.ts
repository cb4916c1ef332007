import type { SqlDialect } from "../backends/sql/dialect.js";
import type { InputRelation } from "../backends/sql/lowering.js";
import { ColumnNames } from "../backends/sql/names.js";
import { type SqlStatement, statementOf } from "../backends/sql/statements/statement.js";
import { Graph } from "../language/core/graph.js";
import type { Node } from "../language/core/operations.js";
import { SphexError } from "../language/source/problem.js";
import type { CoreProgram } from "../program/external.js";
import { type Bindings, checkBindings, isTable } from "./bindings.js";
import { columnNamesCheck } from "./column-names.js";
import { columnTypesCheck } from "./column-types.js";
import { inputCheck } from "./input-checks.js";
import {
  bindingProblems,
  blocksQuery,
  hasLinesInNames,
  hasWholeBlocks,
  type InputTable,
  inputQuery,
  refuseUnknown,
  sameRows,
  tableNames,
} from "./input-table.js";
import type { Session } from "./session.js";

/** How a statement is written. */
export interface WritingOptions {
  readonly hasComments: boolean;
  readonly isOrdered?: boolean;
  readonly limit?: number;
}

/** The inputs of a program with what is bound to them: what statements in a dialect are made of. */
export class BoundInputs {
  /** The inputs that are tables. */
  readonly tables: ReadonlyMap<string, InputTable>;
  private readonly nodes: ReadonlyMap<string, Node>;

  /** @throws SphexError where the bindings do not fit. */
  constructor(
    private readonly program: CoreProgram,
    private readonly dialect: SqlDialect,
    bindings: Bindings,
  ) {
    checkBindings(bindings);
    const named = program.byCanonicalName(bindings);
    refuseUnknown([...named.keys()], [...program.inputs.keys()]);
    const tables = new Map<string, InputTable>();
    const nodes = new Map<string, Node>();
    const graph = new Graph();
    for (const [name, binding] of named) {
      const type = program.inputs.get(name);
      if (type === undefined) continue; // refused above
      if (isTable(binding))
        tables.set(name, { name, type, axes: program.axisOrder(name).indexed, binding, dialect });
      else nodes.set(name, graph.constant(program.tensorOf(name, binding.tensor), program.span));
    }
    const problems = [...tables.values()].flatMap(bindingProblems);
    if (problems.length > 0) throw new SphexError(problems);
    this.tables = tables;
    this.nodes = nodes;
  }

  /** The statement for the cells of a node. */
  statement(node: Node, options: WritingOptions): SqlStatement {
    const reserved = [...this.tables.values()].flatMap(({ binding }) => tableNames(binding));
    return statementOf(node, {
      dialect: this.dialect,
      isOrdered: true,
      reserved,
      input: (name) => this.input(name),
      ...options,
    });
  }

  /** What stands for an input that is no table: a value, or its default; nothing where there is none. */
  value(name: string): Node | undefined {
    return this.nodes.get(name) ?? this.program.defaultOf(name);
  }

  /** Looks whether the rows of all tables are cells. @throws SphexError where they are not. */
  async check(session: Session): Promise<void> {
    const roots = this.program.roots.map(({ node }) => node);
    const types = [...this.tables.values()].map(({ type }) => type);
    const names = new ColumnNames(roots, this.dialect, types);
    for (const table of this.tables.values())
      for (const check of [columnNamesCheck(table), columnTypesCheck(table), inputCheck(table, names)]) {
        if (check === undefined) continue;
        const problems = check.problems(await session.query(check.text, `checks the rows of ${table.name}`));
        if (problems.length > 0) throw new SphexError(problems);
      }
  }

  private input(name: string): InputRelation | undefined {
    const table = this.tables.get(name);
    if (table !== undefined) {
      const { source, missing, isTrusted = false } = table.binding;
      const isVerbatim = "query" in source || hasLinesInNames(table.binding);
      const written = { isVerbatim, isStored: isTrusted };
      return {
        ...written,
        query: (names) => inputQuery(table, names),
        hasGaps: missing === "zero",
        sameRows: sameRows(table),
        ...(hasWholeBlocks(table) && {
          blocks: { ...written, query: (names) => blocksQuery(table, names) },
        }),
      };
    }
    const node = this.value(name);
    return node && { node };
  }
}
