import { readCell, storeCells } from "../../language/types/cell.js";
import { attributeProtos } from "./attributes.js";
import { cellsIn, type Shape } from "./axes.js";
import { type Constant, constantOf, type ReadExternal } from "./file/constant.js";
import { type ElementType, elementName, elementOfCode, elementTypes, truth } from "./file/element-type.js";
import type {
  AttributeProto,
  DimensionProto,
  FunctionProto,
  GraphProto,
  ModelProto,
  NodeProto,
  TensorProto,
} from "./file/protos.js";
import { Texts, textCode } from "./file/texts.js";
import { NodeImport, type Operation, type Surroundings } from "./node.js";
import { newestOpset, operatorFor } from "./operators.js";
import { type Evaluate, type ImportedProgram, ProgramWriter } from "./program-writer.js";
import { recovered } from "./recovery.js";
import { Refused } from "./refusal.js";
import type { Value } from "./value.js";

/** How a model becomes a program. */
export interface ImportOptions {
  readonly evaluate: Evaluate;
  /** The types of inputs, where they are other than those that the model declares, or more exact. */
  readonly inputs?: ReadonlyMap<string, { readonly element: ElementType; readonly shape: Shape }>;
  /** Sizes of axes that the model has names for. */
  readonly sizes?: ReadonlyMap<string, number>;
  /** Inputs that are constant. */
  readonly bind?: ReadonlyMap<string, Constant>;
  /** The numbers of inputs that are constant, of the elements and shapes that the model declares. */
  readonly values?: ReadonlyMap<string, readonly number[]>;
  readonly external?: ReadExternal;
}

/** A node that cannot become an expression. */
export class ImportFailure extends Error {
  constructor(
    readonly node: NodeProto | undefined,
    readonly opset: number,
    readonly refused: Refused,
  ) {
    super(refused.message);
  }
}

/** A size of an input that neither the model nor the options have a number for. */
export class UnknownSize extends Error {
  constructor(
    readonly size: string,
    readonly input: string,
  ) {
    super(`unknown size ${size}`);
  }
}

/** Some files write 0 or -1 for a size that is not known. */
export const isSize = (value: number | undefined): value is number => value !== undefined && value > 0;

/**
 * What a size without a number is called: as the model does, or by its input and its place. A `?`, which Paddle writes for each, is
 * no name.
 */
export const sizeName = (input: string, axis: number, param = ""): string =>
  nameless.test(param) ? `${input}.d${axis}` : param;

/** No letter is in it. */
const nameless = /^\P{L}*$/u;

/**
 * Writes the program of a model.
 * @throws ImportFailure at the first node that has none.
 */
export function importModel(model: ModelProto, options: ImportOptions): ImportedProgram {
  return new GraphImporter(model, options).program();
}

const domainName = (domain: string): string => (domain === "ai.onnx" ? "" : domain);

/** The names of one graph, within those of the graph around it. */
class GraphScope {
  private readonly values = new Map<string, Value>();

  constructor(
    readonly opsets: ReadonlyMap<string, number>,
    private readonly outer?: GraphScope,
  ) {}

  lookup(name: string): Value | undefined {
    return this.values.get(name) ?? this.outer?.lookup(name);
  }

  set(name: string, value: Value): void {
    this.values.set(name, value);
  }
}

/** Functions in each other are no deeper in any model; one that calls itself is. */
const deepestCall = 100;

/** Functions that call others twice become as many nodes as a power of two. */
const mostExpanded = 100_000;

/** A constant for an input: numbers as an input of the program has them, which must be of its shape and elements. */
function inputConstant(
  name: string,
  numbers: readonly number[],
  element: ElementType,
  shape: Shape,
): Constant {
  const [count, expected] = [numbers.length, cellsIn(shape)];
  if (count !== expected) throw new Refused({ kind: "lengths", purpose: `input ${name}`, count, expected });
  if (element === "bool") return { numbers: numbers.map(truth), element, shape };
  const { border, range } = elementTypes[element];
  const isWithin = (value: number): boolean =>
    range === undefined || (Number.isInteger(value) && value >= range[0] && value <= range[1]);
  if (!numbers.every(isWithin)) throw new Refused({ kind: "not whole", name });
  const cells = storeCells(border, Float64Array.from(numbers));
  return { numbers: numbers.map((_, at) => readCell(border, cells, at)), element, shape };
}

