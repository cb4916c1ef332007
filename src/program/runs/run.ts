import type { PlanningOptions, Root } from "../../backends/backend.js";
import type { Meter, Steps } from "../../backends/meter.js";
import { boxed, Evaluation, type ReferenceValue, unboxed } from "../../backends/reference/evaluation.js";
import type { RunContext } from "../../backends/run-context.js";
import type { Trace } from "../../inspect/provenance/trace.js";
import type { CheckedProgram } from "../../language/check/statements/program.js";
import type { Node } from "../../language/core/operations.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { problem } from "../messages.js";
import { uniform } from "../random.js";
import { type GradientStep, stepParts } from "../training/labels/step-parts.js";
import type { TrainingStep } from "../training/statements/training-text.js";
import { namedRoot, type ProgramPlans } from "./program-plans.js";

/** A result of a program: its type, its span, and its name if it is a named value. */
export interface ResultType {
  readonly type: TensorType;
  readonly span: Span;
  readonly name?: string;
}

/** What a run computes that assigns: its results, and what is assigned. */
export interface AssigningOutcome {
  readonly results: readonly Tensor[];
  readonly assigned: Readonly<Record<string, Tensor>>;
}

/** Training that goes on from a checkpoint has the bits of one that was not interrupted. */
const reproducible: PlanningOptions = { isReproducible: true };

/** One run: plans with their inputs, the defaults of missing ones, and its meter. */
export class Run implements RunContext {
  private reference: Evaluation | undefined;
  readonly random: () => number;
  /** The random values so far, shared with named values that are requested later. */
  readonly drawn: RunContext["drawn"] = new Map();

  constructor(
    private readonly checked: CheckedProgram,
    private readonly tensors: ReadonlyMap<string, Tensor>,
    /** It has counted the inputs, and what was stored when the program was compiled. */
    readonly meter: Meter,
    private readonly plans: ProgramPlans,
    random?: () => number,
    private readonly trace?: Trace,
  ) {
    this.random = random ?? uniform(0);
  }

  /** The reference evaluator, created when it is first needed. */
  get evaluation(): Evaluation {
    const { meter, random } = this;
    const input = (name: string, span: Span): Steps<ReferenceValue> => this.inputValue(name, span);
    this.reference ??= new Evaluation({ meter, random, input, watch: this.trace });
    return this.reference;
  }

  input(name: string): Tensor | undefined {
    return this.tensors.get(name);
  }

  sizeOf(dimension: string): number | undefined {
    for (const { type } of this.tensors.values()) {
      const match = type.dimension(dimension);
      if (match !== undefined) return match.size;
    }
    return undefined;
  }

  defaultOf(name: string, span: Span): Node {
    return defaultOf(this.checked, name, span);
  }

  /** What an input is computed by that the run is not given; nothing where that is just data. */
  computedDefault(name: string): Node | undefined {
    const value = this.tensors.has(name) ? undefined : this.checked.declared.get(name)?.value;
    return value?.op === "constant" ? undefined : value;
  }

  defaults(): readonly Node[] {
    return [...this.checked.declared].flatMap(([name, { value }]) =>
      value === undefined || this.tensors.has(name) ? [] : [value],
    );
  }

  /** The results, and behind them named values. */
  *results(names: readonly string[] = []): Steps<readonly Tensor[]> {
    const subject = names.length === 0 ? "results" : { withResults: names };
    const tensors = yield* this.plans.plan(subject, {}, this.meter).run(this);
    const named = names.map((name) => namedRoot(this.checked, name));
    return this.allowed(tensors, [...this.checked.results, ...named]);
  }

  /** The results, and what is assigned, which may be nothing: by the program, and to these names the values of others. */
  *assigning(named: Readonly<Record<string, string>>): Steps<AssigningOutcome> {
    const { results, assignments } = this.checked;
    const outcome = assignments.size === 0 ? "results" : "session";
    const roots = [...results, ...assignments.values()];
    const tensors = this.allowed(yield* this.plans.plan(outcome, {}, this.meter).run(this), roots);
    const own = byName(assignments.keys(), tensors.slice(results.length));
    const others = byName(Object.keys(named), yield* this.allNamed(Object.values(named)));
    return { results: tensors.slice(0, results.length), assigned: { ...own, ...others } };
  }

