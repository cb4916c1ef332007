import type { ModelProgram } from "../../language/check/models/models.js";
import { labelText } from "../../language/source/escapes.js";
import { checkCallOptions, type OptionRules, object, text } from "../../language/source/option-rule.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { Tensor } from "../../language/values/tensor.js";
import { problem } from "../messages.js";
import { externalFiles } from "./file/constant.js";
import { UnreadableTensor } from "./file/constant-fault.js";
import { elementName } from "./file/element-type.js";
import { decode, MalformedMessage } from "./file/protobuf.js";
import type { GraphProto, ModelProto, ValueInfoProto } from "./file/protos.js";
import { modelFields } from "./file/schema.js";
import { ImportFailure, importModel, isSize, sizeName, UnknownSize } from "./importer.js";
import { outputShapes } from "./output-shapes.js";
import { type Evaluate, type ImportedProgram, portType, programText } from "./program-writer.js";
import { type OnnxSummary, summaryOf } from "./summary.js";

/** A file of ONNX, and how files beside it are read. */
export interface OnnxFile {
  /** For messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The bytes of a file beside it, in which some models keep their weights. @throws Error whose message is the reason. */
  readonly readExternal?: (path: string) => Uint8Array;
}

/** What a model takes or returns. */
export interface OnnxPort {
  readonly name: string;
  /** The type of its elements, as ONNX calls it. */
  readonly element: string;
  /** A number, or a name, for the size of each axis. */
  readonly shape: readonly (number | string)[];
}

/** How a model of ONNX becomes a program. */
export interface OnnxProgramOptions {
  /** Numbers for the sizes that the model has names for. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** The numbers of inputs that are constant, row by row: the program has no such inputs, and what they decide is decided. */
  readonly values?: Readonly<Record<string, readonly number[]>>;
  /** The archive that the program finds its weights in: `file("weights.npz").name`. Without it, they are inputs that the host declares. */
  readonly weights?: string;
}

const programRules: OptionRules<OnnxProgramOptions> = { sizes: object, values: object, weights: text };

/** A model as a program. */
export interface OnnxProgram {
  readonly text: string;
  /** Weights, and other constants that are no single numbers, by their names in the text. */
  readonly constants: ReadonlyMap<string, Tensor>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** The texts of the model, such as the labels of its classes: the program has the place that each has here, from 0. */
  readonly texts: readonly string[];
}

/** A file of ONNX, and those beside it that hold its weights, by their paths. */
export interface RuntimeFile {
  readonly bytes: Uint8Array;
  readonly external: ReadonlyMap<string, Uint8Array>;
}

const unread = (): never => {
  throw new Error("this host reads no files");
};

/** A model that has been read. */
export class OnnxModel {
  readonly inputs: readonly OnnxPort[];
  private foundOutputs: readonly OnnxPort[] | undefined;

  constructor(
    private readonly file: OnnxFile,
    private readonly model: ModelProto & { readonly graph: GraphProto },
    private readonly evaluate: Evaluate,
  ) {
    const initial = new Set(model.graph.initializer.map(({ name }) => name));
    const inputs = model.graph.input.filter(({ name }) => !initial.has(name));
    for (const { name, type } of inputs)
      if (type?.tensorType !== undefined && type.tensorType.shape === undefined)
        throw new SphexError([problem("model/no-shape", spanOf(file), { port: "input", name })]);
    this.inputs = inputs.map(portOf);
  }

  /**
   * What it returns. Where the file does not tell the shape of an output, the model is imported for some sizes, to see it.
   * @throws SphexError where it cannot be.
   */
  get outputs(): readonly OnnxPort[] {
    this.foundOutputs ??= this.readOutputs();
    return this.foundOutputs;
  }

  private readOutputs(): readonly OnnxPort[] {
    const declared = this.model.graph.output;
    const hasShape = ({ type }: ValueInfoProto): boolean => type?.tensorType?.shape !== undefined;
    if (declared.every(hasShape)) return declared.map(portOf);
    const shapes = this.madeShapes();
    return declared.map((output) => {
      if (hasShape(output)) return portOf(output);
      const { name } = output;
      const shape = shapes?.get(name);
      if (shape !== undefined) return { ...portOf(output), shape };
      throw new SphexError([problem("model/no-shape", spanOf(this.file), { port: "output", name })]);
    });
  }

  /** The shapes of all outputs as its nodes make them; nothing where they cannot be told. */
  private madeShapes(): ReadonlyMap<string, readonly (number | string)[]> | undefined {
    const names = this.inputs.flatMap(({ shape }) => shape.filter((size) => typeof size === "string"));
    return outputShapes([...new Set(names)], (sizes) => {
      try {
        const { outputs } = this.imported({ sizes: Object.fromEntries(sizes) });
        return new Map(outputs.map(({ label, shape }) => [label, shape]));
      } catch (error) {
        if (error instanceof SphexError) return undefined;
        throw error;
      }
    });
  }

  get summary(): OnnxSummary {
    return summaryOf(this.model);
  }

