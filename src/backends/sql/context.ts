import type { Node, NodeOf } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import type { SqlDialect } from "./dialect.js";
import type { ColumnNames } from "./names.js";
import type { RelationQuery } from "./query.js";
import type { BlockRelation, KeyFrame, Relation } from "./relation.js";

/** What the operations use of the lowering that they are a part of. */
export interface LoweringContext {
  readonly dialect: SqlDialect;
  readonly names: ColumnNames;
  /** The relation of a node. */
  relation(node: Node, scope: SqlScope): Relation;
  /** The relation of a node with arrays for its blocks; nothing where it is computed cell by cell. */
  blocks(node: Node, scope: SqlScope): BlockRelation | undefined;
  /** A common table expression. The node is what it computes, or is a part of. */
  emit(kind: string, query: RelationQuery, type: TensorType, keys: readonly KeyFrame[], node: Node): Relation;
  /** What stands for an input. */
  input(name: string, node: Node): Relation;
  /** The tensor that a node is, where it is written in the statement. */
  written(node: Node): NodeOf<"constant"> | undefined;
  /** What stands for an input whose rows have arrays. */
  inputBlocks(name: string, node: Node): BlockRelation | undefined;
  /** The pairs of rows of two relations that have been joined, by their names. */
  readonly pairs: Map<string, Relation>;
  /** A number that no other frame has. */
  nextFrame(): number;
}

/** What is around a node: of the whole program, or within one more lambda or generator. */
export interface SqlScope {
  /** 0 for the whole program; a binder's level for what depends on its parameters. */
  readonly level: number;
  readonly outer: SqlScope | undefined;
  readonly binder: SqlBinder | undefined;
  /** The relations of the nodes that depend on this level, and on none within. */
  readonly relations: Map<Node, Relation>;
  /** The same with arrays for blocks; nothing for a node that has none. */
  readonly blocks: Map<Node, BlockRelation | undefined>;
}

/** A lambda or a generator whose body is lowered: what its parameters are. */
export interface SqlBinder {
  /** The values of a parameter, one for each call. */
  readonly parameter: (position: number) => Relation;
  /** The blocks of a parameter as arrays; absent where it has none. */
  readonly blocks?: (position: number) => BlockRelation | undefined;
}

/** The scope of a lambda's body: it sees no parameters but its own. */
export function lambdaScope(scope: SqlScope, binder: SqlBinder): SqlScope {
  return { level: 1, outer: programScope(scope), binder, relations: new Map(), blocks: new Map() };
}

export const generatorScope = (scope: SqlScope, level: number, binder: SqlBinder): SqlScope => ({
  level,
  outer: scope,
  binder,
  relations: new Map(),
  blocks: new Map(),
});

/** What binds the parameters of a level, from within its body. */
export function binderOf(scope: SqlScope, level: number): SqlBinder | undefined {
  let around: SqlScope | undefined = scope;
  while (around !== undefined && around.level !== level) around = around.outer;
  return around?.binder;
}

function programScope(scope: SqlScope): SqlScope {
  let outermost = scope;
  while (outermost.outer !== undefined) outermost = outermost.outer;
  return outermost;
}
