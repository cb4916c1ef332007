import type { Node, NodeOf } from "../../../language/core/operations.js";
import { isOfBoth } from "../../../language/core/patterns.js";
import type { AggregatorName } from "../../../language/scalar/aggregators.js";
import { completed } from "../blocks.js";
import { type LoweringContext, lambdaScope, type SqlScope } from "../context.js";
import type { SqlDialect } from "../dialect.js";
import { arrayText } from "../expressions/array-expression.js";
import { expressionOf, storedAs } from "../expressions/expressions.js";
import type { Template } from "../expressions/scalar-expression.js";
import { columnsAt, dimensionColumns, keyNamedColumns } from "../joins.js";
import { problem } from "../messages.js";
import type { NamedColumn } from "../query.js";
import { type GroupedRows, type KeyFrame, keyColumns, type Relation } from "../relation.js";
import { refuse } from "../unsupported.js";
import { type ArrayPair, aggregatorOfElements, arrayPair } from "./arrays.js";
import { withoutCalls } from "./calls.js";
import { storedCells } from "./making.js";
import { pickedCells } from "./picking.js";

/** What is aggregated: rows, and what becomes of those of one group. */
interface Aggregation {
  readonly from: string;
  readonly joins?: readonly string[];
  readonly keys: readonly KeyFrame[];
  /** The columns that are the address of a group. */
  readonly group: readonly NamedColumn[];
  readonly text: string;
  /** Whether a group may have more than one row. */
  readonly isGrouped: boolean;
  readonly grouped?: GroupedRows;
}

/** reduce: a group for each address of the remaining dimensions that has a cell. */
export function reduce(run: LoweringContext, node: NodeOf<"reduce">, scope: SqlScope): Relation {
  const picked = pickedCells(run, node, scope);
  if (picked !== undefined) return picked;
  const { names, dialect } = run;
  const { type, tensor } = node;
  const isComplete = tensor.type.isDense && tensor.type.isBound;
  const {
    from,
    joins = [],
    keys,
    group,
    text,
    isGrouped,
    grouped,
  } = ofArrays(run, node, scope) ?? ofCells(run, node, scope);
  const isWhole = group.length === 0;
  const whole =
    isComplete || !isGrouped ? text : `CASE WHEN count(*) = 0 THEN ${dialect.number(0)} ELSE ${text} END`;
  const columns: NamedColumn[] = [...group, [isWhole ? whole : text, names.value]];
  const groupBy = isGrouped ? group.map(([expression]) => expression) : [];
  const emitted = run.emit(node.aggregator, { columns, from, joins, groupBy }, type, keys, node);
  const raw = grouped === undefined || isWhole ? emitted : { ...emitted, grouped };
  const cells = storedCells(run, node, raw);
  if (isWhole || isComplete || !type.isDense) return cells;
  return completed(run, cells, node, { extents: () => run.relation(tensor, scope) });
}

/** The cells, a row for each. */
function ofCells(run: LoweringContext, node: NodeOf<"reduce">, scope: SqlScope): Aggregation {
  const { names } = run;
  const tensor = run.relation(node.tensor, scope);
  const order = [...tensor.type.mapped, ...tensor.type.indexed].map(
    ({ name }) => `a.${names.dimension(name)}`,
  );
  const text = (value: string): string =>
    aggregated(run, node, node.aggregator, value, order.join(", ") || "1");
  return {
    from: `${tensor.name} AS a`,
    keys: tensor.keys,
    group: [...keyNamedColumns(tensor, "a"), ...dimensionColumns(run, node.type.dimensions, "a")],
    text: text(`a.${names.value}`),
    isGrouped: true,
    grouped: { rows: tensor, text },
  };
}

function aggregated(
  { dialect }: LoweringContext,
  { span }: Node,
  aggregator: AggregatorName,
  value: string,
  order: string,
): string {
  const template =
    dialect.aggregates[aggregator] ??
    refuse(problem("sql/unsupported", span, { what: `${aggregator} on ${dialect.title}` }));
  return template(value, order);
}

