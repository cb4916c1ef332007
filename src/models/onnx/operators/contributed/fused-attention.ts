import { mapTuple } from "../../../../language/source/lists.js";
import { sizeAt } from "../../axes.js";
import { number } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Become, OperatorTable } from "../table.js";
import { sumOf } from "./fused.js";

/** Attentions as ONNX Runtime fuses them: with the projections before them, with masks of whole numbers, with heads in one axis. */

/** Queries, keys and values, with axes for the batch, for positions, and for what all heads have; or with heads before positions. */
interface Projections {
  readonly query: Value;
  readonly key: Value;
  readonly value: Value;
}

/** What an attention is made of. */
interface Parts extends Projections {
  /** Keys and values of before, with an axis for heads. */
  readonly past: readonly [Value, Value] | undefined;
  /** Whole numbers that say at which keys one may look, or how many there are. */
  readonly mask: Value | undefined;
  /** What is added to the scores. */
  readonly bias: Value | undefined;
}

/** Says the first output of a node, the attention of the parts; answers keys and values, behind those of before. */
function defineAttention(node: NodeImport, { query, key, value, past, mask, bias }: Parts): [Value, Value] {
  const heads = node.requiredInteger("num_heads");
  const [batch, queries] = node.withAxes(query.shape, 3);
  const [rows, keys, values] = mapTuple([query, key, value], (each) => withHeads(node, each, heads));
  const present = mapTuple([keys, values], (own, at) =>
    past === undefined ? own : node.operation("Concat", [past[at], own], { axis: 2 }),
  );
  const length = sizeAt(present[0].shape, 2);
  const before = length - sizeAt(keys.shape, 2);
  const added = [
    mask === undefined ? undefined : maskBias(node, mask, batch, queries, length),
    node.integer("unidirectional", 0) === 1 ? causalBias(node, queries, length, before) : undefined,
    bias,
  ].reduce((sum, each) => (sum === undefined || each === undefined ? (sum ?? each) : sumOf(node, sum, each)));
  const columns = node.operation("Transpose", [present[0]], { perm: [0, 1, 3, 2] });
  const scale = { float: node.float("scale", 1 / Math.sqrt(sizeAt(rows.shape, 3))) };
  const mixed = node.operation("sphex.AttentionOf", [rows, columns, present[1], added], { scale });
  const turned = node.operation("Transpose", [mixed], { perm: [0, 2, 1, 3] });
  const [, , , width] = node.withAxes(mixed.shape, 4);
  node.operation("Reshape", [turned, sizesOf(node, [batch, queries, heads * width])], {}, 0);
  return present;
}

/** Queries, keys or values with an axis for heads before that of positions, unless they have it. */
function withHeads(node: NodeImport, value: Value, heads: number): Value {
  if (value.shape.length === 4) return value;
  const [batch, length, width] = node.withAxes(value.shape, 3);
  const split = reshaped(node, value, [batch, length, heads, width / heads]);
  return node.operation("Transpose", [split], { perm: [0, 2, 1, 3] });
}

/**
 * What a mask adds to scores: nothing where one may look. It is a number for each key, or for each query and key; or it says
 * how many keys there are, or where they end and begin.
 */
function maskBias(node: NodeImport, mask: Value, batch: number, queries: number, length: number): Value {
  const filter = number(node.float("mask_filter_value", -10000));
  const define = (shape: readonly number[], allows: (at: readonly string[]) => string): Value => {
    const text = generated(shape, "float", (at) => `if(${allows(at)}, 0, ${filter})`);
    return node.intermediate("bias", text, shape, "float", [mask]);
  };
  const [size] = mask.shape;
  if (mask.shape.length === 1 && (size === batch || size === 2 * batch))
    return define([batch, 1, 1, length], ([b = "0", , , j = "0"]) => {
      const isBefore = `${j} < ${elementAt(mask, [b])}`;
      return size === batch ? isBefore : `${isBefore} && ${j} >= ${elementAt(mask, [`${b} + ${batch}`])}`;
    });
  const ends = mask.shape.length === 2 ? [batch, length] : [batch, queries, length];
  node.checkFit(`${mask.shape}` === `${ends}`, [mask]);
  const shape = [batch, 1, mask.shape.length === 2 ? 1 : queries, length];
  return define(
    shape,
    ([b = "0", , i = "0", j = "0"]) => `${elementAt(mask, mask.shape.length === 2 ? [b, j] : [b, i, j])} > 0`,
  );
}

/** What keeps each query but the last, which looks at all keys, from keys behind its own position. */
function causalBias(node: NodeImport, queries: number, length: number, before: number): Value {
  const text = generated(
    [queries, length],
    "float",
    ([i = "0", j = "0"]) => `if(${i} < ${queries - 1} && ${j} > ${i} + ${before}, -1 / 0, 0)`,
  );
  return node.intermediate("causal", text, [queries, length], "float", []);
}

/** A value in parts along an axis, of these sizes. */
function split<const Names extends readonly string[]>(
  node: NodeImport,
  value: Value,
  axis: number,
  sizes: readonly number[],
  names: Names,
): { [Name in keyof Names]: Value } {
  node.checkFit(sizes.every(Number.isInteger), [value]);
  return node.operations(
    "Split",
    [value, sizesOf(node, node.asMany(sizes, "sizes", names.length))],
    { axis },
    names,
  );
}

