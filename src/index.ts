/**
 * Sphex, the library: tensor expressions with named dimensions, checked before they run. See grammar/README.md for the
 * language and src/README.md for how this is made.
 */
export type { Clock, Limits } from "./backends/meter.js";
export { check, compile, compileExpression, evaluate } from "./compile.js";
export { type InputValue, type InputValues, parseTensor } from "./inputs.js";
export type { Dialect } from "./meaning/checker.js";
export { preludeText } from "./meaning/prelude.js";
export {
  canonicalName,
  defaultLimits,
  type Options,
  type ProgramLimits,
  parseType,
} from "./options.js";
export type { Program, Results, ResultType } from "./program.js";
export { uniform } from "./random.js";
export type { Session } from "./session.js";
export { nearest } from "./source/nearest.js";
export { type Place, Problem, SphexError } from "./source/problem.js";
export { type ShowOptions, showProblem } from "./source/show.js";
export type { Position, Source, Span } from "./source/span.js";
export { parseProgram } from "./syntax/parse.js";
export type { CellArray, CellType } from "./types/cell.js";
export { type Dimension, TensorType } from "./types/type.js";
export type { Cells, Nested } from "./values/build.js";
export { type Address, type NestedValue, Tensor, type TextAddress } from "./values/tensor.js";
export { numberText } from "./values/text.js";
