import { nearest } from "../../language/source/nearest.js";
import {
  abortSignal,
  amount,
  count,
  finite,
  type OptionRules,
  object,
  oneOf,
  positive,
  text,
  texts,
  whole,
} from "../../language/source/option-rule.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { floatAt, numberAt } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { nextTurn, throwIfAborted } from "../async-run.js";
import { HeldTensors } from "../held-tensors.js";
import type { InputValues } from "../inputs/inputs.js";
import { problem } from "../messages.js";
import { uniform } from "../random.js";
import { batchesOf, itemCount, itemTexts, shuffled } from "./batches.js";
import {
  refuseOtherItems,
  settingsOf,
  type settled,
  type TrainingCheckpoint,
  type TrainingSettings,
} from "./checkpoint.js";
import { optimiserNames } from "./optimisers.js";
import { rateAt, scheduleNames } from "./schedules.js";
import { shownName } from "./training-text.js";

/** What a session is trained on, and how. */
export interface TrainOptions extends Partial<TrainingSettings> {
  /** The inputs of the program, with all items of the data along one dimension. */
  readonly data: InputValues;
  /** Inputs that nothing is learnt from: after each epoch the objective is computed of them, too. */
  readonly validation?: InputValues;
  /** Named values, scalars, that are computed after each epoch: of `validation` where there is one, otherwise of `data`. */
  readonly metrics?: readonly string[];
  /**
   * Training ends when so many epochs have brought nothing better; then the variables are those of the best one. An epoch is judged by the
   * objective of `validation`, or of all `data` where there is none, with the variables that it ends with.
   */
  readonly patience?: number;
  /**
   * Where an earlier training was, which goes on as if it had never ended: its settings are those of the checkpoint, and others are
   * refused, but for more `epochs` where the rate is constant.
   */
  readonly resume?: TrainingCheckpoint;
  readonly signal?: AbortSignal;
}

/** Options whose settings are decided. */
export type SettledOptions = ReturnType<typeof settled<TrainOptions>>;

/** The rules of the options of training. */
// biome-ignore format: a table
export const trainRules: OptionRules<TrainOptions> = {
  data:       object,
  dimension:  text,
  batch:      count,
  epochs:     whole,
  optimiser:  oneOf(optimiserNames),
  rate:       positive,
  schedule:   oneOf(scheduleNames),
  warmup:     whole,
  clip:       positive,
  l2:         finite,
  labels:     object,
  validation: object,
  metrics:    texts,
  patience:   whole,
  resume:     object,
  seed:       amount,
  signal:     abortSignal,
};

/** What has been reached after an epoch. */
export interface TrainingProgress {
  readonly epoch: number;
  /** Steps so far. */
  readonly step: number;
  /** The mean of the objective over the steps of the epoch, by their items. */
  readonly loss: number;
  /** The objective of `validation`. */
  readonly validation?: number;
  readonly metrics?: Readonly<Record<string, number>>;
  /** All that is needed to go on from here, in this process or another. */
  readonly checkpoint: () => TrainingCheckpoint;
}