  /** The value of the objective, and what is assigned. */
  *trainingStep(): Steps<TrainingStep> {
    const [loss, finite, ...tensors] = yield* this.plans.plan("training", reproducible, this.meter).run(this);
    return {
      loss: loss?.asNumber() ?? Number.NaN,
      areFinite: finite?.asNumber() === 0,
      assigned: byName(this.checked.assignments.keys(), tensors),
    };
  }

  /** The value of the objective, the gradients that are computed apart, by their names, and what the program itself assigns. */
  *gradients(): Steps<GradientStep> {
    const [loss, ...tensors] = yield* this.plans.plan("gradients", reproducible, this.meter).run(this);
    const { gradients, own } = stepParts(this.checked);
    return {
      loss: loss?.asNumber() ?? Number.NaN,
      gradients: byName(gradients, tensors),
      assigned: byName(own, tensors.slice(gradients.length)),
    };
  }

  /** What the optimiser assigns, of inputs that have what the gradients touch. */
  *update(): Steps<Omit<TrainingStep, "loss">> {
    const [finite, ...tensors] = yield* this.plans.plan("update", reproducible, this.meter).run(this);
    const assigned = byName(stepParts(this.checked).updated, tensors);
    return { areFinite: finite?.asNumber() === 0, assigned };
  }

  /** The values of the objective and of named scalars. */
  *judged(names: readonly string[]): Steps<{ loss: number; metrics: Readonly<Record<string, number>> }> {
    const [loss] = yield* this.plans.plan("objective", reproducible, this.meter).run(this);
    const metrics: [string, number][] = [];
    for (const name of names) metrics.push([name, (yield* this.named(name)).asNumber()]);
    return { loss: loss?.asNumber() ?? Number.NaN, metrics: Object.fromEntries(metrics) };
  }

  /** Computes these nodes in the reference evaluator, to be traced. */
  *values(roots: readonly { readonly node: Node }[]): Steps<void> {
    for (const { node } of roots) yield* this.evaluation.value(node);
  }

  *allNamed(names: readonly string[]): Steps<readonly Tensor[]> {
    const tensors: Tensor[] = [];
    for (const name of names) tensors.push(yield* this.named(name));
    return tensors;
  }

  *named(name: string): Steps<Tensor> {
    const tensors = yield* this.plans.plan({ named: name }, {}, this.meter).run(this);
    const [value] = this.allowed(tensors, [namedRoot(this.checked, name)]);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  }

  /** The value that a tensor was declared with. */
  *declared(name: string): Steps<Tensor> {
    const { type, value } = this.checked.declared.get(name) ?? {};
    if (type === undefined || value === undefined) throw new Error(`${name} was not declared with a value`);
    return boxed(yield* this.evaluation.value(value), type);
  }

  /** Tensors within the limit of cells. One that is never stored, as where one cell is all of them, is counted only here. */
  private allowed(tensors: readonly Tensor[], roots: readonly Root[]): readonly Tensor[] {
    for (const [at, { rows, blockCells }] of tensors.entries())
      this.meter.allow(rows * blockCells, element(roots, at).span);
    return tensors;
  }

  private *inputValue(name: string, span: Span): Steps<ReferenceValue> {
    const tensor = this.tensors.get(name);
    if (tensor !== undefined) return unboxed(tensor);
    return yield* this.evaluation.value(defaultOf(this.checked, name, span));
  }
}

/** The default of a missing input. */
function defaultOf({ declared }: CheckedProgram, name: string, span: Span): Node {
  const { type, value } = declared.get(name) ?? {};
  if (value !== undefined) return value;
  throw new SphexError([problem("input/missing", span, { name, type })]);
}

/** Tensors by the names that belong to them, in the same order. */
function byName(names: Iterable<string>, tensors: readonly Tensor[]): Record<string, Tensor> {
  const values = [...names].map((name, at): [string, Tensor] => [name, element(tensors, at)]);
  return Object.fromEntries(values);
}
