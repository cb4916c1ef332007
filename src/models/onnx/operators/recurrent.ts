import { mapTuple } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import { axisName, type Shape, sizeAt } from "../axes.js";
import { number, reduce, rename, stacked } from "../expression.js";
import { elementAt, generated, type NodeImport, renamed } from "../node.js";
import type { Value } from "../value.js";
import { type Activation, activationsOf } from "./activations.js";
import type { Become, OperatorTable } from "./table.js";

/**
 * Networks that go along a sequence. The language has no loop, so that the steps are written out, each as the values of one
 * element of the sequence. Within a step `y` is the batch and `z` the hidden units.
 */

/** Longer sequences would become programs that nobody waits for. */
const mostSteps = 512;

const [sequence, batch, hidden, contracted] = ["x", "y", "z", "k"];

/** What lasts from one step to the next: the output, and the cell of an LSTM. Nothing stands for zeros. */
interface State {
  readonly h: Value | undefined;
  readonly c?: Value | undefined;
}

/** Weights and inputs of one direction of a node. */
class Direction {
  readonly batches: number;
  readonly steps: number;
  readonly units: number;
  private readonly isBatchFirst: boolean;
  private readonly limit: number | undefined;

  constructor(
    readonly node: NodeImport,
    private readonly at: number,
    gates: number,
    readonly activations: readonly Activation[],
  ) {
    const x = node.input(0);
    this.isBatchFirst = node.integer("layout", 0) === 1;
    this.steps = sizeAt(x.shape, this.isBatchFirst ? 1 : 0);
    this.batches = sizeAt(x.shape, this.isBatchFirst ? 0 : 1);
    this.units = sizeAt(node.input(1).shape, 1) / gates;
    this.limit = node.float("clip");
  }

  get shape(): Shape {
    return [this.batches, this.units];
  }

  /** A value of a step, which has the name of what it is. */
  value(suffix: string, text: string): Value {
    return this.node.intermediate(suffix, text, this.shape, this.node.input(0).element);
  }

  /** What a gate makes of the whole sequence: of its elements, and the biases that are added there. */
  inputs(gate: number, biases: readonly number[]): Value {
    const { node } = this;
    const x = node.input(0);
    const width = sizeAt(x.shape, 2);
    const operand = renamed(
      x,
      this.isBatchFirst ? [batch, sequence, contracted] : [sequence, batch, contracted],
    );
    const product = `${operand} * ${this.matrix(1, gate, width)}`;
    const sum = reduce("sum", product, width === 1 ? [] : [contracted]);
    const text = [sum, ...biases.flatMap((each) => this.row(3, each))].join(" + ");
    return node.intermediate("inputs", text, [this.steps, ...this.shape], x.element);
  }

  /** What a gate makes of the whole sequence at one step. */
  stepOf(inputs: Value, step: number): string {
    return this.steps === 1 ? inputs.text : `${inputs.text}{${sequence}:${step}}`;
  }

  /** What a gate makes of the output of the step before: nothing of zeros. */
  recurrent(gate: number, h: Value | undefined): string[] {
    if (h === undefined) return [];
    const product = `${renamed(h, [batch, contracted])} * ${this.matrix(2, gate, this.units)}`;
    return [reduce("sum", product, this.units === 1 ? [] : [contracted])];
  }

  private readonly cached = new Map<string, string>();

  /** The weights of a gate, of which the rows are its units. */
  private matrix(position: number, gate: number, width: number): string {
    return this.once(`${position} ${gate}`, () => {
      const { node, units } = this;
      const weights = node.input(position);
      const text = generated([units, width], weights.element, ([row = "0", column = "0"]) =>
        elementAt(weights, [`${this.at}`, offset(gate * units, row), column]),
      );
      const matrix = node.intermediate("weights", text, [units, width], weights.element, [weights]);
      return renamed(matrix, [hidden, contracted]);
    });
  }

  /** Numbers for each unit, of several that an input has one after the other; nothing where it is absent. */
  row(position: number, part: number): string[] {
    const { node, units } = this;
    const all = node.optional(position);
    if (all === undefined) return [];
    const text = this.once(`${position} row ${part}`, () => {
      const own = generated([units], all.element, ([unit = "0"]) =>
        elementAt(all, [`${this.at}`, offset(part * units, unit)]),
      );
      return node.intermediate("row", own, [units], all.element, [all]).text;
    });
    return [text];
  }

  private once(key: string, write: () => string): string {
    const text = this.cached.get(key) ?? write();
    this.cached.set(key, text);
    return text;
  }

  /** An input that has a state for each direction. */
  initial(position: number): Value | undefined {
    const value = this.node.optional(position);
    if (value === undefined) return undefined;
    const directions = value.shape[this.isBatchFirst ? 1 : 0];
    const axis = axisName(3, this.isBatchFirst ? 1 : 0);
    const own = directions === 1 ? value.text : `${value.text}{${axis}:${this.at}}`;
    return this.value(
      "initial",
      this.isBatchFirst && this.batches !== 1 ? rename(own, [[axisName(3, 0), batch]]) : own,
    );
  }

