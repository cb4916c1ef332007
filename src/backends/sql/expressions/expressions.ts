import type { Node } from "../../../language/core/operations.js";
import type { CellType } from "../../../language/types/cell.js";
import { TensorType } from "../../../language/types/type.js";
import { indexIn } from "../../../language/values/address.js";
import { entry } from "../../../language/values/element.js";
import { domain } from "../blocks.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { addKeyTexts, joinText, onKeys } from "../joins.js";
import { labelText } from "../label-text.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { type KeyFrame, keyColumns, type Relation, unionOfKeys } from "../relation.js";
import type { Deriving } from "./derivations.js";
import { isLookup, type Lookup, labelsIn, wholeIndex } from "./lookups.js";
import {
  call,
  callsIn,
  column,
  numeral,
  type ScalarExpression,
  stagedExpression,
  textOf,
} from "./scalar-expression.js";

/** What the scalars of a query are computed from. */
export interface ExpressionSource {
  /** A relation with its alias; absent where there is nothing but the expression itself. */
  readonly from?: string;
  readonly joins?: readonly string[];
  readonly where?: readonly string[];
  /** The columns of the result, save its keys and its value. */
  readonly columns: readonly NamedColumn[];
  readonly keys: readonly KeyFrame[];
  /** Where the columns of frames are read: those of `keys`, and of the calls of the body. */
  readonly keyTexts: ReadonlyMap<string, string>;
  /** The parameters of the body whose numbers are in columns. */
  readonly parameters: readonly string[];
  /** The same as expressions, where they are more than columns. */
  readonly values?: readonly ScalarExpression[];
  /** The same as whole numbers, where they are indexes. */
  readonly indexes?: readonly string[];
  /** Nodes of the body whose values are in columns. */
  readonly cells?: ReadonlyMap<Node, string>;
  /** How the values are told from the rows of a relation, where a body has nothing but its parameters. */
  readonly deriving?: Deriving | undefined;
  /** The frame of the calls of the body, whose columns are no part of the result. */
  readonly isOwn?: (frame: KeyFrame) => boolean;
}

/** Something to compute: a scalar node, and what becomes of it in the end. */
export interface ExpressionGoal {
  readonly kind: string;
  readonly node: Node;
  readonly type: TensorType;
  /** The last step, after the value has been stored as the cell type. */
  readonly finish?: (stored: ScalarExpression) => ScalarExpression;
}

/** The relation of a scalar body for all rows of a source. */
export function evaluated(
  run: LoweringContext,
  body: Node,
  scope: SqlScope,
  source: ExpressionSource,
  goal: ExpressionGoal,
): Relation {
  const { source: joined, value: unrounded } = expressionOf(run, body, scope, source);
  const value = storedAs(run, goal.type.cellType, unrounded);
  return selected(run, joined, goal.finish?.(value) ?? value, goal);
}

/** A scalar body as an expression, and the source with all that is joined for it. */
export function expressionOf(run: LoweringContext, body: Node, scope: SqlScope, source: ExpressionSource) {
  const leaves = new Leaves(run, scope, source);
  const value = leaves.expression(body);
  return { value, source: leaves.source() };
}

/** The relation of an expression for all rows of a source, by as many queries as it takes. */
export function selected(
  run: LoweringContext,
  source: ExpressionSource,
  value: ScalarExpression,
  goal: ExpressionGoal,
): Relation {
  const relation = inQueries(run, source, value, goal);
  return source.deriving === undefined ? relation : { ...relation, derivation: source.deriving(value) };
}

function inQueries(
  run: LoweringContext,
  source: ExpressionSource,
  value: ScalarExpression,
  { kind, node, type }: ExpressionGoal,
): Relation {
  const { names } = run;
  const { from, joins = [], where = [], keys, keyTexts } = source;
  const keyed = keyColumns(keys).map((name): NamedColumn => [entry(keyTexts, name), name]);
  const addresses = [...keyed, ...source.columns];
  const base = { ...(from === undefined ? {} : { from }), joins, where };
  const { columns, stages, text } = stagedExpression(value, (name) => names.fresh(name));
  if (stages.length === 0)
    return run.emit(kind, { ...base, columns: [...addresses, [text, names.value]] }, type, keys, node);
  const cells = [...addresses, ...columns];
  // A query has a column, also one that is for its row alone.
  if (cells.length === 0) cells.push([run.dialect.number(0), names.fresh("row")]);
  let input = run.emit(`${kind}_cells`, { ...base, columns: cells }, type, keys, node);
  for (const stage of stages) {
    const query: SelectQuery = { columns: [["s.*", "s.*"], ...stage], from: `${input.name} AS s` };
    input = run.emit(`${kind}_step`, query, type, keys, node);
  }
  const passed = addresses.map(([, name]): NamedColumn => [`s.${name}`, name]);
  const query: SelectQuery = { columns: [...passed, [text, names.value]], from: `${input.name} AS s` };
  return run.emit(kind, query, type, keys, node);
}

/** A number as a cell of a type holds it. Scalars are doubles, whatever their type says. */
export const storedAs = ({ dialect }: LoweringContext, cellType: CellType, value: ScalarExpression) =>
  dialect.storing[cellType](value);

/** The scalar functions of a body as one expression; all else that it computes from becomes relations, which are joined. */
class Leaves {
  private readonly expressions = new Map<Node, ScalarExpression>();
  private readonly joins: string[];
  private readonly keyTexts: Map<string, string>;
  private keys: readonly KeyFrame[];
  private from: string | undefined;
  private count = 0;

