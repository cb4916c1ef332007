import { requireObject, requireText } from "../../language/source/arguments.js";
import type { CellArray } from "../../language/types/cell.js";
import { Tensor } from "../../language/values/tensor.js";
import type { RunOptions } from "../async-run.js";
import type { InputValues } from "../inputs/inputs.js";
import { byCanonicalName } from "../options.js";
import { type BatchInputs, type OutputOptions, Prepared } from "../prepared.js";
import type { Execution } from "../runs/execution.js";
import type { Results } from "../runs/results.js";
import { itemAlong, type Sized, withBoundTypes } from "./sized-types.js";

/** The program for inputs of certain sizes, which are told apart by the key. */
export interface OtherSizes {
  readonly key: string;
  prepare(): Prepared;
}

/** For so many other sizes a program stays prepared. */
const mostSizes = 16;

/**
 * A program whose sizes the inputs of a run decide, made ready for those that it was prepared with. Inputs of other sizes go to
 * the program for these, which is prepared when they come first.
 */
export class UnsizedPrepared<Inputs extends object = InputValues> extends Prepared<Inputs> {
  private readonly others = new Map<string, Prepared>();

  constructor(
    sized: Execution,
    fixed: ReadonlyMap<string, Tensor>,
    /** What tells the sizes from others that it was prepared with. */
    private readonly key: string,
    /** That of the program without sizes. */
    private readonly unsized: Execution,
    private readonly sizesOf: (inputs: ReadonlyMap<string, Sized>) => OtherSizes,
  ) {
    super(sized, fixed);
  }

  override run(inputs?: Inputs, output?: OutputOptions): Tensor {
    const { values, other } = this.chosen(this.unsized.tensors(inputs));
    return other === undefined ? super.run(values, output) : other.run(values, output);
  }

  override runInto(array: CellArray, inputs?: Inputs): void {
    const { values, other } = this.chosen(this.unsized.tensors(inputs));
    if (other === undefined) super.runInto(array, values);
    else other.runInto(array, values);
  }

  override runAll(inputs?: Inputs): Results {
    const { values, other } = this.chosen(this.unsized.tensors(inputs));
    return other === undefined ? super.runAll(values) : other.runAll(values);
  }

  override async runAllAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Results> {
    return await this.unsized.withInputs(inputs, options.signal, async ({ tensors }) => {
      const { values, other } = this.chosen(tensors);
      return await (other === undefined
        ? super.runAllAsync(values, options)
        : other.runAllAsync(values, options));
    });
  }

  override runAllBatch(dimension: string, inputs: BatchInputs): Results {
    const other = this.otherForBatch(dimension, inputs);
    return other === undefined ? super.runAllBatch(dimension, inputs) : other.runAllBatch(dimension, inputs);
  }

  override async runAllBatchAsync(
    dimension: string,
    inputs: BatchInputs,
    options: RunOptions = {},
  ): Promise<Results> {
    const other = this.otherForBatch(dimension, inputs);
    return await (other === undefined
      ? super.runAllBatchAsync(dimension, inputs, options)
      : other.runAllBatchAsync(dimension, inputs, options));
  }

  /** What is prepared for the sizes of each run of a batch, where these are others. */
  private otherForBatch(dimension: string, inputs: BatchInputs): Prepared | undefined {
    requireText("runBatch", dimension);
    requireObject("runBatch", inputs);
    const items = new Map<string, Sized>();
    for (const [name, value] of byCanonicalName(inputs))
      if (value instanceof Tensor) items.set(name, itemAlong(dimension, value));
    return this.otherFor(items);
  }

  /** Inputs that were read, in types with their sizes, and what is prepared for these where they are others. */
  private chosen(inputs: ReadonlyMap<string, Tensor>): {
    readonly values: Inputs & InputValues;
    readonly other: Prepared | undefined;
  } {
    const values = Object.fromEntries(withBoundTypes(inputs)) as Inputs & InputValues; // the same inputs
    return { values, other: this.otherFor(inputs) };
  }

  private otherFor(inputs: ReadonlyMap<string, Sized>): Prepared | undefined {
    const { key, prepare } = this.sizesOf(inputs);
    if (key === this.key) return undefined;
    const prepared = this.others.get(key) ?? prepare();
    this.others.delete(key);
    this.others.set(key, prepared);
    const [oldest] = this.others.keys();
    if (this.others.size > mostSizes && oldest !== undefined) this.others.delete(oldest);
    return prepared;
  }
}
