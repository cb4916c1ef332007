import { axisName, cellsIn, namesOf, type Shape, sizeAt, spreadsTo } from "../axes.js";
import { number, rename } from "../expression.js";
import type { NodeImport } from "../node.js";
import { elementAt, generated, moved, renamed } from "../operand.js";
import type { Value } from "../value.js";
import { defineProduct } from "./products.js";
import { reshaped } from "./reshaping.js";
import type { Become, OperatorTable } from "./table.js";

/**
 * Attention, with dimensions named for what they are: b for the batch, h for a head of the keys, g for a head of the queries that
 * shares it, i and j for positions of queries and keys, k for what queries and keys have, e for what values have.
 */

/** A value whose dimensions have names of one's own, as one of the graph. */
function assembled(
  node: NodeImport,
  suffix: string,
  text: string,
  names: readonly string[],
  shape: Shape,
  element: Value["element"],
): Value {
  const pairs = names.flatMap((name, axis) =>
    shape[axis] === 1 ? [] : [[name, axisName(shape.length, axis)] as const],
  );
  return node.intermediate(suffix, rename(text, pairs), shape, element);
}

interface Heads {
  readonly batch: number;
  readonly keyHeads: number;
  /** Heads of the queries for each of the keys. */
  readonly group: number;
  readonly isFlat: boolean;
}

function headsOf(node: NodeImport, query: Value, key: Value): Heads {
  const isFlat = query.shape.length === 3;
  const keyHeads = isFlat ? node.requiredInteger("kv_num_heads") : sizeAt(key.shape, 1);
  const queryHeads = isFlat ? node.requiredInteger("q_num_heads") : sizeAt(query.shape, 1);
  return { batch: sizeAt(query.shape, 0), keyHeads, group: queryHeads / keyHeads, isFlat };
}

/** Keys or values with an axis for heads, behind those of before. */
function withPast(
  node: NodeImport,
  value: Value,
  past: Value | undefined,
  { batch, keyHeads, isFlat }: Heads,
  output: number,
): Value {
  let own = value;
  if (isFlat) {
    const [, length, width] = node.withAxes(value.shape, 3);
    const split = [batch, length, keyHeads, width / keyHeads];
    const heads = node.intermediate("heads", reshaped(node, value, split), split, value.element, [value]);
    const shape = [batch, keyHeads, length, width / keyHeads];
    own = node.intermediate(
      "heads",
      moved(heads, 4, (axis) => [0, 2, 1, 3][axis] ?? axis),
      shape,
      value.element,
      [value],
    );
  }
  if (past === undefined) {
    if (node.isUsed(output)) node.alias(own, output);
    return own;
  }
  const shape = own.shape.map((size, axis) => (axis === 2 ? size + sizeAt(past.shape, 2) : size));
  const text = `concat(${past.text}, ${own.text}, ${axisName(4, 2)})`;
  return node.isUsed(output)
    ? node.define(text, shape, own.element, output)
    : node.intermediate("present", text, shape, own.element);
}

/** What is added to the scores of queries and keys, with the dimensions of these. */
function maskText(node: NodeImport, mask: Value, heads: Heads, queries: number, keys: number): string {
  const length = sizeAt(mask.shape, mask.shape.length - 1);
  const scores = [heads.batch, heads.keyHeads * heads.group, queries, length];
  if (!spreadsTo(mask.shape, scores) || length > keys)
    node.refuse({ kind: "shapes", shapes: [mask.shape, [...scores.slice(0, -1), keys]] });
  const allowed = mask.element === "bool" ? `where(${mask.text}, 0, -1 / 0)` : mask.text;
  const bias = node.intermediate("bias", allowed, mask.shape, "float", [mask]);
  const long = [...mask.shape.slice(0, -1), keys];
  const full =
    length === keys
      ? bias
      : node.intermediate(
          "bias",
          generated(long, "float", (at) => `if(${at.at(-1)} < ${length}, ${elementAt(bias, at)}, -1 / 0)`),
          long,
          "float",
          [mask],
        );
  const outer = full.shape.slice(0, -2);
  const maskHeads = outer.at(-1) ?? 1;
  const batches = outer.length > 1 ? [sizeAt(outer, 0)] : [];
  // The text has the names of the mask's own axes, of which heads have none here.
  if (maskHeads === 1)
    return renamed(full, [
      ...batches.map(() => "b"),
      ...outer.slice(batches.length).map(() => "h"),
      ...["i", "j"].slice(-full.shape.length),
    ]);
  const split = [...batches, heads.keyHeads, heads.group, sizeAt(mask.shape, mask.shape.length - 2), keys];
  const byHead = node.intermediate("bias", reshaped(node, full, split), split, "float", [mask]);
  return renamed(byHead, [...batches.map(() => "b"), "h", "g", "i", "j"]);
}