  /**
   * The model as a program of the language.
   * @throws SphexError that names the node that cannot be an expression, or the size that is not known.
   */
  program(options: OnnxProgramOptions = {}): OnnxProgram {
    checkCallOptions("program", options, programRules);
    const { weights } = options;
    const imported = this.imported(options);
    return { ...portsOf(imported), texts: imported.texts, text: this.textOf(imported, weights) };
  }

  /** The same without a declaration of its weights, and without results, as a part of another program. */
  statements(options: Pick<OnnxProgramOptions, "sizes" | "values">): ModelProgram {
    const imported = this.imported(options);
    const names = new Map(imported.inputs.map(({ label, name }) => [label, name]));
    const inputs = this.inputs.map(({ name }) => names.get(name));
    return { ...portsOf(imported), inputs, text: programText(imported) };
  }

  /** The file as another runtime takes it. @throws Error where a file beside it cannot be read. */
  runtimeFile(): RuntimeFile {
    const { bytes, readExternal = unread } = this.file;
    return { bytes, external: externalFiles(this.model.graph.initializer, readExternal) };
  }

  private imported({ sizes = {}, values = {} }: OnnxProgramOptions): ImportedProgram {
    return guarded(this.file, () =>
      importModel(this.model, {
        evaluate: this.evaluate,
        sizes: new Map(Object.entries(sizes)),
        values: new Map(Object.entries(values)),
        ...(this.file.readExternal === undefined ? {} : { external: this.file.readExternal }),
      }),
    );
  }

  private textOf(program: ImportedProgram, weights: string | undefined): string {
    const constants =
      weights === undefined
        ? []
        : [...program.constants].map(
            ([name, { type }]) => `constant ${name}: ${type} = file("${weights}").${name}`,
          );
    const ports = program.outputs.map((port) => `# ${port.name}: ${portType(port)}`);
    const title = `# ${this.file.name.replaceAll(/[^\w./ -]/g, "_")}, a model of ONNX; its results:`;
    const results = program.outputs.length > 1 ? program.outputs.map(({ name }) => name) : [];
    return `${[title, ...ports, ...textComments(program.texts), ...constants, programText(program), ...results].join("\n")}\n`;
  }
}

/** What tells in a program which numbers are those of which texts; a text may be anything. */
function textComments(texts: readonly string[]): string[] {
  const shown = texts
    .slice(0, mostTexts)
    .map((text, at) => `#   ${at}: ${labelText(text.slice(0, longestText))}`);
  const more = texts.length > mostTexts ? [`#   … and ${texts.length - mostTexts} more`] : [];
  return texts.length === 0 ? [] : ["# Texts are numbers, and others -1:", ...shown, ...more];
}

const [mostTexts, longestText] = [100, 200];

/**
 * Reads a file of ONNX.
 * @throws SphexError that names the byte where it is none.
 */
export function readOnnxModel(file: OnnxFile, evaluate: Evaluate): OnnxModel {
  const model = guarded(file, () => decode(file.bytes, modelFields));
  const { graph } = model;
  if (graph === undefined) throw new SphexError([problem("model/empty", spanOf(file), {})]);
  return new OnnxModel(file, { ...model, graph }, evaluate);
}

const portsOf = ({ inputs, outputs, constants }: ImportedProgram): Omit<OnnxProgram, "text" | "texts"> => ({
  constants,
  inputs: inputs.map(({ name }) => name),
  outputs: outputs.map(({ name }) => name),
});

function portOf({ name, type }: ValueInfoProto): OnnxPort {
  const dimensions = type?.tensorType?.shape?.dim ?? [];
  return {
    name,
    element: elementName(type?.tensorType?.elemType ?? 0),
    shape: dimensions.map(({ dimValue, dimParam }, axis) =>
      isSize(dimValue) ? dimValue : sizeName(name, axis, dimParam),
    ),
  };
}

const spanOf = ({ name }: OnnxFile): Span => ({ source: { name, text: "" }, start: 0, end: 0 });

/** Does some work on a file, and reports what is wrong with it as problems. */
function guarded<T>(file: OnnxFile, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const found = problemOf(error, spanOf(file));
    throw found === undefined ? error : new SphexError([found]);
  }
}

function problemOf(error: unknown, span: Span): Problem | undefined {
  if (error instanceof MalformedMessage) return problem("model/bytes", span, { offset: error.offset });
  if (error instanceof UnknownSize)
    return problem("model/size", span, { name: error.size, input: error.input });
  if (error instanceof UnreadableTensor)
    return problem("model/tensor", span, { name: error.tensor, fault: error.fault });
  if (!(error instanceof ImportFailure)) return undefined;
  const { node, opset, refused } = error;
  if (node === undefined) return problem("model/port", span, { refusal: refused.refusal });
  const name = node.name === "" ? (node.output.find((each) => each !== "") ?? node.opType) : node.name;
  return problem("model/node", span, {
    ...{ node: name, operator: node.opType, opset },
    ...{ refusal: refused.refusal, inputs: refused.bind },
  });
}