/** How the reductions of blocks become that of all of them; nothing where it does not follow from them. */
const ofBlocks = ({ aggregates }: SqlDialect): Readonly<Record<AggregatorName, Template | undefined>> => ({
  sum: aggregates.sum,
  prod: undefined,
  // Those of blocks are no NaN.
  max: (v) => `max(${v})`,
  min: (v) => `min(${v})`,
  count: (v) => `sum(${v})`,
  avg: undefined,
  median: undefined,
  vespaMax: undefined,
  vespaMin: undefined,
});

/** Whole blocks, where the engine has them as arrays: a value for each, and what becomes of these. */
function ofArrays(run: LoweringContext, node: NodeOf<"reduce">, scope: SqlScope): Aggregation | undefined {
  const { tensor, aggregator, type } = node;
  const isGrouped = type.mapped.length < tensor.type.mapped.length;
  const outer = isGrouped ? ofBlocks(run.dialect)[aggregator] : (text: string) => text;
  if (type.indexed.length > 0 || outer === undefined) return undefined;
  const blocks = valuesOfBlocks(run, node, scope);
  if (blocks === undefined) return undefined;
  const { text, ...rest } = blocks;
  return { ...rest, isGrouped, text: outer(text) };
}

type BlockValues = Omit<Aggregation, "isGrouped">;

function valuesOfBlocks(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  scope: SqlScope,
): BlockValues | undefined {
  const { arrays } = run.dialect;
  const { tensor, type } = node;
  const products = productsOf(run, node, scope);
  if (products !== undefined) return products;
  const aggregate = arrays && aggregatorOfElements(run, arrays, node.aggregator, tensor.type.blockSize);
  const blocks = run.blocks(tensor, scope);
  if (aggregate === undefined || blocks === undefined) return undefined;
  return {
    from: `${blocks.name} AS a`,
    keys: blocks.keys,
    group: [...keyNamedColumns(blocks, "a"), ...dimensionColumns(run, type.mapped, "a")],
    text: aggregate(`a.${run.names.value}`),
  };
}

/**
 * The sum of a product: the products are never stored, so that they are not rounded either. But where one is too large for a
 * float it is an infinity, as anywhere: such blocks have their products stored.
 */
function productsOf(
  run: LoweringContext,
  { tensor, aggregator, type }: NodeOf<"reduce">,
  scope: SqlScope,
): BlockValues | undefined {
  if (aggregator !== "sum" || tensor.op !== "join" || !isOfBoth(tensor.lambda, "multiply")) return undefined;
  const pair = arrayPair(run, tensor, scope);
  const [left, right] = pair?.arrays ?? [];
  if (pair === undefined || left === undefined || right === undefined) return undefined;
  const { from = "", joins = [], columns, keys, keyTexts } = pair.source;
  const text = sumOfProducts(run, tensor, [left, right], scope, pair);
  if (text === undefined) return undefined;
  const remaining = new Set(type.mapped.map(({ name }) => run.names.dimension(name)));
  const keyed = columnsAt(keyColumns(keys), keyTexts);
  const group = [...keyed, ...columns.filter(([, name]) => remaining.has(name))];
  return { from, joins, keys, group, text };
}

/** A square below this is that of a number which is not too large for a float. */
const greatestSquare = 2 ** 255;

function sumOfProducts(
  run: LoweringContext,
  { type, lambda }: NodeOf<"join">,
  [left, right]: readonly [string, string],
  scope: SqlScope,
  { source, arrays: columns }: ArrayPair,
): string | undefined {
  const { arrays, number } = run.dialect;
  if (arrays === undefined) return undefined;
  const { innerProduct } = arrays;
  if (type.cellType === "double") return innerProduct(left, right);
  const { value } = expressionOf(run, lambda.body, lambdaScope(scope, withoutCalls), source);
  const products = arrayText(storedAs(run, type.cellType, value), columns, arrays);
  const stored = products && arrays.aggregates.sum?.(products);
  if (stored === undefined || !arrays.hasQuickProducts) return stored;
  // No product is larger than the root of this (Cauchy and Schwarz).
  const square = `${innerProduct(left, left)} * ${innerProduct(right, right)}`;
  return `CASE WHEN ${square} < ${number(greatestSquare)} THEN ${innerProduct(left, right)} ELSE ${stored} END`;
}
