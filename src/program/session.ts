import { nearest } from "../language/source/nearest.js";
import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import { type DeclaredType, type InputValue, type InputValues, tensorOf } from "./inputs.js";
import { problem } from "./messages.js";
import type { Options } from "./options.js";
import type { Results, SessionResults } from "./run.js";
import { type Trainable, type TrainingProgress, type TrainOptions, trained } from "./training/train.js";

/**
 * A program with a memory: keeps its variable and persistent tensors between runs. A run sees them as they are and
 * changes none; the program's assignments do when it has succeeded, and `assign`, and what may be assigned is checked before anything changes.
 */
export class Session<Inputs extends object = InputValues> {
  private state = new Map<string, Tensor>();

  constructor(
    /** The types of the tensors that the session keeps. */
    readonly types: ReadonlyMap<string, TensorType>,
    private readonly declaredType: (name: string) => DeclaredType | undefined,
    private readonly options: Options,
    private readonly runWith: (
      inputs: object | undefined,
      state: ReadonlyMap<string, Tensor>,
    ) => SessionResults,
    /** The value that a tensor was declared with. */
    private readonly initial: (name: string) => Tensor,
    private readonly training: (session: Session<Inputs>, options: TrainOptions) => Trainable,
  ) {}

  /**
   * Changes the variables so that what the program minimises gets smaller on these data, and reports each epoch. The variables
   * are those of the last step also where it throws, or is left.
   * @throws SphexError where the program minimises nothing, the data do not fit, or a number is not finite any more.
   */
  train(options: TrainOptions): AsyncGenerator<TrainingProgress> {
    return trained(this.training(this, options), options);
  }

  /** The last result on these inputs. Throws as `Program.run` does, and then nothing has changed. */
  run(inputs?: Inputs, then: { readonly assign?: Readonly<Record<string, string>> } = {}): Tensor {
    const { results } = this.runAll(inputs, then);
    const last = results.at(-1);
    if (last === undefined)
      throw new SphexError([problem("program/no-result", spanOfText("session", ""), {})]);
    return last;
  }

  /**
   * All results on these inputs; afterwards the assignments of the program are made. `assign` names besides, for variable or persistent tensors, the named values of the run that
   * they take afterwards: `{ assign: { seen: "total" } }`. If anything fails, nothing changes.
   */
  runAll(
    inputs?: Inputs,
    { assign = {} }: { readonly assign?: Readonly<Record<string, string>> } = {},
  ): Results {
    const run = this.runWith(inputs, this.state);
    const next = Object.entries(assign).map(([name, value]): [string, InputValue] => [
      name,
      run.value(value),
    ]);
    this.assign({ ...run.assigned, ...Object.fromEntries(next) });
    return run;
  }

  /** The present tensor of a name. */
  get(name: string): Tensor {
    this.typeOf(name);
    return this.state.get(name) ?? this.initial(name);
  }

  /**
   * Gives variable and persistent tensors new values, all of them or, if one does not fit, none.
   * @throws SphexError with a problem for each that does not fit.
   */
  assign(values: InputValues): void {
    const next = Object.entries(values).map(([name, value]): [string, Tensor] => {
      this.typeOf(name);
      return [name, tensorOf(name, value, this.declaredType(name), this.options)];
    });
    this.state = new Map([...this.state, ...next]);
  }

  /** Gives every tensor its initial value again. */
  reset(): void {
    this.state = new Map();
  }

  private typeOf(name: string): TensorType {
    const { types } = this;
    const type = types.get(name);
    if (type === undefined) {
      throw new SphexError([
        problem("role/unknown", spanOfText(name, name), { name, nearest: nearest(name, types.keys()) }),
      ]);
    }
    return type;
  }
}
