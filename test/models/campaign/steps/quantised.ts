import type { Draft, MakeStep, StepTable } from "../draft.js";

/** Steps to and from whole numbers that stand for fractions. */

/** A scale and a zero point for a value, for all of it or along an axis. */
function steps(draft: Draft, x: string, element: "int8" | "uint8", axis?: number): [string, string] {
  const count = axis === undefined ? 1 : draft.sizeAt(x, axis);
  const shape = axis === undefined ? [] : [count];
  const scales = Array.from({ length: count }, () => draft.choice.oneOf([0.25, 0.5, 1, 2]));
  const zeros = Array.from({ length: count }, () => draft.choice.between(element === "int8" ? -3 : 0, 5));
  return [draft.constant(scales, "float", shape), draft.constant(zeros, element, shape)];
}

const quantize: MakeStep = (draft, x) => {
  if (draft.value(x).element !== "float") return undefined;
  const element = draft.choice.oneOf(["int8", "uint8"] as const);
  const axis = draft.choice.percent(40) && draft.rank(x) > 0 ? draft.axis(x) : undefined;
  const [scale, zero] = steps(draft, x, element, axis);
  return {
    operator: "QuantizeLinear",
    inputs: [x, scale, zero],
    attributes: axis === undefined ? {} : { axis },
    outputs: [element],
    hasJumps: true,
  };
};

const dequantize: MakeStep = (draft, x) => {
  const { element } = draft.value(x);
  if (element !== "int8" && element !== "uint8") return undefined;
  const axis = draft.choice.percent(40) && draft.rank(x) > 0 ? draft.axis(x) : undefined;
  const [scale, zero] = steps(draft, x, element, axis);
  return {
    operator: "DequantizeLinear",
    inputs: draft.choice.percent(80) ? [x, scale, zero] : [x, scale],
    attributes: axis === undefined ? {} : { axis },
    outputs: ["float"],
  };
};

export const quantisedSteps: StepTable = {
  QuantizeLinear: quantize,
  DequantizeLinear: dequantize,
  DynamicQuantizeLinear: (_, x) => ({
    operator: "DynamicQuantizeLinear",
    inputs: [x],
    outputs: ["uint8", "float", "uint8"],
    hasJumps: true,
  }),
  MatMulInteger: (draft, x) => {
    const { element, shape } = draft.value(x);
    const depth = shape.at(-1);
    if (element !== "uint8" && element !== "int8") return undefined;
    if (depth === undefined) return undefined;
    const y = draft.leaf([depth, draft.choice.between(1, 3)], element);
    const zeros = draft.choice.percent(60) ? [draft.scalar(2, element), draft.scalar(1, element)] : [];
    return { operator: "MatMulInteger", inputs: [x, y, ...zeros], outputs: ["int32"] };
  },
  QLinearMatMul: (draft, x) => {
    const { element, shape } = draft.value(x);
    const depth = shape.at(-1);
    if ((element !== "uint8" && element !== "int8") || depth === undefined) return undefined;
    const y = draft.leaf([depth, draft.choice.between(1, 3)], element);
    const [a, b, c] = [steps(draft, x, element), steps(draft, y, element), steps(draft, x, element)];
    return {
      operator: "QLinearMatMul",
      inputs: [x, ...a, y, ...b, ...c],
      outputs: [element],
      hasJumps: true,
    };
  },
};