  /** A function of a sum of terms, which is clipped before. */
  activate(position: number, terms: readonly string[]): string {
    const activation = this.activations[position];
    if (activation === undefined) return this.node.refuse({ kind: "attribute missing", name: "activations" });
    const sum = terms.length === 1 ? `${terms[0]}` : `(${terms.join(" + ")})`;
    if (this.limit === undefined) return activation(sum);
    return activation(`max(${number(-this.limit)}, min(${number(this.limit)}, ${sum}))`);
  }
}

const offset = (start: number, index: string): string =>
  start === 0 ? index : index === "0" ? `${start}` : `${start} + ${index}`;

/** A kind of cell: how many gates it has, its functions, and what one step makes of the state. */
interface Cell {
  readonly gates: number;
  readonly activations: readonly string[];
  /** Prepares what all steps share, and answers what makes one. */
  readonly step: (direction: Direction) => (step: number, state: State) => State;
}

const simple: Cell = {
  gates: 1,
  activations: ["Tanh"],
  step: (own) => {
    const inputs = own.inputs(0, [0, 1]);
    return (step, { h }) => ({
      h: own.value("h", own.activate(0, [own.stepOf(inputs, step), ...own.recurrent(0, h)])),
    });
  },
};

const gated: Cell = {
  gates: 3,
  activations: ["Sigmoid", "Tanh"],
  step: (own) => {
    const isLinear = own.node.integer("linear_before_reset", 0) !== 0;
    const [z, r] = [own.inputs(0, [0, 3]), own.inputs(1, [1, 4])];
    const candidate = own.inputs(2, isLinear ? [2] : [2, 5]);
    return (step, { h }) => {
      const update = own.value("update", own.activate(0, [own.stepOf(z, step), ...own.recurrent(0, h)]));
      const reset = own.value("reset", own.activate(0, [own.stepOf(r, step), ...own.recurrent(1, h)]));
      const inner = (): string[] => {
        if (isLinear) {
          const terms = [...own.recurrent(2, h), ...own.row(3, 5)];
          return terms.length === 0 ? [] : [`${reset.text} * (${terms.join(" + ")})`];
        }
        return h === undefined ? [] : own.recurrent(2, own.value("partial", `${reset.text} * ${h.text}`));
      };
      const fresh = own.value("candidate", own.activate(1, [own.stepOf(candidate, step), ...inner()]));
      const previous = h === undefined ? "" : ` + ${update.text} * ${h.text}`;
      return { h: own.value("h", `(1 - ${update.text}) * ${fresh.text}${previous}`) };
    };
  },
};

const longShort: Cell = {
  gates: 4,
  activations: ["Sigmoid", "Tanh", "Tanh"],
  step: (own) => {
    const [i, o, f, c] = mapTuple([0, 1, 2, 3], (gate) => own.inputs(gate, [gate, gate + 4]));
    const isCoupled = own.node.integer("input_forget", 0) !== 0;
    /** What the cell adds to a gate, whose weights for it are the part of an input. */
    const peep = (part: number, cell: Value | undefined): string[] =>
      cell === undefined ? [] : own.row(7, part).map((weights) => `${weights} * ${cell.text}`);
    return (step, { h, c: cell }) => {
      const gate = (
        name: string,
        inputs: Value,
        at: number,
        peeps: readonly string[],
        activation = 0,
      ): Value =>
        own.value(
          name,
          own.activate(activation, [own.stepOf(inputs, step), ...own.recurrent(at, h), ...peeps]),
        );
      const input = gate("input", i, 0, peep(0, cell));
      const fresh = gate("candidate", c, 3, [], 1);
      const forget = isCoupled || cell === undefined ? undefined : gate("forget", f, 2, peep(2, cell));
      const remaining = forget === undefined ? `(1 - ${input.text})` : forget.text;
      const previous = cell === undefined ? "" : ` + ${remaining} * ${cell.text}`;
      const next = own.value("c", `${input.text} * ${fresh.text}${previous}`);
      const output = gate("output", o, 1, peep(1, next));
      return {
        h: own.value("h", `${output.text} * ${own.activations[2]?.(next.text) ?? next.text}`),
        c: next,
      };
    };
  },
};

interface Run {
  /** The output of each element of the sequence, in its order. */
  readonly outputs: readonly string[];
  readonly last: State;
}

