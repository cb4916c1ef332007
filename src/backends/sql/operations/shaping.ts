import type { Node, NodeOf } from "../../../language/core/operations.js";
import { mapTuple } from "../../../language/source/lists.js";
import { renaming } from "../../../language/types/algebra.js";
import { TensorType } from "../../../language/types/type.js";
import { indexIn } from "../../../language/values/address.js";
import { completed, domain, widened } from "../blocks.js";
import type { LoweringContext, SqlScope } from "../context.js";
import { fromEach } from "../expressions/derivations.js";
import { evaluated, selected, storedAs } from "../expressions/expressions.js";
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
import { labelText } from "../label-text.js";
import type { NamedColumn, SelectQuery } from "../query.js";
import { keyColumns, type Relation, unionOfKeys } from "../relation.js";

/** A scalar that no row of another relation has a part in. */
export function scalar(run: LoweringContext, node: Node, scope: SqlScope): Relation {
  const source = { columns: [], keys: [], keyTexts: new Map<string, string>(), parameters: [] };
  return evaluated(run, node, scope, source, { kind: "scalar", node, type: TensorType.scalar });
}

/** if, of tensors: the rows of one branch, and none of the other. */
export function select(run: LoweringContext, node: NodeOf<"select">, scope: SqlScope): Relation {
  if (node.type.isScalar) return scalar(run, node, scope);
  const { names, dialect } = run;
  const [condition, yes, no] = mapTuple([node.condition, node.yes, node.no], (each) =>
    run.relation(each, scope),
  );
  const keys = unionOfKeys(condition.keys, yes.keys, no.keys);
  const branch = (relation: Relation, test: string): SelectQuery => {
    const wide = widened(run, relation, keys, node);
    return {
      columns: cellColumns(run, wide, node.type.dimensions),
      from: `${wide.name} AS a`,
      joins: [joinText(`${condition.name} AS c`, onKeys(condition, "c", keyTextsOf([wide, "a"])))],
      where: [`c.${names.value} ${test} ${dialect.number(0)}`],
    };
  };
  return run.emit("if", { union: [branch(yes, "<>"), branch(no, "=")] }, node.type, keys, node);
}

/** All cells of a tensor, as `a`, at the dimensions of a type. */
const cellsOf = (run: LoweringContext, tensor: Relation, { dimensions }: TensorType) => ({
  from: `${tensor.name} AS a`,
  columns: dimensionColumns(run, dimensions, "a"),
  keys: tensor.keys,
  keyTexts: keyTextsOf([tensor, "a"]),
  parameters: [],
});

/** cell_cast, and the generalising of a branch; a smaller size than the declared one is filled up with zeros. */
export function cast(run: LoweringContext, node: NodeOf<"cast">, scope: SqlScope): Relation {
  const tensor = run.relation(node.tensor, scope);
  const source = { ...cellsOf(run, tensor, node.type), deriving: fromEach(tensor) };
  const value = storedAs(run, node.type.cellType, column(`a.${run.names.value}`));
  const cells = selected(run, source, value, { kind: "cast", node, type: node.type });
  const isSmaller = node.type.indexed.some(
    ({ name, size }) => size !== undefined && tensor.type.dimension(name)?.size !== size,
  );
  return isSmaller ? completed(run, cells, node) : cells;
}

export function rename(run: LoweringContext, node: NodeOf<"rename">, scope: SqlScope): Relation {
  const { names } = run;
  const tensor = run.relation(node.tensor, scope);
  const { from, to } = node;
  const newName = renaming(from, to);
  const columns: NamedColumn[] = [
    ...keyNamedColumns(tensor, "a"),
    ...tensor.type.dimensions.map(
      ({ name }): NamedColumn => [`a.${names.dimension(name)}`, names.dimension(newName(name))],
    ),
    [`a.${names.value}`, names.value],
  ];
  return run.emit("rename", { columns, from: `${tensor.name} AS a` }, node.type, tensor.keys, node);
}

/** slice: the cells at a partial address; what is not there is 0 in a dense result, and no row in any other. */
export function slice(run: LoweringContext, node: NodeOf<"slice">, scope: SqlScope): Relation {
  const { names, dialect } = run;
  const { type } = node;
  const tensor = run.relation(node.tensor, scope);
  const texts = keyTextsOf([tensor, "a"]);
  const joins: string[] = [];
  const where: string[] = [];
  let keys = tensor.keys;
  /** Whether there is a cell at the address, whatever the tensor is. */
  let isCertain = tensor.type.isDense && tensor.type.isBound;
  for (const [at, { dimension, label }] of node.at.entries()) {
    const { kind, size } = tensor.type.dimension(dimension) ?? {};
    const isMapped = kind === "mapped";
    const column = `a.${names.dimension(dimension)}`;
    if (typeof label === "string") {
      const index = isMapped ? undefined : indexIn(label);
      if (isMapped) where.push(`${column} = ${labelText(run, node, label)}`);
      else where.push(index === undefined ? "1 = 0" : `${column} = ${dialect.integer(index)}`);
      isCertain = isCertain && index !== undefined && size !== undefined && index < size;
      continue;
    }
    isCertain = false;
    const value = run.relation(label, scope);
    const alias = `i${at}`;
    const text = `${alias}.${names.value}`;
    const on = onKeys(value, alias, texts);
    on.push(`${column} = ${isMapped ? dialect.asLabel(text) : dialect.asIndex(text)}`);
    joins.push(joinText(`${value.name} AS ${alias}`, on));
    addKeyTexts(texts, value, alias);
    keys = unionOfKeys(keys, value.keys);
  }
  const columns: NamedColumn[] = [
    ...columnsAt(keyColumns(keys), texts),
    ...dimensionColumns(run, type.dimensions, "a"),
    [`a.${names.value}`, names.value],
  ];
  const cells = run.emit("slice", { columns, from: `${tensor.name} AS a`, joins, where }, type, keys, node);
  if (isCertain || !type.isDense) return cells;
  return completed(run, cells, node, { rows: domain(run, keys, node), extents: () => tensor });
}
