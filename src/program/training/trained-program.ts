import type { CheckedProgram } from "../../language/check/statements/program.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { element, entry } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { InputValues } from "../inputs/inputs.js";
import { uniform } from "../random.js";
import { refuseOtherTensors, type TrainingCheckpoint } from "./checkpoint.js";
import { dataDimensions } from "./data/data-dimensions.js";
import { fixedAlong } from "./data/fixed-along.js";
import { type BegunVariable, begunVariables, isComplete } from "./labels/begun-variables.js";
import { rowsOf, type State, type StepRows, stepByRows } from "./labels/step-by-rows.js";
import { type Trained, trainedOf } from "./statements/trained-variables.js";
import { isAdded, type TrainingStep } from "./statements/training-text.js";
import type { SettledOptions } from "./train-options.js";
import type { Evaluated, StepCheck, Trainable } from "./trainable.js";
import { type Extend, type TrainingProgram, trainingProgramOf } from "./training-program.js";

/** The session whose tensors are trained. */
export interface TrainedSession {
  readonly types: ReadonlyMap<string, TensorType>;
  /** The present tensor of a name, whose cells nobody has read for that. */
  readonly present: (name: string) => Tensor;
  /** Whether a run has seen a tensor, so that its named values may be computed of it later. */
  readonly isSeen: (tensor: Tensor) => boolean;
  /** As `Session.assign`, of tensors whose cells stay where they are. */
  readonly replace: (values: InputValues) => void;
}

/**
 * A program with an optimiser, on the tensors of a session; problems of the whole program are at the span.
 * @throws SphexError where nothing is minimised, or no variable matters to it.
 */
export function trainableOf(
  checked: CheckedProgram,
  extended: Extend<TrainingProgram>,
  session: TrainedSession,
  options: SettledOptions,
  span: Span,
): Trainable {
  const { objective, variables } = trainedOf(checked, options.optimiser, options.labels ?? {}, span);
  const { program, beginnings } = trainingProgramOf(checked, extended, { objective, variables }, options);
  return new TrainedProgram(session, {
    ...{ checked, objective, program },
    begun: begunVariables(program, variables, beginnings),
    rows: rowsOf(checked, variables, options.optimiser),
    seed: options.seed,
  });
}

/** What the steps of a training are made of. */
interface Training extends Pick<Trained, "objective"> {
  readonly checked: CheckedProgram;
  readonly program: TrainingProgram;
  readonly begun: readonly BegunVariable[];
  /** Nothing where a step is one run. */
  readonly rows: StepRows | undefined;
  readonly seed: number;
}

/** A program that is trained step by step: the variables are in the session, and here is what the optimiser remembers. */
class TrainedProgram implements Trainable {
  readonly unbound: Trainable["unbound"];
  readonly mapped: Trainable["mapped"];
  /** The names of the tensors of the session. */
  private readonly names: readonly string[];
  /** What the optimiser remembers. */
  private memory: State = new Map();
  /** What a step made of that and of the variables, and nobody but the next step reads. */
  private readonly disposable = new Set<Tensor>();

  constructor(
    private readonly session: TrainedSession,
    private readonly training: Training,
  ) {
    this.names = [...session.types.keys()];
    // What a tensor begins with is computed once, not in each step.
    session.replace(Object.fromEntries(this.sessionTensors()));
    const inputs = [...training.program.inputs].filter(([name]) => !isAdded(name));
    const { unbound, mapped } = dataDimensions(inputs.map(([, type]) => type));
    this.unbound = unbound;
    this.mapped = mapped;
  }

  tensors(data: InputValues): ReadonlyMap<string, Tensor> {
    return this.training.program.tensors(data);
  }

  fixedAlong(dimension: string, data: ReadonlySet<string>): Span | undefined {
    const { objective, checked, begun, program } = this.training;
    const computed = [objective, ...checked.assignments.values()].map(({ node }) => node);
    for (const node of computed) {
      const fixed = fixedAlong(node, dimension, data, checked.waiting);
      if (fixed !== undefined) return fixed;
    }
    const isFixed = ({ first }: BegunVariable): boolean =>
      first !== undefined && fixedAlong(first, dimension, data, program.waiting) !== undefined;
    return begun.find(isFixed)?.span;
  }

  step(inputs: InputValues, step: number, rate: number, check: StepCheck): void {
    // Chance in a program is another one in each step, and the same in the same step of another training.
    const chance = (): (() => number) => uniform(this.training.seed ^ Math.imul(step, 0x9e3779b1));
    const state = this.withBegun(inputs, this.state(), chance);
    const { loss, areFinite, assigned } = this.computed(inputs, rate, state, chance());
    const changed = Object.entries(assigned).filter(([name]) => this.isTrained(name));
    check(loss, areFinite, Object.fromEntries(changed));
    const next = this.assign(Object.entries(assigned));
    for (const [name] of changed) this.disposable.add(entry(next, name));
  }

  evaluate(inputs: InputValues, names: readonly string[]): Evaluated {
    const { program, seed } = this.training;
    // Each time with the same chance, also in a training that goes on: what changes are the variables.
    return program.on(inputs).evaluate(names, this.state(), uniform(seed));
  }

  tensorsSoFar(): TrainingCheckpoint["tensors"] {
    this.disposable.clear();
    return Object.fromEntries(this.state());
  }

  restore(tensors: TrainingCheckpoint["tensors"]): void {
    refuseOtherTensors(this.training.program.retained, tensors);
    this.memory = new Map();
    this.assign(Object.entries(tensors));
  }

  origin(inputs: InputValues): string | undefined {
    return this.training.program.on(inputs).origin(this.state());
  }

  private sessionTensors(): readonly (readonly [string, Tensor])[] {
    return this.names.map((name) => [name, this.session.present(name)] as const);
  }

  /** What a step starts from. The session is asked each time: others may assign to it between two steps. */
  private state(): State {
    return new Map([...this.memory, ...this.sessionTensors()]);
  }

  /**
   * The same, with the labels that begin in a step. What the step assigns to a variable has them, too: they are retained only with the
   * step.
   */
  private withBegun(inputs: InputValues, state: State, chance: () => () => number): State {
    const { begun, program } = this.training;
    // Most steps are not the first to have a label.
    if (begun.every((variable) => isComplete(variable, inputs, state))) return state;
    const values = begun.map(({ value }) => value);
    const tensors = program.on(inputs).values(values, state, chance());
    return new Map([...state, ...tensors.map((tensor, at) => [element(begun, at).name, tensor] as const)]);
  }

  private computed(inputs: InputValues, rate: number, state: State, random: () => number): TrainingStep {
    const { program, rows } = this.training;
    const runs = program.on(inputs);
    return rows === undefined
      ? runs.step(rate, state, random)
      : stepByRows(runs, rows, { inputs, rate, state, random });
  }

  private isTrained(name: string): boolean {
    return isAdded(name) || this.training.checked.declared.get(name)?.role === "variable";
  }

  /** Assigns to the tensors of the session, and remembers the others; what there is afterwards. */
  private assign(tensors: readonly (readonly [string, Tensor])[]): State {
    const isOfSession = ([name]: readonly [string, unknown]): boolean => this.session.types.has(name);
    this.session.replace(Object.fromEntries(tensors.filter(isOfSession)));
    this.memory = new Map([...this.memory, ...tensors.filter((each) => !isOfSession(each))]);
    const state = this.state();
    const retained = new Set(state.values());
    for (const tensor of this.disposable)
      if (!retained.has(tensor) && !this.session.isSeen(tensor)) tensor.dispose();
    this.disposable.clear();
    return state;
  }
}
