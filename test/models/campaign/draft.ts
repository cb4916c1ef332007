import { broadcast } from "../../../src/models/onnx/axes.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { type ElementType, isWhole } from "../../../src/models/onnx/file/element-type.js";
import type { Choice } from "../../hunt/choice.js";
import type { Attribute } from "./graph.js";

/** A step that a row of a table thinks of; ONNX Runtime says whether there is such a node, and what it makes. */
export interface Sketch {
  readonly operator: string;
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** Elements of its outputs; by default one, with those of its first input. */
  readonly outputs?: readonly ElementType[];
  /** Whether a little change of an input can be a great one of its outputs. */
  readonly hasJumps?: boolean;
}

/** Thinks of a step that begins with a value; nothing where none fits. */
export type MakeStep = (draft: Draft, x: string) => Sketch | undefined;

/** Makers of steps by operator, and how often each of them is tried, 1 by default. */
export type StepTable = Readonly<Record<string, MakeStep>>;

/** The size of the axis that has a name in files with such a size; no constant has it. */
export const namedSize = 5;

/** Small numbers; some that are not finite; or some that are at the ends of whole numbers. */
export type NumberKind = "few" | "special" | "great";

/** A graph while it is made: what there is, and new inputs and constants. */
export class Draft {
  readonly inputs = new Map<string, Constant>();
  readonly constants = new Map<string, Constant>();
  /** The values of all names. */
  readonly values = new Map<string, Constant>();
  /** Values that no step may go on from. */
  readonly ends = new Set<string>();
  private count = 0;

  constructor(
    readonly choice: Choice,
    readonly opset: number,
    /** What numbers there are. */
    private readonly kind: NumberKind = "few",
  ) {}

  /** Whether a step may go on from such an element. */
  isWithin(number: number, greatest: number): boolean {
    const most = this.kind === "great" ? 2 ** 52 : greatest;
    return Math.abs(number) < most || (this.kind === "special" && !Number.isFinite(number));
  }

  fresh(): string {
    return `v${this.count++}`;
  }

  value(name: string): Constant {
    const value = this.values.get(name);
    if (value === undefined) throw new Error(`no value ${name}`);
    return value;
  }

  shape(name: string): readonly number[] {
    return this.value(name).shape;
  }

  rank(name: string): number {
    return this.shape(name).length;
  }

  isFloat(name: string): boolean {
    return !isWhole(this.value(name).element);
  }

  /** An axis of a value, counted from one of its ends. */
  axis(name: string): number {
    const rank = this.rank(name);
    return this.choice.between(-rank, rank - 1);
  }

  sizeAt(name: string, axis: number): number {
    return this.shape(name).at(axis) ?? 1;
  }

  /** A new input or constant with numbers of the element. */
  leaf(shape: readonly number[], element: ElementType = "float"): string {
    const name = this.fresh();
    const isConstant = this.choice.percent(35) && !shape.includes(namedSize);
    const value = { element, shape, numbers: this.numbers(shape, element) };
    (isConstant ? this.constants : this.inputs).set(name, value);
    this.values.set(name, value);
    return name;
  }

  constant(
    numbers: readonly number[],
    element: ElementType,
    shape: readonly number[] = [numbers.length],
  ): string {
    const name = this.fresh();
    const value = { element, shape, numbers };
    this.constants.set(name, value);
    this.values.set(name, value);
    return name;
  }

  integers(...numbers: readonly number[]): string {
    return this.constant(numbers, "int64");
  }

  scalar(value: number, element: ElementType = "float"): string {
    return this.constant([value], element, []);
  }

  /** A value that broadcasts with this one. */
  beside(name: string): string {
    const { choice } = this;
    const { shape, element } = this.value(name);
    const fits = [...this.values.keys()].filter(
      (each) =>
        this.value(each).element === element &&
        !this.ends.has(each) &&
        broadcast([shape, this.shape(each)]) !== undefined,
    );
    if (choice.percent(40)) return choice.oneOf(fits);
    const from = choice.percent(40) ? choice.between(0, shape.length) : 0;
    const sizes = shape.slice(from).map((size) => (choice.percent(25) ? 1 : size));
    const outer = from === 0 && choice.percent(15) ? [choice.oneOf([1, 2, 3])] : [];
    return this.leaf([...outer, ...sizes], element);
  }

  /** A value of this shape and the element of another. */
  alike(name: string, shape: readonly number[]): string {
    const { element } = this.value(name);
    const fits = [...this.values.keys()].filter(
      (each) =>
        this.value(each).element === element && !this.ends.has(each) && `${this.shape(each)}` === `${shape}`,
    );
    return fits.length > 0 && this.choice.percent(40) ? this.choice.oneOf(fits) : this.leaf(shape, element);
  }

  /** Numbers that are not so great, often small fractions. */
  private numbers(shape: readonly number[], element: ElementType): number[] {
    const { choice } = this;
    const style = choice.oneOf(["normal", "whole", "quarters"]);
    const count = shape.reduce((product, size) => product * size, 1);
    return Array.from({ length: count }, () => {
      if (element === "bool") return choice.below(2);
      if (this.kind === "great" && choice.percent(40)) return choice.oneOf(ends[element] ?? [0]);
      if (element === "uint8") return choice.below(12);
      if (isWhole(element) || style === "whole") return choice.between(-4, 4);
      if (this.kind === "special" && choice.percent(12)) return choice.oneOf(special);
      if (style === "quarters" || element === "float16") return choice.between(-12, 12) / 4;
      return Math.fround((choice.below(4001) - 2000) / 777);
    });
  }
}

/** Numbers at the ends of what an element or a float holds. */
const ends: Partial<Record<ElementType, readonly number[]>> = {
  int8: [-128, -127, 127],
  uint8: [255, 128, 250],
  int32: [-(2 ** 31), 2 ** 31 - 1, 2 ** 24 + 1, 65_537, -65_539],
  int64: [2 ** 24 + 1, -(2 ** 24) - 3, 2 ** 31, 2 ** 40 + 1],
  double: [1e8 + 0.125, 0.1, -(2 ** 24) - 1],
};

const special = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];

/** Whether all numbers are small fractions, which computing hardly rounds, or none that are finite. */
export const isExact = ({ numbers }: Constant): boolean =>
  Array.from(numbers).every(
    (each) => !Number.isFinite(each) || (Number.isInteger(each * 1024) && Math.abs(each) < 8192),
  );
