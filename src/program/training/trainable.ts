import type { Provenance } from "../../inspect/provenance/provenance.js";
import type { CheckedProgram } from "../../language/check/program.js";
import { inputsOf, type Node, visit } from "../../language/core/operations.js";
import { nearest } from "../../language/source/nearest.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { mapType } from "../../language/types/algebra.js";
import { isAssignable } from "../../language/types/assignable.js";
import { cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { element } from "../../language/values/element.js";
import { spanOfText } from "../../language/values/messages.js";
import { Tensor } from "../../language/values/tensor.js";
import type { InputValues } from "../inputs.js";
import { problem } from "../messages.js";
import { uniform } from "../random.js";
import { beginningsOf, placed, textOf } from "./beginnings.js";
import { below, hasLabelsOf, labelSources } from "./new-labels.js";
import { type ProgramInTwoRuns, rowsOf, type State, stepByRows } from "./step-by-rows.js";
import type { Evaluated, SettledOptions, Trainable } from "./train.js";
import {
  begunValue,
  firstValue,
  isAdded,
  rateInput,
  type TrainedVariable,
  type TrainingStep,
  trainingText,
} from "./training-text.js";

/** A program that has the statements of an optimiser. */
export interface TrainingProgram extends ProgramInTwoRuns {
  readonly inputs: ReadonlyMap<string, TensorType>;
  /** All that is kept from step to step. */
  readonly kept: ReadonlyMap<string, TensorType>;
  readonly tensors: (data: InputValues) => ReadonlyMap<string, Tensor>;
  readonly step: (inputs: InputValues, state: State, random: () => number) => TrainingStep;
  /** What a name stands for. */
  readonly value: (name: string) => Node | undefined;
  /** Named values of a step. */
  readonly values: (
    names: readonly string[],
    inputs: InputValues,
    state: State,
    random: () => number,
  ) => readonly Tensor[];
  /** The objective, and named values. */
  readonly evaluate: (
    inputs: InputValues,
    state: State,
    names: readonly string[],
    random: () => number,
  ) => Evaluated;
  /** Where the first number of the objective comes from that is not finite. */
  readonly origin: (inputs: InputValues, state: State) => string | undefined;
}

/** A program with more statements, and the functions of the language that these call: the program may not define them itself. */
export type Extend<T> = (statements: string, called: ReadonlySet<string>) => T;

/** The session whose tensors are trained. */
export interface TrainedSession {
  readonly types: ReadonlyMap<string, TensorType>;
  readonly get: (name: string) => Tensor;
  readonly assign: (values: InputValues) => void;
}

/**
 * A program with an optimiser, on the tensors of a session.
 * @throws SphexError where nothing is minimised, or no variable matters to it.
 */
export function trainableOf(
  checked: CheckedProgram,
  extended: Extend<TrainingProgram>,
  session: TrainedSession,
  { optimiser, clip, l2, labels = {}, seed }: SettledOptions,
): Trainable {
  const { objective } = checked;
  if (objective === undefined)
    throw new SphexError([problem("train/no-objective", spanOfText("program", ""), {})]);
  const variables = variablesOf(checked, objective.node);
  if (variables.length === 0) throw new SphexError([problem("train/no-variable", objective.span, {})]);
  refuseWholeNumbers(variables, objective.span);
  refuseAssigned(variables, checked);
  refuseWithoutLabels(Object.keys(labels), variables);
  const beginnings = beginningsOf(checked, labels);
  const texts = (text: (span: Span) => string) =>
    Object.fromEntries([...beginnings].map(([name, span]) => [name, text(span)]));
  const textWith = (begun: SettledOptions["labels"]): string =>
    trainingText(textOf(objective.span), variables, { optimiser, clip, l2, labels: begun });
  // What the program itself says of how labels begin may call its own functions.
  const ownText = textWith(texts(() => "0"));
  const called = Array.from(ownText.matchAll(/\b\w+(?=\()/g), ([name]) => name);
  const statements = textWith(texts(textOf));
  const program = within(
    () => extended(statements, new Set(called)),
    (error) => placed(error, statements, variables, beginnings, objective.span),
  );
  const begun = variables.flatMap(({ name }, at) => {
    const span = beginnings.get(name);
    if (span === undefined) return [];
    const first = program.value(firstValue(at));
    const [dimension, ...more] = first?.type.mapped ?? [];
    const isOfOne = first !== undefined && dimension !== undefined && more.length === 0;
    return [
      {
        ...{ name, first, value: begunValue(at) },
        sources: isOfOne ? labelSources(first, dimension.name) : undefined,
        // The expression itself stands in the program that training made.
        span,
      },
    ];
  });
  const rows = rowsOf(checked, variables, optimiser);
  const names = [...session.types.keys()];
  const isOfSession = ([name]: readonly [string, unknown]): boolean => session.types.has(name);
  // What a tensor begins with is computed once, not in each step.
  session.assign(Object.fromEntries(names.map((name) => [name, session.get(name)])));
  /** What the optimiser remembers. */
  let memory: State = new Map();
  /** What of that nobody but the next step reads. */
  const passing = new Set<Tensor>();
  // The session is asked each time: others may assign to it between two steps.
  const state = (): State => new Map([...memory, ...names.map((name) => [name, session.get(name)] as const)]);
  const take = (tensors: readonly (readonly [string, Tensor])[]): void => {
    session.assign(Object.fromEntries(tensors.filter(isOfSession)));
    memory = new Map([...memory, ...tensors.filter((each) => !isOfSession(each))]);
    const retained = new Set(memory.values());
    for (const tensor of passing) if (!retained.has(tensor)) tensor.dispose();
    passing.clear();
  };
  const inputTypes = [...program.inputs].flatMap(([name, type]) => (isAdded(name) ? [] : [type]));
  const unbound = inputTypes.flatMap(({ indexed }) =>
    indexed.flatMap(({ name, size }) => (size === undefined ? [name] : [])),
  );
  return {
    tensors: program.tensors,
    unbound: [...new Set(unbound)],
    mapped: mappedDimensions(inputTypes),
    fixedAlong: (dimension, data) => {
      const computed = [objective, ...checked.assignments.values()].map(({ node }) => node);
      for (const node of computed) {
        const fixed = fixedAlong(node, dimension, data);
        if (fixed !== undefined) return fixed;
      }
      return begun.find(
        ({ first }) => first !== undefined && fixedAlong(first, dimension, data) !== undefined,
      )?.span;
    },
    step: (inputs, step, rate, check) => {
      // Chance in a program is another one in each step, and the same in the same step of another training.
      const chance = (): (() => number) => uniform(seed ^ Math.imul(step, 0x9e3779b1));
      const before = state();
      // Most steps are not the first to have a label.
      const mayBegin = begun.some(({ name, sources }) => !isComplete(name, sources, inputs, before));
      const values = begun.map(({ value }) => value);
      const tensors = mayBegin ? program.values(values, inputs, before, chance()) : [];
      // What the step assigns to a variable has the labels that begin in it: they are retained only with the step.
      const withLabels = new Map(before);
      for (const [at, tensor] of tensors.entries()) withLabels.set(element(begun, at).name, tensor);
      const random = chance();
      const { loss, areFinite, assigned } =
        rows === undefined
          ? program.step({ ...inputs, [rateInput]: rate }, withLabels, random)
          : stepByRows(program, rows, { inputs, rate, state: withLabels, random });
      const isTrained = ([name]: readonly [string, unknown]): boolean =>
        isAdded(name) || checked.declared.get(name)?.role === "variable";
      check(loss, areFinite, Object.fromEntries(Object.entries(assigned).filter(isTrained)));
      take(Object.entries(assigned));
      for (const tensor of memory.values()) passing.add(tensor);
    },
    // Each time with the same chance, also in a training that goes on: what changes are the variables.
    evaluate: (inputs, names) => program.evaluate(inputs, state(), names, uniform(seed)),
    tensorsSoFar: () => {
      passing.clear();
      return Object.fromEntries(state());
    },
    restore: (tensors) => {
      refuseOthers(program.kept, tensors);
      memory = new Map();
      take(Object.entries(tensors));
    },
    origin: (inputs) => program.origin(inputs, state()),
  };
}

/** Whether a variable has all labels that tensors have which its labels come from; not where there are none of them. */
function isComplete(
  name: string,
  sources: readonly string[] | undefined,
  inputs: InputValues,
  state: State,
): boolean {
  const variable = state.get(name);
  const others = sources?.map((source) => inputs[source] ?? state.get(source)) ?? [];
  const tensors = others.filter((each) => each instanceof Tensor);
  const areAll = sources !== undefined && tensors.length === others.length;
  return areAll && variable !== undefined && hasLabelsOf(variable, tensors);
}

/** The mapped dimensions of some types, and those that all types with labels have. */
function mappedDimensions(types: readonly TensorType[]): Trainable["mapped"] {
  const names = types.flatMap(({ mapped }) => (mapped.length === 0 ? [] : [mapped.map(({ name }) => name)]));
  const all = [...new Set(names.flat())];
  return { all, shared: all.filter((name) => names.every((own) => own.includes(name))) };
}

/** What comes of something, whose problems stand elsewhere. */
function within<T>(make: () => T, elsewhere: (error: SphexError) => SphexError): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof SphexError ? elsewhere(error) : error;
  }
}

