import type { Node } from "../../language/core/operations.js";
import type { TensorType } from "../../language/types/type.js";
import type { SqlDialect } from "./dialect.js";
import type { ColumnNames } from "./names.js";
import type { RelationQuery } from "./query.js";
import type { KeyFrame, Relation } from "./relation.js";

/** What the operations use of the lowering that they are a part of. */
export interface LoweringContext {
  readonly dialect: SqlDialect;
  readonly names: ColumnNames;
  /** The relation of a node. */
  relation(node: Node, scope: SqlScope): Relation;
  /** A common table expression. The node is what it computes, or is a part of. */
  emit(kind: string, query: RelationQuery, type: TensorType, keys: readonly KeyFrame[], node: Node): Relation;
  /** What stands for an input. */
  input(name: string, node: Node): Relation;
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
}

/** A lambda or a generator whose body is lowered: what its parameters are. */
export interface SqlBinder {
  /** The calls of the body. */
  readonly frame: () => KeyFrame;
  /** The values of a parameter, one for each call. */
  readonly parameter: (position: number) => Relation;
}

/** The scope of a lambda's body: it sees no parameters but its own. */
export function lambdaScope(scope: SqlScope, binder: SqlBinder): SqlScope {
  return { level: 1, outer: programScope(scope), binder, relations: new Map() };
}

export const generatorScope = (scope: SqlScope, level: number, binder: SqlBinder): SqlScope => ({
  level,
  outer: scope,
  binder,
  relations: new Map(),
});

export function programScope(scope: SqlScope): SqlScope {
  let outermost = scope;
  while (outermost.outer !== undefined) outermost = outermost.outer;
  return outermost;
}
