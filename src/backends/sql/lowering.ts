import { inputsOf, type Node, type NodeOf, type Table, visit } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import { completed } from "./blocks.js";
import type { LoweringContext, SqlScope } from "./context.js";
import type { SqlDialect } from "./dialect.js";
import { fromEach } from "./expressions/derivations.js";
import { column } from "./expressions/scalar-expression.js";
import { dimensionColumns } from "./joins.js";
import { problem } from "./messages.js";
import { ColumnNames } from "./names.js";
import { blocksOf, storedBlocks } from "./operations/arrays.js";
import { concat } from "./operations/concatenating.js";
import { join, merge } from "./operations/joining.js";
import { constant, generate, literal, map, parameter, storedCells } from "./operations/making.js";
import { firstOf, firstRanks, order, rankedPairs } from "./operations/ranking.js";
import { reduce } from "./operations/reducing.js";
import { cast, rename, scalar, select, slice } from "./operations/shaping.js";
import { filterSubspaces, mapSubspaces } from "./operations/subspaces.js";
import type { RelationQuery } from "./query.js";
import type { BlockRelation, KeyFrame, Relation } from "./relation.js";
import { refuse } from "./unsupported.js";

/** A common table expression of a statement. */
export interface CommonTable {
  readonly name: string;
  readonly query: RelationQuery;
  readonly type: TensorType;
  /** What it computes, or is a part of. */
  readonly node: Node;
  /** Whether it is a stage of an expression, whose columns are used more than once. */
  readonly isStage: boolean;
  /** Whether its text is that of somebody else, whose lines stay as they are. */
  readonly isVerbatim: boolean;
}

/** What stands for an input: a node, or a query for its cells, which names columns as it is told. */
export type InputRelation = { readonly node: Node } | InputQuery;

interface RowsQuery {
  readonly query: (names: ColumnNames) => RelationQuery;
  /** Whether somebody else wrote a part of it. */
  readonly isVerbatim?: boolean;
  /** Whether its numbers are cells of the type as they are. */
  readonly isStored?: boolean;
}

interface InputQuery extends RowsQuery {
  /** What tells its rows from those of other inputs, and the value of a row as they are read; absent where its rows are its own. */
  readonly sameRows?: { readonly key: string; readonly cell: string } | undefined;
  /** The rows with arrays, where the input has such and all of them are whole. */
  readonly blocks?: RowsQuery;
  /** Whether blocks may lack cells, which are 0 then. */
  readonly hasGaps?: boolean;
}

export interface LoweringOptions {
  readonly dialect: SqlDialect;
  /** What stands for an input; nothing where there is none. */
  readonly input: (name: string, type: TensorType) => InputRelation | undefined;
  /** Names of tables that a query of an input reads, which no common table expression may have. */
  readonly reserved?: readonly string[];
}

/** How each operation becomes a relation. */
const operations: Table<[run: LoweringContext, scope: SqlScope], Relation> = {
  constant: (node, run) => constant(run, node, node.value),
  input: (node, run) => run.input(node.name, node),
  parameter: (node, _, scope) => parameter(node, scope),
  random: ({ span }) => refuse(problem("sql/unsupported", span, { what: "random numbers" })),
  host: (node) =>
    refuse(problem("sql/unsupported", node.span, { what: `${node.function.name}, a function of the host` })),
  apply: (node, run, scope) => scalar(run, node, scope),
  select: (node, run, scope) => select(run, node, scope),
  map: (node, run, scope) => map(run, node, scope),
  reduce: (node, run, scope) => rankedPairs(run, node, scope) ?? reduce(run, node, scope),
  join: (node, run, scope) => firstOf(run, node, scope) ?? join(run, node, scope),
  merge: (node, run, scope) => merge(run, node, scope),
  rename: (node, run, scope) => rename(run, node, scope),
  concat: (node, run, scope) => concat(run, node, scope),
  generate: (node, run, scope) => generate(run, node, scope),
  slice: (node, run, scope) => slice(run, node, scope),
  literal: (node, run, scope) => literal(run, node, scope),
  cast: (node, run, scope) => cast(run, node, scope),
  order: (node, run, scope) => order(run, node, scope),
  mapSubspaces: (node, run, scope) => mapSubspaces(run, node, scope),
  filterSubspaces: (node, run, scope) => firstRanks(run, node, scope) ?? filterSubspaces(run, node, scope),
};

/** Core graphs as common table expressions, one or a few for each node, shared as the nodes are. */
export class StatementLowering implements LoweringContext {
  readonly dialect: SqlDialect;
  readonly names: ColumnNames;
  readonly tables: CommonTable[] = [];
  private readonly program: SqlScope = {
    level: 0,
    outer: undefined,
    binder: undefined,
    relations: new Map(),
    blocks: new Map(),
  };
  readonly pairs = new Map<string, Relation>();
  /** The inputs whose rows others may have, by what tells these. */
  private readonly sources = new Map<string, Relation>();
  private readonly inputs = new Map<string, Relation>();
  private readonly arrayInputs = new Map<string, BlockRelation | undefined>();
  private readonly counts = new Map<string, number>();
  private readonly reserved: ReadonlySet<string>;
  private frames = 0;

  constructor(
    roots: readonly Node[],
    private readonly options: LoweringOptions,
  ) {
    this.dialect = options.dialect;
    this.names = new ColumnNames(roots, options.dialect, [], ({ name, type }) => {
      const found = options.input(name, type);
      return found !== undefined && "node" in found ? found.node : undefined;
    });
    this.reserved = new Set(options.reserved?.map((name) => name.toLowerCase()));
  }

