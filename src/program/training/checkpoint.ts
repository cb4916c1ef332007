import { keysOf } from "../../language/source/lists.js";
import { SphexError } from "../../language/source/problem.js";
import { isAssignable } from "../../language/types/assignable.js";
import type { TensorType } from "../../language/types/type.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { problem } from "../messages.js";
import type { ScheduleName } from "./schedules.js";
import type { OptimiserName } from "./statements/optimisers.js";

/** What the steps of a training follow from, beside its program and its data. */
export interface TrainingSettings {
  /**
   * The dimension along which the data have their items: by default the only unbound one of the inputs, or where they have none the only
   * mapped one that all of them share that have any. Along a mapped dimension each label is an item.
   */
  readonly dimension: string;
  /** Items of a step; by default all of them. */
  readonly batch: number;
  /** How often each item is used; 1 by default. */
  readonly epochs: number;
  /** `adam` by default. */
  readonly optimiser: OptimiserName;
  /** How far a step goes; 0.001 by default. */
  readonly rate: number;
  /** How the rate changes from the first step to the last; `constant` by default. */
  readonly schedule: ScheduleName;
  /** The first steps, during which the rate rises; 0 by default. */
  readonly warmup: number;
  /** The longest that all gradients of a step together may be: longer ones are scaled. */
  readonly clip?: number;
  /** What the square of each cell of a variable adds to the objective. */
  readonly l2?: number;
  /**
   * How labels begin that a step has and a variable does not, in place of what the statement `begin` says of it: by the name of the variable
   * an expression of its type, over the inputs of the step, such as `{ tastes: "0.1 * max(user, row) * random(factor[3])" }`. A label at which it is 0 throughout does not begin yet, and what the
   * variable has stays as it is.
   */
  readonly labels?: Readonly<Record<string, string>>;
  /** Where the sequence of chance starts, which orders the items; 0 by default. */
  readonly seed: number;
}

/** Where a training is after an epoch, and how it goes on. */
export interface TrainingCheckpoint {
  readonly epoch: number;
  readonly step: number;
  readonly settings: TrainingSettings;
  /** How many items the data have. */
  readonly items: number;
  /** The variables, other persistent tensors, and what the optimiser remembers. */
  readonly tensors: Readonly<Record<string, Tensor>>;
  /** The best epoch so far, where training has patience. */
  readonly best?: {
    readonly epoch: number;
    readonly loss: number;
    readonly tensors: TrainingCheckpoint["tensors"];
  };
}

/** Settings that nobody has chosen. */
const usual = {
  epochs: 1,
  optimiser: "adam",
  rate: 0.001,
  schedule: "constant",
  warmup: 0,
  seed: 0,
} as const satisfies Partial<TrainingSettings>;

type Settled = Pick<TrainingSettings, keyof typeof usual>;

/** What another value of a setting would be compared as: items of a step are never more than there are. */
type Comparable = string | number | undefined;
type Compared = (settings: Partial<TrainingSettings>, items: number) => Comparable;

/** The order of its labels is no part of what an option says. */
const labelsText = ({ labels }: Partial<TrainingSettings>): string | undefined =>
  labels && JSON.stringify(Object.entries(labels).sort());

// biome-ignore format: a table
const compared: { readonly [Name in keyof Required<TrainingSettings>]: Compared } = {
  dimension: ({ dimension }) => dimension,
  batch:     ({ batch }, items) => batch && Math.min(batch, items),
  // Where the rate is the same throughout, more epochs follow from those before.
  epochs:    ({ epochs, schedule }) => (schedule === "constant" ? undefined : epochs),
  optimiser: ({ optimiser }) => optimiser,
  rate:      ({ rate }) => rate,
  schedule:  ({ schedule }) => schedule,
  warmup:    ({ warmup }) => warmup,
  clip:      ({ clip }) => clip,
  l2:        ({ l2 }) => l2,
  labels:    labelsText,
  seed:      ({ seed }) => seed,
};

const names = keysOf(compared);

/** Options of a training that may go on from a checkpoint. */
type Resuming = Partial<TrainingSettings> & { readonly resume?: TrainingCheckpoint };

/**
 * Options with the settings that nobody has chosen: those of the checkpoint that they go on from, and otherwise the usual ones.
 * @throws SphexError where a setting is another than that of the checkpoint: the steps would not be those that it has begun.
 */
export function settled<Options extends Resuming>(options: Options): Options & Settled {
  const own = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Options; // without what is no choice
  const { resume } = own;
  if (resume === undefined) return { ...usual, ...own };
  const { settings, items } = resume;
  const { schedule } = settings;
  const problems = names.flatMap((name) => {
    const [found, expected] = [compared[name]({ schedule, ...own }, items), compared[name](settings, items)];
    if (found === undefined || found === expected) return [];
    return [problem("train/resume", spanOfText("checkpoint", name), { name, found, expected })];
  });
  if (problems.length > 0) throw new SphexError(problems);
  return { ...usual, ...settings, ...own };
}

/** Refuses data of another size than that of a checkpoint: the order of the items would be another. */
export function refuseOtherItems(resume: TrainingCheckpoint, found: number): void {
  const { items: expected } = resume;
  if (found === expected) return;
  const values = { name: "number of items", found, expected };
  throw new SphexError([problem("train/resume", spanOfText("checkpoint", "items"), values)]);
}

/** Refuses a checkpoint whose tensors are not those that a program retains from step to step. */
export function refuseOtherTensors(
  retained: ReadonlyMap<string, TensorType>,
  tensors: TrainingCheckpoint["tensors"],
): void {
  const all = new Set([...retained.keys(), ...Object.keys(tensors)]);
  for (const name of all) {
    const [expected, found] = [retained.get(name), tensors[name]?.type];
    if (expected !== undefined && found !== undefined && isAssignable(found, expected)) continue;
    const values = { name, expected, found };
    throw new SphexError([problem("train/checkpoint", spanOfText("checkpoint", name), values)]);
  }
}

/** The settings among the options of a training on so many items. */
export function settingsOf(
  options: Partial<TrainingSettings> & Settled,
  dimension: string,
  items: number,
): TrainingSettings {
  const { epochs, optimiser, rate, schedule, warmup, clip, l2, labels, seed } = options;
  return {
    ...{ dimension, batch: Math.min(options.batch ?? items, items) },
    ...{ epochs, optimiser, rate, schedule, warmup, seed },
    ...(clip === undefined ? {} : { clip }),
    ...(l2 === undefined ? {} : { l2 }),
    ...(labels === undefined ? {} : { labels }),
  };
}