export interface Evaluated {
  readonly loss: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** Is told the objective of a step, whether all that it changes is finite, and what variables become and the optimiser remembers. */
export type StepCheck = (loss: number, areFinite: boolean, changed: Readonly<Record<string, Tensor>>) => void;

/** What training needs of a program that minimises something. */
export interface Trainable {
  /** The data as tensors of the declared types. */
  readonly tensors: (data: InputValues) => ReadonlyMap<string, Tensor>;
  /** The unbound dimensions of the inputs. */
  readonly unbound: readonly string[];
  /** The mapped dimensions of the inputs, and those that all inputs with labels have. */
  readonly mapped: { readonly all: readonly string[]; readonly shared: readonly string[] };
  /** What the objective is computed from that has a dimension and is not among the data, or has a size along it: no batch has a part of it. */
  readonly fixedAlong: (dimension: string, data: ReadonlySet<string>) => Span | undefined;
  /** Computes the objective and what is assigned, and takes the latter if the check does not throw. */
  readonly step: (inputs: InputValues, step: number, rate: number, check: StepCheck) => void;
  /** The objective and named values of inputs that nothing is learnt from. */
  readonly evaluate: (inputs: InputValues, names: readonly string[]) => Evaluated;
  readonly tensorsSoFar: () => TrainingCheckpoint["tensors"];
  /** @throws SphexError where these are not the tensors that it keeps. */
  readonly restore: (tensors: TrainingCheckpoint["tensors"]) => void;
  /** Where on these inputs the first number that is not finite comes from. */
  readonly origin: (inputs: InputValues) => string | undefined;
}

/** Does a step when no asynchronous run of the session is under way. */
export type InTurn = (step: () => void) => Promise<void>;

/**
 * Trains: an epoch after the other, and reports each. After a problem, or when it is aborted, all steps before have been made. The data
 * are read at once: what the host does with its arrays afterwards changes nothing. Where they do not fit, the first epoch says so.
 * @throws SphexError where the data do not fit, and where the objective or a variable is no finite number any more.
 */
export function trained(
  trainable: Trainable,
  options: SettledOptions,
  inTurn: InTurn,
): AsyncGenerator<TrainingProgress> {
  const held = new HeldTensors();
  const read = heldOptions(trainable, options, held);
  read.catch(() => undefined); // the first epoch awaits it
  return trainedOnHeld(trainable, { read, held }, inTurn);
}

async function* trainedOnHeld(
  trainable: Trainable,
  { read, held }: { readonly read: Promise<HeldOptions>; readonly held: HeldTensors },
  inTurn: InTurn,
): AsyncGenerator<TrainingProgress> {
  try {
    yield* trainedOn(trainable, await read, inTurn);
  } finally {
    held.release();
  }
}

/** The options with the data as tensors; up to its end it lets nothing else go on. */
async function heldOptions(
  trainable: Trainable,
  options: SettledOptions,
  held: HeldTensors,
): Promise<HeldOptions> {
  const data = heldInputs(trainable, options.data, held);
  const validation = options.validation && heldInputs(trainable, options.validation, held);
  return { ...options, data, validation };
}

/** Data as tensors, whose cells stay while something is learnt from them. */
function heldInputs(trainable: Trainable, data: InputValues, held: HeldTensors): DataTensors {
  const tensors = trainable.tensors(data);
  for (const tensor of tensors.values()) held.add(tensor);
  return Object.fromEntries(tensors);
}

type DataTensors = Readonly<Record<string, Tensor>>;

interface HeldOptions extends Omit<SettledOptions, "data" | "validation"> {
  readonly data: DataTensors;
  readonly validation: DataTensors | undefined;
}

async function* trainedOn(
  trainable: Trainable,
  options: HeldOptions,
  inTurn: InTurn,
): AsyncGenerator<TrainingProgress> {
  const { epochs, metrics = [], patience, resume, data, validation } = options;
  const { dimension, items } = itemsOf(trainable, options, data, validation);
  if (resume !== undefined) refuseOtherItems(resume, items);
  if (resume !== undefined) trainable.restore(resume.tensors);
  const settings = settingsOf(options, dimension, items);
  const random = uniform(options.seed);
  let { epoch, step } = resume ?? { epoch: 0, step: 0 };
  // Epochs that were made before have drawn their orders.
  for (let at = 0; at < epoch; at++) shuffled(items, random);
  // What was best before counts only where epochs are judged now.
  let best = patience === undefined ? undefined : resume?.best;
  const isOver = (): boolean =>
    epoch >= epochs || (patience !== undefined && best !== undefined && epoch - best.epoch >= patience);
  while (!isOver()) {
    epoch++;
    const loss = await trainedEpoch(trainable, {
      ...options,
      data,
      dimension,
      items,
      epoch,
      before: step,
      random,
      inTurn,
    });
    step = loss.step;
    // The steps of an epoch are of variables before its end, and these alone are kept.
    const isEvaluated = validation !== undefined || metrics.length > 0 || patience !== undefined;
    const evaluated = isEvaluated ? trainable.evaluate(validation ?? data, metrics) : undefined;
    const judged = evaluated?.loss ?? Number.NaN;
    const tensors = trainable.tensorsSoFar();
    if (patience !== undefined && (best === undefined || isBetter(judged, best.loss)))
      best = { epoch, loss: judged, tensors };
    const at = { epoch, step, settings, items, tensors, ...(best === undefined ? {} : { best }) };
    yield {
      ...{ epoch, step, loss: loss.mean },
      ...(validation === undefined ? {} : { validation: judged }),
      ...(metrics.length === 0 ? {} : { metrics: evaluated?.metrics ?? {} }),
      checkpoint: () => at,
    };
  }
  const { tensors } = best ?? {};
  if (tensors !== undefined) await inTurn(() => trainable.restore(tensors));
}

interface EpochOptions extends Omit<HeldOptions, "validation"> {
  readonly dimension: string;
  /** How many the data have. */
  readonly items: number;
  /** From 1. */
  readonly epoch: number;
  /** Steps before it. */
  readonly before: number;
  readonly random: () => number;
  readonly inTurn: InTurn;
}

/** Uses each item once, in an order by chance. */
async function trainedEpoch(
  trainable: Trainable,
  options: EpochOptions,
): Promise<{ step: number; mean: number }> {
  const { data, dimension, items, epoch, before, random, signal } = options;
  const { epochs, rate, schedule, warmup, batch = items } = options;
  const plan = { name: schedule, rate, warmup, steps: epochs * Math.ceil(items / batch) };
  let [step, sum] = [before, 0];
  for (const { inputs, size } of batchesOf(data, dimension, batch, random)) {
    throwIfAborted(signal, spanOfText("training", ""));
    step++;
    await options.inTurn(() =>
      trainable.step(inputs, step, rateAt(step, plan), (loss, areFinite, changed) => {
        // What a step does not touch is looked at once in an epoch: reading it all takes as long as a step.
        if (!Number.isFinite(loss) || !areFinite || step === before + 1)
          refuseNotFinite(trainable, inputs, step, epoch, loss, changed);
        sum += loss * size;
      }),
    );
    await nextTurn();
  }
  return { step, mean: sum / items };
}

/** The dimension that the data are taken apart along, and how many items they have there. */
function itemsOf(
  trainable: Trainable,
  { dimension, batch = Number.POSITIVE_INFINITY }: Pick<TrainOptions, "dimension" | "batch">,
  data: DataTensors,
  validation: DataTensors | undefined,
): { readonly dimension: string; readonly items: number } {
  const { unbound, mapped } = trainable;
  const [only, ...more] = unbound.length > 0 ? unbound : mapped.shared;
  const chosen = dimension ?? (more.length === 0 ? only : undefined);
  const counts = [data, validation].map((each) =>
    each === undefined || chosen === undefined ? undefined : itemCount(each, chosen),
  );
  const [items = 0, validated] = counts;
  if (chosen !== undefined && counts.includes(0)) {
    const values = { dimension: chosen, isValidation: items > 0 };
    throw new SphexError([problem("train/no-items", spanOfText("training", chosen), values)]);
  }
  // What has a size along the dimension takes all items at once, or none.
  const isWhole = batch >= items;
  const isTakenApart = chosen !== undefined && (unbound.includes(chosen) || mapped.all.includes(chosen));
  const isUnclear = validation !== undefined && validated === undefined;
  if (chosen !== undefined && items > 0 && !isUnclear && (isWhole || isTakenApart)) {
    const isSame = validation === undefined || validated === items;
    const fixed = isWhole && isSame ? undefined : trainable.fixedAlong(chosen, new Set(Object.keys(data)));
    if (fixed === undefined) return { dimension: chosen, items };
    throw new SphexError([problem("train/fixed", fixed, { dimension: chosen })]);
  }
  const candidates = [...unbound, ...mapped.all];
  const isValidation = items > 0 && isUnclear;
  const asked = isValidation ? validation : data;
  const isCounted = chosen !== undefined && (items === 0 || isUnclear);
  const values = {
    ...{ dimension: chosen, candidates, nearest: dimension && nearest(dimension, candidates) },
    ...{ counts: isCounted ? itemTexts(asked, chosen) : undefined, isValidation },
  };
  throw new SphexError([problem("train/dimension", spanOfText("training", dimension ?? ""), values)]);
}

/** Whether one objective is less than another; NaN is more than all others. */
const isBetter = (loss: number, than: number): boolean =>
  loss < than || (Number.isNaN(than) && !Number.isNaN(loss));

function refuseNotFinite(
  trainable: Trainable,
  inputs: InputValues,
  step: number,
  epoch: number,
  loss: number,
  changed: Readonly<Record<string, Tensor>>,
): void {
  const broken = Object.entries(changed).find(([, value]) => !isAllFinite(value));
  if (Number.isFinite(loss) && broken === undefined) return;
  const name = broken === undefined || !Number.isFinite(loss) ? undefined : shownName(broken[0]);
  const values = { step, epoch, name, origin: name === undefined ? trainable.origin(inputs) : undefined };
  throw new SphexError([problem("train/not-finite", spanOfText("training", ""), values)]);
}

function isAllFinite(tensor: Tensor): boolean {
  const { data } = tensor;
  // The numbers of these stand in the array itself, where reading each by a call would take longer than the step.
  if (data instanceof Float32Array) return floatsAreFinite(data);
  if (data instanceof Float64Array) return doublesAreFinite(data);
  for (let at = 0; at < data.length; at++) if (!Number.isFinite(tensor.at(at))) return false;
  return true;
}

// Of finite numbers alone the sum of the zeros that they make is 0. One function for each kind of array, as in element.ts.

function floatsAreFinite(cells: Float32Array): boolean {
  let sum = 0;
  for (let at = 0; at < cells.length; at++) sum += 0 * floatAt(cells, at);
  return sum === 0;
}

function doublesAreFinite(cells: Float64Array): boolean {
  let sum = 0;
  for (let at = 0; at < cells.length; at++) sum += 0 * numberAt(cells, at);
  return sum === 0;
}
