import type { NodeOf } from "../../../language/core/operations.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { dimensionColumns, keyNamedColumns } from "../joins.js";
import { problem } from "../messages.js";
import type { NamedColumn } from "../query.js";
import type { Relation } from "../relation.js";
import { refuse } from "../unsupported.js";
import { completed } from "./blocks.js";
import { storedCells } from "./making.js";

/** reduce: a group for each address of the remaining dimensions that has a cell. */
export function reduce(run: LoweringContext, node: NodeOf<"reduce">, scope: SqlScope): Relation {
  const { names, dialect } = run;
  const tensor = run.relation(node.tensor, scope);
  const { type } = node;
  const isComplete = tensor.type.isDense && tensor.type.isBound;
  const order = [...tensor.type.mapped, ...tensor.type.indexed].map(
    ({ name }) => `a.${names.dimension(name)}`,
  );
  const aggregate =
    dialect.aggregates[node.aggregator] ??
    refuse(problem("sql/unsupported", node.span, { what: `${node.aggregator} on ${dialect.title}` }));
  const text = aggregate(`a.${names.value}`, order.join(", ") || "1");
  const grouped = [...keyNamedColumns(tensor, "a"), ...dimensionColumns(run, type.dimensions, "a")];
  const isWhole = grouped.length === 0;
  const whole = isComplete ? text : `CASE WHEN count(*) = 0 THEN ${dialect.number(0)} ELSE ${text} END`;
  const columns: NamedColumn[] = [...grouped, [isWhole ? whole : text, names.value]];
  const query = { columns, from: `${tensor.name} AS a`, groupBy: grouped.map(([expression]) => expression) };
  const raw = run.emit(node.aggregator, query, type, tensor.keys, node);
  const cells = storedCells(run, node, raw);
  return isWhole || isComplete || !type.isDense ? cells : completed(run, cells, node, { extents: tensor });
}