/** Whole numbers cannot change by little. */
function refuseWholeNumbers(variables: readonly TrainedVariable[], span: Span): void {
  const problems = variables
    .filter(({ cells }) => cellTypes[cells].whole)
    .map(({ name, cells }) => problem("train/whole", span, { name, cells }));
  if (problems.length > 0) throw new SphexError(problems);
}

/** A step assigns to what it trains. */
function refuseAssigned(variables: readonly TrainedVariable[], { assignments }: CheckedProgram): void {
  const problems = variables.flatMap(({ name }) => {
    const assigned = assignments.get(name);
    return assigned === undefined ? [] : [problem("train/assigned", assigned.span, { name })];
  });
  if (problems.length > 0) throw new SphexError(problems);
}

/** Labels begin in variables that are trained and have some. */
function refuseWithoutLabels(names: readonly string[], variables: readonly TrainedVariable[]): void {
  const labelled = variables.flatMap(({ name, type }) => (type.isDense ? [] : [name]));
  const problems = names
    .filter((name) => !labelled.includes(name))
    .map((name) => {
      const values = { name, labelled, nearest: nearest(name, labelled) };
      return problem("train/labels", spanOfText("labels", name), values);
    });
  if (problems.length > 0) throw new SphexError(problems);
}

/** The tensors of a checkpoint must be those that this program keeps. */
function refuseOthers(
  kept: ReadonlyMap<string, TensorType>,
  tensors: Readonly<Record<string, Tensor>>,
): void {
  const names = new Set([...kept.keys(), ...Object.keys(tensors)]);
  for (const name of names) {
    const [expected, found] = [kept.get(name), tensors[name]?.type];
    if (expected !== undefined && found !== undefined && isAssignable(found, expected)) continue;
    const values = { name, expected, found };
    throw new SphexError([problem("train/checkpoint", spanOfText("checkpoint", name), values)]);
  }
}

