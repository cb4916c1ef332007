import { mapTuple } from "../../../language/source/lists.js";
import { axesFrom, cellsIn } from "../axes.js";
import { number } from "../expression.js";
import type { ElementType } from "../file/element-type.js";
import { firstOf } from "../file/numbers.js";
import type { NodeImport } from "../node.js";
import { generated } from "../operand.js";
import type { Become, OperatorTable } from "./table.js";

/** Operators whose result is known from shapes and settings alone. */

const constant: Become = (node) => {
  const tensor = node.tensor("value");
  if (tensor !== undefined) return void node.constant(tensor.numbers, tensor.shape, tensor.element);
  if (node.has("value_string")) node.refuse("text");
  if (node.has("value_strings")) return list(node, node.textNumbers("value_strings"), "int64");
  const [float, integer] = [node.float("value_float"), node.integer("value_int")];
  if (float !== undefined) return void node.constant([float], [], "float");
  if (integer !== undefined) return void node.constant([integer], [], "int64");
  if (node.has("value_floats")) return list(node, node.floats("value_floats") ?? [], "float");
  if (node.has("value_ints")) return list(node, node.integers("value_ints") ?? [], "int64");
  node.refuse({ kind: "attribute missing", name: "value" });
};

function list(node: NodeImport, numbers: readonly number[], element: ElementType): void {
  node.constant(numbers, [numbers.length], element);
}

const constantOfShape: Become = (node) => {
  const shape = node.numbers(node.input(0), "shape");
  const { numbers, element } = node.tensor("value") ?? { numbers: [0], element: "float" as const };
  if (cellsIn(shape) === 0) return void node.constant([], shape, element);
  node.define(
    generated(shape, element, () => number(firstOf(numbers) ?? 0)),
    shape,
    element,
  );
};

const shape: Become = (node) => {
  const { shape } = node.input(0);
  list(node, shape.slice(node.integer("start", 0), node.integer("end")), "int64");
};

const size: Become = (node) => void node.constant([cellsIn(node.input(0).shape)], [], "int64");

const range: Become = (node) => {
  const [start, limit, delta] = mapTuple(["start", "limit", "delta"], (name, position) =>
    node.number(node.input(position), name),
  );
  const count = node.few(Math.max(0, Math.ceil((limit - start) / delta)));
  node.constant(
    axesFrom(0, count).map((at) => start + at * delta),
    [count],
    node.input(0).element,
  );
};

const eyeLike: Become = (node) => {
  const x = node.input(0);
  const element = node.element("dtype", x.element);
  const offset = node.integer("k", 0);
  const text = generated(
    x.shape,
    element,
    ([row = "0", column = "0"]) => `${row} + ${number(offset)} == ${column}`,
  );
  node.define(text, x.shape, element);
};

/** A window of so many samples: a sum of cosines of the angle at each. */
const window =
  (...coefficients: readonly number[]): Become =>
  (node) => {
    const count = node.few(node.number(node.input(0), "size"));
    const steps = node.integer("periodic", 1) === 1 ? count : count - 1;
    const sample = (at: number): number =>
      coefficients.reduce(
        (sum, coefficient, harmonic) => sum + coefficient * Math.cos((2 * Math.PI * harmonic * at) / steps),
        0,
      );
    node.constant(axesFrom(0, count).map(sample), [count], node.element("output_datatype", "float"));
  };

/** Weights that gather the bins of a spectrum into bands, evenly spaced on the mel scale. */
const melWeightMatrix: Become = (node) => {
  const setting = (position: number, name: string): number => node.number(node.input(position), name);
  const bands = setting(0, "num_mel_bins");
  const length = setting(1, "dft_length");
  const rate = setting(2, "sample_rate");
  const mel = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
  const [low, high] = [mel(setting(3, "lower_edge_hertz")), mel(setting(4, "upper_edge_hertz"))];
  const step = (high - low) / (bands + 2);
  const bin = (at: number): number =>
    Math.floor(((length + 1) * (700 * (10 ** ((at * step + low) / 2595) - 1))) / rate);
  const bins = Math.floor(length / 2) + 1;
  const weights = new Float64Array(node.few(bins * bands));
  for (let band = 0; band < bands; band++) {
    const [start, middle, end] = [bin(band), bin(band + 1), bin(band + 2)];
    const set = (at: number, weight: number): void => {
      if (at < bins) weights[at * bands + band] = weight;
    };
    if (middle === start) set(middle, 1);
    else for (let at = start; at <= middle; at++) set(at, (at - start) / (middle - start));
    if (end > middle) for (let at = middle; at < end; at++) set(at, (end - at) / (end - middle));
  }
  node.constant(weights, [bins, bands], node.element("output_datatype", "float"));
};

// biome-ignore format: a table
export const making: OperatorTable = {
  BlackmanWindow:  { 17: window(0.42, -0.5, 0.08) },
  Constant:        { 1: constant },
  ConstantOfShape: { 9: constantOfShape },
  EyeLike:         { 9: eyeLike },
  HammingWindow:   { 17: window(25 / 46, -21 / 46) },
  HannWindow:      { 17: window(0.5, -0.5) },
  MelWeightMatrix: { 17: melWeightMatrix },
  Range:           { 11: range },
  Shape:           { 1: shape },
  Size:            { 1: size },
};
