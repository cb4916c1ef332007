/**
 * Sphex, the library: tensor expressions with named dimensions, checked before they run. See grammar/README.md for the
 * language and src/README.md for how this is made.
 */
export type { Keeping, PlannedStep, PlannedValue, Stride } from "./backends/engine/account/account.js";
export { type Plan, type PlanStage, showPlan } from "./backends/engine/account/show-plan.js";
export { parseAddress } from "./backends/insight/address.js";
export type { ExplainedNode, ExplainedResult, Explanation } from "./backends/insight/explain.js";
export type { NotFinite, ToldCell } from "./backends/insight/origin.js";
export { showExplanation } from "./backends/insight/show-explain.js";
export { showNotFinite, showWhy } from "./backends/insight/show-why.js";
export type { Summary } from "./backends/insight/summary.js";
export type { Contribution, Why, WhyOptions, WhyStep } from "./backends/insight/why.js";
export type { Clock, Limits } from "./backends/meter.js";
export { check, compile, compileExpression, evaluate, expand, explain, why } from "./compile.js";
export type { Conversation } from "./conversation.js";
export { type FeedDocument, type FeedEntry, type FieldChange, readFeed } from "./formats/feed.js";
export {
  isBytesFormat,
  type TensorFormat,
  tensorFormatOf,
  tensorFormats,
  type WriteOptions,
  writeTensor,
} from "./formats/interchange.js";
export { formsOf as jsonFormsOf, type JsonForm, jsonForms } from "./formats/json-forms.js";
export type { JsonValue } from "./formats/json-text.js";
export { writeNpz } from "./formats/npz.js";
export { type ParsedQuery, type Query, readQuery } from "./formats/query.js";
export { type Hit, type ParsedResponse, type QueryResponse, readResponse } from "./formats/response.js";
export {
  type FormatName,
  formatNames,
  type ShowTensorOptions,
  showTensor,
  showTensors,
} from "./formats/show.js";
export { type TensorJson, tensorJson } from "./formats/show-json.js";
export { type InputValue, type InputValues, parseTensor } from "./inputs.js";
export {
  type NpzReadOptions,
  type ReadOptions,
  readNpz,
  readTensor,
  sampleTensor,
  writtenAxes,
} from "./interchange.js";
export type { Dialect } from "./meaning/checker.js";
export { type FunctionDescription, functionDescriptions } from "./meaning/described.js";
export { preludeText } from "./meaning/prelude.js";
export {
  type Backend,
  backendNames,
  canonicalName,
  defaultLimits,
  type Options,
  type ProgramLimits,
  parseType,
} from "./options.js";
export { type PictureKind, type PictureOptions, renderSvg, renderText } from "./pictures/picture.js";
export type { PlanOptions } from "./planned.js";
export type { Into, Prepared } from "./prepared.js";
export type { Asked, Program, Results, ResultType } from "./program.js";
export type { Progress, RunOptions } from "./progress.js";
export { uniform } from "./random.js";
export type { Session } from "./session.js";
export { nearest } from "./source/nearest.js";
export { type Place, Problem, SphexError } from "./source/problem.js";
export { type ShowOptions, showProblem } from "./source/show.js";
export type { Position, Source, Span } from "./source/span.js";
export { type Formatted, format } from "./syntax/format.js";
export { parseProgram } from "./syntax/parse.js";
export {
  type PortLike,
  serveThread,
  startThreads,
  type Threads,
  type ThreadsHost,
  type WorkerLike,
} from "./threads.js";
export type { CellArray, CellType } from "./types/cell.js";
export { type Dimension, TensorType } from "./types/type.js";
export type { Cells, Nested } from "./values/build.js";
export { type Address, type NestedValue, Tensor, type TextAddress } from "./values/tensor.js";
export { numberText } from "./values/text.js";
export { useWideVectors, type WideHost } from "./wide.js";
