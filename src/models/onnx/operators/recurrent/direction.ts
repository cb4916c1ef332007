import { axisName, type Shape, sizeAt } from "../../axes.js";
import { number, reduce, rename, scaled, shifted, total } from "../../expression.js";
import type { NodeImport } from "../../node.js";
import { elementAt, generated, renamed } from "../../operand.js";
import type { Value } from "../../value.js";
import type { Activation } from "./activations.js";
import type { RecurrentWeights, WeightsInput } from "./weights.js";

/**
 * One direction of a recurrent network: its weights, and texts of what its gates make of the sequence and of the output of the step before.
 * Within a step `y` is the batch and `z` the hidden units; gates are computed together, along `x`.
 */

export const batch = "y";
const [sequence, gate, hidden, contracted] = ["w", "x", "z", "k"];

/** Gates whose weights follow each other. */
export interface Gates {
  readonly first: number;
  readonly count: number;
}

const selected = ({ text }: Value, selections: readonly string[]): string =>
  selections.length === 0 ? text : `${text}{${selections.join(", ")}}`;

/** Weights and inputs of one direction of a node. */
export class Direction {
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
    private readonly weights: RecurrentWeights,
  ) {
    const x = node.input(0);
    this.isBatchFirst = node.integer("layout", 0) === 1;
    this.steps = sizeAt(x.shape, this.isBatchFirst ? 1 : 0);
    this.batches = sizeAt(x.shape, this.isBatchFirst ? 0 : 1);
    this.units = sizeAt(weights.of(1).shape, 1) / gates;
    this.limit = node.float("clip");
  }

  get shape(): Shape {
    return [this.batches, this.units];
  }

  /** A value of a step, which has the name of what it is. */
  value(suffix: string, text: string): Value {
    return this.node.intermediate(suffix, text, this.shape, this.node.input(0).element);
  }

  /** What gates make of the whole sequence: of its elements, and of the biases that begin at these gates. */
  inputs(gates: Gates, biases: readonly number[]): Value {
    const { node } = this;
    const x = node.input(0);
    const width = sizeAt(x.shape, 2);
    const axes = this.isBatchFirst ? [batch, sequence, contracted] : [sequence, batch, contracted];
    const sum = this.product(x, axes, 1, gates, width);
    const text = [sum, ...biases.flatMap((first) => this.rows(3, { ...gates, first }))].join(" + ");
    return node.intermediate("inputs", text, [this.steps, gates.count, ...this.shape], x.element);
  }

  /** What gates make of the whole sequence at one step; or what one of them does, by its position. */
  stepOf(inputs: Value, step: number, position?: number): string {
    return selected(inputs, [
      ...(this.steps === 1 ? [] : [`${sequence}:${step}`]),
      ...(position === undefined || inputs.shape[1] === 1 ? [] : [`${gate}:${position}`]),
    ]);
  }

  /** What gates make of the output of the step before: nothing of zeros. */
  recurrent(gates: Gates, h: Value | undefined): string[] {
    if (h === undefined) return [];
    return [this.product(h, [batch, contracted], 2, gates, this.units)];
  }

  /** The product of a value, the last of whose axes is contracted, with the weights of some gates. */
  private product(
    value: Value,
    axes: readonly string[],
    position: WeightsInput,
    gates: Gates,
    width: number,
  ): string {
    const operand = this.operand(value, position);
    const text = `${renamed(operand?.value ?? value, axes)} * ${this.matrix(position, gates, width)}`;
    const sum = reduce("sum", text, width === 1 ? [] : [contracted]);
    if (operand === undefined) return sum;
    const { scale, weightScale } = operand;
    const own =
      weightScale.shape.length === 1
        ? elementAt(weightScale, [`${this.at}`])
        : this.rowsOf(weightScale, `scale ${position}`, gates);
    return `${sum} * (${scale.text} * ${own})`;
  }

  private readonly operands = new Map<Value, ReturnType<RecurrentWeights["operand"]>>();

  /** Several gates are multiplied with the same value. */
  private operand(value: Value, position: WeightsInput): ReturnType<RecurrentWeights["operand"]> {
    const found = this.operands.get(value) ?? this.weights.operand(value, position);
    this.operands.set(value, found);
    return found;
  }

  /** A sum of terms for some gates, for each batch unless there is one for all, as what each gate has of it, by its position among them. */
  sum({ count }: Gates, terms: readonly string[], batches = this.batches): (position: number) => string {
    const shape = [count, batches, this.units];
    const all = this.node.intermediate("gates", terms.join(" + "), shape, this.node.input(0).element);
    return (position) => selected(all, count === 1 ? [] : [`${gate}:${position}`]);
  }

  private readonly cached = new Map<string, string>();

  /** The weights of gates, of each of which the rows are its units. */
  private matrix(position: WeightsInput, { first, count }: Gates, width: number): string {
    return this.once(`${position} ${first}+${count}`, () => {
      const { node, units } = this;
      const weights = this.weights.of(position);
      const shape = [count, units, width];
      const text = generated(shape, weights.element, ([own = "0", row = "0", column = "0"]) =>
        elementAt(weights, [`${this.at}`, this.rowOf(first, own, row), column]),
      );
      const matrix = node.intermediate("weights", text, shape, weights.element, [weights]);
      return renamed(matrix, [gate, hidden, contracted]);
    });
  }

  /** Numbers for each unit of some gates, which an input has one after the other; nothing where it is absent. */
  rows(position: number, gates: Gates): string[] {
    const all = this.node.optional(position);
    return all === undefined ? [] : [this.rowsOf(all, `${position} rows`, gates)];
  }

  private rowsOf(all: Value, key: string, { first, count }: Gates): string {
    const { node, units } = this;
    return this.once(`${key} ${first}+${count}`, () => {
      const shape = [count, 1, units];
      const rows = generated(shape, all.element, ([own = "0", , unit = "0"]) =>
        elementAt(all, [`${this.at}`, this.rowOf(first, own, unit)]),
      );
      return node.intermediate("rows", rows, shape, all.element, [all]).text;
    });
  }

  /** Where the row of a unit lies, of the gate with an index behind the first one. */
  private rowOf(first: number, index: string, unit: string): string {
    return shifted(total([scaled(index, this.units), unit]), first * this.units);
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
