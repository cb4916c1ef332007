import type { Draft, MakeStep, StepTable } from "../draft.js";
import type { Attribute } from "../graph.js";

/** Products of matrices, convolutions and pooling. */

const matMul: MakeStep = (draft, x) => {
  const { choice } = draft;
  const shape = draft.shape(x);
  const rows = shape.at(-1);
  if (rows === undefined) return undefined;
  const columns = choice.between(1, 3);
  const batch = shape.slice(0, -2).map((size) => (choice.percent(60) ? size : 1));
  const others = [[rows], [rows, columns], [...batch, rows, columns], [2, ...batch, rows, columns].slice(-4)];
  return { operator: "MatMul", inputs: [x, draft.alike(x, choice.oneOf(others))] };
};

const gemm: MakeStep = (draft, x) => {
  const { choice } = draft;
  const [first, second] = draft.shape(x);
  if (first === undefined || second === undefined || draft.rank(x) !== 2) return undefined;
  const [transA, transB] = [choice.below(2), choice.below(2)];
  const [rows, depth] = transA === 1 ? [second, first] : [first, second];
  const columns = choice.between(1, 3);
  const b = draft.alike(x, transB === 1 ? [columns, depth] : [depth, columns]);
  const added = choice.oneOf([[columns], [rows, columns], [1, columns], [rows, 1], [], [1]]);
  return {
    operator: "Gemm",
    inputs: [x, b, ...(choice.percent(60) ? [draft.alike(x, added)] : [])],
    attributes: {
      transA,
      transB,
      alpha: { float: choice.oneOf([1, 0.5, 2]) },
      beta: { float: choice.oneOf([1, 0.5, 0]) },
    },
  };
};

/** An image for windows: the value itself where it is one. */
const image = (draft: Draft, x: string): string => {
  const rank = draft.rank(x);
  if (rank === 3 || rank === 4) return x;
  const { choice } = draft;
  return draft.alike(x, [
    choice.between(1, 2),
    choice.between(1, 4),
    choice.between(2, 6),
    ...(choice.percent(70) ? [choice.between(1, 6)] : []),
  ]);
};

/** Strides, pads and so on of windows of these sizes. */
function windows(draft: Draft, kernel: readonly number[], hasDilations: boolean): Record<string, Attribute> {
  const { choice } = draft;
  const attributes: Record<string, Attribute> = { kernel_shape: kernel };
  if (choice.percent(60)) attributes.strides = kernel.map(() => choice.between(1, 3));
  if (hasDilations && choice.percent(40)) attributes.dilations = kernel.map(() => choice.between(1, 2));
  if (choice.percent(20)) {
    attributes.auto_pad = choice.oneOf(["SAME_UPPER", "SAME_LOWER", "VALID"]);
    // ONNX Runtime forgets dilations then, and takes fewer steps where strides are longer than windows.
    delete attributes.dilations;
    if (attributes.strides !== undefined) attributes.strides = kernel.map((size) => choice.between(1, size));
  } else if (choice.percent(60))
    attributes.pads = [...kernel, ...kernel].map((size) => choice.between(0, size - 1));
  return attributes;
}

const kernelOf = (draft: Draft, x: string): number[] =>
  draft
    .shape(x)
    .slice(2)
    .map(() => draft.choice.between(1, 3));

const convolution =
  (operator: "Conv" | "ConvTranspose"): MakeStep =>
  (draft, some) => {
    const { choice } = draft;
    const x = image(draft, some);
    const [, channels = 1] = draft.shape(x);
    const group = choice.percent(40) ? channels : 1;
    const kernel = kernelOf(draft, x);
    const maps = choice.between(1, 2);
    const shape =
      operator === "Conv" ? [group * maps, channels / group, ...kernel] : [channels, maps, ...kernel];
    const bias = choice.percent(50) ? [draft.alike(x, [group * maps])] : [];
    const attributes = { ...windows(draft, kernel, true), group };
    const isPadded = operator === "ConvTranspose" && choice.percent(30);
    return {
      operator,
      inputs: [x, draft.alike(x, shape), ...bias],
      attributes: isPadded
        ? { ...attributes, output_padding: kernel.map(() => choice.below(2)) }
        : attributes,
    };
  };

const pool =
  (operator: string, more: (draft: Draft) => Record<string, Attribute>): MakeStep =>
  (draft, some) => {
    const x = image(draft, some);
    const { opset, choice } = draft;
    const hasDilations = operator === "MaxPool" || (operator === "AveragePool" && opset >= 19);
    const attributes = { ...windows(draft, kernelOf(draft, x), hasDilations), ...more(draft) };
    if (operator !== "LpPool" || opset >= 18) attributes.ceil_mode = choice.below(2);
    const isIndexed = operator === "MaxPool" && choice.percent(30);
    return isIndexed
      ? { operator, inputs: [x], attributes, outputs: [draft.value(x).element, "int64"], hasJumps: true }
      : { operator, inputs: [x], attributes };
  };

