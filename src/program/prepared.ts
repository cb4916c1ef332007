import type { BackendPlan } from "../backends/backend.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { CellArray } from "../language/types/cell.js";
import type { Tensor } from "../language/values/tensor.js";
import type { InputValues } from "./inputs.js";
import { problem } from "./messages.js";

/** Brings arrays into canonical order, where inputs are declared in another one. */
export type Transposition = (inputs: InputValues) => InputValues;

/** The array to write the cells of a result to, of its cell type and count. */
export interface OutputOptions {
  readonly into?: CellArray;
}

/**
 * A program made ready to run often: what depends on constants and on inputs that were fixed is computed and packed, code
 * is made at once, and each run only writes its inputs. Results are the same as those of the program.
 */
export class Prepared<Inputs extends object = InputValues> {
  constructor(
    /** The plan whose latest run may be repeated; absent where limits have to be checked. */
    private readonly plan: BackendPlan | undefined,
    /** Runs with all checks, without the fast path. */
    private readonly runChecked: (inputs: InputValues) => readonly Tensor[],
    private readonly span: Span,
    private readonly runBatched: (dimension: string, inputs: InputValues) => readonly Tensor[],
    private readonly transposed: Transposition | undefined,
  ) {}

  /**
   * The last result on these inputs; fixed ones need not be passed again.
   * @throws SphexError as `Program.run` does, and where `into` is not of the result's cell type and count.
   */
  run(inputs?: Inputs, { into }: OutputOptions = {}): Tensor {
    const results = this.runAll(inputs);
    const last = results[results.length - 1];
    if (last === undefined) throw new SphexError([problem("program/no-result", this.span, {})]);
    if (into !== undefined) last.copyTo(into);
    return last;
  }

  /** All results on these inputs. Throws as `run` does. */
  runAll(inputs?: Inputs): readonly Tensor[] {
    const values = (inputs ?? {}) as InputValues; // by names that the compiler of the host may know
    const canonical = this.transposed === undefined ? values : this.transposed(values);
    return this.plan?.replay(canonical) ?? this.runChecked(canonical);
  }

  /**
   * The last result for many runs at once. Inputs are tensors; those that differ from run to run have the dimension, with
   * a size, over and above their types, and the result has it too: for a net of `input x: tensor(i[784])`, a batch of 64
   * is `runBatch("b", { x })` with a `tensor(b[64],i[784])`.
   * @throws SphexError where no input has the dimension, where its sizes differ or the program knows it already, where
   * the result cannot be computed for all at once, and as `run` does.
   */
  runBatch(dimension: string, inputs: Readonly<Record<string, Tensor>>): Tensor {
    const last = this.runAllBatch(dimension, inputs).at(-1);
    if (last === undefined) throw new SphexError([problem("program/no-result", this.span, {})]);
    return last;
  }
  /** All results for many runs at once. Throws as `runBatch` does. */
  runAllBatch(dimension: string, inputs: Readonly<Record<string, Tensor>>): readonly Tensor[] {
    return this.runBatched(dimension, inputs);
  }
}
