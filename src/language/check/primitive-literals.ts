import type { Node, NodeOf } from "../core/operations.js";
import * as made from "../syntax/synthesize.js";
import type { Expression, LiteralBody, LiteralCell } from "../syntax/tree.js";
import type { TensorType } from "../types/type.js";
import { indexesAt } from "../values/shape.js";
import type { Tensor } from "../values/tensor.js";

/** Tensors as literals of the language, in the shortest form that their types allow. */

type Body = LiteralBody<Expression>;
type Item = Body | Expression;

/** The literal of a tensor whose cells are known. */
export function constantLiteral(tensor: Tensor): Expression {
  const { type, sizes, blockCells } = tensor;
  const cell = (at: number): Expression => made.numberOf(tensor.at(at));
  return literal(type, sizes, bodyOf());

  function bodyOf(): Body {
    const block = (row: number): Item => nested(sizes, row * blockCells, cell);
    if (type.isDense) return bodied(block(0));
    if (type.mapped.length === 1) {
      const entries = tensor.labels.map(([label = ""], row) => ({
        label: made.wordOf(label),
        value: block(row),
      }));
      return entries.length === 0 ? noCells : { kind: "entries", span: made.nowhere, entries };
    }
    const addressed = Array.from({ length: tensor.data.length }, (_, at) =>
      addressedCell(
        type,
        tensor.labels[Math.floor(at / blockCells)] ?? [],
        indexesAt(at % blockCells, sizes),
        cell(at),
      ),
    );
    return { kind: "cells", span: made.nowhere, cells: addressed };
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
      return node === undefined ? made.numberOf(0) : write(node);
    };
    return literal(type, sizes, bodied(nested(sizes, 0, cell)));
  }
  const addressed = cells.map(({ labels, offset, value }) =>
    addressedCell(type, labels, indexesAt(offset, sizes), write(value)),
  );
  return literal(type, sizes, { kind: "cells", span: made.nowhere, cells: addressed });
}

const literal = (type: TensorType, sizes: readonly number[], body: Body): Expression => ({
  kind: "literal",
  span: made.nowhere,
  type: made.typeText(type, sizes),
  body,
});

const noCells: Body = { kind: "cells", span: made.nowhere, cells: [] };

const bodied = (item: Item): Body =>
  item.kind === "nested" ? item : { kind: "nested", span: made.nowhere, items: [item] };

/** Cells in rows, the last dimension varying fastest. */
function nested(sizes: readonly number[], start: number, cell: (at: number) => Expression): Item {
  const [size, ...inner] = sizes;
  if (size === undefined) return cell(start);
  const step = inner.reduce((cells, each) => cells * each, 1);
  const items = Array.from({ length: size }, (_, at) => nested(inner, start + at * step, cell));
  return { kind: "nested", span: made.nowhere, items };
}

/** `{k:a,x:0}:value` */
function addressedCell(
  type: TensorType,
  labels: readonly string[],
  indexes: readonly number[],
  value: Expression,
): LiteralCell<Expression> {
  let [mapped, indexed] = [0, 0];
  const address = type.dimensions.map(({ name, kind }) => ({
    dimension: made.wordOf(name),
    label: made.wordOf(kind === "mapped" ? (labels[mapped++] ?? "") : `${indexes[indexed++]}`),
  }));
  return { span: made.nowhere, address, value };
}
