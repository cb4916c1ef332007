import type { Lambda, Node, NodeOf } from "../../../language/core/operations.js";
import { isOfBoth, isParameter } from "../../../language/core/patterns.js";
import { comparisonOf } from "../../../language/scalar/comparisons.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { fromWindows } from "../expressions/derivations.js";
import { selected, storedAs } from "../expressions/expressions.js";
import { type PairSum, pairSum } from "../expressions/pair-sum.js";
import { column } from "../expressions/scalar-expression.js";
import {
  addKeyTexts,
  cellColumns,
  columnsAt,
  dimensionColumns,
  joinText,
  keyNamedColumns,
  keyTextsOf,
  onKeys,
} from "../joins.js";
import type { NamedColumn } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";
import { storedCells } from "./making.js";

/** Orders of cells, and what is computed from them: by windows, and by limits. */

/** What the cells of a relation, as `a`, are ordered by: ties in canonical order, NaN last. */
function orderOf(
  { names, dialect }: LoweringContext,
  { type }: Relation,
  isDescending: boolean,
): readonly string[] {
  const value = `a.${names.value}`;
  return [
    `CASE WHEN ${dialect.isNaN(value)} THEN 1 ELSE 0 END`,
    `${value}${isDescending ? " DESC" : ""}`,
    ...[...type.mapped, ...type.indexed].map(({ name }) => `a.${names.dimension(name)}`),
  ];
}

/** A window over the rows that agree in some columns. */
const windowText = (partition: readonly NamedColumn[], by: readonly string[] = []): string => {
  const parts = [
    ...(partition.length === 0 ? [] : [`PARTITION BY ${partition.map(([text]) => text).join(", ")}`]),
    ...(by.length === 0 ? [] : [`ORDER BY ${by.join(", ")}`]),
  ];
  return `OVER (${parts.join(" ")})`;
};

/** cell_order: the rank of each cell. */
export function order(run: LoweringContext, node: NodeOf<"order">, scope: SqlScope): Relation {
  const { dialect } = run;
  const tensor = run.relation(node.tensor, scope);
  const window = windowText(keyNamedColumns(tensor, "a"), orderOf(run, tensor, node.descending));
  const source = {
    from: `${tensor.name} AS a`,
    columns: dimensionColumns(run, node.type.dimensions, "a"),
    keys: tensor.keys,
    keyTexts: keyTextsOf([tensor, "a"]),
    parameters: [],
    deriving: fromWindows(tensor),
  };
  const rank = storedAs(run, node.type.cellType, column(dialect.asNumber(`row_number() ${window} - 1`)));
  return selected(run, source, rank, { kind: "order", node, type: node.type });
}

/** The first cells in an order. */
interface FirstCells {
  readonly order: NodeOf<"order">;
  /** The scalar that the ranks are below, or not above. */
  readonly bound: Node;
  readonly isEqualToo: boolean;
  /** How many cells these are, where the number is written. */
  readonly count: number | undefined;
}

/** All ranks below this are floats. */
const mostRanks = 2 ** 24;

/** Which cells a tensor keeps that filters an order by the ranks below a number; nothing where it is anything else. */
function firstCells(run: LoweringContext, node: Node): FirstCells | undefined {
  if (node.op !== "filterSubspaces" || !isParameter(node.lambda.body, 0)) return undefined;
  if (node.type.isScalar || node.type.indexed.length > 0) return undefined;
  const compared = comparedWithScalar(node.tensor);
  if (compared === undefined || compared.tensor.op !== "order") return undefined;
  const { tensor, bound, isEqualToo } = compared;
  const number = run.written(bound)?.value.at(0);
  const count = number === undefined ? undefined : countBelow(number, isEqualToo);
  const isExact = count === undefined ? tensor.type.cellType === "double" : count < mostRanks;
  return isExact ? { order: tensor, bound, isEqualToo, count } : undefined;
}

const countBelow = (number: number, isEqualToo: boolean): number =>
  Number.isNaN(number) ? 0 : Math.max(0, isEqualToo ? Math.floor(number) + 1 : Math.ceil(number));

