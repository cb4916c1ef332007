import type { Plan } from "../../inspect/plan-report/show-plan.js";
import type { Explanation } from "../../inspect/provenance/explain.js";
import type { NotFinite } from "../../inspect/provenance/not-finite.js";
import type { Why } from "../../inspect/provenance/why.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { Address } from "../../language/values/address.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { NamedValueOptions, RunOptions } from "../async-run.js";
import type { ExternalEngine } from "../external.js";
import type { InputValues } from "../inputs/inputs.js";
import { problem } from "../messages.js";
import type { Options } from "../options.js";
import type { PlanOptions } from "../plan.js";
import type { Prepared } from "../prepared.js";
import { type PrimitiveOptions, Program } from "../program.js";
import type { Execution, ReadInputs, SizedRun } from "../runs/execution.js";
import type { Results } from "../runs/results.js";
import type { Extend, TrainingProgram } from "../training/training-program.js";
import {
  boundType,
  lacksElements,
  type Sized,
  type SizedTypes,
  sizesKey,
  withBoundTypes,
} from "./sized-types.js";
import { type OtherSizes, UnsizedPrepared } from "./unsized-prepared.js";

/** Programs for inputs of so many sizes are kept. */
const mostSizes = 16;

/**
 * A program with models, or lambdas that see scalars, of sizes that the inputs of a run decide. A run compiles it for the sizes of its inputs, and runs that;
 * what was compiled is kept for runs on inputs of the same sizes.
 */
export class UnsizedProgram<Inputs extends object = InputValues> extends Program<Inputs> {
  private readonly programs = new Map<string, Program>();
  /** Of the inputs that have any, once a run lacks such an input. */
  private defaultTensors: ReadonlyMap<string, Tensor | undefined> | undefined;

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

  /** The program for inputs of these sizes, and the inputs in types that have them. @throws SphexError where they do not decide all. */
  private sized(inputs: Inputs | undefined): { readonly program: Program; readonly values: InputValues } {
    const { types, values } = this.withSizes(this.execution.tensors(inputs));
    return { program: this.programFor(types), values: Object.fromEntries(values) };
  }

  /** Inputs that were read, with defaults, in types that have their sizes, and those of them whose sizes a run decides. */
  private withSizes(inputs: ReadonlyMap<string, Tensor>) {
    const tensors = this.withDefaults(inputs);
    return { types: this.sizes(tensors), values: withBoundTypes(tensors) };
  }

  /** The program where no input decides a size. */
  private get sizeless(): Program {
    return this.programFor(new Map());
  }

  /** Inputs, and defaults in place of those that are missing, for their sizes decide as well. */
  private withDefaults(inputs: ReadonlyMap<string, Tensor>): ReadonlyMap<string, Tensor> {
    const missing = [...this.inputs].filter(([name, type]) => !type.isBound && !inputs.has(name));
    if (missing.length === 0) return inputs;
    this.defaultTensors ??= this.defaults();
    const tensors = new Map(inputs);
    for (const [name] of missing) {
      const value = this.defaultTensors.get(name);
      if (value !== undefined) tensors.set(name, value);
    }
    return tensors;
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
    throw new SphexError([problem("program/unsized", this.placeIn(this.execution), { missing: [], empty })]);
  }

  /** What waits in a program, as its text has it. */
  private placeIn({ checked: { waiting = new Map() } }: Execution): Span {
    const isOwn = ({ source }: Span): boolean => source.name === this.name;
    return [...waiting.values()].map(({ span }) => span).find(isOwn) ?? spanOfText(this.name, "");
  }

  /** The program for inputs of these types. @throws SphexError where they do not decide all sizes. */
  private programFor(types: SizedTypes): Program {
    const key = sizesKey(types);
    const cached = this.programs.get(key);
    if (cached !== undefined) return cached;
    const program = this.compiledFor(types);
    if (program instanceof UnsizedProgram) {
      const missing = [...this.execution.checked.declared].flatMap(([name, { type }]) =>
        type.isBound || types.has(name) ? [] : [name],
      );
      const values = { missing, empty: [] };
      throw new SphexError([problem("program/unsized", this.placeIn(program.execution), values)]);
    }
    const [oldest] = this.programs.keys();
    if (this.programs.size >= mostSizes && oldest !== undefined) this.programs.delete(oldest);
    this.programs.set(key, program);
    return program;
  }

  override run(inputs?: Inputs): Tensor {
    const { program, values } = this.sized(inputs);
    return program.run(values);
  }

  override runOnce(inputs?: Inputs): Tensor {
    const { program, values } = this.sized(inputs);
    return program.runOnce(values);
  }

  override runAll(inputs?: Inputs): Results {
    const { program, values } = this.sized(inputs);
    return program.runAll(values);
  }

  override async runAllAsync(
    inputs?: Inputs,
    options: RunOptions & NamedValueOptions = {},
  ): Promise<Results> {
    const { program, values } = this.sized(inputs);
    return await program.runAllAsync(values, options);
  }

  override explain(inputs?: Inputs): Explanation {
    const { program, values } = this.sized(inputs);
    return program.explain(values);
  }

  override async explainAsync(inputs?: Inputs, options: RunOptions = {}): Promise<Explanation> {
    const { program, values } = this.sized(inputs);
    return await program.explainAsync(values, options);
  }

  override plan(inputs?: Inputs, options: PlanOptions = {}): Plan {
    const { program, values } = this.sized(inputs);
    return program.plan(values, options);
  }

  override why(address: Address = {}, inputs?: Inputs, options: Parameters<Program["why"]>[2] = {}): Why {
    const { program, values } = this.sized(inputs);
    return program.why(address, values, options);
  }

  override async whyAsync(
    address: Address = {},
    inputs?: Inputs,
    options: Parameters<Program["whyAsync"]>[2] = {},
  ): Promise<Why> {
    const { program, values } = this.sized(inputs);
    return await program.whyAsync(address, values, options);
  }

  override whyNotFinite(inputs?: Inputs, options: Parameters<Program["whyNotFinite"]>[1] = {}): NotFinite {
    const { program, values } = this.sized(inputs);
    return program.whyNotFinite(values, options);
  }

  override prepare(inputs?: Inputs): Prepared<Inputs> {
    const fixed = this.withDefaults(this.execution.tensors(inputs));
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
    return this.sizeless.primitive(options);
  }

  override on<Bindings, Bound>(engine: ExternalEngine<Bindings, Bound>, bindings: Bindings): Bound {
    return this.sizeless.on(engine, bindings);
  }

  /** A session keeps its tensors for all sizes that its runs have. */
  protected override forRun({ tensors, meter }: ReadInputs): SizedRun {
    const { types, values } = this.withSizes(tensors);
    const program = this.programFor(types);
    // A run that reads inputs brings them to the types that the program declares, which may leave sizes open; these were read before.
    const declared = Array.from(values, ([name, tensor]): [string, Tensor] => {
      return [name, tensor.as(program.inputs.get(name) ?? tensor.type)];
    });
    return { execution: Program.executionOf(program), inputs: { tensors: new Map(declared), meter } };
  }

  /** Each batch goes to the program for its sizes, and all of them have the tensors of the one training. */
  override trainingProgram(): TrainingProgram {
    return {
      ...super.trainingProgram(),
      on: (inputs) => {
        const { program, values } = this.sized(inputs as Inputs & InputValues); // with those that training adds
        return program.trainingProgram().on(values);
      },
    };
  }
}