  /** The relation of a node of the program. What it is computed from comes first, so that long chains are no deep calls. */
  root(node: Node): Relation {
    const reached = new Set([node]);
    for (const each of reached) for (const input of visit(inputsOf, each)) reached.add(input);
    for (const each of [...reached].sort((a, b) => a.id - b.id))
      if (each.depends === 0 && !isWithinExpression(each)) {
        this.blocks(each, this.program);
        this.relation(each, this.program);
      }
    return this.relation(node, this.program);
  }

  relation(node: Node, scope: SqlScope): Relation {
    const own = scopeOf(node, scope);
    const cached = own.relations.get(node);
    if (cached !== undefined) return cached;
    const relation = visit(operations, node, this, own);
    own.relations.set(node, relation);
    return relation;
  }

  blocks(node: Node, scope: SqlScope): BlockRelation | undefined {
    if (this.dialect.arrays === undefined) return undefined;
    const own = scopeOf(node, scope);
    if (own.blocks.has(node)) return own.blocks.get(node);
    const found = blocksOf(this, node, own);
    own.blocks.set(node, found);
    return found;
  }

  input(name: string, node: Node): Relation {
    const cached = this.inputs.get(name);
    if (cached !== undefined) return cached;
    const found = this.options.input(name, node.type);
    if (found === undefined)
      return refuse(problem("sql/unbound-input", node.span, { name, type: node.type }));
    const relation = "node" in found ? this.relation(found.node, this.program) : this.rows(found, node);
    this.inputs.set(name, relation);
    return relation;
  }

  written(node: Node): NodeOf<"constant"> | undefined {
    if (node.op === "constant") return node;
    const found = node.op === "input" ? this.options.input(node.name, node.type) : undefined;
    return found !== undefined && "node" in found && found.node.op === "constant" ? found.node : undefined;
  }

  inputBlocks(name: string, node: Node): BlockRelation | undefined {
    if (this.arrayInputs.has(name)) return this.arrayInputs.get(name);
    const found = this.options.input(name, node.type);
    const blocks = found !== undefined && !("node" in found) ? found.blocks : undefined;
    const relation = blocks && this.arrays(blocks, node);
    this.arrayInputs.set(name, relation);
    return relation;
  }

  /** The rows of an input as blocks of its type. */
  private arrays(
    { query, isVerbatim = false, isStored = false }: RowsQuery,
    node: Node,
  ): BlockRelation | undefined {
    const name = this.tableName("input_blocks");
    const { type } = node;
    this.tables.push({ name, query: query(this.names), type, node, isStage: false, isVerbatim });
    const blocks: BlockRelation = { name, type, keys: [], hasBlocks: true };
    return isStored ? blocks : storedBlocks(this, node, blocks);
  }

  /** The rows of an input as cells of its type. */
  private rows(input: InputQuery, node: Node): Relation {
    const { query, hasGaps = false, isVerbatim = false, isStored = false, sameRows } = input;
    const raw =
      (sameRows && this.besides(sameRows, node)) ?? this.source(query(this.names), node, isVerbatim);
    if (sameRows !== undefined && !this.sources.has(sameRows.key)) this.sources.set(sameRows.key, raw);
    const cells = isStored ? raw : storedCells(this, node, raw);
    return hasGaps ? completed(this, cells, node, { hasGaps }) : cells;
  }

  private source(query: RelationQuery, node: Node, isVerbatim: boolean): Relation {
    const name = this.tableName("input");
    const { type } = node;
    this.tables.push({ name, query, type, node, isStage: false, isVerbatim });
    return { name, type, keys: [] };
  }

  /** The values of an input in the rows of another one, which has them in one more column then; nothing where there is no such. */
  private besides({ key, cell }: { key: string; cell: string }, node: Node): Relation | undefined {
    const base = this.sources.get(key);
    const at = this.tables.findIndex(({ name }) => name === base?.name);
    const table = this.tables[at];
    if (base === undefined || table === undefined || !("columns" in table.query)) return undefined;
    const own = this.names.fresh("value");
    const { query } = table;
    this.tables[at] = { ...table, query: { ...query, columns: [...query.columns, [cell, own]] } };
    const columns = [
      ...dimensionColumns(this, node.type.dimensions, "a"),
      [`a.${own}`, this.names.value] as const,
    ];
    const relation = this.emit("input", { columns, from: `${base.name} AS a` }, node.type, [], node);
    return { ...relation, derivation: fromEach(base)(column(`a.${own}`)) };
  }

  emit(
    kind: string,
    query: RelationQuery,
    type: TensorType,
    keys: readonly KeyFrame[],
    node: Node,
  ): Relation {
    const name = this.tableName(kind);
    this.tables.push({ name, query, type, node, isStage: kind.endsWith("_step"), isVerbatim: false });
    return { name, type, keys };
  }

  nextFrame(): number {
    return this.frames++;
  }

  private tableName(kind: string): string {
    let count = this.counts.get(kind) ?? 0;
    let name: string;
    do name = `${kind}_${++count}`;
    while (this.reserved.has(name));
    this.counts.set(kind, count);
    return name;
  }
}

/** The scope that a node's value belongs to: of the innermost binder whose parameters it depends on. */
function scopeOf(node: Node, scope: SqlScope): SqlScope {
  const level = 32 - Math.clz32(node.depends);
  let own = scope;
  while (own.outer !== undefined && own.level > level) own = own.outer;
  return own;
}

/** What becomes a part of the expression that uses it, and no relation of its own. */
const isWithinExpression = (node: Node): boolean =>
  node.type.isScalar && (node.op === "apply" || node.op === "select" || node.op === "constant");
