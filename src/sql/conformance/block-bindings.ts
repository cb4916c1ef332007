import type { SqlDialect } from "../../backends/sql/dialect.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Binding } from "../bindings.js";

/** A tensor as rows with an array for each of its blocks; itself where it has no blocks, or the engine no arrays. */
export function blockBinding(tensor: Tensor, dialect: SqlDialect): Binding {
  const { type, labels, blockCells } = tensor;
  const { arrays, types } = dialect;
  if (arrays === undefined || type.indexed.length === 0 || !type.isBound) return { tensor };
  const rows = labels.map((row, at) => {
    const cells = Array.from({ length: blockCells }, (_, cell) =>
      dialect.number(tensor.at(at * blockCells + cell)),
    );
    return [...row.map((label) => dialect.text(label)), arrays.literal(cells)];
  });
  const texts = rows.map((row) => row.filter((each) => each !== undefined));
  if (texts.some(({ length }) => length <= type.mapped.length)) return { tensor };
  const columns = type.mapped.map((_, at) => ({ name: dialect.identifier(`k${at}`), type: types.label }));
  const block = { name: dialect.identifier("block"), type: arrays.type };
  return {
    source: { query: dialect.rows([...columns, block], texts) },
    dimensions: Object.fromEntries(type.mapped.map(({ name }, at) => [name, `k${at}`])),
    block: "block",
  };
}