/** Does some work, whose failure other values of a condition would have avoided: those of the inputs that it is made of. */
function bindingTo<T>({ sources }: Value, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const { node, opset, refused } = error;
    throw new ImportFailure(node, opset, new Refused(refused.refusal, [...refused.bind, ...sources]));
  }
}

class GraphImporter {
  private readonly writer: ProgramWriter;
  private readonly functions: ReadonlyMap<string, FunctionProto>;
  private readonly texts = new Texts();
  /** In how many functions the node that is imported stands. */
  private depth = 0;
  /** How many nodes calls of functions have become. */
  private expanded = 0;

  constructor(
    private readonly model: ModelProto,
    private readonly options: ImportOptions,
  ) {
    const outputs = model.graph?.output.map(({ name }) => name) ?? [];
    this.writer = new ProgramWriter(options.evaluate, outputs);
    this.functions = new Map(
      model.functions.map((each) => [`${domainName(each.domain)}.${each.name}`, each]),
    );
  }

  program(): ImportedProgram {
    const { graph } = this.model;
    const scope = new GraphScope(opsetsOf(this.model));
    if (graph === undefined) throw new ImportFailure(undefined, 0, new Refused("no element"));
    this.guarded(undefined, scope, () => this.readInputs(graph, scope));
    this.walk({ node: recovered(graph) }, scope);
    this.guarded(undefined, scope, () => {
      for (const { name } of graph.output) this.writer.output(name, this.outputOf(name, scope));
    });
    return this.writer.finished(this.texts.all);
  }

  private outputOf(name: string, scope: GraphScope): Value {
    const value = scope.lookup(name);
    if (value === undefined) throw new Refused({ kind: "unknown value", name });
    return value;
  }

  private readInputs(graph: GraphProto, scope: GraphScope): void {
    this.readInitializers(graph, scope);
    const initial = new Set(graph.initializer.map(({ name }) => name));
    const inputs = graph.input.map(({ name }) => name);
    for (const name of this.options.values?.keys() ?? [])
      if (!inputs.includes(name)) throw new Refused({ kind: "no input", name, inputs });
    for (const { name, type } of graph.input) {
      const bound = this.options.bind?.get(name);
      if (bound !== undefined) {
        scope.set(name, this.writer.constant(name, bound));
        continue;
      }
      const own = this.options.inputs?.get(name);
      const numbers = this.options.values?.get(name);
      if (own === undefined && numbers === undefined && initial.has(name)) continue;
      const code = type?.tensorType?.elemType;
      // Texts come as their numbers.
      const element = own?.element ?? (code === textCode ? "int64" : elementOfCode(code ?? 0));
      if (element === undefined)
        throw new Refused(
          code === undefined ? "sequence" : { kind: "element type", name: elementName(code) },
        );
      const shape = own?.shape ?? this.declaredShape(name, type?.tensorType?.shape?.dim ?? []);
      const value =
        numbers === undefined
          ? this.writer.input(name, element, shape)
          : this.writer.constant(name, inputConstant(name, numbers, element, shape));
      scope.set(name, value);
    }
  }

  private declaredShape(input: string, dimensions: readonly DimensionProto[]): number[] {
    return dimensions.map(({ dimValue, dimParam }, axis) => {
      const name = sizeName(input, axis, dimParam);
      const size = isSize(dimValue) ? dimValue : this.options.sizes?.get(name);
      if (size === undefined) throw new UnknownSize(name, input);
      return size;
    });
  }

  private readInitializers(graph: GraphProto, scope: GraphScope): void {
    for (const proto of graph.initializer) scope.set(proto.name, this.initializer(proto));
    const [sparse] = graph.sparseInitializer;
    if (sparse !== undefined) throw new Refused({ kind: "element type", name: "sparse_tensor" });
  }

  private initializer(proto: TensorProto): Value {
    const constant = this.texts.constant(proto) ?? constantOf(proto, this.options.external);
    return this.writer.constant(proto.name, constant);
  }

  private walk(graph: { readonly node: readonly NodeProto[] }, scope: GraphScope): void {
    for (const node of graph.node) this.guarded(node, scope, () => this.importNode(node, scope));
  }

