import { element } from "../../language/values/element.js";
import type { Attributes } from "./attributes.js";
import type { Shape } from "./axes.js";
import type { Constant } from "./file/constant.js";
import type { ElementType } from "./file/element-type.js";
import type { Numbers } from "./file/numbers.js";
import type { GraphProto, NodeProto } from "./file/protos.js";
import { NodeReader, type ReaderSurroundings } from "./node-reader.js";
import type { Value } from "./value.js";

/** What a node needs of the program that is being written. */
export interface Surroundings extends ReaderSurroundings {
  /** Defines a value of the program. Where all that it is made of is constant, it is computed. */
  readonly define: (definition: NewValue) => Value;
  readonly constant: (name: string, constant: Constant) => Value;
  /** Makes a name of the graph stand for a value that there is. */
  readonly alias: (name: string, value: Value) => void;
  /** Imports a graph within the graph, and answers its outputs. */
  readonly subgraph: (
    graph: GraphProto,
    inputs: readonly Value[],
    chosenBy: Value | undefined,
  ) => readonly Value[];
  /** What an operator of the newest opset makes of values, by the names of its outputs. */
  readonly operate: (operation: Operation) => Value[];
}

/** An operator on values. */
export interface Operation {
  /** Of another domain than ONNX's own, that and a point before it. */
  readonly operator: string;
  readonly inputs: readonly (Value | undefined)[];
  readonly attributes: Attributes;
  readonly outputs: readonly string[];
}

export interface NewValue {
  /** The name in the graph; a value of a node's own has a name that begins as the node's. */
  readonly name: string;
  readonly text: string;
  readonly shape: Shape;
  readonly element: ElementType;
  readonly from: readonly (Value | undefined)[];
}

/** A node while it becomes an expression: what it is made of, and how it says what its outputs are. */
export class NodeImport extends NodeReader {
  private internals = 0;

  constructor(
    proto: NodeProto,
    private readonly surroundings: Surroundings,
    asked?: Set<string>,
  ) {
    super(proto, surroundings, asked);
  }

  /** Whether somebody asks for an output. */
  isUsed(position: number): boolean {
    return (this.proto.output[position] ?? "") !== "";
  }

  refuseOutputs(from: number): void {
    for (let at = from; at < this.proto.output.length; at++)
      if (this.isUsed(at)) this.refuse({ kind: "output", position: at });
  }

  /** Says what an output is. */
  define(
    text: string,
    shape: Shape,
    element: ElementType,
    position = 0,
    from: readonly (Value | undefined)[] = this.inputs,
  ): Value {
    const name = this.proto.output[position] ?? "";
    return this.surroundings.define({ name, text, shape, element, from });
  }

  /** A value that several parts of an output are made of. */
  intermediate(
    suffix: string,
    text: string,
    shape: Shape,
    element: ElementType,
    from: readonly (Value | undefined)[] = this.inputs,
  ): Value {
    return this.surroundings.define({ name: this.partName(suffix), text, shape, element, from });
  }

  private partName(suffix: string): string {
    return `${this.baseName}_${suffix}${this.internals++ === 0 ? "" : `_${this.internals}`}`;
  }

  /** What a function makes of this node as if its only output were a value of its own, as the sums before an activation. */
  inner(suffix: string, write: (node: NodeImport) => Value): Value {
    const name = `${this.baseName}_${suffix}`;
    return write(new NodeImport({ ...this.proto, output: [name] }, this.surroundings, this.asked));
  }

  /** What the row of another operator makes of values: an output of this node, or a value of its own. */
  operation(
    operator: string,
    inputs: readonly (Value | undefined)[],
    attributes: Attributes = {},
    position?: number,
  ): Value {
    const output =
      this.proto.output[position ?? -1] ?? this.partName(operator.slice(operator.lastIndexOf(".") + 1));
    const value = element(this.surroundings.operate({ operator, inputs, attributes, outputs: [output] }), 0);
    if (position !== undefined) this.alias(value, position);
    return value;
  }

  /** The same of an operator with several outputs, which are values of this node's own with these names. */
  operations<const Names extends readonly string[]>(
    operator: string,
    inputs: readonly (Value | undefined)[],
    attributes: Attributes,
    names: Names,
  ): { [Name in keyof Names]: Value } {
    const outputs = names.map((name) => this.partName(name));
    const values = this.surroundings.operate({ operator, inputs, attributes, outputs });
    return values as { [Name in keyof Names]: Value }; // one for each output
  }

  constant(numbers: Numbers, shape: Shape, element: ElementType): Value {
    return this.surroundings.constant(this.proto.output[0] ?? "", { numbers, shape, element });
  }

  /** Constant elements that no output has. */
  table(suffix: string, numbers: Numbers, shape: Shape, element: ElementType): Value {
    return this.surroundings.constant(`${this.baseName}_${suffix}_${this.internals++}`, {
      numbers,
      shape,
      element,
    });
  }

  /** An output that is another value. */
  alias(value: Value, position = 0): void {
    const name = this.proto.output[position] ?? "";
    if (name !== "") this.surroundings.alias(name, value);
  }

  /** The outputs of a graph within the node; of one that only some values of a condition choose, which condition that is. */
  subgraph(graph: GraphProto, inputs: readonly Value[], chosenBy?: Value): readonly Value[] {
    return this.surroundings.subgraph(graph, inputs, chosenBy);
  }

  private get baseName(): string {
    return this.proto.output.find((name) => name !== "") ?? this.proto.opType;
  }
}
