import type { Tensor } from "../../language/values/tensor.js";
import { ProgramNames } from "../names.js";
import { axisName, cellsIn, dimensionsOf, mostAxes, type Shape } from "./axes.js";
import { number, rename, typeText } from "./expression.js";
import { type Constant, constantFrom, tensorOf } from "./file/constant.js";
import { type ElementType, elementTypes, isWhole } from "./file/element-type.js";
import { calledFunctions, functionTexts } from "./functions.js";
import type { NewValue } from "./node.js";
import { Refused } from "./refusal.js";
import type { Value } from "./value.js";

/** Computes an expression of constants: the text of a program and the tensors that it names. */
export type Evaluate = (text: string, inputs: ReadonlyMap<string, Tensor>) => Tensor;

/** An input or output at the border of a model. */
export interface Port {
  /** Its name in the program. */
  readonly name: string;
  /** Its name in the graph. */
  readonly label: string;
  readonly element: ElementType;
  readonly shape: Shape;
}

/** A model as a program of the language. */
export interface ImportedProgram {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  /** Weights and other constants that are too long for a text, by name. */
  readonly constants: ReadonlyMap<string, Tensor>;
  /** Definitions of functions, then of values in the order in which they are computed; the outputs are the last. */
  readonly functions: readonly string[];
  readonly definitions: readonly Definition[];
  /** The texts that the numbers of some values stand for. */
  readonly texts: readonly string[];
}

interface Definition {
  readonly name: string;
  readonly text: string;
}

/** As many as an array may have. */
const mostElements = 2 ** 31;

/** Constant values of more cells are computed when the program runs. */
const mostFolded = 100_000;

/** The text of a constant without elements, of which no expression can be made. */
const noElement = "no_element";

/** Collects the statements of a program while a graph is walked. */
export class ProgramWriter {
  private readonly names = new ProgramNames(new Set([...functionTexts.keys(), noElement]));
  private readonly constants = new Map<string, Tensor>();
  private readonly definitions: Definition[] = [];
  /** Values of constants alone that are computed when the program runs, because they are large: so is what is made of them. */
  private readonly computed = new Set<string>();
  private readonly inputs: Port[] = [];
  private readonly outputs: Port[] = [];

  /** Names of the program for the outputs of the graph, which no other value gets. */
  private readonly outputNames: ReadonlyMap<string, string>;

  constructor(
    private readonly evaluate: Evaluate,
    outputs: readonly string[],
  ) {
    this.outputNames = new Map(outputs.map((label) => [label, this.names.unique(label)]));
  }

  constant(name: string, constant: Constant): Value {
    const { shape, element, numbers } = constant;
    const common = { shape, element, numbers, sources: new Set<string>() };
    if (numbers.length === 0) return { ...common, text: noElement };
    checkShape(shape);
    const [only = 0] = numbers.length === 1 ? Array.from(numbers) : [];
    if (numbers.length === 1) return { ...common, text: number(only) };
    const unique = this.names.unique(name);
    this.constants.set(unique, tensorOf(constant));
    return { ...common, text: unique };
  }

  define({ name, text, shape, element, from }: NewValue): Value {
    const isConstant = from.every((each) => each === undefined || each.numbers !== undefined);
    const words = wordsOf(text);
    const isFolded =
      isConstant && cellsIn(shape) <= mostFolded && !words.some((word) => this.computed.has(word));
    if (isFolded && cellsIn(shape) === 0) return this.constant(name, { shape, element, numbers: [] });
    if (words.includes(noElement)) throw new Refused("no element");
    checkShape(shape);
    if (isFolded) return this.constant(name, constantFrom(this.folded(text), shape, element));
    const unique = this.names.unique(this.outputNames.has(name) ? `${name}_inside` : name);
    this.definitions.push({ name: unique, text });
    if (isConstant) this.computed.add(unique);
    const sources = new Set(from.flatMap((each) => [...(each?.sources ?? [])]));
    return { text: unique, shape, element, sources };
  }

  private folded(text: string): Tensor {
    const inputs = new Map<string, Tensor>();
    for (const word of wordsOf(text)) {
      const tensor = this.constants.get(word);
      if (tensor !== undefined) inputs.set(word, tensor);
    }
    return this.evaluate([...calledFunctions([text]), text].join("\n"), inputs);
  }

