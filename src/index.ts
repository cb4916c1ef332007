/**
 * Sphex, the library: tensor expressions with named dimensions, checked before they run. See grammar/README.md for the
 * language and src/README.md for how this is made.
 */

export type { Backend, BackendFeature, HostFeature } from "./backends/backend.js";
export { type BackendName, backendNames, backends } from "./backends/backends.js";
export type { Clock, Limits } from "./backends/meter.js";
export type { AxisStride as Stride, ValueStorage } from "./backends/plan-inspection.js";
export type { Support, SupportTable } from "./backends/support.js";
export {
  isBytesFormat,
  type TensorFormat,
  tensorFormatOf,
  tensorFormats,
  type WriteOptions,
  type WrittenTensor,
  writeTensor,
} from "./formats/interchange.js";
export { formsOf as jsonFormsOf, type JsonForm, jsonForms } from "./formats/json/forms.js";
export { parseJson } from "./formats/json/parse.js";
export type { Json, JsonKind, JsonScalar, JsonValue } from "./formats/json/value.js";
export { type NpzWriteOptions, writeNpz, writeNpzOf } from "./formats/numpy/npz.js";
export { type TensorJson, tensorJson } from "./formats/show/json.js";
export { shortNumber } from "./formats/show/numbers.js";
export {
  type FormatName,
  formatNames,
  type ShowTensorOptions,
  showTensor,
  showTensors,
} from "./formats/show/show.js";
export type { PlannedStep, PlannedValue } from "./inspect/plan-report/plan-report.js";
export { type Plan, type PlanStage, showPlan } from "./inspect/plan-report/show-plan.js";
export { parseAddress } from "./inspect/provenance/address.js";
export type { ExplainedNode, ExplainedResult, Explanation } from "./inspect/provenance/explain.js";
export type { DescribedCell, NotFinite } from "./inspect/provenance/not-finite.js";
export { showExplanation } from "./inspect/provenance/show-explain.js";
export { offeredCells, showNotFinite, showWhy } from "./inspect/provenance/show-why.js";
export type { TensorSummary } from "./inspect/provenance/summary.js";
export type { Contribution, Why, WhyOptions, WhyStep } from "./inspect/provenance/why.js";
export type { DisplayOptions } from "./inspect/table.js";
export {
  type FunctionDescription,
  functionDescriptions,
} from "./language/check/descriptions/function-descriptions.js";
export {
  nearestTopic,
  searchTopics,
  type Topic,
  type TopicKind,
  topics,
  topicText,
} from "./language/check/descriptions/topics.js";
export { type Dialect, dialects } from "./language/check/dialect.js";
export type { OperationName } from "./language/core/operations.js";
export { preludeText } from "./language/prelude/prelude.js";
export { escapeForeign, escapeHidden, visibleJson } from "./language/source/hidden-characters.js";
export { nearest } from "./language/source/nearest.js";
export type { TransferableError, TransferableProblem } from "./language/source/problem.js";
export { type ShowOptions, showProblem } from "./language/source/show.js";
export type { Position, Source, Span } from "./language/source/span.js";
export { receiveError } from "./language/source/transferable-error.js";
export type { Parsed } from "./language/syntax/parse.js";
export { type Formatted, format } from "./language/syntax/pretty-printer/format.js";
export type { CellArray, CellType } from "./language/types/cell.js";
export { type Dimension, TensorType } from "./language/types/type.js";
export type { Address, TextAddress } from "./language/values/address.js";
export type { Cell, CellsOptions } from "./language/values/cell-walk.js";
export type { AxesOptions } from "./language/values/data/axis-order.js";
export type { Cells, Nested, TensorData } from "./language/values/data/build.js";
export type { Column, StridedArray } from "./language/values/data/foreign-arrays.js";
export type { JsonAddress, JsonBlock, JsonNumber, JsonTensor } from "./language/values/data/json-form.js";
export type { NestedValue } from "./language/values/data/nested.js";
export type { NumberArray } from "./language/values/data/number-array.js";
export type { TransferableTensor } from "./language/values/data/transferable.js";
export type { TensorDescription } from "./language/values/description.js";
export { Tensor } from "./language/values/tensor.js";
export type { Labels } from "./language/values/tensor-storage.js";
export { numberText } from "./language/values/text.js";
export { type PictureKind, type PictureOptions, renderSvg, renderText } from "./pictures/picture.js";
export type { NamedValueOptions, Progress, RunOptions } from "./program/async-run.js";
export { check, compile, compileExpression, evaluate, expand, explain, why } from "./program/compile.js";
export { type AsyncOptions, compileAsync } from "./program/compile-async.js";
export type { CoreProgram, ExternalEngine } from "./program/external.js";
export type { InputsOf } from "./program/inputs/declared-inputs.js";
export { type InputValue, type InputValues, parseTensor } from "./program/inputs/inputs.js";
export {
  type NpzReadOptions,
  type ReadOptions,
  readNpz,
  readTensor,
  sampleTensor,
} from "./program/inputs/tensor-files.js";
export type { ProgramBorder } from "./program/inspection.js";
export type { FunctionOfInputs } from "./program/number-function.js";
export {
  canonicalName,
  defaultLimits,
  type HostFunction,
  type Options,
  type ProgramLimits,
  parseType,
  writtenAxes,
} from "./program/options.js";
export type { PlanOptions } from "./program/plan.js";
export type { BatchInputs, OutputOptions, Prepared } from "./program/prepared.js";
export {
  type Description,
  isProblem,
  type Problem,
  type RelatedSpan,
  type Severity,
  SphexError,
} from "./program/problem.js";
export type { PrimitiveOptions, Program, ResultSelection } from "./program/program.js";
export { uniform } from "./program/random.js";
export type { FileWriter, ReplOptions } from "./program/repl-options.js";
export type { RunningBackend } from "./program/runs/chosen-backend.js";
export type { Results, Runnable } from "./program/runs/results.js";
export type { ResultType } from "./program/runs/run.js";
export type { AssignOptions, Session } from "./program/session.js";
export { parseProgram } from "./program/texts/parsed-program.js";
export {
  type PortLike,
  serveThread,
  startThreads,
  type Threads,
  type ThreadsHost,
  type WorkerLike,
} from "./program/threads.js";
export type { TrainingCheckpoint, TrainingSettings } from "./program/training/checkpoint.js";
export { readTrainingTable } from "./program/training/data/table-data.js";
export { type ScheduleName, scheduleNames } from "./program/training/schedules.js";
export { type OptimiserName, optimiserNames, optimisers } from "./program/training/statements/optimisers.js";
export type { TrainingProgress } from "./program/training/train.js";
export type { TrainOptions } from "./program/training/train-options.js";
export { useWideVectors, type WideHost } from "./program/wide-vectors.js";