/** The dimensions of scores, one for each of their axes. */
const scoreDimensions = ["b", "h", "g", "i", "j"];

/** The queries, whose heads are grouped by the heads of the keys that they share. */
function groupedQueries(node: NodeImport, query: Value, heads: Heads, width: number): string {
  const { batch, keyHeads, group, isFlat } = heads;
  const queries = sizeAt(query.shape, isFlat ? 1 : 2);
  const shape = isFlat ? [batch, queries, keyHeads, group, width] : [batch, keyHeads, group, queries, width];
  const grouped = node.intermediate("queries", reshaped(node, query, shape), shape, query.element, [query]);
  return renamed(grouped, isFlat ? ["b", "i", "h", "g", "k"] : ["b", "h", "g", "i", "k"]);
}

/** How much each query takes of the value of each key; what it is made from is an output, where somebody asks for it. */
function weightsOf(
  node: NodeImport,
  query: Value,
  keys: Value,
  heads: Heads,
  past: number | undefined,
): Value {
  const queries = sizeAt(query.shape, heads.isFlat ? 1 : 2);
  const [length, width] = [sizeAt(keys.shape, 2), sizeAt(keys.shape, 3)];
  const shape = [heads.batch, heads.keyHeads, heads.group, queries, length];
  const step = (suffix: string, text: string): Value =>
    assembled(node, suffix, text, scoreDimensions, shape, query.element);
  const own = (value: Value): string => renamed(value, scoreDimensions);
  const q = groupedQueries(node, query, heads, width);
  const k = renamed(keys, ["b", "h", "j", "k"]);
  const product = width === 1 ? `${q} * ${k}` : `sum(${q} * ${k}, k)`;
  const scores = step("scores", `${product} * ${number(node.float("scale", 1 / Math.sqrt(width)))}`);
  const softcap = node.float("softcap", 0);
  const capped =
    softcap === 0 ? scores : step("capped", `${number(softcap)} * tanh(${own(scores)} / ${number(softcap)})`);
  const terms = biasTerms(node, heads, queries, length, past);
  const bias = terms.join(" + ");
  const mayAttend = `${greatestOf(bias, length)} > -1 / 0`;
  const biasedBy = (added: string): Value =>
    terms.length === 0 ? capped : step("biased", `${own(capped)} + ${added}`);
  // A query that may look at no key at all takes nothing of any. Its scores stay finite: a softmax of infinities alone is NaN, and so would be
  // all derivatives.
  const finite = own(biasedBy(`where(${mayAttend}, ${bias}, 0)`));
  const attended = length === 1 ? `${finite} * 0 + 1` : `stable_softmax(${finite}, j)`;
  const weights = step("weights", terms.length === 0 ? attended : `where(${mayAttend}, ${attended}, 0)`);
  if (node.isUsed(3)) {
    const mode = node.integer("qk_matmul_output_mode", 0);
    const shown = mode === 2 ? biasedBy(bias) : [scores, capped, undefined, weights][mode];
    if (shown === undefined)
      return node.refuse({ kind: "attribute", name: "qk_matmul_output_mode", value: `${mode}` });
    const flat = [heads.batch, heads.keyHeads * heads.group, queries, length];
    node.define(reshaped(node, shown, flat), flat, query.element, 3);
  }
  return weights;
}

