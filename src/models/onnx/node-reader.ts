import { broadcast, type Shape } from "./axes.js";
import { type Constant, constantOf } from "./file/constant.js";
import { type ElementType, elementName, elementOfCode } from "./file/element-type.js";
import type { AttributeProto, GraphProto, NodeProto } from "./file/protos.js";
import type { Texts } from "./file/texts.js";
import { type Refusal, Refused } from "./refusal.js";
import type { Value } from "./value.js";

/** What a node is read in: the values around it, and the texts that numbers stand for. */
export interface ReaderSurroundings {
  readonly opset: number;
  /** The value of this name; nothing where none has it. */
  readonly value: (name: string) => Value | undefined;
  readonly texts: Texts;
}

/** Shapes by how many axes they have at least. */
interface LeadingSizes {
  readonly 2: readonly [number, number, ...number[]];
  readonly 3: readonly [number, number, number, ...number[]];
  readonly 4: readonly [number, number, number, number, ...number[]];
}

/** Constants of more elements are those of no setting. */
const mostImported = 2 ** 24;

/** The inputs and attributes of a node, in the forms in which rows of operators ask for them. What a row cannot take ends the import. */
export class NodeReader {
  private readonly attributes: ReadonlyMap<string, AttributeProto>;

  constructor(
    readonly proto: NodeProto,
    private readonly around: ReaderSurroundings,
    /** The names of the attributes that its row has asked for. */
    protected readonly asked = new Set<string>(),
  ) {
    this.attributes = new Map(proto.attribute.map((each) => [each.name, each]));
  }

  get opset(): number {
    return this.around.opset;
  }

  /** Ends the import of the node; what must be constant for it to go on is said. */
  refuse(refusal: Refusal, inConstant?: Value): never {
    throw new Refused(refusal, [...(inConstant?.sources ?? [])]);
  }

  // Inputs

  optional(position: number): Value | undefined {
    const name = this.proto.input[position];
    if (name === undefined || name === "") return undefined;
    return this.around.value(name) ?? this.refuse({ kind: "unknown value", name });
  }

  input(position: number): Value {
    return this.optional(position) ?? this.refuse({ kind: "input missing", position });
  }

  get inputs(): (Value | undefined)[] {
    return this.proto.input.map((_, position) => this.optional(position));
  }

  get allInputs(): Value[] {
    return this.proto.input.map((_, position) => this.input(position));
  }

  /** A value that a graph within this one takes from around it. */
  value(name: string): Value | undefined {
    return this.around.value(name);
  }

  /** The elements of a value that must be constant. */
  numbers(value: Value, purpose: string): number[] {
    if (value.numbers === undefined) throw new Refused({ kind: "not constant", purpose }, [...value.sources]);
    return Array.from(value.numbers);
  }

  /** The one number of an input. */
  number(value: Value, purpose: string): number {
    const numbers = this.numbers(value, purpose);
    const [number, ...others] = numbers;
    return number === undefined || others.length > 0
      ? this.refuse({ kind: "not single", purpose, count: numbers.length })
      : number;
  }

  /** The numbers of an input that has just so many. */
  numbersOf(value: Value, purpose: string, expected: number): number[] {
    const numbers = this.numbers(value, purpose);
    const { length: count } = numbers;
    return count === expected ? numbers : this.refuse({ kind: "lengths", purpose, count, expected });
  }

  /** A list that has one number for each of so many. */
  asMany(numbers: readonly number[], purpose: string, expected: number): readonly number[] {
    const { length: count } = numbers;
    return count === expected ? numbers : this.refuse({ kind: "lengths", purpose, count, expected });
  }

  /** A shape that has the axes that the operator needs, or more. */
  withAxes<Least extends keyof LeadingSizes>(shape: Shape, least: Least): LeadingSizes[Least] {
    if (shape.length < least) this.refuse({ kind: "shapes", shapes: [shape] });
    // Its length was compared, which tells the compiler nothing of a number that is a type parameter.
    return shape as readonly number[] as LeadingSizes[Least];
  }

