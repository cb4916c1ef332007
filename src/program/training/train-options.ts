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
import type { InputValues } from "../inputs/inputs.js";
import type { settled, TrainingCheckpoint, TrainingSettings } from "./checkpoint.js";
import { scheduleNames } from "./schedules.js";
import { optimiserNames } from "./statements/optimisers.js";

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