  /** Declares an input: its axes are `d0`, `d1` and so on; inside, those of size 1 are left out. */
  input(label: string, element: ElementType, shape: Shape): Value {
    checkShape(shape);
    const name = this.names.unique(label);
    this.inputs.push({ name, label, element, shape });
    const ones = shape.flatMap((size, axis) => (size === 1 ? [`d${axis}:0`] : []));
    const sliced = ones.length === 0 ? name : `${name}{${ones.join(", ")}}`;
    const renamed = rename(
      sliced,
      shape.flatMap((size, axis) =>
        size === 1 ? [] : [[`d${axis}`, axisName(shape.length, axis)] as const],
      ),
    );
    const text = enteringText(renamed, element, shape);
    const sources = new Set([label]);
    if (text === name) return { text: name, shape, element, sources };
    const inside = this.names.unique(`${label}_inside`);
    this.definitions.push({ name: inside, text });
    return { text: inside, shape, element, sources };
  }

  output(label: string, { text, shape, element, numbers }: Value): void {
    if (cellsIn(shape) === 0 || numbers?.length === 0) throw new Refused("no element");
    const pairs = shape.flatMap((size, axis) =>
      size === 1 ? [] : [[axisName(shape.length, axis), `d${axis}`] as const],
    );
    const ones = shape.flatMap((size, axis) => (size === 1 ? [{ name: `d${axis}`, size }] : []));
    const renamed = rename(text, pairs);
    const { border, inside } = elementTypes[element];
    // A single number has the cells of what it is multiplied by.
    const cells = inside === "double" ? "double" : "int8";
    const restored = ones.length === 0 ? renamed : `${renamed} * ${typeText(cells, ones)}(1)`;
    const name = this.outputNames.get(label) ?? this.names.unique(label);
    const cast = shape.length === 0 ? restored : `cell_cast(${restored}, ${border})`;
    this.definitions.push({ name, text: cast });
    this.outputs.push({ name, label, element, shape });
  }

  finished(texts: readonly string[]): ImportedProgram {
    const { inputs, outputs, definitions } = this;
    const bodies = definitions.map(({ text }) => text);
    const used = new Set(bodies.flatMap(wordsOf));
    // Weights of which others were computed have done their part.
    const constants = new Map([...this.constants].filter(([name]) => used.has(name)));
    return { inputs, outputs, constants, functions: calledFunctions(bodies), definitions, texts };
  }
}

/** What goes into a model, as ONNX Runtime has it. */
function enteringText(text: string, element: ElementType, shape: Shape): string {
  if (element === "bool") return `${text} != 0`; // any number but 0 is true
  const { border, inside } = elementTypes[element];
  // Cells of 64 bits are no numbers that loops compute with.
  if (border === "long" && dimensionsOf(shape).length > 0) return `cell_cast(${text}, ${inside})`;
  // A tensor without dimensions holds a double, which would not be what a weight of the same number is.
  if (shape.length === 0 && !isWhole(element) && border !== "double")
    return `cell_cast(${text} * tensor<int8>(d0[1])(1), ${border}){d0:0}`;
  return text;
}

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

function checkShape(shape: Shape): void {
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    throw new Refused({ kind: "shapes", shapes: [shape] });
  if (shape.includes(0)) throw new Refused("no element");
  const elements = cellsIn(shape);
  if (!(elements <= mostElements)) throw new Refused({ kind: "too large", elements });
  if (shape.length > mostAxes) throw new Refused({ kind: "too many axes", axes: shape.length });
}

/** The type of an input or output, with all of its axes. */
export function portType({ shape, element }: Port): string {
  const { border } = elementTypes[element];
  return typeText(
    shape.length === 0 ? "double" : border,
    shape.map((size, axis) => ({ name: `d${axis}`, size })),
  );
}

/** The program as a text; its constants are inputs of it that somebody has to bring. */
export function programText({ inputs, functions, definitions }: ImportedProgram): string {
  return [
    ...functions,
    ...inputs.map((port) => `input ${port.name}: ${portType(port)}`),
    ...definitions.map(({ name, text }) => `${name} = ${text}`),
  ].join("\n");
}
