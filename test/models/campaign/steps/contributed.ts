import type { Draft, MakeStep, StepTable } from "../draft.js";
import type { Attribute } from "../graph.js";

/** Steps of the operators that ONNX Runtime has beside those of ONNX. */

const domain = "com.microsoft";

/** A vector for the last axis of a value. */
const alongLast = (draft: Draft, x: string): string => draft.alike(x, [draft.sizeAt(x, -1)]);

const elementwise =
  (operator: string, hasBias: (draft: Draft) => boolean): MakeStep =>
  (draft, x) => {
    if (draft.value(x).element !== "float" || draft.rank(x) === 0) return undefined;
    return { operator, domain, inputs: hasBias(draft) ? [x, alongLast(draft, x)] : [x] };
  };

/** A value with three axes: that, or a new one. */
function sequence(draft: Draft, x: string): string {
  if (draft.value(x).element === "float" && draft.rank(x) === 3) return x;
  const { choice } = draft;
  return draft.leaf([choice.between(1, 2), choice.between(1, 4), choice.between(1, 6)]);
}

const skip =
  (operator: string): MakeStep =>
  (draft, some) => {
    const x = sequence(draft, some);
    const optional = (): string => (draft.choice.percent(50) ? alongLast(draft, x) : "");
    const isShifted = operator === "SkipLayerNormalization";
    const vectors = [alongLast(draft, x), ...(isShifted ? [optional()] : []), optional()];
    return {
      ...{ operator, domain, inputs: [x, draft.alike(x, draft.shape(x)), ...vectors] },
      attributes: { epsilon: { float: 0.1 } },
    };
  };

const matMul: MakeStep = (draft, x) => {
  const { element, shape } = draft.value(x);
  if (element !== "float" || shape.length < 2) return undefined;
  const { choice } = draft;
  const [transA, transB] = [choice.below(2), choice.below(2)];
  const [rows = 1, columns = 1] = shape.slice(-2);
  const [depth, width] = [transA === 1 ? rows : columns, choice.between(1, 4)];
  const outer = choice.percent(50) ? shape.slice(0, -2) : [];
  const y = draft.alike(x, [...outer, ...(transB === 1 ? [width, depth] : [depth, width])]);
  const attributes = { transA, transB, alpha: { float: choice.oneOf([1, 0.5, -2]) } };
  return { operator: "FusedMatMul", domain, inputs: [x, y], attributes };
};

/** What a mask says, for keys or for pairs; nothing now and then. */
function masks(draft: Draft, batch: number, queries: number, keys: number): string {
  const shape = draft.choice.oneOf([undefined, [batch, keys], [batch, queries, keys], [batch]]);
  if (shape === undefined) return "";
  const count = shape.reduce((product, size) => product * size, 1);
  const numbers = Array.from({ length: count }, () =>
    shape.length === 1 ? draft.choice.between(1, keys) : Number(draft.choice.percent(70)),
  );
  return draft.constant(numbers, "int32", shape);
}

const attributesOf = (draft: Draft, heads: number): Record<string, Attribute> => ({
  num_heads: heads,
  unidirectional: draft.choice.below(2),
  mask_filter_value: { float: -50 },
});

const attention: MakeStep = (draft, some) => {
  const x = sequence(draft, some);
  const { choice } = draft;
  const [batch = 1, length = 1, width = 1] = draft.shape(x);
  const heads = choice.between(1, 3);
  const size = 3 * heads * choice.between(1, 3);
  // Without a bias some versions of ONNX Runtime end the process.
  const inputs = [x, draft.leaf([width, size]), draft.leaf([size]), masks(draft, batch, length, length)];
  return { operator: "Attention", domain, inputs, attributes: attributesOf(draft, heads) };
};

const multiHeadAttention: MakeStep = (draft) => {
  const { choice } = draft;
  const [batch, heads, width] = [choice.between(1, 2), choice.between(1, 3), choice.between(1, 3)];
  const [queries, keys] = [choice.between(1, 4), choice.between(1, 4)];
  const size = heads * width;
  const parts = [queries, keys, keys].map((length) => draft.leaf([batch, length, size]));
  const bias = choice.percent(50) ? draft.leaf([3 * size]) : "";
  const inputs = [...parts, bias, masks(draft, batch, queries, keys)];
  return { operator: "MultiHeadAttention", domain, inputs, attributes: attributesOf(draft, heads) };
};

/** A scale and a zero point. Of fractions of two many results would lie halfway between two whole numbers, where each rounds as it likes. */
const steps = (draft: Draft, element: "int8" | "uint8"): [string, string] => [
  draft.scalar(Math.fround(draft.choice.oneOf([0.3, 0.7, 1.1, 1.9]))),
  draft.scalar(draft.choice.between(element === "int8" ? -3 : 0, 5), element),
];

const bytes =
  (operator: string, operands: 1 | 2): MakeStep =>
  (draft, x) => {
    const { element } = draft.value(x);
    if (element !== "int8" && element !== "uint8") return undefined;
    const second = operands === 1 ? [] : [draft.beside(x), ...steps(draft, element)];
    const inputs = [x, ...steps(draft, element), ...second, ...steps(draft, element)];
    return { operator, domain, inputs, outputs: [element], hasJumps: true };
  };

const integerProduct: MakeStep = (draft, x) => {
  const { element, shape } = draft.value(x);
  const depth = shape.at(-1);
  if ((element !== "uint8" && element !== "int8") || shape.length < 2 || depth === undefined)
    return undefined;
  const width = draft.choice.between(1, 3);
  const y = draft.leaf([depth, width], element);
  const [scale, zero] = steps(draft, element);
  const scales = Array.from({ length: width }, () => draft.choice.oneOf([0.25, 0.5, 1]));
  const inputs = [x, y, scale, draft.constant(scales, "float"), zero, draft.scalar(1, element)];
  return { operator: "MatMulIntegerToFloat", domain, inputs, outputs: ["float"] };
};

export const contributedSteps: StepTable = {
  Attention: attention,
  BiasGelu: elementwise("BiasGelu", () => true),
  FastGelu: elementwise("FastGelu", ({ choice }) => choice.percent(50)),
  FusedMatMul: matMul,
  Gelu: elementwise("Gelu", () => false),
  MatMulIntegerToFloat: integerProduct,
  MultiHeadAttention: multiHeadAttention,
  QLinearAdd: bytes("QLinearAdd", 2),
  QLinearLeakyRelu: bytes("QLinearLeakyRelu", 1),
  QLinearMul: bytes("QLinearMul", 2),
  QLinearSigmoid: bytes("QLinearSigmoid", 1),
  QuickGelu: elementwise("QuickGelu", () => false),
  SkipLayerNormalization: skip("SkipLayerNormalization"),
  SkipSimplifiedLayerNormalization: skip("SkipSimplifiedLayerNormalization"),
};
