import { type Problem, SphexError } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import type { ModelDeclaration } from "../../syntax/tree.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import type { Scope } from "../scope.js";
import { filePath } from "./file-paths.js";
import { CallableModel } from "./model-calls.js";
import { type LoadModel, type Model, type ModelPort, type ModelPorts, portType } from "./models.js";

/** The models that a program has names for. Each is read once, when it is first called. */
export class DeclaredModels {
  private readonly statements = new Map<string, ModelDeclaration>();
  private readonly models = new Map<string, CallableModel | undefined>();

  constructor(
    private readonly checker: Checker,
    private readonly scope: Scope,
    private readonly loadModel: LoadModel | undefined,
  ) {}

  spanOf(name: string): Span | undefined {
    return this.statements.get(name)?.name.span;
  }

  declare(statement: ModelDeclaration): void {
    const { text } = statement.name;
    this.statements.set(text, statement);
    this.checker.models.set(text, (tree, scope) => this.callable(text)?.node(this.checker, tree, scope));
  }

  /** What all models take and return, by name, those that nothing calls among them; the models themselves hold their files. */
  get all(): ReadonlyMap<string, ModelPorts> {
    return new Map(
      [...this.statements.keys()].flatMap((name) => {
        const callable = this.callable(name);
        if (callable === undefined) return [];
        const { inputs, outputs } = callable.model;
        return [[name, { inputs, outputs }] as const];
      }),
    );
  }

  private callable(name: string): CallableModel | undefined {
    const statement = this.statements.get(name);
    if (statement === undefined || this.models.has(name)) return this.models.get(name);
    const model = this.load(statement);
    this.models.set(name, model);
    return model;
  }

  private load(statement: ModelDeclaration): CallableModel | undefined {
    const { text: name } = statement.name;
    const { value } = statement;
    const report = this.checker.report(this.scope);
    const path = filePath(value);
    if (path === undefined) return void report(problem("model/value", value.span, { name }));
    if (this.loadModel === undefined) return void report(problem("model/no-reader", value.span, { path }));
    try {
      const model = this.withNames(this.loadModel(path, value.span), statement);
      return model && new CallableModel(name, model, value.span);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const each of error.problems) report(each.at(value.span));
      return undefined;
    }
  }

  /** The model with the names that its declaration has for the axes of inputs and outputs; nothing where these do not fit. */
  private withNames(model: Model, { name, ports }: ModelDeclaration): Model | undefined {
    if (ports.length === 0) return model;
    const report = this.checker.report(this.scope);
    const all = [...model.inputs, ...model.outputs];
    const axes = new Map<string, readonly string[]>();
    let isSound = true;
    const refuse = (found: Problem): void => {
      report(found);
      isSound = false;
    };
    for (const { port: word, axes: list } of ports) {
      const { text: port, span } = word;
      const named = all.find((each) => each.name === port);
      const names = list.names.map(({ text }) => text);
      if (named === undefined) {
        const labels = all.map((each) => each.name);
        const values = {
          name: name.text,
          port,
          nearest: this.checker.guess(port, () => labels),
          ports: labels,
        };
        refuse(problem("model/no-port", span, values));
        continue;
      }
      if (axes.has(port)) refuse(problem("model/port-twice", span, { port }));
      if (names.length !== named.shape.length)
        refuse(problem("model/axes", list.span, { port, type: portType(named), names: names.length }));
      const before = new Set<string>();
      for (const { text: axis, span: second } of list.names)
        if (before.size === before.add(axis).size)
          refuse(problem("model/axis-twice", second, { port, axis }));
      axes.set(port, names);
    }
    if (!isSound) return undefined;
    const withAxes = (port: ModelPort): ModelPort => {
      const names = axes.get(port.name);
      return names === undefined ? port : { ...port, axes: names };
    };
    return { ...model, inputs: model.inputs.map(withAxes), outputs: model.outputs.map(withAxes) };
  }
}