const attention: Become = (node) => {
  const [query, key, value] = [node.input(0), node.input(1), node.input(2)];
  const heads = headsOf(node, query, key);
  const { batch, keyHeads, group, isFlat } = heads;
  const past = node.optional(4);
  const keys = withPast(node, key, past, heads, 1);
  const values = withPast(node, value, node.optional(5), heads, 2);
  const isFitting =
    `${keys.shape.slice(0, 3)}` === `${values.shape.slice(0, 3)}` &&
    keys.shape[0] === batch &&
    keys.shape[1] === keyHeads &&
    cellsIn(query.shape) ===
      cellsIn([batch, keyHeads * group, sizeAt(query.shape, isFlat ? 1 : 2), sizeAt(keys.shape, 3)]);
  node.checkFit(isFitting, [query, key, value]);
  const weights = weightsOf(node, query, keys, heads, past === undefined ? undefined : sizeAt(past.shape, 2));
  const [queries, width] = [sizeAt(query.shape, isFlat ? 1 : 2), sizeAt(values.shape, 3)];
  const products = `${renamed(weights, scoreDimensions)} * ${renamed(values, ["b", "h", "j", "e"])}`;
  const mixed = sizeAt(keys.shape, 2) === 1 ? products : `sum(${products}, j)`;
  const [names, shape, out] = isFlat
    ? [
        ["b", "i", "h", "g", "e"],
        [batch, queries, keyHeads, group, width],
        [batch, queries, keyHeads * group * width],
      ]
    : [
        ["b", "h", "g", "i", "e"],
        [batch, keyHeads, group, queries, width],
        [batch, keyHeads * group, queries, width],
      ];
  const result = assembled(node, "mixed", mixed, names, shape, query.element);
  node.define(reshaped(node, result, out), out, query.element);
};

/** The greatest of what is added to the scores of a query. */
function greatestOf(bias: string, keys: number): string {
  // Zeros have the dimension of the keys where a mask has one value for all of them.
  return keys === 1 ? bias : `max(tensor<float>(j[${keys}])(0) + ${bias}, j)`;
}

/** What the mask, the order of time, the window and the lengths of the keys add to the scores. */
function biasTerms(
  node: NodeImport,
  heads: Heads,
  queries: number,
  keys: number,
  past: number | undefined,
): string[] {
  const mask = node.optional(3);
  const lengths = node.optional(6);
  const size = (name: string, count: number): string[] => (count === 1 ? [] : [`${name}[${count}]`]);
  const index = (name: string, count: number): string => (count === 1 ? "0" : name);
  const [i, j] = [index("i", queries), index("j", keys)];
  const terms = mask === undefined ? [] : [maskText(node, mask, heads, queries, keys)];
  const length = lengths === undefined ? undefined : elementAt(lengths, [index("b", heads.batch)]);
  /** The position of a query among the keys: behind those of before, or the last ones of those that are there. */
  const position =
    past === undefined && length !== undefined ? `(${i} + ${length} - ${queries})` : `(${i} + ${past ?? 0})`;
  const batch = past === undefined && length !== undefined ? size("b", heads.batch) : [];
  const add = (dimensions: readonly string[], condition: string): void => {
    const body = `if(${condition}, 0, -1 / 0)`;
    terms.push(dimensions.length === 0 ? body : `tensor<float>(${dimensions.join(", ")})(${body})`);
  };
  const pairs = [...batch, ...size("i", queries), ...size("j", keys)];
  const [left, right] = [node.integer("left_window_size", -1), node.integer("right_window_size", -1)];
  if (node.integer("is_causal", 0) === 1) add(pairs, `${j} <= ${position}`);
  if (left >= 0) add(pairs, `${position} - ${j} <= ${left}`);
  if (right >= 0) add(pairs, `${j} - ${position} <= ${right}`);
  if (length !== undefined) add([...size("b", heads.batch), ...size("j", keys)], `${j} < ${length}`);
  return terms;
}

