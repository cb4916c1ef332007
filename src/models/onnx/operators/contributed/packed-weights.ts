import { element as elementOf } from "../../../../language/values/element.js";
import type { NodeImport } from "../../node.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { sumOf } from "./fused.js";

/**
 * Weights of a few bits, several to a byte, in blocks with a scale and a zero point each. A program has the numbers that they
 * stand for.
 */

/** How weights are packed: rows of so many, in blocks. */
interface Packing {
  readonly rows: number;
  readonly width: number;
  readonly block: number;
  readonly weights: Value;
  readonly scales: Value;
  readonly zeros: Value | undefined;
}

/** Whole numbers of so many bits in rows of bytes: which is in a column of a row. Those of lower bits come first. */
function packedNumbers(
  bytes: readonly number[],
  rows: number,
  bits: number,
): (row: number, column: number) => number {
  const [width, perByte] = [bytes.length / rows, 8 / bits];
  return (row, column) => {
    const byte = elementOf(bytes, row * width + Math.floor(column / perByte));
    return (byte >> (bits * (column % perByte))) & (2 ** bits - 1);
  };
}

/** The numbers that weights stand for, as a constant with an axis for rows and one for what is in them. */
function unpacked(node: NodeImport, { rows, width, block, weights, scales, zeros }: Packing): Value {
  const bits = node.integer("bits", 4);
  if (![2, 4, 8].includes(bits)) node.refuse({ kind: "attribute", name: "bits", value: `${bits}` });
  const blocks = Math.ceil(width / block);
  const bytes = node.numbers(weights, "weights");
  const scale = node.numbersOf(scales, "scales", rows * blocks);
  const weight = packedNumbers(bytes, rows, bits);
  const zero = zeroPoint(node, zeros, { rows, blocks, bits });
  const numbers = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < width; column++) {
      const at = Math.floor(column / block);
      numbers[row * width + column] =
        (weight(row, column) - zero(row, at)) * elementOf(scale, row * blocks + at);
    }
  return node.table("weights", numbers, [rows, width], "float");
}

/** The zero point of each block of a row: packed as weights are, a number of its own, or the middle of all that there may be. */
function zeroPoint(
  node: NodeImport,
  zeros: Value | undefined,
  { rows, blocks, bits }: { readonly rows: number; readonly blocks: number; readonly bits: number },
): (row: number, block: number) => number {
  if (zeros === undefined) return () => 2 ** (bits - 1);
  const isPacked = zeros.element === "uint8";
  const count = isPacked ? rows * Math.ceil((blocks * bits) / 8) : rows * blocks;
  const numbers = node.numbersOf(zeros, "zero points", count);
  if (isPacked) return packedNumbers(numbers, rows, bits);
  return (row, block) => elementOf(numbers, row * blocks + block);
}

/** A product with weights whose rows are columns of the result. */
const packedMatMul: Become = (node) => {
  const [x, weights, scales] = [node.input(0), node.input(1), node.input(2)];
  if (node.optional(4) !== undefined) node.refuse({ kind: "input unsupported", position: 4 });
  if (node.integer("weight_prepacked", 0) !== 0)
    node.refuse({ kind: "attribute", name: "weight_prepacked", value: "1" });
  const [rows, width] = [node.requiredInteger("N"), node.requiredInteger("K")];
  const block = node.requiredInteger("block_size");
  const packed = [rows, Math.ceil(width / block), (block * node.integer("bits", 4)) / 8];
  node.checkFit(`${weights.shape}` === `${packed}`, [weights]);
  const table = unpacked(node, { rows, width, block, weights, scales, zeros: node.optional(3) });
  const product = node.operation("MatMul", [x, node.operation("Transpose", [table], { perm: [1, 0] })]);
  node.alias(sumOf(node, product, node.optional(5)));
};

/** Rows of a table of packed weights. */
const packedGather: Become = (node) => {
  const [weights, indexes, scales] = [node.input(0), node.input(1), node.input(2)];
  const [rows, bytes] = node.withAxes(weights.shape, 2);
  const axes = [node.axis(node.integer("gather_axis", 0), 2), node.axis(node.integer("quantize_axis", 1), 2)];
  if (weights.element !== "uint8") node.refuse({ kind: "element type", name: weights.element });
  node.checkFit(weights.shape.length === 2 && `${axes}` === "0,1", [weights]);
  const width = (bytes * 8) / node.integer("bits", 4);
  const block = node.integer("block_size", 128);
  const table = unpacked(node, { rows, width, block, weights, scales, zeros: node.optional(3) });
  node.operation("Gather", [table, indexes], {}, 0);
};

// biome-ignore format: a table
export const packedWeights: OperatorTable = {
  "com.microsoft.GatherBlockQuantized": { 1: packedGather },
  "com.microsoft.MatMulNBits":          { 1: packedMatMul },
};
