import { nearest } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { nextTurn } from "../async-run.js";
import type { InputValues } from "../inputs.js";
import { problem } from "../messages.js";
import { uniform } from "../random.js";
import { batchesOf, itemCount } from "./batches.js";
import { type OptimiserName, optimiserNames } from "./optimisers.js";

export interface TrainOptions {
  /** The inputs of the program, with all items of the data along one dimension. */
  readonly data: InputValues;
  /** That dimension: by default the only unbound one of the inputs. */
  readonly dimension?: string;
  /** Items of a step; by default all of them. */
  readonly batch?: number;
  /** How often each item is used; 1 by default. */
  readonly epochs?: number;
  /** `adam` by default. */
  readonly optimiser?: OptimiserName;
  /** How far a step goes; 0.001 by default. */
  readonly rate?: number;
  /** Where the sequence of chance starts, which orders the items; 0 by default. */
  readonly seed?: number;
  readonly signal?: AbortSignal;
}

/** What has been reached after an epoch. */
export interface TrainingProgress {
  readonly epoch: number;
  /** Steps so far. */
  readonly step: number;
  /** The mean of the objective over the steps of the epoch, by their items. */
  readonly loss: number;
}

/** What training needs of a program that minimises something. */
export interface Trainable {
  /** The data as tensors of the declared types. */
  readonly tensors: (data: InputValues) => ReadonlyMap<string, Tensor>;
  /** The unbound dimensions of the inputs. */
  readonly unbound: readonly string[];
  /** Computes the objective and what is assigned, and takes the latter if the check does not throw. */
  readonly step: (inputs: InputValues, check: (loss: number, assigned: InputValues) => void) => void;
  /** Where on these inputs the first number that is not finite comes from. */
  readonly origin: (inputs: InputValues) => string | undefined;
  /** Hands what the variables have become to the session. */
  readonly keep: () => void;
}

/**
 * Trains: an epoch after the other, and reports each. After a problem, or when it is aborted, all steps before have been made.
 * @throws SphexError where the data do not fit, and where the objective or a variable is no finite number any more.
 */
export async function* trained(
  trainable: Trainable,
  options: TrainOptions,
): AsyncGenerator<TrainingProgress> {
  const { epochs = 1, seed = 0, signal } = options;
  const data = Object.fromEntries(trainable.tensors(options.data));
  const dimension = batchDimension(trainable, options, data);
  const count = itemCount(data, dimension) ?? 0;
  const random = uniform(seed);
  let step = 0;
  try {
    for (let epoch = 1; epoch <= epochs; epoch++) {
      let [sum, items] = [0, 0];
      for (const { inputs, size } of batchesOf(
        data,
        dimension,
        options.batch ?? Math.max(1, count),
        random,
      )) {
        signal?.throwIfAborted();
        step++;
        trainable.step(inputs, (loss, assigned) => {
          refuseNotFinite(trainable, inputs, step, epoch, loss, assigned);
          sum += loss * size;
          items += size;
        });
        await nextTurn();
      }
      trainable.keep();
      yield { epoch, step, loss: sum / items };
    }
  } finally {
    trainable.keep();
  }
}

function batchDimension(
  { unbound }: Trainable,
  { dimension }: TrainOptions,
  data: Readonly<Record<string, Tensor>>,
): string {
  const [only, ...more] = unbound;
  const chosen = dimension ?? (more.length === 0 ? only : undefined);
  if (chosen !== undefined && (itemCount(data, chosen) ?? 0) > 0) return chosen;
  const values = { dimension, unbound, nearest: dimension && nearest(dimension, unbound) };
  throw new SphexError([problem("train/dimension", spanOfText("training", dimension ?? ""), values)]);
}

function refuseNotFinite(
  { origin }: Trainable,
  inputs: InputValues,
  step: number,
  epoch: number,
  loss: number,
  assigned: InputValues,
): void {
  const broken = Object.entries(assigned).find(([, value]) => !isAllFinite(value as Tensor)); // what a run assigns
  if (Number.isFinite(loss) && broken === undefined) return;
  const name = Number.isFinite(loss) ? broken?.[0] : undefined;
  const values = { step, epoch, name, origin: name === undefined ? origin(inputs) : undefined };
  throw new SphexError([problem("train/not-finite", spanOfText("training", ""), values)]);
}

function isAllFinite(tensor: Tensor): boolean {
  for (let at = 0; at < tensor.data.length; at++) if (!Number.isFinite(tensor.at(at))) return false;
  return true;
}

/** Whether a text names an optimiser. */
export const isOptimiser = (name: string): name is OptimiserName =>
  (optimiserNames as readonly string[]).includes(name);
