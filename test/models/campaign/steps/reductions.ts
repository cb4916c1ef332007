import type { MakeStep, StepTable } from "../draft.js";

/** Steps that make one element of many along axes, and normalisations. */

const reducing =
  (operator: string): MakeStep =>
  (draft, x) => {
    const { choice, opset } = draft;
    const rank = draft.rank(x);
    const keepdims = choice.below(2);
    // ONNX Runtime rounds the parts of a logarithm of whole numbers, which nothing demands.
    if (operator.includes("Log") && !draft.isFloat(x)) return undefined;
    if (rank === 0 || choice.percent(20)) return { operator, inputs: [x], attributes: { keepdims } };
    const axes = choice
      .shuffled(draft.shape(x).map((_, axis) => axis))
      .slice(0, choice.between(1, rank))
      .map((axis) => (choice.percent(30) ? axis - rank : axis));
    const isInput = opset >= 18 || (operator === "ReduceSum" && opset >= 13);
    return isInput
      ? { operator, inputs: [x, draft.integers(...axes)], attributes: { keepdims } }
      : { operator, inputs: [x], attributes: { keepdims, axes } };
  };

const reductions = ["Sum", "Mean", "Max", "Min", "Prod", "L1", "L2", "LogSumExp", "SumSquare", "LogSum"];

const along =
  (operator: string, hasJumps = false): MakeStep =>
  (draft, x) =>
    draft.rank(x) === 0
      ? undefined
      : {
          operator,
          inputs: [x],
          attributes: draft.choice.percent(15) ? {} : { axis: draft.axis(x) },
          hasJumps,
        };

const argument =
  (operator: string): MakeStep =>
  (draft, x) =>
    draft.rank(x) === 0
      ? undefined
      : {
          operator,
          inputs: [x],
          attributes: {
            axis: draft.axis(x),
            keepdims: draft.choice.below(2),
            select_last_index: draft.choice.below(2),
          },
          outputs: ["int64"],
          hasJumps: true,
        };

export const reductionSteps: StepTable = {
  ...Object.fromEntries(reductions.map((each) => [`Reduce${each}`, reducing(`Reduce${each}`)])),
  ArgMax: argument("ArgMax"),
  ArgMin: argument("ArgMin"),
  Softmax: along("Softmax"),
  LogSoftmax: along("LogSoftmax"),
  Hardmax: along("Hardmax", true),
  CumSum: (draft, x) =>
    draft.rank(x) === 0
      ? undefined
      : {
          operator: "CumSum",
          inputs: [x, draft.scalar(draft.axis(x), "int64")],
          attributes: { exclusive: draft.choice.below(2), reverse: draft.choice.below(2) },
        },
  LayerNormalization: (draft, x) => {
    if (draft.rank(x) === 0) return undefined;
    const axis = draft.axis(x);
    const shape = draft.shape(x).slice(axis);
    const scale = draft.alike(x, draft.choice.percent(70) ? shape : shape.slice(-1));
    const inputs = [x, scale, ...(draft.choice.percent(60) ? [draft.alike(x, shape)] : [])];
    return { operator: "LayerNormalization", inputs, attributes: { axis, epsilon: { float: 0.1 } } };
  },
  RMSNormalization: (draft, x) => {
    if (draft.rank(x) === 0) return undefined;
    const axis = draft.axis(x);
    const scale = draft.alike(x, draft.shape(x).slice(axis));
    return {
      operator: "RMSNormalization",
      inputs: [x, scale],
      attributes: { axis, epsilon: { float: 0.1 } },
    };
  },
  BatchNormalization: (draft, x) => {
    const [, channels] = draft.shape(x);
    if (channels === undefined) return undefined;
    const row = [channels];
    const variance = draft.constant(
      row.flatMap((size) => Array.from({ length: size }, (_, at) => at + 0.5)),
      "float",
    );
    const inputs = [x, draft.alike(x, row), draft.alike(x, row), draft.alike(x, row), variance];
    return { operator: "BatchNormalization", inputs, attributes: { epsilon: { float: 0.1 } } };
  },
  InstanceNormalization: (draft, x) => {
    const [, channels] = draft.shape(x);
    if (channels === undefined || draft.rank(x) < 3) return undefined;
    const inputs = [x, draft.alike(x, [channels]), draft.alike(x, [channels])];
    return { operator: "InstanceNormalization", inputs, attributes: { epsilon: { float: 0.1 } } };
  },
  GroupNormalization: (draft, x) => {
    const [, channels = 1] = draft.shape(x);
    if (draft.rank(x) < 3) return undefined;
    const groups = draft.choice.oneOf([1, 2, 3].filter((each) => channels % each === 0));
    const row = draft.opset >= 21 ? [channels] : [groups];
    const inputs = [x, draft.alike(x, row), draft.alike(x, row)];
    return {
      operator: "GroupNormalization",
      inputs,
      attributes: { epsilon: { float: 0.1 }, num_groups: groups },
    };
  },
  LpNormalization: (draft, x) =>
    draft.rank(x) === 0
      ? undefined
      : {
          operator: "LpNormalization",
          inputs: [x],
          attributes: { axis: draft.axis(x), p: draft.choice.between(1, 2) },
        },
  LRN: (draft, x) => ({
    operator: "LRN",
    inputs: [x],
    attributes: {
      size: draft.choice.oneOf([1, 3, 5]),
      alpha: { float: 0.5 },
      beta: { float: 0.75 },
      bias: { float: 1.5 },
    },
  }),
  MeanVarianceNormalization: (_, x) => ({ operator: "MeanVarianceNormalization", inputs: [x] }),
};
