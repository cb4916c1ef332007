import type { Node, NodeOf } from "../../core/operations.js";
import * as synthetic from "../../syntax/synthesize.js";
import type { Expression, LiteralBody, LiteralCellTree, LiteralItem } from "../../syntax/tree.js";
import type { TensorType } from "../../types/type.js";
import { element } from "../../values/element.js";
import { indexesAt } from "../../values/shape.js";
import type { Tensor } from "../../values/tensor.js";

/** Tensors as literals of the language, in the shortest form that their types allow. */

type ExpressionBody = LiteralBody<Expression>;

/** The literal of a tensor of a constant. */
export function constantLiteral(tensor: Tensor): Expression {
  const { type, sizes, blockCells } = tensor;
  const cell = (at: number): Expression => synthetic.numberOf(tensor.at(at));
  return literal(type, sizes, bodyOf());

  function bodyOf(): ExpressionBody {
    const block = (row: number): LiteralItem<Expression> => nested(sizes, row * blockCells, cell);
    if (type.isDense) return bodied(block(0));
    if (type.mapped.length === 1) {
      const entries = tensor.labels.map(([label = ""], row) => ({
        label: synthetic.wordOf(label),
        value: block(row),
      }));
      return entries.length === 0 ? noCells : { kind: "entries", span: synthetic.syntheticSpan, entries };
    }
    const addressed = Array.from({ length: tensor.data.length }, (_, at) =>
      addressedCell(
        type,
        element(tensor.labels, Math.floor(at / blockCells)),
        indexesAt(at % blockCells, sizes),
        cell(at),
      ),
    );
    return { kind: "cells", span: synthetic.syntheticSpan, cells: addressed };
  }
}

/** The literal of cells that are computed. */
export function computedLiteral(
  { type, cells }: NodeOf<"literal">,
  write: (node: Node) => Expression,
): Expression {
  const sizes = type.indexed.map(({ size }) => size ?? 1);
  const isWhole = type.isDense && cells.length === sizes.reduce((product, size) => product * size, 1);
  if (isWhole) {
    const byOffset = new Map(cells.map(({ offset, value }) => [offset, value]));
    const cell = (at: number): Expression => {
      const node = byOffset.get(at);
      return node === undefined ? synthetic.numberOf(0) : write(node);
    };
    return literal(type, sizes, bodied(nested(sizes, 0, cell)));
  }
  const addressed = cells.map(({ labels, offset, value }) =>
    addressedCell(type, labels, indexesAt(offset, sizes), write(value)),
  );
  return literal(type, sizes, { kind: "cells", span: synthetic.syntheticSpan, cells: addressed });
}

const literal = (type: TensorType, sizes: readonly number[], body: ExpressionBody): Expression => ({
  kind: "literal",
  isTyped: true,
  span: synthetic.syntheticSpan,
  type: synthetic.typeText(type, sizes),
  body,
});

const noCells: ExpressionBody = { kind: "cells", span: synthetic.syntheticSpan, cells: [] };

const bodied = (item: LiteralItem<Expression>): ExpressionBody =>
  item.kind === "nested" ? item : { kind: "nested", span: synthetic.syntheticSpan, items: [item] };

/** Cells in rows, the last dimension varying fastest. */
function nested(
  sizes: readonly number[],
  start: number,
  cell: (at: number) => Expression,
): LiteralItem<Expression> {
  const [size, ...inner] = sizes;
  if (size === undefined) return cell(start);
  const step = inner.reduce((cells, each) => cells * each, 1);
  const items = Array.from({ length: size }, (_, at) => nested(inner, start + at * step, cell));
  return { kind: "nested", span: synthetic.syntheticSpan, items };
}

/** `{k:a,x:0}:value` */
function addressedCell(
  type: TensorType,
  labels: readonly string[],
  indexes: readonly number[],
  value: Expression,
): LiteralCellTree<Expression> {
  let [mapped, indexed] = [0, 0];
  const address = type.dimensions.map(({ name, kind }) => ({
    dimension: synthetic.wordOf(name),
    label: synthetic.wordOf(kind === "mapped" ? element(labels, mapped++) : `${indexes[indexed++]}`),
  }));
  return { span: synthetic.syntheticSpan, address, value };
}
