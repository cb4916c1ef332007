import type { Tensor } from "../../language/values/tensor.js";
import type { RunOptions } from "../async-run.js";

/** What can be run: a program, one that was prepared, and a session. Results have the same shape, however they come about. */
export interface Runnable<Inputs> {
  /** The last result on these inputs. */
  run(inputs?: Inputs): Tensor;
  /** All results on these inputs. */
  runAll(inputs?: Inputs): Results;
  /**
   * As `run`, letting other work go on between slices of a few milliseconds while data become tensors and a plan runs; stops soon
   * after the signal is aborted. At a stretch, some of which take longer than 10 ms, the plan is made, which is kept for later runs,
   * arrays of tens of megabytes are copied, labels of 10⁵ rows are put in order, the parts of JSON texts are found, and texts are
   * read that are tensors with a mistake. Arrays are read meanwhile: they stay as they are until it has ended.
   */
  runAsync(inputs?: Inputs, options?: RunOptions): Promise<Tensor>;
  /** As `runAll`, asynchronous as `runAsync`. */
  runAllAsync(inputs?: Inputs, options?: RunOptions): Promise<Results>;
}

/** The results of a run: an array, in the order of the text; named values are computed on request. */
export interface Results extends ReadonlyArray<Tensor> {
  /** The same, for those who take them apart: `const { results, value } = program.runAll()`. */
  readonly results: readonly Tensor[];
  /**
   * A named value of the same run.
   * @throws SphexError for a name that the program does not define.
   */
  readonly value: (name: string) => Tensor;
}

/** What comes of its methods, such as `map`, are plain arrays. */
class RunResults extends Array<Tensor> implements Results {
  readonly #named: (name: string) => Tensor;

  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  constructor(tensors: readonly Tensor[], named: (name: string) => Tensor) {
    super();
    this.#named = named;
    // V8 calls `push` for an array of another class, at twenty times the time of this.
    for (let at = 0; at < tensors.length; at++) this[at] = tensors[at] as Tensor; // within the list
  }

  get results(): readonly Tensor[] {
    return this;
  }

  get value(): (name: string) => Tensor {
    return this.#named;
  }
}

export const resultsOf = (tensors: readonly Tensor[], named: (name: string) => Tensor): Results =>
  new RunResults(tensors, named);
