import type { ElementType } from "../../../../src/models/onnx/file/element-type.js";
import type { MakeStep, StepTable } from "../draft.js";

/** Steps that compute each element by itself. */

const unary =
  (operator: string, ...numbers: readonly string[]): MakeStep =>
  (draft, x) => {
    const attributes = draft.choice
      .some(numbers)
      .map((name) => [name, { float: draft.choice.oneOf([0.1, 0.5, 2, 1, -0.5]) }]);
    return { operator, inputs: [x], attributes: Object.fromEntries(attributes) };
  };

const jumping =
  (operator: string, output?: ElementType): MakeStep =>
  (_, x) => ({
    operator,
    inputs: [x],
    hasJumps: true,
    ...(output === undefined ? {} : { outputs: [output] }),
  });

const binary =
  (operator: string, output?: ElementType): MakeStep =>
  (draft, x) => {
    const y = draft.beside(x);
    return {
      operator,
      inputs: draft.choice.shuffled([x, y]),
      ...(output === undefined ? {} : { outputs: [output], hasJumps: true }),
    };
  };

const several =
  (operator: string): MakeStep =>
  (draft, x) => ({
    operator,
    inputs: draft.choice.shuffled([x, draft.beside(x), draft.beside(x)]).slice(0, draft.choice.between(1, 3)),
  });

const elements: readonly ElementType[] = [
  "float",
  "double",
  "float16",
  "int8",
  "uint8",
  "int32",
  "int64",
  "bool",
];

const functions = [
  "Relu Sigmoid Tanh Neg Abs Exp Erf Softplus Softsign Sqrt Log Reciprocal Identity Mish Sin Cos Atan Sinh Asinh HardSwish Tan",
].flatMap((each) => each.split(" "));

const jumps = ["Floor", "Ceil", "Round", "Sign"];

export const elementwiseSteps: StepTable = {
  ...Object.fromEntries(functions.map((each) => [each, unary(each)])),
  ...Object.fromEntries(jumps.map((each) => [each, jumping(each)])),
  ...Object.fromEntries(["LeakyRelu", "Elu", "Celu"].map((each) => [each, unary(each, "alpha")])),
  ...Object.fromEntries(["Max", "Min", "Sum", "Mean"].map((each) => [each, several(each)])),
  Add: binary("Add"),
  Sub: binary("Sub"),
  Mul: binary("Mul"),
  Div: (draft, x) => ({
    operator: "Div",
    inputs: [x, draft.beside(x)],
    hasJumps: !draft.isFloat(x),
  }),
  And: binary("And", "bool"),
  Or: binary("Or", "bool"),
  Xor: binary("Xor", "bool"),
  Not: jumping("Not"),
  Equal: binary("Equal", "bool"),
  Less: binary("Less", "bool"),
  Greater: binary("Greater", "bool"),
  LessOrEqual: binary("LessOrEqual", "bool"),
  GreaterOrEqual: binary("GreaterOrEqual", "bool"),
  IsNaN: jumping("IsNaN", "bool"),
  IsInf: jumping("IsInf", "bool"),
  BitwiseAnd: binary("BitwiseAnd"),
  BitwiseOr: binary("BitwiseOr"),
  BitwiseXor: binary("BitwiseXor"),
  BitwiseNot: unary("BitwiseNot"),
  BitShift: (draft, x) => ({
    operator: "BitShift",
    inputs: [x, draft.beside(x)],
    attributes: { direction: draft.choice.oneOf(["LEFT", "RIGHT"]) },
  }),
  HardSigmoid: unary("HardSigmoid", "alpha", "beta"),
  Selu: unary("Selu", "alpha", "gamma"),
  ThresholdedRelu: (draft, x) => ({
    ...unary("ThresholdedRelu", "alpha")(draft, x),
    operator: "ThresholdedRelu",
    inputs: [x],
    hasJumps: true,
  }),
  Shrink: (draft, x) => ({
    operator: "Shrink",
    inputs: [x],
    attributes: { lambd: { float: 0.5 }, bias: { float: draft.choice.oneOf([0, 0.25]) } },
    hasJumps: true,
  }),
  Gelu: (draft, x) => ({
    operator: "Gelu",
    inputs: [x],
    attributes: { approximate: draft.choice.oneOf(["none", "tanh"]) },
  }),
  PRelu: (draft, x) => ({ operator: "PRelu", inputs: [x, draft.beside(x)] }),
  Pow: (draft, x) => ({
    operator: "Pow",
    inputs: [
      x,
      draft.choice.percent(30)
        ? draft.beside(x)
        : draft.scalar(draft.choice.oneOf([2, 3, 0.5, -1, 0]), draft.choice.oneOf(["float", "int64"])),
    ],
  }),
  Mod: (draft, x) => ({
    operator: "Mod",
    inputs: [x, draft.beside(x)],
    attributes: { fmod: draft.isFloat(x) ? 1 : draft.choice.below(2) },
    hasJumps: true,
  }),
  Cast: (draft, x) => {
    const to = draft.choice.oneOf(elements);
    const code = { float: 1, double: 11, float16: 10, int8: 3, uint8: 2, int32: 6, int64: 7, bool: 9 }[
      to as "float"
    ];
    return { operator: "Cast", inputs: [x], attributes: { to: code }, outputs: [to], hasJumps: true };
  },
  CastLike: (draft, x) => {
    const y = draft.choice.oneOf([...draft.values.keys()]);
    return { operator: "CastLike", inputs: [x, y], outputs: [draft.value(y).element], hasJumps: true };
  },
  Clip: (draft, x) => {
    const { element } = draft.value(x);
    const low = draft.choice.percent(60) ? draft.scalar(-1, element) : "";
    const high = draft.choice.percent(60) ? draft.scalar(draft.choice.oneOf([1, 2, -2]), element) : "";
    return { operator: "Clip", inputs: [x, low, high] };
  },
  Where: (draft, x) => {
    const condition = draft.value(x).element === "bool" ? x : undefined;
    if (condition === undefined) {
      const mask = draft.leaf(
        draft.shape(x).map((size) => (draft.choice.percent(25) ? 1 : size)),
        "bool",
      );
      return {
        operator: "Where",
        inputs: [mask, ...draft.choice.shuffled([x, draft.beside(x)])],
        outputs: [draft.value(x).element],
      };
    }
    const yes = draft.leaf(draft.shape(x).map((size) => (draft.choice.percent(25) ? 1 : size)));
    const no = draft.leaf(draft.shape(x).slice(draft.choice.between(0, draft.rank(x))));
    return { operator: "Where", inputs: [condition, yes, no], outputs: ["float"] };
  },
};
