import type { CheckedProgram } from "../../../language/check/statements/program.js";
import { below } from "../../../language/check/waiting.js";
import type { Node } from "../../../language/core/operations.js";
import { nearest } from "../../../language/source/nearest.js";
import { SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { mapType } from "../../../language/types/algebra.js";
import { cellTypes } from "../../../language/types/cell.js";
import { spanOfText } from "../../../language/values/messages.js";
import { problem } from "../../messages.js";
import { type OptimiserName, optimisers } from "./optimisers.js";
import type { TrainedVariable } from "./training-text.js";

/** What a program minimises, and the variables that it is computed from. */
export interface Trained {
  readonly objective: NonNullable<CheckedProgram["objective"]>;
  readonly variables: readonly TrainedVariable[];
}

/**
 * What is trained of a program by an optimiser, in some of whose variables labels begin as options say; the span is that of the program.
 * @throws SphexError where nothing is minimised, or a variable cannot be trained so.
 */
export function trainedOf(
  checked: CheckedProgram,
  optimiser: OptimiserName,
  labels: Readonly<Record<string, string>>,
  span: Span,
): Trained {
  const { objective } = checked;
  if (objective === undefined) throw new SphexError([problem("train/no-objective", span, {})]);
  const variables = variablesOf(checked, objective.node);
  if (variables.length === 0) throw new SphexError([problem("train/no-variable", objective.span, {})]);
  refuseWholeNumbers(variables, objective.span);
  if (Object.keys(optimisers[optimiser].remembered).length > 0)
    refuseUnbound(variables, optimiser, objective.span);
  refuseAssigned(variables, checked);
  refuseWithoutLabels(Object.keys(labels), variables);
  return { objective, variables };
}

/** The variables that a value is computed from. */
function variablesOf({ declared, waiting }: CheckedProgram, root: Node): TrainedVariable[] {
  const found = new Map<string, TrainedVariable>();
  for (const node of below(root, waiting))
    if (node.op === "input" && declared.get(node.name)?.role === "variable")
      found.set(node.name, { name: node.name, type: mapType(node.type), cells: node.type.cellType });
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Whole numbers cannot change by little. */
function refuseWholeNumbers(variables: readonly TrainedVariable[], span: Span): void {
  const problems = variables
    .filter(({ cells }) => cellTypes[cells].whole)
    .map(({ name, cells }) => problem("train/whole", span, { name, cells }));
  if (problems.length > 0) throw new SphexError(problems);
}

/** What an optimiser remembers begins as zeros, of as many cells as the variable has. */
function refuseUnbound(variables: readonly TrainedVariable[], optimiser: OptimiserName, span: Span): void {
  const problems = variables
    .filter(({ type }) => !type.isBound)
    .map(({ name, type }) => problem("train/unbound", span, { name, type, optimiser }));
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
