import type { Draft, MakeStep, StepTable } from "../draft.js";
import type { Attribute } from "../graph.js";

/** Networks along a sequence: their weights, states and settings are all by chance. */

interface Kind {
  readonly gates: number;
  readonly activations: number;
  readonly hasCell: boolean;
  readonly settings: (draft: Draft) => Readonly<Record<string, Attribute>>;
}

/** Functions that a node may name, and whether each takes an alpha and a beta. */
const activations = [
  ["Tanh", 0],
  ["Sigmoid", 0],
  ["Relu", 0],
  ["Softsign", 0],
  ["Softplus", 0],
  ["Elu", 1],
  ["LeakyRelu", 1],
  ["ThresholdedRelu", 1],
  ["Affine", 2],
  ["HardSigmoid", 2],
  ["ScaledTanh", 2],
] as const;

function namedActivations(draft: Draft, count: number): Record<string, Attribute> {
  const chosen = Array.from({ length: count }, () => draft.choice.oneOf(activations));
  const alphas = chosen.flatMap(([, numbers]) => (numbers > 0 ? [draft.choice.oneOf([0.25, 0.5, 1])] : []));
  const betas = chosen.flatMap(([, numbers]) => (numbers > 1 ? [draft.choice.oneOf([0, 0.5, 1])] : []));
  return {
    activations: { strings: chosen.map(([name]) => name) },
    ...(alphas.length === 0 ? {} : { activation_alpha: { floats: alphas } }),
    ...(betas.length === 0 ? {} : { activation_beta: { floats: betas } }),
  };
}

const recurrent =
  (operator: string, { gates, activations: functions, hasCell, settings }: Kind): MakeStep =>
  (draft, some) => {
    const { choice } = draft;
    const isSequence = draft.rank(some) === 3 && draft.value(some).element === "float";
    const x = isSequence
      ? some
      : draft.leaf([choice.between(1, 4), choice.between(1, 3), choice.between(1, 3)]);
    const [steps = 1, batches = 1, width = 1] = draft.shape(x);
    const direction = choice.oneOf(["forward", "reverse", "bidirectional"]);
    const count = direction === "bidirectional" ? 2 : 1;
    const units = choice.between(1, 3);
    const leaf = (...shape: number[]): string => draft.alike(x, shape);
    const perhaps = (percent: number, make: () => string): string => (choice.percent(percent) ? make() : "");
    const state = (): string => leaf(count, batches, units);
    const lengths = Array.from({ length: batches }, () => choice.between(1, steps));
    const inputs = [
      ...[x, leaf(count, gates * units, width), leaf(count, gates * units, units)],
      perhaps(60, () => leaf(count, 2 * gates * units)),
      perhaps(40, () => draft.constant(lengths, "int32")),
      perhaps(50, state),
      ...(hasCell ? [perhaps(50, state), perhaps(40, () => leaf(count, 3 * units))] : []),
    ];
    return {
      operator,
      inputs,
      attributes: {
        ...{ direction, hidden_size: units, ...settings(draft) },
        ...(choice.percent(40) ? namedActivations(draft, functions * count) : {}),
        ...(choice.percent(25) ? { clip: { float: choice.oneOf([0.5, 2]) } } : {}),
      },
      outputs: hasCell ? ["float", "float", "float"] : ["float", "float"],
    };
  };

const none = (): Record<string, Attribute> => ({});
const flag =
  (name: string) =>
  ({ choice }: Draft): Record<string, Attribute> => ({ [name]: choice.below(2) });

export const recurrentSteps: StepTable = {
  RNN: recurrent("RNN", { gates: 1, activations: 1, hasCell: false, settings: none }),
  GRU: recurrent("GRU", { gates: 3, activations: 2, hasCell: false, settings: flag("linear_before_reset") }),
  LSTM: recurrent("LSTM", { gates: 4, activations: 3, hasCell: true, settings: flag("input_forget") }),
};