/** A tensor whose cells are 1 where those of another are below a scalar. */
function comparedWithScalar(node: Node) {
  if (node.op !== "map" && node.op !== "join") return undefined;
  const below = belowIn(node.lambda);
  if (below === undefined) return undefined;
  const { isEqualToo } = below;
  const sides = node.op === "map" ? [node.tensor] : [node.left, node.right];
  const [tensor, bound] = [below.lower, below.upper].map((each) =>
    each.op === "parameter" ? sides[each.position] : each,
  );
  if (tensor === undefined || bound?.type.isScalar !== true) return undefined;
  return { tensor, bound, isEqualToo };
}

/** A comparison of two scalars, as one of which is below the other. */
interface Below {
  readonly lower: Node;
  readonly upper: Node;
  readonly isEqualToo: boolean;
}

function belowIn({ body }: Lambda): Below | undefined {
  if (body.op !== "apply") return undefined;
  const comparison = comparisonOf(body.function);
  if (comparison?.lower === undefined) return undefined;
  const { arguments: numbers } = body;
  const [lower, upper] = [numbers[comparison.lower], numbers[1 - comparison.lower]];
  return lower && upper && { lower, upper, isEqualToo: comparison.isEqualToo };
}

/** filter_subspaces of the ranks below a number: ones for the first cells. */
export function firstRanks(
  run: LoweringContext,
  node: NodeOf<"filterSubspaces">,
  scope: SqlScope,
): Relation | undefined {
  const first = firstCells(run, node);
  return first && limited(run, node, first, scope, () => run.dialect.number(1));
}

/** join: the first cells of a tensor themselves, where it is multiplied by these ones. */
export function firstOf(run: LoweringContext, node: NodeOf<"join">, scope: SqlScope): Relation | undefined {
  const { left, right, lambda } = node;
  if (!isOfBoth(lambda, "multiply")) return undefined;
  for (const [tensor, ones] of [
    [left, right],
    [right, left],
  ] as const) {
    const first = firstCells(run, ones);
    if (first?.order.tensor !== tensor) continue;
    const cells = limited(run, node, first, scope, (value) => value);
    return node.type.cellType === tensor.type.cellType ? cells : storedCells(run, node, cells);
  }
  return undefined;
}

/** The first cells, of each call where there are several. */
function limited(
  run: LoweringContext,
  node: Node,
  { order, bound, isEqualToo, count }: FirstCells,
  scope: SqlScope,
  cell: (value: string) => string,
): Relation {
  const { names, dialect } = run;
  const tensor = run.relation(order.tensor, scope);
  const counted = count === undefined ? run.relation(bound, scope) : undefined;
  const keys = unionOfKeys(tensor.keys, counted?.keys ?? []);
  const by = orderOf(run, tensor, order.descending);
  const from = `${tensor.name} AS a`;
  const addresses = [...keyNamedColumns(tensor, "a"), ...dimensionColumns(run, tensor.type.dimensions, "a")];
  const columns = [...addresses, [cell(`a.${names.value}`), names.value] as const];
  const { type } = node;
  const limit = counted === undefined ? dialect.integer(count ?? 0) : limitText(run, counted, isEqualToo);
  if (keys.length === 0 && limit !== undefined)
    return run.emit("first", { columns, from, orderBy: by, limit }, type, [], node);
  const rank = names.fresh("rank");
  const window = windowText(keyNamedColumns(tensor, "a"), by);
  const ranked = [
    ...cellColumns(run, tensor, tensor.type.dimensions),
    [`row_number() ${window}`, rank] as const,
  ];
  const { name } = run.emit("ranked", { columns: ranked, from }, tensor.type, tensor.keys, node);
  const source = { from: `${name} AS a` };
  if (counted === undefined) {
    const where = [`a.${rank} <= ${dialect.integer(count ?? 0)}`];
    return run.emit("first", { columns, ...source, where }, type, keys, node);
  }
  const texts = keyTextsOf([tensor, "a"]);
  const joins = [joinText(`${counted.name} AS n`, onKeys(counted, "n", texts))];
  addKeyTexts(texts, counted, "n");
  const isBelow = dialect.scalars[isEqualToo ? "lessOrEqual" : "less"];
  const where = [`${isBelow(dialect.asNumber(`a.${rank} - 1`), `n.${names.value}`)} <> ${dialect.number(0)}`];
  const keyed = columnsAt(keyColumns(keys), texts);
  const others = columns.slice(keyColumns(tensor.keys).length);
  return run.emit("first", { columns: [...keyed, ...others], ...source, joins, where }, type, keys, node);
}

