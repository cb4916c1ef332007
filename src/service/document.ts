import { labelText } from "../language/source/escapes.js";
import type { TensorType } from "../language/types/type.js";
import type { Tensor } from "../language/values/tensor.js";
import type { TextForm } from "../program/compile.js";
import type { Options } from "../program/options.js";
import { Analysis } from "./analysis.js";
import { type CompletionNames, completeExpression, type ExpressionCompletion } from "./completion.js";
import { type Hover, hoverAt } from "./hover.js";
import { programLayout } from "./program-layout.js";
import { type SignatureHelp, signatureAt } from "./signature.js";
import type { TextEdit } from "./text-edits.js";

/**
 * A text that is written, and what is asked of it. While a text cannot be read, because a bracket is open, its names are those
 * of the last version that could be; spans are always those of the text as it is.
 */
export class ProgramDocument {
  private cached: Analysis | undefined;
  /** The last one that has a tree. */
  private readable: Analysis | undefined;

  constructor(
    readonly name: string,
    private current: string,
    private readonly options: Options = {},
    private readonly form: TextForm = "program",
  ) {}

  get text(): string {
    return this.current;
  }

  set text(text: string) {
    if (text === this.current) return;
    this.current = text;
    this.cached = undefined;
  }

  /** What is found of the text as it is; checked when it is first asked for. */
  get analysis(): Analysis {
    if (this.cached !== undefined) return this.cached;
    this.cached = new Analysis({ name: this.name, text: this.current }, this.options, this.form);
    const isReadable = this.cached.tree.statements.length > 0 || this.current.trim() === "";
    if (isReadable || this.readable === undefined) this.readable = this.cached;
    return this.cached;
  }

  /** Whether the names for completion are those of the text as it is, and not of one before it. */
  get hasOwnNames(): boolean {
    return this.cached !== undefined || this.current.length <= longText;
  }

  /**
   * The names that can be used now: those of the text, or of the last one that could be read. What is asked at each key does not wait
   * until a long text is checked.
   */
  private get names(): Analysis {
    if (!this.hasOwnNames) return this.readable ?? new Analysis({ name: this.name, text: "" }, this.options);
    const { analysis } = this;
    return this.readable ?? analysis;
  }

  hover(offset: number): Hover | undefined {
    return hoverAt(this.analysis, offset);
  }

  completion(offset: number): ExpressionCompletion {
    const { names } = this;
    const all = namesOf(names, this.options);
    const typed = new Map<string, readonly string[] | undefined>();
    return completeExpression(this.current.slice(0, offset), {
      ...all,
      dimensionsOf: (text) => {
        const found = all.dimensionsOf(text);
        if (found !== undefined || isName(text) || this.current.length > longText) return found;
        if (!typed.has(text)) typed.set(text, names.typeOfText(text)?.names);
        return typed.get(text);
      },
    });
  }

  signature(offset: number): SignatureHelp | undefined {
    return signatureAt(this.current.slice(0, offset), this.names);
  }

  /** The edits that format the text; none where it cannot be read, or is formatted. */
  formatting(): readonly TextEdit[] {
    return programLayout(this.analysis);
  }
}

const isName = (text: string): boolean => /^[\w@$]*$/.test(text);

/** Characters. */
const longText = 20_000;

/** The names of a program for completion, with the dimensions of their types and the labels of its constants. */
function namesOf({ checked, symbols }: Analysis, options: Options): CompletionNames {
  const types = new Map<string, TensorType>();
  for (const [name, { type }] of checked.declared) types.set(name, type);
  for (const [name, { type }] of checked.values) types.set(name, type);
  const functions = [...symbols.program.values()].flatMap(({ name, kind }) =>
    kind === "function" || kind === "model" ? [name] : [],
  );
  const ofHost = Object.keys(options.functions ?? {});
  const dimensions = new Set([...types.values()].flatMap((type) => type.names));
  const hosts = Object.keys(options.inputs ?? {});
  return {
    values: [...new Set([...types.keys(), ...hosts])],
    functions: [...functions, ...ofHost],
    dimensions: [...dimensions].sort(),
    dimensionsOf: (name) => types.get(name)?.names,
    inputsOf: (name) => checked.models.get(name)?.inputs.map((each) => each.name),
    outputsOf: (name) => checked.models.get(name)?.outputs.map((each) => each.name),
    labels: (dimension) => labelsAlong(dimension, constantsOf(checked)),
  };
}

/** The most labels of a tensor that are offered. */
const mostLabels = 1000;

function labelsAlong(dimension: string, tensors: Iterable<Tensor>): readonly string[] {
  const labels = new Set<string>();
  for (const tensor of tensors) {
    const at = tensor.type.mapped.findIndex(({ name }) => name === dimension);
    if (at < 0) continue;
    for (const row of tensor.labels.slice(0, mostLabels)) {
      const label = row[at];
      if (label !== undefined) labels.add(labelText(label));
    }
  }
  return [...labels].sort();
}

function* constantsOf({ values }: Analysis["checked"]): Iterable<Tensor> {
  for (const node of values.values()) if (node.op === "constant") yield node.value;
}
