import type { Plan } from "../inspect/plan-report/show-plan.js";
import type { Explanation } from "../inspect/provenance/explain.js";
import type { NotFinite } from "../inspect/provenance/not-finite.js";
import type { Why } from "../inspect/provenance/why.js";
import type { CheckedProgram } from "../language/check/statements/program.js";
import { SphexError } from "../language/source/problem.js";
import type { TensorType } from "../language/types/type.js";
import type { Address } from "../language/values/address.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { RunOptions } from "./async-run.js";
import type { ExternalEngine } from "./external.js";
import type { InputValues } from "./inputs.js";
import { problem } from "./messages.js";
import type { Options } from "./options.js";
import type { PlanOptions } from "./plan.js";
import type { Prepared } from "./prepared.js";
import { type PrimitiveOptions, Program } from "./program.js";
import type { Results } from "./results.js";
import type { Session } from "./session.js";
import {
  boundType,
  lacksElements,
  type Sized,
  type SizedTypes,
  sizesKey,
  withBoundTypes,
} from "./sized-types.js";
import type { Extend } from "./training/training-program.js";
import { type OtherSizes, UnsizedPrepared } from "./unsized-prepared.js";

/** Programs for inputs of so many sizes are kept. */
const mostSizes = 16;

/**
 * A program with models, or lambdas that see scalars, of sizes that the inputs of a run decide. A run compiles it for the sizes of its inputs, and runs that;
 * what was compiled is kept for runs on inputs of the same sizes.
 */
export class UnsizedProgram<Inputs extends object = InputValues> extends Program<Inputs> {
  private readonly programs = new Map<string, Program>();

  constructor(
    private readonly compiledFor: (types: SizedTypes) => Program,
    private readonly name: string,
    checked: CheckedProgram,
    options: Options,
    compiledBytes: number,
    extended: Extend<Program>,
  ) {
    super(checked, options, compiledBytes, extended);
  }

  /** The program for inputs of these sizes. @throws SphexError where they do not decide all. */
  private sized(inputs: Inputs | undefined): Program {
    return this.programFor(this.sizes(this.execution.tensors(inputs)));
  }

  /**
   * The types of those inputs whose sizes a run decides, with their sizes, in the order of the declarations.
   * @throws SphexError where one has no element along such a dimension.
   */
  private sizes(inputs: ReadonlyMap<string, Sized>): SizedTypes {
    const types = new Map<string, TensorType>();
    const empty: string[] = [];
    for (const [name, declared] of this.inputs) {
      const tensor = inputs.get(name);
      if (tensor === undefined || declared.isBound) continue;
      if (lacksElements(tensor)) empty.push(name);
      types.set(name, boundType(tensor));
    }
    if (empty.length === 0) return types;
    throw new SphexError([problem("program/unsized", spanOfText(this.name, ""), { missing: [], empty })]);
  }

  /** The program for inputs of these types. @throws SphexError where they do not decide all sizes. */
  private programFor(types: SizedTypes): Program {
    const key = sizesKey(types);
    const cached = this.programs.get(key);
    if (cached !== undefined) return cached;
    const program = this.compiledFor(types);
    if (program instanceof UnsizedProgram) {
      const missing = [...this.inputs].flatMap(([name, type]) =>
        type.isBound || types.has(name) ? [] : [name],
      );
      const values = { missing, empty: [] };
      throw new SphexError([problem("program/unsized", spanOfText(this.name, ""), values)]);
    }
    const [oldest] = this.programs.keys();
    if (this.programs.size >= mostSizes && oldest !== undefined) this.programs.delete(oldest);
    this.programs.set(key, program);
    return program;
  }

  override run(inputs?: Inputs): Tensor {
    return this.sized(inputs).run(this.bound(inputs));
  }

  override runOnce(inputs?: Inputs): Tensor {
    return this.sized(inputs).runOnce(this.bound(inputs));
  }

  override runAll(inputs?: Inputs): Results {
    return this.sized(inputs).runAll(this.bound(inputs));
  }

  override async runAllAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Results> {
    return await this.sized(inputs).runAllAsync(this.bound(inputs), options);
  }

  override explain(inputs?: Inputs): Explanation {
    return this.sized(inputs).explain(this.bound(inputs));
  }

  override async explainAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Explanation> {
    return await this.sized(inputs).explainAsync(this.bound(inputs), options);
  }

  override plan(inputs?: Inputs, options: PlanOptions = {}): Plan {
    return this.sized(inputs).plan(this.bound(inputs), options);
  }

  override why(address: Address = {}, inputs?: Inputs, options: Parameters<Program["why"]>[2] = {}): Why {
    return this.sized(inputs).why(address, this.bound(inputs), options);
  }

  override async whyAsync(
    address: Address = {},
    inputs?: Inputs,
    options: Parameters<Program["whyAsync"]>[2] = {},
  ): Promise<Why> {
    return await this.sized(inputs).whyAsync(address, this.bound(inputs), options);
  }

  override whyNotFinite(inputs?: Inputs, options: Parameters<Program["whyNotFinite"]>[1] = {}): NotFinite {
    return this.sized(inputs).whyNotFinite(this.bound(inputs), options);
  }

  override prepare(inputs?: Inputs): Prepared<Inputs> {
    const fixed = this.execution.tensors(inputs);
    const types = this.sizes(fixed);
    const sized = Program.executionOf(this.programFor(types));
    return new UnsizedPrepared<Inputs>(
      sized,
      withBoundTypes(fixed),
      sizesKey(types),
      this.execution,
      (others) => this.prepareFor(others, fixed),
    );
  }

  /** The program prepared for inputs of other sizes than those of inputs that were to be the same in all runs, and now are not. */
  private prepareFor(inputs: ReadonlyMap<string, Sized>, fixed: ReadonlyMap<string, Tensor>): OtherSizes {
    const types = this.sizes(new Map<string, Sized>([...fixed, ...inputs]));
    const same = [...withBoundTypes(fixed)].filter(
      ([name, { type }]) => types.get(name)?.equals(type) ?? true,
    );
    return { key: sizesKey(types), prepare: () => this.programFor(types).prepare(Object.fromEntries(same)) };
  }

  override primitive(options?: PrimitiveOptions): string {
    return this.sized(undefined).primitive(options);
  }

  override on<Bindings, Bound>(engine: ExternalEngine<Bindings, Bound>, bindings: Bindings): Bound {
    return this.sized(undefined).on(engine, bindings);
  }

  override session(): Session<Inputs> {
    return this.sized(undefined).session() as Session<Inputs>; // of the same inputs
  }

  /** The inputs with types that have their sizes. */
  private bound(inputs: Inputs | undefined): InputValues {
    return Object.fromEntries(withBoundTypes(this.execution.tensors(inputs)));
  }
}