/** How many ranks are below a scalar; nothing where no query can tell the limit of another. */
function limitText({ names, dialect }: LoweringContext, { name }: Relation, isEqualToo: boolean) {
  if (!dialect.hasComputedLimits) return undefined;
  const { number, scalars, asInteger, isNaN: isNone } = dialect;
  const value = `n.${names.value}`;
  const count = isEqualToo ? `${scalars.floor(value)} + ${number(1)}` : scalars.ceil(value);
  const most = number(2 ** 53);
  const bounded = `CASE WHEN ${isNone(value)} OR ${value} < ${number(0)} THEN ${number(0)} WHEN ${value} > ${most} THEN ${most} ELSE ${count} END`;
  return `(SELECT ${asInteger(bounded)} FROM ${name} AS n)`;
}

/** reduce: sums over pairs of cells along a dimension, from their order. As it is written, all pairs would be compared. */
export function rankedPairs(
  run: LoweringContext,
  node: NodeOf<"reduce">,
  scope: SqlScope,
): Relation | undefined {
  const sum = pairSum(node);
  if (sum === undefined) return undefined;
  const tensor = run.relation(sum.tensor, scope);
  const source = {
    from: `${tensor.name} AS a`,
    columns: dimensionColumns(run, tensor.type.dimensions, "a"),
    keys: tensor.keys,
    keyTexts: keyTextsOf([tensor, "a"]),
    parameters: [],
    deriving: fromWindows(tensor),
  };
  const total = storedAs(run, node.type.cellType, column(pairSumText(run, tensor, sum)));
  return selected(run, source, total, { kind: "rank", node, type: node.type });
}

/** The sum for each cell of a relation, as `a`: of each term, as often as there are cells that stand so. */
function pairSumText(run: LoweringContext, tensor: Relation, { dimension, terms }: PairSum): string {
  const { names, dialect } = run;
  const { below, equal, above, unordered } = terms;
  const value = `a.${names.value}`;
  const isNone = dialect.isNaN(value);
  const others = tensor.type.dimensions.filter(({ name }) => name !== dimension);
  const line = [...keyNamedColumns(tensor, "a"), ...dimensionColumns(run, others, "a")];
  const numbers: NamedColumn[] = [...line, [`CASE WHEN ${isNone} THEN 1 ELSE 0 END`, ""]];
  // From the end where the cells add something: those before a cell are found without those behind it.
  const isDescending = below === 0;
  const window = windowText(numbers, [`${value}${isDescending ? " DESC" : ""}`]);
  const [first, last] = isDescending ? [above, below] : [below, above];
  const [upTo, all, both] = [
    `count(*) ${window}`,
    `count(*) ${windowText(numbers)}`,
    `count(*) ${windowText(line)}`,
  ];
  const ordered = totalText(dialect, [
    ...(first === equal
      ? ([[first, upTo]] as const)
      : ([
          [first, `rank() ${window} - 1`],
          [equal, `${upTo} - rank() ${window} + 1`],
        ] as const)),
    [last, `${all} - ${upTo}`],
    [unordered, `${both} - ${all}`],
  ]);
  return `CASE WHEN ${isNone} THEN ${totalText(dialect, [[unordered, both]])} ELSE ${ordered} END`;
}

/** Terms, each as often as a text says. */
function totalText(
  { asNumber, number }: LoweringContext["dialect"],
  terms: readonly (readonly [term: number, count: string])[],
): string {
  const texts = terms.flatMap(([term, count]) =>
    term === 0 ? [] : [term === 1 ? asNumber(count) : `${number(term)} * ${asNumber(count)}`],
  );
  return texts.length === 0 ? number(0) : texts.join(" + ");
}