const global =
  (operator: string): MakeStep =>
  (draft, x) => ({ operator, inputs: [image(draft, x)] });

const einsum: MakeStep = (draft, x) => {
  const [first = 1, second = 1, third = 1] = draft.shape(x);
  const rank = draft.rank(x);
  // biome-ignore format: a table
  const rows: readonly (readonly [equation: string, rank: number, other?: readonly number[]])[] = [
    ["ij,jk->ik", 2, [second, 2]], ["ij,ij->i", 2, [first, second]], ["ij->ji", 2], ["ij,kj->ki", 2, [3, second]],
    ["ij->", 2], ["ij->i", 2], ["ij,j", 2, [second]], ["bij,bjk->bik", 3, [first, third, 2]], ["bij,bkj->bik", 3, [first, 2, third]],
    ["...ij->...ji", 3], ["bij,kj->bk", 3, [2, third]], ["i,j->ij", 1, [3]], ["i,i->", 1, [first]], ["bij->bj", 3], ["ij,jk", 2, [second, 3]],
  ];
  const [equation, , other] = draft.choice.oneOf(
    rows.filter((row) => row[1] === rank || rank > 3 || rank === 0),
  );
  const inputs = other === undefined ? [x] : [x, draft.alike(x, other)];
  return { operator: "Einsum", inputs, attributes: { equation } };
};

const resize: MakeStep = (draft, some) => {
  const { choice } = draft;
  const x = image(draft, some);
  const rank = draft.rank(x);
  const mode = choice.oneOf(["nearest", "linear", "cubic"]);
  // Whole numbers are cut off, where a rounding may make a great difference.
  if (mode !== "nearest" && !draft.isFloat(x)) return undefined;
  const spatial = draft.shape(x).slice(2);
  const modes = ["asymmetric", "half_pixel", "align_corners", "pytorch_half_pixel"];
  const coordinates = choice.oneOf(modes);
  const attributes: Record<string, Attribute> = { mode, coordinate_transformation_mode: coordinates };
  if (mode === "nearest")
    attributes.nearest_mode = choice.oneOf(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"]);
  if (choice.percent(50)) {
    // ONNX aligns the corners of a size with its fraction, ONNX Runtime without it.
    const fits = (scale: number, size: number): boolean =>
      coordinates !== "align_corners" || Number.isInteger(scale * size);
    const scales = spatial.map((size) => {
      const scale = choice.oneOf([1, 2, 0.5, 1.5]);
      return fits(scale, size) ? scale : 1;
    });
    return { operator: "Resize", inputs: [x, "", draft.constant([1, 1, ...scales], "float")], attributes };
  }
  const sizes = [...draft.shape(x).slice(0, 2), ...spatial.map(() => choice.between(1, 6))];
  return rank < 3
    ? undefined
    : { operator: "Resize", inputs: [x, "", "", draft.integers(...sizes)], attributes };
};

export const productSteps: StepTable = {
  MatMul: matMul,
  Gemm: gemm,
  Einsum: einsum,
  Resize: resize,
  Conv: convolution("Conv"),
  ConvTranspose: convolution("ConvTranspose"),
  MaxPool: pool("MaxPool", () => ({})),
  AveragePool: pool(
    "AveragePool",
    ({ choice }): Record<string, number> => ({ count_include_pad: choice.below(2) }),
  ),
  LpPool: pool("LpPool", ({ choice }): Record<string, number> => ({ p: choice.between(1, 2) })),
  GlobalAveragePool: global("GlobalAveragePool"),
  GlobalMaxPool: global("GlobalMaxPool"),
  Attention: (draft) => {
    const { choice } = draft;
    const [batch, heads, width] = [choice.between(1, 2), choice.between(1, 2), choice.between(1, 3)];
    const [queries, keys] = [choice.between(1, 4), choice.between(1, 4)];
    const leaf = (...shape: number[]): string => draft.leaf(shape);
    const inputs = [
      leaf(batch, heads, queries, width),
      leaf(batch, heads, keys, width),
      leaf(batch, heads, keys, width),
    ];
    const attributes = { is_causal: choice.below(2) };
    return {
      operator: "Attention",
      inputs: choice.percent(50) ? inputs : [...inputs, leaf(queries, keys)],
      attributes,
      outputs: ["float"],
    };
  },
};