  private guarded(node: NodeProto | undefined, scope: GraphScope, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof Refused)
        throw new ImportFailure(node, scope.opsets.get(domainName(node?.domain ?? "")) ?? 0, error);
      throw error;
    }
  }

  private importNode(node: NodeProto, scope: GraphScope): void {
    const domain = domainName(node.domain);
    const body = this.functions.get(`${domain}.${node.opType}`);
    if (body !== undefined) return this.expand(node, body, scope);
    const opset = scope.opsets.get(domain) ?? 1;
    const become = operatorFor(domain, node.opType, opset);
    if (typeof become !== "function") throw new Refused(become);
    const imported = new NodeImport(node, this.surroundings(scope, opset));
    become(imported);
    const [unknown] = opset > newestOpset(domain) ? imported.unasked : [];
    if (unknown !== undefined) throw new Refused({ kind: "attribute unknown", name: unknown });
  }

  private surroundings(scope: GraphScope, opset: number): Surroundings {
    return {
      opset,
      value: (name) => scope.lookup(name),
      define: (definition) => {
        const value = this.writer.define(definition);
        if (definition.name !== "") scope.set(definition.name, value);
        return value;
      },
      constant: (name, constant) => {
        const value = this.writer.constant(name, constant);
        if (name !== "") scope.set(name, value);
        return value;
      },
      alias: (name, value) => scope.set(name, value),
      subgraph: (graph, inputs, chosenBy) =>
        chosenBy === undefined
          ? this.subgraph(graph, inputs, scope)
          : bindingTo(chosenBy, () => this.subgraph(graph, inputs, scope)),
      operate: (operation) => this.operate(operation),
      texts: this.texts,
    };
  }

  private operate({ operator, inputs, attributes, outputs }: Operation): Value[] {
    const scope = new GraphScope(new Map([["", newestOpset("")]]));
    const input = inputs.map((value, at) => (value === undefined ? "" : `input ${at}`));
    for (const [at, value] of inputs.entries()) if (value !== undefined) scope.set(`input ${at}`, value);
    const [opType = "", domain = ""] = operator.split(".").reverse();
    const attribute = attributeProtos(attributes);
    this.importNode({ name: "", domain, opType, input, output: outputs, attribute }, scope);
    return outputs.map((name) => this.outputOf(name, scope));
  }

  private subgraph(graph: GraphProto, inputs: readonly Value[], outer: GraphScope): Value[] {
    this.countExpanded(graph.node.length);
    const scope = new GraphScope(outer.opsets, outer);
    this.readInitializers(graph, scope);
    for (const [at, { name }] of graph.input.entries()) {
      const value = inputs[at];
      if (value !== undefined) scope.set(name, value);
    }
    this.depth++;
    this.walk(graph, scope);
    this.depth--;
    return graph.output.map(({ name }) => this.outputOf(name, scope));
  }

  /** Counts nodes of functions, and of graphs within nodes, which may be written out many times. */
  private countExpanded(nodes: number): void {
    if (this.depth >= deepestCall) throw new Refused({ kind: "deep functions", most: deepestCall });
    this.expanded += nodes;
    if (this.expanded > mostExpanded) throw new Refused({ kind: "many calls", most: mostExpanded });
  }

  /** A call of a function of the model: its body, with the names and attributes of the call. */
  private expand(call: NodeProto, body: FunctionProto, outer: GraphScope): void {
    this.countExpanded(body.node.length);
    this.depth++;
    const scope = new GraphScope(new Map([...outer.opsets, ...opsetsOf(body)]));
    for (const [at, name] of body.input.entries()) {
      const value = outer.lookup(call.input[at] ?? "");
      if (value !== undefined) scope.set(name, value);
    }
    const attributes = new Map([...body.attributeProto, ...call.attribute].map((each) => [each.name, each]));
    this.walk({ node: body.node.map((node) => withAttributes(node, attributes)) }, scope);
    this.depth--;
    for (const [at, name] of body.output.entries()) {
      const value = scope.lookup(name);
      const outerName = call.output[at] ?? "";
      if (value !== undefined && outerName !== "") outer.set(outerName, value);
    }
  }
}

function opsetsOf({ opsetImport }: { readonly opsetImport: ModelProto["opsetImport"] }): Map<string, number> {
  return new Map(opsetImport.map(({ domain, version }) => [domainName(domain), version]));
}

function withAttributes(node: NodeProto, attributes: ReadonlyMap<string, AttributeProto>): NodeProto {
  return {
    ...node,
    attribute: node.attribute.flatMap((each) => {
      if (each.refAttrName === "") return [each];
      const attribute = attributes.get(each.refAttrName);
      return attribute === undefined ? [] : [{ ...attribute, name: each.name }];
    }),
  };
}
