import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CellType,
  type Dimension,
  parseTensor,
  readNpz,
  readTensor,
  SphexError,
  Tensor,
  TensorType,
  tensorFormats,
  writeNpz,
  writeTensor,
  writtenAxes,
} from "../../src/index.js";
import { allCellTypes, tensors } from "../arbitraries.js";
import { holds } from "../chance.js";

/**
 * A tensor that is read as a type is the same tensor whatever file it was in, or there is a problem: with the dimensions of the
 * type in any order, with cells of another type, with sizes that are larger or open.
 */

interface Declared {
  readonly tensor: Tensor;
  readonly type: TensorType;
  /** The type with its dimensions in another order. */
  readonly text: string;
}

const declared: fc.Arbitrary<Declared> = tensors().chain((tensor) =>
  fc
    .record({
      dimensions: fc.shuffledSubarray([...tensor.type.dimensions], { minLength: tensor.type.rank }),
      cellType: fc.oneof(fc.constant(tensor.type.cellType), fc.constantFrom(...allCellTypes)),
      sizes: fc.array(fc.constantFrom("same", "same", "open", "larger"), { minLength: 3, maxLength: 3 }),
    })
    .map(({ dimensions, cellType, sizes }): Declared => {
      const changed = dimensions.map((each, at) => resized(each, sizes[at] ?? "same"));
      const names = changed.map(({ name, kind, size }) =>
        kind === "mapped" ? `${name}{}` : `${name}[${size ?? ""}]`,
      );
      const cells: CellType = tensor.type.isScalar ? "double" : cellType;
      const text = names.length === 0 ? "tensor()" : `tensor<${cells}>(${names.join()})`;
      return { tensor, type: TensorType.of(cells, changed), text };
    }),
);

function resized({ name, kind, size }: Dimension, change: string): Dimension {
  if (kind === "mapped") return { name, kind };
  if (size === undefined || change === "open") return { name, kind: "indexed" };
  return { name, kind: "indexed", size: change === "larger" ? size + 1 : size };
}

/** The tensor as a value of the type: its cells at their addresses. */
function asDeclared({ tensor, type }: Declared): Tensor {
  const cells = [...tensor.cells()];
  if (cells.length === 0) return parseTensor("{}", type);
  return type.isScalar ? tensor.as(type) : Tensor.from(type, cells);
}

interface Way {
  readonly name: string;
  /** Whether the file says the cell type, or holds all digits of every one. */
  readonly holdsCells: boolean;
  readonly read: (declared: Declared) => Tensor | Promise<Tensor>;
}

const ways: readonly Way[] = [
  ...tensorFormats.map(
    (format): Way => ({
      name: format,
      holdsCells: format !== "csv",
      read: ({ tensor, text }) => {
        const written = writeTensor(tensor, format, { axes: writtenAxes(text) });
        return readTensor(written, format, { type: text });
      },
    }),
  ),
  {
    name: "npz",
    holdsCells: true,
    read: async ({ tensor, text }) => readNpz(await writeNpz(tensor, writtenAxes(text)), { type: text }),
  },
];

/** What came of it; nothing where it is a problem. */
async function readBack(way: Way, each: Declared): Promise<Tensor | undefined> {
  try {
    return await way.read(each);
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

test("the type of a reader, whatever the format", async () => {
  let compared = 0;
  await holds(
    fc.asyncProperty(declared, async (each) => {
      for (const way of ways) {
        if (!way.holdsCells && each.type.cellType !== each.tensor.type.cellType) continue;
        const found = await readBack(way, each);
        if (found === undefined) continue;
        expect(`${found}`, `${way.name} as ${each.text} of ${each.tensor}`).toBe(`${asDeclared(each)}`);
        compared++;
      }
    }),
    200,
  );
  expect(compared).toBeGreaterThan(400);
});