  /** Whole numbers of an input, where opsets before had them as an attribute. */
  listed(position: number, attribute: string): number[] | undefined {
    const value = this.optional(position);
    return value === undefined ? this.integers(attribute) : this.numbers(value, attribute);
  }

  // Attributes

  private attribute(name: string): AttributeProto | undefined {
    this.asked.add(name);
    return this.attributes.get(name);
  }

  /** The attributes that its row has not asked for. */
  get unasked(): string[] {
    return [...this.attributes.keys()].filter((name) => !this.asked.has(name));
  }

  integer(name: string): number | undefined;
  integer(name: string, otherwise: number): number;
  integer(name: string, otherwise?: number): number | undefined {
    return this.attribute(name)?.i ?? otherwise;
  }

  requiredInteger(name: string): number {
    return this.integer(name) ?? this.refuse({ kind: "attribute missing", name });
  }

  float(name: string): number | undefined;
  float(name: string, otherwise: number): number;
  float(name: string, otherwise?: number): number | undefined {
    return this.attribute(name)?.f ?? otherwise;
  }

  text(name: string, otherwise: string): string {
    return this.attribute(name)?.s ?? otherwise;
  }

  /** What a table has for the text of an attribute. */
  choice<T>(name: string, table: Readonly<Record<string, T>>, otherwise: string): T {
    const value = this.text(name, otherwise);
    const found = Object.hasOwn(table, value) ? table[value] : undefined;
    return found ?? this.refuse({ kind: "attribute", name, value });
  }

  integers(name: string): number[] | undefined {
    const list = this.attribute(name)?.ints;
    return list === undefined ? undefined : [...list];
  }

  floats(name: string): readonly number[] | undefined {
    return this.attribute(name)?.floats;
  }

  texts(name: string): readonly string[] {
    return this.attribute(name)?.strings ?? [];
  }

  /** The numbers of the texts of an attribute, whose place they take. */
  textNumbers(name: string): number[] {
    return this.texts(name).map((text) => this.textNumber(text));
  }

  textNumber(text: string): number {
    return this.around.texts.number(text);
  }

  has(name: string): boolean {
    return this.attribute(name) !== undefined;
  }

  graph(name: string): GraphProto {
    return this.attribute(name)?.g ?? this.refuse({ kind: "attribute missing", name });
  }

  tensor(name: string): Constant | undefined {
    const proto = this.attribute(name)?.t;
    return proto && (this.around.texts.constant(proto) ?? constantOf(proto));
  }

  /** The type of elements that an attribute names by its number. */
  element(name: string, otherwise: ElementType): ElementType {
    const code = this.integer(name);
    return code === undefined ? otherwise : this.elementOf(code);
  }

  elementOf(code: number): ElementType {
    return elementOfCode(code) ?? this.refuse({ kind: "element type", name: elementName(code) });
  }

  // What most operators ask

  /** An axis counted from the left, for one that may count from the right. */
  axis(axis: number, rank: number): number {
    const at = axis < 0 ? axis + rank : axis;
    if (at < 0 || at >= Math.max(rank, 1)) this.refuse({ kind: "axis", axis, axes: rank });
    return at;
  }

  /** Refuses values whose shapes do not fit each other. */
  checkFit(isFitting: boolean, values: readonly Value[]): void {
    if (!isFitting) this.refuse({ kind: "shapes", shapes: values.map(({ shape }) => shape) });
  }

  broadcast(values: readonly Value[]): number[] {
    const shapes = values.map(({ shape }) => shape);
    return broadcast(shapes) ?? this.refuse({ kind: "shapes", shapes });
  }

  /** So many elements, where they are few enough to be computed while a model is imported. */
  few(elements: number): number {
    if (!(elements <= mostImported)) this.refuse({ kind: "too large", elements });
    return elements;
  }
}