  constructor(
    private readonly run: LoweringContext,
    private readonly scope: SqlScope,
    private readonly base: ExpressionSource,
  ) {
    this.from = base.from;
    this.joins = [...(base.joins ?? [])];
    this.keyTexts = new Map(base.keyTexts);
    this.keys = base.keys;
  }

  /** The source with all that was joined to it. */
  source(): ExpressionSource {
    const { from, joins, keyTexts, keys } = this;
    const { deriving, joins: initial = [], ...base } = this.base;
    // Of what is joined to the rows nothing is told.
    const isAlone = joins.length === initial.length && from === base.from;
    return {
      ...base,
      ...(from === undefined ? {} : { from }),
      joins,
      keyTexts,
      keys,
      deriving: isAlone ? deriving : undefined,
    };
  }

  /** The expression of a body: its nodes in the order of their making, so that nothing recurses along them. */
  expression(body: Node): ScalarExpression {
    const inside = new Set<Node>([body]);
    for (const node of inside) for (const input of this.inputs(node)) inside.add(input);
    for (const node of [...inside].sort((a, b) => a.id - b.id))
      this.expressions.set(node, this.nodeExpression(node));
    return entry(this.expressions, body);
  }

  private nodeExpression(node: Node): ScalarExpression {
    const { dialect } = this.run;
    const inner = (each: Node): ScalarExpression => entry(this.expressions, each);
    if (node.op === "constant" && node.type.isScalar) return numeral(dialect.number(node.value.at(0)));
    if (node.op === "apply") return call(dialect.scalars[node.function], ...node.arguments.map(inner));
    if (isScalarChoice(node))
      return call(this.choice, inner(node.condition), inner(node.yes), inner(node.no));
    if (node.op === "parameter" && node.level === this.scope.level && this.scope.binder !== undefined) {
      const text = this.base.parameters[node.position];
      if (text !== undefined) return this.base.values?.[node.position] ?? column(text);
    }
    const cell = this.base.cells?.get(node);
    if (cell !== undefined) return column(cell);
    if (this.isLookup(node)) return this.lookedUp(node);
    return this.joined(this.run.relation(node, this.scope));
  }

  private isLookup(node: Node): node is Lookup {
    return this.scope.binder !== undefined && isLookup(this.run.dialect, node, this.scope.level);
  }

  /** What a node is computed from within the same expression. */
  private inputs(node: Node): readonly Node[] {
    return this.isLookup(node) ? labelsIn(node) : scalarInputs(node);
  }

  /** The cell at an address for each row; 0 where there is none. */
  private lookedUp(node: Lookup): ScalarExpression {
    const { dialect, names } = this.run;
    const relation = this.run.relation(node.tensor, this.scope);
    this.joinCalls(relation.keys, node);
    const alias = `l${++this.count}`;
    const at = node.at.map(
      ({ dimension, label }) =>
        `${alias}.${names.dimension(dimension)} = ${this.labelOf(node, dimension, label)}`,
    );
    const on = [...onKeys(relation, alias, this.keyTexts), ...at];
    this.joins.push(joinText(`${relation.name} AS ${alias}`, on, "LEFT JOIN"));
    return call((value) => `coalesce(${value}, ${dialect.number(0)})`, column(`${alias}.${names.value}`));
  }

  private labelOf(node: Lookup, dimension: string, label: string | Node): string {
    const { dialect } = this.run;
    const isMapped = node.tensor.type.dimension(dimension)?.kind === "mapped";
    if (typeof label === "string")
      return isMapped ? labelText(this.run, node, label) : dialect.integer(indexIn(label) ?? 0);
    if (!isMapped) {
      const index = wholeIndex(label, dialect, ({ level, position }) =>
        level === this.scope.level ? this.base.indexes?.[position] : undefined,
      );
      if (index !== undefined) return index.text;
    }
    const value = entry(this.expressions, label);
    const text = textOf(value, callsIn(value));
    return isMapped ? dialect.asLabel(text) : dialect.asIndex(text);
  }

  /** A row for each call of frames whose columns are not there yet. */
  private joinCalls(keys: readonly KeyFrame[], node: Node): void {
    const isThere = keyColumns(keys).every((name) => this.keyTexts.has(name));
    const rows = isThere ? undefined : domain(this.run, unionOfKeys(keys), node);
    if (rows === undefined) return;
    this.joined({ name: rows.name, type: TensorType.scalar, keys: unionOfKeys(keys) });
  }

  private readonly choice = (condition: string, yes: string, no: string): string =>
    `(CASE WHEN ${condition} <> ${this.run.dialect.number(0)} THEN ${yes} ELSE ${no} END)`;

  /** The value of a scalar relation, whose row for the same calls is joined. */
  private joined(relation: Relation): ScalarExpression {
    const alias = `l${++this.count}`;
    const on = onKeys(relation, alias, this.keyTexts);
    const text = `${relation.name} AS ${alias}`;
    if (this.from === undefined) this.from = text;
    else this.joins.push(on.length === 0 ? `CROSS JOIN ${text}` : `JOIN ${text} ON ${on.join(" AND ")}`);
    addKeyTexts(this.keyTexts, relation, alias);
    const { isOwn = () => false } = this.base;
    this.keys = unionOfKeys(
      this.keys,
      relation.keys.filter((frame) => !isOwn(frame)),
    );
    return column(`${alias}.${this.run.names.value}`);
  }
}

const isScalarChoice = (node: Node): node is Extract<Node, { op: "select" }> =>
  node.op === "select" && node.type.isScalar;

/** What a node is computed from within the same expression. */
function scalarInputs(node: Node): readonly Node[] {
  if (node.op === "apply") return node.arguments;
  return isScalarChoice(node) ? [node.condition, node.yes, node.no] : [];
}
