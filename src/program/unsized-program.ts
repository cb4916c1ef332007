import type { Plan } from "../inspect/plan-report/show-plan.js";
import type { Explanation } from "../inspect/provenance/explain.js";
import type { NotFinite } from "../inspect/provenance/not-finite.js";
import type { Why } from "../inspect/provenance/why.js";
import type { CheckedProgram } from "../language/check/program.js";
import { SphexError } from "../language/source/problem.js";
import type { Declaration, ProgramTree } from "../language/syntax/tree.js";
import { indexed, TensorType } from "../language/types/type.js";
import type { Address } from "../language/values/address.js";
import { spanOfText } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import type { RunOptions } from "./async-run.js";
import type { ExternalEngine } from "./external.js";
import type { InputValues } from "./inputs.js";
import { problem } from "./messages.js";
import { canonicalName, type Options } from "./options.js";
import type { PlanOptions } from "./plan.js";
import type { Prepared } from "./prepared.js";
import { type PrimitiveOptions, Program } from "./program.js";
import type { Results } from "./results.js";
import type { Session } from "./session.js";
import type { Extend } from "./training/training-program.js";

/** The types of inputs with all their sizes, by canonical name. */
export type SizedTypes = ReadonlyMap<string, TensorType>;

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
    const types = new Map<string, TensorType>();
    const empty: string[] = [];
    for (const [name, tensor] of this.execution.tensors(inputs)) {
      const declared = this.inputs.get(name);
      if (declared === undefined || declared.isBound) continue;
      types.set(name, boundType(tensor));
      if (lacksElements(tensor)) empty.push(name);
    }
    if (empty.length > 0)
      throw new SphexError([problem("program/unsized", spanOfText(this.name, ""), { missing: [], empty })]);
    const key = [...types].map(([name, type]) => `${name} ${type}`).join(" ");
    const cached = this.programs.get(key);
    if (cached !== undefined) return cached;
    const program = this.compiledFor(types);
    if (program instanceof UnsizedProgram) {
      const missing = [...this.inputs].flatMap(([name, type]) =>
        type.isBound || types.has(name) ? [] : [name],
      );
      throw new SphexError([problem("program/unsized", spanOfText(this.name, ""), { missing, empty })]);
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
    return this.sized(inputs).prepare(this.bound(inputs)) as Prepared<Inputs>; // of the same inputs
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
    return Object.fromEntries(
      [...this.execution.tensors(inputs)].map(([name, tensor]) => [name, tensor.as(boundType(tensor))]),
    );
  }
}

/** Whether a tensor of open sizes has none along one of them: no type that is written has a size of 0. */
export const lacksElements = ({ type, sizes }: Tensor): boolean => !type.isBound && sizes.includes(0);

/** The type of a tensor with its sizes. */
export function boundType({ type, sizes }: Tensor): TensorType {
  if (type.isBound) return type;
  const names = type.indexed.map(({ name }) => name);
  const dimensions = type.dimensions.map((each) =>
    each.kind === "mapped" ? each : indexed(each.name, sizes[names.indexOf(each.name)]),
  );
  return TensorType.of(type.cellType, dimensions);
}

/** A program whose inputs are declared with these sizes; a default is dropped, since there is a value. */
export function withSizes(
  tree: ProgramTree,
  nameOf: (each: Declaration) => string,
  types: SizedTypes,
): ProgramTree {
  return {
    statements: tree.statements.map((statement) => {
      if (statement.kind !== "declaration" || statement.role !== "input") return statement;
      const type = types.get(nameOf(statement));
      if (type === undefined || statement.type === undefined) return statement;
      const dimensions = statement.type.dimensions.map((each) => {
        const size = type.dimension(each.name.text)?.size;
        return size === undefined ? each : { ...each, size: { text: `${size}`, span: each.span } };
      });
      const { value: _, ...rest } = statement;
      return { ...rest, type: { ...statement.type, dimensions } };
    }),
  };
}

/** Options whose inputs have these types. */
export function sizedOptions(options: Options, types: SizedTypes): Options {
  const { inputs } = options;
  if (inputs === undefined) return options;
  const entries = Object.entries(inputs).map(
    ([name, type]) => [name, types.get(canonicalName(name)) ?? type] as const,
  );
  return { ...options, inputs: Object.fromEntries(entries) };
}