/** Pairs of elements, turned by the angle of their position. */
const rotaryEmbedding: Become = (node) => {
  const [x, cosines, sines, positions] = [node.input(0), node.input(1), node.input(2), node.optional(3)];
  const isFlat = x.shape.length === 3;
  const [batch] = node.withAxes(x.shape, 3);
  const length = sizeAt(x.shape, isFlat ? 1 : 2);
  const heads = isFlat ? node.requiredInteger("num_heads") : sizeAt(x.shape, 1);
  const width = isFlat ? sizeAt(x.shape, 2) / heads : sizeAt(x.shape, 3);
  const turned =
    node.integer("rotary_embedding_dim", 0) === 0 ? width : node.integer("rotary_embedding_dim", 0);
  const row = [...(positions === undefined ? [batch, length] : [sizeAt(cosines.shape, 0)]), turned / 2];
  const isFitting = [cosines, sines].every(({ shape }) => `${shape}` === `${row}`);
  node.checkFit(isFitting, [x, cosines, sines]);
  if (positions !== undefined) node.checkFit(`${positions.shape}` === `${[batch, length]}`, [x, positions]);
  const isInterleaved = node.integer("interleaved", 0) === 1;
  const split = isFlat ? [batch, length, heads, width] : x.shape;
  const source = isFlat ? node.intermediate("heads", reshaped(node, x, split), split, x.element, [x]) : x;
  const text = generated(split, x.element, (at) => {
    const [b = "0", s = "0", e = "0"] = [at[0], at[isFlat ? 1 : 2], at[3]];
    const pair = isInterleaved ? `floor(${e} / 2)` : `${e} % ${turned / 2}`;
    const angle = (table: Value): string =>
      positions === undefined
        ? elementAt(table, [b, s, pair])
        : elementAt(table, [elementAt(positions, [b, s]), pair]);
    const isFirst = isInterleaved ? `${e} % 2 == 0` : `${e} < ${turned / 2}`;
    const read = (offset: string): string => elementAt(source, [...at.slice(0, 3), offset]);
    const [ahead, behind] = isInterleaved
      ? [`${e} + 1`, `${e} - 1`]
      : [`${e} + ${turned / 2}`, `${e} - ${turned / 2}`];
    const own = elementAt(source, at);
    const rotated = `${own} * ${angle(cosines)} + if(${isFirst}, 0 - ${read(ahead)}, ${read(behind)}) * ${angle(sines)}`;
    return turned === width ? rotated : `if(${e} < ${turned}, ${rotated}, ${own})`;
  });
  if (!isFlat) return void node.define(text, x.shape, x.element);
  const result = node.intermediate("turned", text, split, x.element);
  node.define(reshaped(node, result, x.shape), x.shape, x.element);
};

/** An attention that was recovered from its parts: keys are columns, and queries and values rows. */
const attentionOf: Become = (node) => {
  const [queries, keys, values, mask] = [node.input(0), node.input(1), node.input(2), node.optional(3)];
  const scale = node.float("scale", 1);
  const [width, length] = [queries.shape.at(-1) ?? 1, keys.shape.at(-1) ?? 1];
  const hasMatrices = [queries, keys, values].every(({ shape }) => shape.length > 1);
  // Neither a width nor keys of size 1 have a dimension that one could sum over.
  if (!hasMatrices || width === 1 || length === 1) return attentionInParts(node, mask, scale);
  const outer = node.broadcast([queries, keys, values].map(outerOf));
  const rows = sizeAt(queries.shape, queries.shape.length - 2);
  const masks = mask === undefined ? [] : [mask];
  const scores = node.broadcast([{ ...queries, shape: [...outer, rows, length] }, ...masks]);
  const isFitting =
    sizeAt(keys.shape, keys.shape.length - 2) === width &&
    sizeAt(values.shape, values.shape.length - 2) === length &&
    scores.at(-1) === length;
  if (!isFitting) node.refuse({ kind: "shapes", shapes: [queries.shape, keys.shape, values.shape] });
  const shape = [...scores.slice(0, -1), sizeAt(values.shape, values.shape.length - 1)];
  const operands = [queries, keys, values].map(({ text }) => text).join(", ");
  const text =
    mask === undefined
      ? `attention(${operands}, ${number(scale)})`
      : `masked_attention(${operands}, ${number(scale)}, ${mask.text})`;
  node.define(text, shape, queries.element);
};

const outerOf = (value: Value): Value => ({ ...value, shape: value.shape.slice(0, -2) });

/** The same for shapes of which the functions do not know: a step for each part. */
function attentionInParts(node: NodeImport, mask: Value | undefined, scale: number): void {
  const product = node.inner("product", (inner) => defineProduct(inner, node.input(0), node.input(1)));
  const scaled = node.intermediate(
    "scaled",
    `${product.text} * ${number(scale)}`,
    product.shape,
    product.element,
  );
  const masked =
    mask === undefined
      ? scaled
      : node.intermediate(
          "masked",
          `${scaled.text} + ${mask.text}`,
          node.broadcast([scaled, mask]),
          product.element,
        );
  const [name] = namesOf(masked.shape, [masked.shape.length - 1]);
  const softmax = name === undefined ? `${masked.text} * 0 + 1` : `stable_softmax(${masked.text}, ${name})`;
  const weights = node.intermediate("weights", softmax, masked.shape, masked.element);
  defineProduct(node, weights, node.input(2));
}

// biome-ignore format: a table
export const attentions: OperatorTable = {
  Attention:       { 23: attention },
  RotaryEmbedding: { 23: rotaryEmbedding },
  "sphex.AttentionOf": { 1: attentionOf },
};