const reshaped = (node: NodeImport, value: Value, shape: readonly number[]): Value =>
  node.operation("Reshape", [value, sizesOf(node, shape)]);

/** Sizes as an input of an operator. */
const sizesOf = (node: NodeImport, sizes: readonly number[]): Value =>
  node.table("sizes", [...sizes], [sizes.length], "int64");

/** Two values of one shape as the halves of one, along an axis before theirs. */
const stacked = (node: NodeImport, [first, second]: readonly [Value, Value]): Value => {
  const rows = [first, second].map((value) => reshaped(node, value, [1, ...value.shape]));
  return node.operation("Concat", rows, { axis: 0 });
};

/** An attention of one value with itself, which its weights make queries, keys and values of. */
const attention: Become = (node) => {
  const projected = sumOf(node, node.operation("MatMul", [node.input(0), node.input(1)]), node.optional(2));
  const [mask, past, bias] = mapTuple([3, 4, 5], (at) => node.optional(at));
  projectedAttention(node, projected, { mask, past, bias });
};

/** The inputs of an attention beside what it is made of. */
interface OtherInputs {
  readonly mask: Value | undefined;
  /** Keys and values of before, as the halves of one value. */
  readonly past: Value | undefined;
  readonly bias?: Value | undefined;
}

/** The same of queries, keys and values that lie one behind the other. */
export function projectedAttention(
  node: NodeImport,
  projected: Value,
  { mask, past, bias }: OtherInputs,
): void {
  for (const name of ["do_rotary", "past_present_share_buffer"])
    if (node.integer(name, 0) !== 0) node.refuse({ kind: "attribute", name, value: "1" });
  const width = sizeAt(projected.shape, 2);
  const sizes = node.integers("qkv_hidden_sizes") ?? [width / 3, width / 3, width / 3];
  const [query, key, value] = split(node, projected, 2, sizes, ["queries", "keys", "values"]);
  const before = past === undefined ? undefined : halvesOf(node, past);
  const present = defineAttention(node, { query, key, value, past: before, mask, bias });
  if (node.isUsed(1)) node.alias(stacked(node, present), 1);
}

/** The halves of a value along its first axis, without it. */
function halvesOf(node: NodeImport, value: Value): [Value, Value] {
  const [, ...shape] = node.withAxes(value.shape, 2);
  const halves = split(node, value, 0, [1, 1], ["before_keys", "before_values"]);
  return mapTuple(halves, (half) => reshaped(node, half, shape));
}

/** An attention whose queries, keys and values are inputs. */
const multiHeadAttention: Become = (node) => {
  const parts = withBias(node, { query: node.input(0), key: node.input(1), value: node.input(2) });
  const [mask, bias, pastKey, pastValue] = mapTuple([4, 5, 6, 7], (at) => node.optional(at));
  const past = pastKey === undefined || pastValue === undefined ? undefined : ([pastKey, pastValue] as const);
  for (const at of [8, 9])
    if (node.optional(at) !== undefined) node.refuse({ kind: "input unsupported", position: at });
  node.refuseOutputs(3);
  const present = defineAttention(node, { ...parts, past, mask, bias });
  for (const [at, value] of present.entries()) if (node.isUsed(at + 1)) node.alias(value, at + 1);
};

/** With the bias of the projections, which lies one behind the other for all three. */
function withBias(node: NodeImport, parts: Projections): Projections {
  const bias = node.optional(3);
  if (bias === undefined) return parts;
  const sizes = [parts.query, parts.key, parts.value].map(({ shape }) => sizeAt(shape, 2));
  const biases = split(node, bias, 0, sizes, ["query_bias", "key_bias", "value_bias"]);
  const [query, key, value] = mapTuple([parts.query, parts.key, parts.value], (each, at) =>
    sumOf(node, each, biases[at]),
  );
  return { query, key, value };
}

/** Positions may be one number, where the first element stands. */
const rotary: Become = (node) => {
  if (node.integer("is_packed_batching", 0) !== 0)
    node.refuse({ kind: "attribute", name: "is_packed_batching", value: "1" });
  const [x, positions, cosines, sines] = [node.input(0), node.input(1), node.input(2), node.input(3)];
  const isFlat = x.shape.length === 3;
  const [batch] = node.withAxes(x.shape, 3);
  const shape = [batch, sizeAt(x.shape, isFlat ? 1 : 2)];
  const width = node.integer("rotary_embedding_dim", 0);
  const heads = node.integer("num_heads", 0);
  const count = heads > 0 || !isFlat ? heads : sizeAt(x.shape, 2) / (2 * sizeAt(cosines.shape, 1));
  const inOrder = generated(shape, "int64", ([, i = "0"]) => `${positions.text} + ${i}`);
  const isFirst = `${positions.shape}` === "1";
  node.operation(
    "RotaryEmbedding",
    [x, cosines, sines, isFirst ? node.intermediate("positions", inOrder, shape, "int64") : positions],
    { interleaved: node.integer("interleaved", 0), num_heads: count, rotary_embedding_dim: width },
    0,
  );
};

// biome-ignore format: a table
export const fusedAttentions: OperatorTable = {
  "com.microsoft.Attention":          { 1: attention },
  "com.microsoft.MultiHeadAttention": { 1: multiHeadAttention },
  "com.microsoft.RotaryEmbedding":    { 1: rotary },
};
