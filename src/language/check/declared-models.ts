import { SphexError } from "../source/problem.js";
import type { Span } from "../source/span.js";
import type { ModelDeclaration } from "../syntax/tree.js";
import type { Checker } from "./checker.js";
import { filePath } from "./file-paths.js";
import { problem } from "./messages.js";
import { CallableModel } from "./model-calls.js";
import type { LoadModel, Model } from "./models.js";
import type { Scope } from "./scope.js";

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

  /** All models by name, those that nothing calls among them. */
  get all(): ReadonlyMap<string, Model> {
    return new Map(
      [...this.statements.keys()].flatMap((name) => {
        const callable = this.callable(name);
        return callable === undefined ? [] : [[name, callable.model] as const];
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

  private load({ name: { text: name }, value }: ModelDeclaration): CallableModel | undefined {
    const report = this.checker.report(this.scope);
    const path = filePath(value);
    if (path === undefined) return void report(problem("model/value", value.span, { name }));
    if (this.loadModel === undefined) return void report(problem("model/no-reader", value.span, { path }));
    try {
      return new CallableModel(name, this.loadModel(path, value.span), value.span);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      for (const each of error.problems) report(each.at(value.span));
      return undefined;
    }
  }
}
