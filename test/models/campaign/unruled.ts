import type { Constant } from "../../../src/models/onnx/file/constant.js";
import type { Sketch } from "./draft.js";

/**
 * Operators that are not compared where floats are NaN, or not finite: ONNX Runtime follows no rule then, so that what it answers
 * depends on where a NaN stands, or another one. The README of the operators says what is computed here.
 */
interface Unruled {
  readonly values: "NaN" | "not finite";
  /** Whether that is so for a step; always by default. */
  readonly isFor?: (sketch: Sketch) => boolean;
}

const findsExtreme = ({ attributes }: Sketch): boolean =>
  attributes?.reduction === "max" || attributes?.reduction === "min";

// biome-ignore format: a table
const unruled: Readonly<Record<string, Unruled>> = {
  ArgMax:                { values: "NaN" },
  ArgMin:                { values: "NaN" },
  GlobalMaxPool:         { values: "NaN" },
  Hardmax:               { values: "NaN" },
  LogSoftmax:            { values: "NaN" },
  MaxPool:               { values: "NaN" },
  ReduceLogSumExp:       { values: "NaN" },
  ReduceMax:             { values: "NaN" },
  ReduceMin:             { values: "NaN" },
  Sign:                  { values: "NaN" },
  ScatterElements:       { values: "NaN", isFor: findsExtreme },
  ScatterND:             { values: "NaN", isFor: findsExtreme },
  TopK:                  { values: "NaN" },
  BatchNormalization:    { values: "not finite" },
  Clip:                  { values: "not finite", isFor: ({ inputs }) => inputs.filter((each) => each !== "").length < 3 },
  DynamicQuantizeLinear: { values: "not finite" },
  GroupNormalization:    { values: "not finite" },
  GRU:                   { values: "not finite" },
  InstanceNormalization: { values: "not finite" },
  LRN:                   { values: "not finite" },
  LSTM:                  { values: "not finite" },
  QuantizeLinear:        { values: "not finite" },
  RNN:                   { values: "not finite" },
  Resize:                { values: "not finite", isFor: ({ attributes }) => attributes?.mode !== "nearest" },
};

/** Whether a step of these inputs is one that is not compared. */
export function isUnruled(sketch: Sketch, inputs: readonly Constant[]): boolean {
  const row = unruled[sketch.operator];
  if (row === undefined || row.isFor?.(sketch) === false) return false;
  const isSound = row.values === "NaN" ? (each: number) => !Number.isNaN(each) : Number.isFinite;
  return !inputs.every(({ numbers }) => Array.from(numbers).every(isSound));
}
