import type { Checker } from "../../../language/check/checker.js";
import { CallableModel } from "../../../language/check/models/model-calls.js";
import { type Model as ModelFile, type ModelPort, portType } from "../../../language/check/models/models.js";
import { originIn, type Scope } from "../../../language/check/scope.js";
import type { Node } from "../../../language/core/operations.js";
import { nearest } from "../../../language/source/nearest.js";
import { type Problem, SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import type { Reference } from "../../../language/syntax/tree.js";
import type { TensorType } from "../../../language/types/type.js";
import { normal } from "../model/files.js";
import { problem } from "../model/messages.js";
import type { Model, Profile } from "../model/model.js";

/** The value of a model where it is a part of the program; its type where that alone is known. */
export type ModelValue = Node | TensorType | "untyped";

/** Where an expression of a profile mentions a model, and which feature it is. */
export interface Mention {
  readonly profile: Profile;
  readonly checker: Checker;
  readonly feature: Reference;
  readonly scope: Scope;
}

/** What a schema says of the inputs and outputs of a model, by their names in its file. */
type DeclaredPorts = Pick<Model, "inputs" | "outputs">;

const nothingDeclared: DeclaredPorts = { inputs: new Map(), outputs: new Map() };

/** The models that were called so far where a profile is checked. */
const callables = new WeakMap<Checker, Map<string, CallableModel>>();

/** A model that an expression of a profile mentions, and whose file may be in the package. */
export class MentionedModel {
  constructor(
    private readonly mention: Mention,
    /** Its name in the schema, or the path of its file. */
    private readonly name: string,
    private readonly declared = nothingDeclared,
  ) {}

  private get span(): Span {
    return this.mention.feature.span;
  }

  private report(found: Problem): void {
    this.mention.checker.report(this.mention.scope)(found);
  }

  /** The value of an output, where the file can be read; `sourceOf` is what an input is where nothing is declared. */
  value(path: string, sourceOf: (port: ModelPort) => string = (port) => identifier(port.label)): ModelValue {
    const { profile } = this.mention;
    const file = profile.modelIn?.(path);
    if (file === undefined) {
      const missing = this.missingFile(path);
      if (missing !== undefined) this.report(missing);
      return "untyped";
    }
    if (!("inputs" in file)) {
      this.reportUnread(file);
      return "untyped";
    }
    const output = this.hasDeclaredPorts(file) ? this.output(file) : undefined;
    return output === undefined ? "untyped" : this.called(file, output, sourceOf);
  }

  /** A file that is not there where others are. Of a folder of which nothing is there, all may come later. */
  private missingFile(path: string): Problem | undefined {
    const inside = normal(path) ?? path;
    const folder = inside.slice(0, Math.max(inside.lastIndexOf("/"), 0));
    const beside = folder === "" ? [] : (this.mention.profile.filesIn?.(folder) ?? []);
    if (beside.length === 0 || beside.includes(inside)) return undefined;
    return problem("model/no-file", this.span, { model: this.name, path, nearest: nearest(inside, beside) });
  }

  /** What is no model here may be one for Vespa: the value of its feature is somebody else's. */
  private reportUnread(causes: readonly Problem[]): void {
    for (const { description } of causes) {
      const values = { model: this.name, reason: description.message, hint: description.hint };
      this.report(problem("model/unread", this.span, values));
    }
  }

  /** Whether the inputs and outputs that are declared are those of the model. */
  private hasDeclaredPorts({ inputs, outputs }: ModelFile): boolean {
    let isSound = true;
    const look = (what: "input" | "output", name: string, ports: readonly ModelPort[]): void => {
      if (ports.some((port) => isNamed(port, name))) return;
      this.reportPort(what, name, ports);
      isSound = false;
    };
    for (const name of this.declared.inputs.keys()) look("input", name, inputs);
    for (const name of this.declared.outputs.keys()) look("output", name, outputs);
    return isSound;
  }

  private reportPort(what: "input" | "output", name: string, ports: readonly ModelPort[]): void {
    const names = ports.map((each) => each.label);
    const nearestName = this.mention.checker.guess(name, () => names);
    const values = { model: this.name, what, name, nearest: nearestName, names };
    this.report(problem("model/unknown-port", this.span, values));
  }

  /** The output that the feature asks for; the first by default. */
  private output({ outputs }: ModelFile): ModelPort | undefined {
    const declared = this.declared.outputs;
    const text = this.mention.feature.outputs.map((each) => each.text).join(".");
    const [first] = declared.keys();
    const label = text === "" ? first : ([...declared].find(([, name]) => name === text)?.[0] ?? text);
    const found = label === undefined ? outputs[0] : outputs.find((each) => isNamed(each, label));
    if (found === undefined) this.reportPort("output", text, outputs);
    return found;
  }

  /** An output of the model on what is bound to its inputs. */
  private called(file: ModelFile, output: ModelPort, sourceOf: (port: ModelPort) => string): ModelValue {
    const { checker, scope } = this.mention;
    const { span } = this;
    const callable = this.callable(file);
    const args = callable.model.inputs.map((port) =>
      this.source(port, sourceNamed(this.declared.inputs, port) ?? sourceOf(port)),
    );
    const nodes = args.filter((each) => each !== undefined);
    if (nodes.length < args.length) return "untyped";
    const bound = nodes.map((node, at) => ({ port: file.inputs[at] ?? output, node, span }));
    const fitted = callable.fitted(checker, bound, scope);
    if (fitted === undefined) return "untyped";
    if (!fitted.every((each) => each.type.isBound)) return portType(output);
    try {
      return callable.output(checker, fitted, file.outputs.indexOf(output), span, scope) ?? "untyped";
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      this.reportUnread(error.problems);
      const type = portType(output);
      return type.isBound ? type : "untyped";
    }
  }

  private callable(file: ModelFile): CallableModel {
    const { checker } = this.mention;
    const ofChecker = callables.get(checker) ?? new Map<string, CallableModel>();
    callables.set(checker, ofChecker);
    const callable = ofChecker.get(this.name) ?? new CallableModel(this.name, file, this.span);
    ofChecker.set(this.name, callable);
    return callable;
  }

  /** The value that is bound to an input. */
  private source(port: ModelPort, source: string): Node | undefined {
    const { checker, scope } = this.mention;
    const { name: model, span: call } = this;
    const text = { name: `input ${port.label} of ${model}`, text: source };
    const { tree } = parseExpression(text);
    if (tree === undefined) {
      const values = { model, input: port.label, source, name: source, nearest: undefined };
      return void this.report(problem("model/input", call, values));
    }
    const { names } = checker.context;
    const definedAt = { source: text, start: 0, end: source.length };
    const inner = scope.expansion(originIn(scope, { name: model, call, inPrelude: false, names, definedAt }));
    return checker.withSite(inner, () => checker.node(tree, inner));
  }
}

const isNamed = ({ name, label }: ModelPort, text: string): boolean =>
  text === label || text === name || text === identifier(label);

/** What Vespa makes of a name that is no word. */
const identifier = (label: string): string => label.replaceAll(/[^\w$@]/g, "_");

const sourceNamed = (inputs: ReadonlyMap<string, string>, port: ModelPort): string | undefined =>
  [...inputs].find(([name]) => isNamed(port, name))?.[1];
