import { element } from "../../../language/values/element.js";
import { axesFrom, axisName, type Shape, sizeAt, without } from "../axes.js";
import { rename, stacked } from "../expression.js";
import { firstOf } from "../file/numbers.js";
import type { GraphProto } from "../file/protos.js";
import type { NodeImport } from "../node.js";
import { moved } from "../operand.js";
import type { Value } from "../value.js";
import type { Become, OperatorTable } from "./table.js";

/**
 * Graphs within a node. The language has no loop: a graph that runs a constant number of times is written out, and of two graphs
 * the one that a constant chooses; or both, where their outputs are alike and a number chooses.
 */

/** Longer loops would become programs that nobody waits for. */
const mostSteps = 512;

const conditional: Become = (node) => {
  const condition = node.input(0);
  const [yes, no] = [node.graph("then_branch"), node.graph("else_branch")];
  if (condition.numbers !== undefined) {
    const chosen = node.subgraph(firstOf(condition.numbers) === 0 ? no : yes, []);
    for (const [position, value] of chosen.entries()) node.alias(value, position);
    return;
  }
  const [values, others] = [yes, no].map((graph) => node.subgraph(graph, [], condition)) as [
    readonly Value[],
    readonly Value[],
  ]; // of two
  for (const [position, value] of values.entries()) {
    const other = others[position];
    if (other === undefined || `${other.shape}` !== `${value.shape}` || other.element !== value.element)
      return node.refuse("control flow", condition);
    const text = `if(${condition.text}, ${value.text}, ${other.text})`;
    node.define(text, value.shape, value.element, position, [condition, value, other]);
  }
};

/** The values of outputs behind each other along a new axis. */
function defineStacked(node: NodeImport, values: readonly Value[], written: number, position: number): void {
  const [first] = values;
  if (first === undefined) return node.refuse("no element");
  if (values.some(({ shape }) => `${shape}` !== `${first.shape}`))
    return node.refuse({ kind: "shapes", shapes: values.map(({ shape }) => shape) });
  const rank = first.shape.length + 1;
  const axis = node.axis(written, rank);
  const texts = values.map((value) => moved(value, rank, (own) => (own < axis ? own : own + 1)));
  const shape: Shape = [...first.shape.slice(0, axis), values.length, ...first.shape.slice(axis)];
  node.define(stacked(texts, axisName(rank, axis)), shape, first.element, position, values);
}

/** The outputs of a step: those that the next one begins with, and those that are stacked. */
interface Step {
  readonly states: readonly Value[];
  readonly outputs: readonly Value[];
}

function defineLoop(
  node: NodeImport,
  states: readonly Value[],
  steps: readonly Step[],
  axes: number[],
): void {
  for (const [position, value] of (steps.at(-1)?.states ?? states).entries()) node.alias(value, position);
  const stackedOutputs = node.proto.output.length - states.length;
  for (const output of axesFrom(0, stackedOutputs)) {
    if (!node.isUsed(states.length + output)) continue;
    const values = steps.flatMap((step) => step.outputs.slice(output, output + 1));
    defineStacked(node, values, axes[output] ?? 0, states.length + output);
  }
}

const loop: Become = (node) => {
  const body = node.graph("body");
  const [count, condition] = [node.optional(0), node.optional(1)];
  const most = count === undefined ? Number.POSITIVE_INFINITY : node.number(count, "count of steps");
  const states = axesFrom(2, node.proto.input.length).map((position) => node.input(position));
  const steps: Step[] = [];
  let current = condition ?? node.table("condition", [1], [], "bool");
  for (let step = 0; step < most && node.number(current, "condition") !== 0; step++) {
    if (step >= mostSteps) node.refuse({ kind: "too long", most: mostSteps });
    const index = node.table("step", [step], [], "int64");
    const [next, ...outputs] = node.subgraph(body, [index, current, ...(steps.at(-1)?.states ?? states)]);
    current = next ?? node.refuse("control flow");
    steps.push({ states: outputs.slice(0, states.length), outputs: outputs.slice(states.length) });
  }
  defineLoop(node, states, steps, []);
};

/** One element along an axis, which the result lacks. */
function elementOf(node: NodeImport, value: Value, axis: number, index: number): Value {
  const rank = value.shape.length;
  const text = value.shape[axis] === 1 ? value.text : `${value.text}{${axisName(rank, axis)}:${index}}`;
  const pairs = axesFrom(0, axis).flatMap((own) =>
    value.shape[own] === 1 ? [] : [[axisName(rank, own), axisName(rank - 1, own)] as const],
  );
  const shape = without(value.shape, [axis]);
  return node.intermediate("element", rename(text, pairs), shape, value.element, [value]);
}

const scan: Become = (node) => {
  const body: GraphProto = node.graph("body");
  const scanned = node.requiredInteger("num_scan_inputs");
  const inputs = node.allInputs;
  const states = inputs.slice(0, inputs.length - scanned);
  const sequences = inputs.slice(inputs.length - scanned);
  const list = (name: string): number[] => node.integers(name) ?? [];
  const [axes, directions] = [list("scan_input_axes"), list("scan_input_directions")];
  const axisOf = (value: Value, at: number): number => node.axis(axes[at] ?? 0, value.shape.length);
  const lengths = sequences.map((value, at) => sizeAt(value.shape, axisOf(value, at)));
  const [length = 0] = lengths;
  if (lengths.some((each) => each !== length))
    node.refuse({ kind: "shapes", shapes: sequences.map(({ shape }) => shape) });
  if (length > mostSteps) node.refuse({ kind: "too long", most: mostSteps });
  const steps: Step[] = [];
  for (let step = 0; step < length; step++) {
    const elements = sequences.map((value, at) =>
      elementOf(node, value, axisOf(value, at), directions[at] === 1 ? length - 1 - step : step),
    );
    const outputs = node.subgraph(body, [...(steps.at(-1)?.states ?? states), ...elements]);
    steps.push({ states: outputs.slice(0, states.length), outputs: outputs.slice(states.length) });
  }
  const turned = list("scan_output_directions");
  const ordered = steps.map((step, at) => ({
    states: step.states,
    outputs: step.outputs.map((own, output) =>
      turned[output] === 1 ? element(element(steps, steps.length - 1 - at).outputs, output) : own,
    ),
  }));
  defineLoop(node, states, ordered, list("scan_output_axes"));
};

// biome-ignore format: a table
export const controlFlow: OperatorTable = {
  If:   { 1: conditional },
  Loop: { 1: loop },
  Scan: { 9: scan },
};
