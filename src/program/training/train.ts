import { spanOfText } from "../../language/values/messages.js";
import { nextTurn, throwIfAborted } from "../async-run.js";
import { HeldTensors } from "../held-tensors.js";
import type { InputValues } from "../inputs/inputs.js";
import { uniform } from "../random.js";
import { refuseOtherItems, settingsOf, type TrainingCheckpoint } from "./checkpoint.js";
import { batchesOf, shuffled } from "./data/batches.js";
import { type DataTensors, itemsOf } from "./data/data-items.js";
import { refuseNotFinite } from "./not-finite.js";
import { rateAt } from "./schedules.js";
import type { SettledOptions } from "./train-options.js";
import type { Trainable } from "./trainable.js";

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

interface HeldOptions extends Omit<SettledOptions, "data" | "validation"> {
  readonly data: DataTensors;
  readonly validation: DataTensors | undefined;
}

/** Goes on until there were enough epochs, or none was better for long enough: then the tensors are those of the best. */
async function* trainedOn(
  trainable: Trainable,
  options: HeldOptions,
  inTurn: InTurn,
): AsyncGenerator<TrainingProgress> {
  const { epochs, patience, resume, data, validation } = options;
  const { dimension, items } = itemsOf(trainable, options, data, validation);
  if (resume !== undefined) goOnFrom(trainable, resume, items);
  const settings = settingsOf(options, dimension, items);
  let { epoch, step } = resume ?? { epoch: 0, step: 0 };
  const random = chanceAfter(epoch, options.seed, items);
  // What was best before counts only where epochs are judged now.
  let best = patience === undefined ? undefined : resume?.best;
  const isOver = (): boolean =>
    epoch >= epochs || (patience !== undefined && best !== undefined && epoch - best.epoch >= patience);
  while (!isOver()) {
    epoch++;
    const plan = { ...options, dimension, items, epoch, before: step, random, inTurn };
    const made = await trainedEpoch(trainable, plan);
    step = made.step;
    const { objective, told } = evaluatedEpoch(trainable, options);
    const tensors = trainable.tensorsSoFar();
    if (patience !== undefined) best = betterOf(best, { epoch, loss: objective, tensors });
    const reached = { epoch, step, settings, items, tensors, ...(best === undefined ? {} : { best }) };
    yield { epoch, step, loss: made.mean, ...told, checkpoint: () => reached };
  }
  const { tensors } = best ?? {};
  if (tensors !== undefined) await inTurn(() => trainable.restore(tensors));
}

function goOnFrom(trainable: Trainable, resume: TrainingCheckpoint, items: number): void {
  refuseOtherItems(resume, items);
  trainable.restore(resume.tensors);
}

/** The chance of the epochs that follow: those that were made before have drawn their orders. */
function chanceAfter(epochs: number, seed: number, items: number): () => number {
  const random = uniform(seed);
  for (let at = 0; at < epochs; at++) shuffled(items, random);
  return random;
}

interface EvaluatedEpoch {
  /** By which epochs are compared; NaN where nobody asks for it. */
  readonly objective: number;
  readonly told: Pick<TrainingProgress, "validation" | "metrics">;
}

/** What the variables are worth at the end of an epoch: its steps were made of variables before, and these alone are kept. */
function evaluatedEpoch(
  trainable: Trainable,
  { data, validation, metrics = [], patience }: HeldOptions,
): EvaluatedEpoch {
  const isAsked = validation !== undefined || metrics.length > 0 || patience !== undefined;
  const evaluated = isAsked ? trainable.evaluate(validation ?? data, metrics) : undefined;
  const objective = evaluated?.loss ?? Number.NaN;
  return {
    objective,
    told: {
      ...(validation === undefined ? {} : { validation: objective }),
      ...(metrics.length === 0 ? {} : { metrics: evaluated?.metrics ?? {} }),
    },
  };
}

type BestEpoch = NonNullable<TrainingCheckpoint["best"]>;

/** The first of the best epochs. An objective that is NaN is more than all others. */
function betterOf(best: BestEpoch | undefined, next: BestEpoch): BestEpoch {
  if (best === undefined) return next;
  const isBetter = next.loss < best.loss || (Number.isNaN(best.loss) && !Number.isNaN(next.loss));
  return isBetter ? next : best;
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

/** Uses each item once, in an order by chance; the steps so far, and the mean of the objective by item. */
async function trainedEpoch(
  trainable: Trainable,
  options: EpochOptions,
): Promise<{ readonly step: number; readonly mean: number }> {
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