/**
 * The first node below another that has an indexed dimension from nothing that has it, unless it is an input among the data whose size is
 * unbound there: a literal, a constant, a variable, the default of an input.
 */
function fixedAlong(root: Node, dimension: string, data: ReadonlySet<string>): Span | undefined {
  const has = ({ type }: Node): boolean => type.dimension(dimension)?.kind === "indexed";
  for (const node of below(root)) {
    if (!has(node)) continue;
    const isUnbound = node.type.dimension(dimension)?.size === undefined;
    const isData = node.op === "input" && data.has(node.name) && isUnbound;
    if (!isData && !visit(inputsOf, node).some(has)) return node.span;
  }
  return undefined;
}

/** The variables that a value is computed from. */
function variablesOf({ declared }: CheckedProgram, root: Node): TrainedVariable[] {
  const found = new Map<string, TrainedVariable>();
  for (const node of below(root))
    if (node.op === "input" && declared.get(node.name)?.role === "variable")
      found.set(node.name, { name: node.name, type: mapType(node.type), cells: node.type.cellType });
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The expression from which a number that is not finite first comes. */
export function originIn(provenance: Provenance): string | undefined {
  const { arises, sources } = provenance.notFinite({});
  return arises?.cell.text ?? sources[0]?.cell.text;
}

/** Programs that no text of the language stands for minimise nothing. */
export const withoutText = (): never => {
  throw new Error("a program without a text cannot have more statements");
};