/** All steps of one direction; where the sequences have lengths of their own, the state stays from there on. */
function run(own: Direction, cell: Cell, isReverse: boolean): Run {
  const { node } = own;
  const lengths = node.optional(4);
  const steps = cell.step(own);
  const outputs: string[] = [];
  let state: State = { h: own.initial(5), c: cell === longShort ? own.initial(6) : undefined };
  for (let at = 0; at < own.steps; at++) {
    const step = isReverse ? own.steps - 1 - at : at;
    const next = steps(step, state);
    if (lengths === undefined) {
      outputs[step] = next.h?.text ?? "0";
      state = next;
      continue;
    }
    const isWithin = `(${renamed(lengths, [batch])} > ${step})`;
    const chosen = (suffix: string, value: Value | undefined, otherwise: string): Value | undefined =>
      value && own.value(suffix, `where(${isWithin}, ${value.text}, ${otherwise})`);
    outputs[step] = chosen("shown", next.h, "0")?.text ?? "0";
    state = {
      h: chosen("h", next.h, state.h?.text ?? "0"),
      c: chosen("c", next.c, state.c?.text ?? "0"),
    };
  }
  return { outputs, last: state };
}

const directions: Readonly<Record<string, readonly boolean[]>> = {
  forward: [false],
  reverse: [true],
  bidirectional: [false, true],
};

/** Refuses inputs that are not of the sizes which the sequence and the first weights have. */
function checkInputs(node: NodeImport, gates: number, directions: number, isBatchFirst: boolean): void {
  const [x, weights] = [node.input(0), node.input(1)];
  const [first, second, width] = node.withAxes(x.shape, 3);
  const batches = isBatchFirst ? first : second;
  const rows = sizeAt(weights.shape, 1);
  const units = rows / gates;
  const state = isBatchFirst ? [batches, directions, units] : [directions, batches, units];
  const shapes = [
    [first, second, width],
    [directions, rows, width],
    [directions, rows, units],
    [directions, 2 * rows],
    [batches],
    ...[state, state],
    [directions, 3 * units],
  ];
  for (const [position, shape] of shapes.entries()) {
    const value = node.optional(position);
    if (value !== undefined) node.checkFit(`${value.shape}` === `${shape}`, [x, weights, value]);
  }
}

const recurrent =
  (cell: Cell): Become =>
  (node) => {
    const name = node.text("direction", "forward").toLowerCase();
    const reversed = Object.hasOwn(directions, name) ? directions[name] : undefined;
    if (reversed === undefined) return node.refuse({ kind: "attribute", name: "direction", value: name });
    const { length: count } = reversed;
    const isBatchFirst = node.integer("layout", 0) === 1;
    const steps = sizeAt(node.input(0).shape, isBatchFirst ? 1 : 0) * count;
    if (steps > mostSteps) node.refuse({ kind: "too long", most: mostSteps });
    checkInputs(node, cell.gates, count, isBatchFirst);
    const activations = activationsOf(node, cell.activations, count);
    const all = reversed.map((_, at) => new Direction(node, at, cell.gates, element(activations, at)));
    const runs = all.map((own, at) => run(own, cell, element(reversed, at)));
    const [own] = all;
    if (own === undefined) return;
    defineOutputs(node, own, runs, isBatchFirst);
  };

function defineOutputs(node: NodeImport, own: Direction, runs: readonly Run[], isBatchFirst: boolean): void {
  const { batches, steps, units } = own;
  const { element } = node.input(0);
  const count = runs.length;
  // Within a step y is the batch and z the units; before them lie the sequence, as w, and the directions, as x.
  if (node.isUsed(0)) {
    const along = runs.map(({ outputs }) => stacked(outputs, axisName(4, 0)));
    const text = stacked(along, axisName(4, 1));
    const shape = isBatchFirst ? [batches, steps, count, units] : [steps, count, batches, units];
    node.define(isBatchFirst ? reordered(text, [steps, count, batches], 4) : text, shape, element);
  }
  const lasts = runs.map(({ last }) => last);
  const shape = isBatchFirst ? [batches, count, units] : [count, batches, units];
  for (const [position, values] of [
    [1, lasts.map(({ h }) => h)],
    [2, lasts.map(({ c }) => c)],
  ] as const) {
    if (!node.isUsed(position)) continue;
    const text = stacked(
      values.map((value) => value?.text ?? "0"),
      axisName(3, 0),
    );
    node.define(isBatchFirst ? reordered(text, [count, batches], 3) : text, shape, element, position);
  }
}

/** The last of some leading axes, which is the batch, comes first. */
function reordered(text: string, sizes: readonly number[], rank: number): string {
  const last = sizes.length - 1;
  const pairs = sizes.map(
    (_, axis) => [axisName(rank, axis), axisName(rank, axis === last ? 0 : axis + 1)] as const,
  );
  return rename(
    text,
    pairs.filter((_, axis) => sizes[axis] !== 1),
  );
}

// biome-ignore format: a table
export const recurrence: OperatorTable = {
  GRU:  { 7: recurrent(gated) },
  LSTM: { 7: recurrent(longShort) },
  RNN:  { 7: recurrent(simple) },
};
