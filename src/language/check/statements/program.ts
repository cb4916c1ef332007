import { Graph } from "../../core/graph.js";
import { inputsOf, lambdaOf, type Node, visit } from "../../core/operations.js";
import { atOnce, cellsPerCharacter, SliceMeter, type Slices } from "../../limits/slices.js";
import { append } from "../../source/lists.js";
import { type Problem, SphexError } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import {
  type Declaration,
  type Definition,
  type Expression,
  isNaming,
  type NamingStatement,
  type ProgramTree,
  type Role,
  type Statement,
} from "../../syntax/tree.js";
import { typeOf } from "../../syntax/typing.js";
import { isAssignable } from "../../types/assignable.js";
import type { TensorType } from "../../types/type.js";
import { builtins } from "../calls/builtins.js";
import type { CheckOptions } from "../check-options.js";
import { Checker } from "../checker.js";
import { differentiatedNames } from "../differentiated-names.js";
import { problem } from "../messages.js";
import { DeclaredModels } from "../models/declared-models.js";
import { arrayIn, filePath } from "../models/file-paths.js";
import type { ModelPorts } from "../models/models.js";
import { FeatureMap, featureName, Names } from "../names.js";
import { preludeNames } from "../prelude-names.js";
import { rules } from "../rules/rules.js";
import { Frame, Scope } from "../scope.js";
import type { Waiting } from "../waiting.js";
import { defaultCycles, type InputDefault } from "./default-cycles.js";
import { Effects } from "./effects.js";
import { elaborationOrder } from "./elaboration-order.js";
import { type DefinedFunction, FunctionBodies } from "./function-bodies.js";

/** A tensor that a program declares: its type, and its value where it has one. */
export interface DeclaredTensor {
  readonly role: Role;
  readonly type: TensorType;
  /** The dimensions in the order in which the declaration has them; canonical order where it has no type. */
  readonly axes?: readonly string[] | undefined;
  readonly value?: Node | undefined;
}

/** A program as core nodes. Complete only if no problem is an error. */
export interface CheckedProgram {
  readonly problems: readonly Problem[];
  /** The graph that its nodes belong to, which shares equal ones. */
  readonly graph: Graph;
  /** All declared tensors by canonical name; inputs of the host among them. */
  readonly declared: ReadonlyMap<string, DeclaredTensor>;
  /** Models by the names that the program has for them. */
  readonly models: ReadonlyMap<string, ModelPorts>;
  /** Named values, and constants, in the order of the text. */
  readonly values: ReadonlyMap<string, Node>;
  /** The results, in the order of the text. */
  readonly results: readonly Result[];
  /** What variable and persistent tensors become after a run, by name. */
  readonly assignments: ReadonlyMap<string, Result>;
  /** The expressions that say how labels of variables begin in training, by name. */
  readonly beginnings: ReadonlyMap<string, Span>;
  /** What training makes smaller. */
  readonly objective?: Result | undefined;
  /** What waits for the sizes of the inputs of a run, where something does: it cannot run. */
  readonly waiting?: Waiting | undefined;
}

/** The value of an expression statement; or the last named value, where a program has no such statement. */
export interface Result {
  readonly node: Node;
  readonly span: Span;
  readonly name?: string;
}

/** A program that has problems and nothing else. */
export const invalidProgram = (problems: readonly Problem[]): CheckedProgram => ({
  problems,
  graph: new Graph(),
  declared: new Map(),
  models: new Map(),
  values: new Map(),
  results: [],
  assignments: new Map(),
  beginnings: new Map(),
});

/** Elaborates a program, and collects its problems. */
export function checkProgram(tree: ProgramTree, options: CheckOptions): CheckedProgram {
  return atOnce(checkSlices(tree, options));
}

/** As `checkProgram`, in slices, each of some statements. */
export function checkSlices(tree: ProgramTree, options: CheckOptions): Slices<CheckedProgram> {
  return new ProgramChecker(tree, options).check();
}

/** A statement that defines a name, with its node once it is elaborated. */
interface NamedStatement {
  readonly name: string;
  readonly statement: Declaration | Definition;
  state: "new" | "open" | "done";
  node?: Node | undefined;
}

class ProgramChecker {
  private readonly names = new Names(preludeNames());
  private readonly declared = new Map<string, DeclaredTensor>();
  private readonly inputs = new FeatureMap<TensorType>();
  private readonly items = new Map<string, NamedStatement>();
  private readonly scope = new Scope(Frame.outermost(), 0);
  private readonly checker: Checker;
  /** Named values that some expression differentiates in. */
  private readonly variables = new Set<string>();
  private readonly models: DeclaredModels;
  /** The statements whose values are being elaborated, from the outermost. */
  private readonly open: NamedStatement[] = [];

  constructor(
    private readonly tree: ProgramTree,
    private readonly options: CheckOptions,
  ) {
    for (const [name, type] of options.inputs) {
      this.inputs.set(name, type);
      this.declared.set(name, { role: "input", type, axes: options.axes?.get(name) });
    }
    const { dialect, cells, expansions, functions = new Map(), features, spend, store, observe } = options;
    const surroundings = {
      dialect,
      ...{ repeatedCells: options.repeatedCells, deployment: options.deployment },
      ...(features === undefined ? {} : { features }),
      cells,
      expansions,
      spend,
      observe,
      store,
      inputs: this.inputs,
      names: this.names,
      functions,
      runTypes: options.runTypes,
    };
    this.checker = new Checker(new Graph(), surroundings, rules);
    this.models = new DeclaredModels(this.checker, this.scope, options.loadModel);
  }

  *check(): Slices<CheckedProgram> {
    const { statements } = this.tree;
    for (const statement of statements) if (isNaming(statement)) this.introduce(statement);
    yield;
    this.findVariables();
    yield;
    this.checkFunctions();
    const meter = new SliceMeter();
    const isFull = ({ start, end }: Span): boolean => meter.isFull(cellsPerCharacter * (end - start));
    for (const name of elaborationOrder(this.items.values())) {
      this.valueOf(name);
      const statement = this.items.get(name)?.statement;
      if (statement !== undefined && isFull(statement.span)) yield;
    }
    for (const each of defaultCycles(this.defaults())) this.checker.report(this.scope)(each);
    const results: Result[] = [];
    for (const [at, statement] of statements.entries()) {
      append(results, this.result(statement, statements[at - 1]));
      if (statement.kind === "result" && isFull(statement.span)) yield;
    }
    const values = new Map<string, Node>();
    for (const item of this.items.values()) {
      const isInput = item.statement.kind === "declaration" && item.statement.role === "input";
      if (item.node !== undefined && !isInput) values.set(item.name, item.node);
    }
    const resolved = this.checker.resolved;
    for (const [name, node] of values) values.set(name, resolved(node));
    for (const [at, result] of results.entries()) results[at] = { ...result, node: resolved(result.node) };
    const { assignments, beginnings, objective } = new Effects(
      this.checker,
      this.scope,
      (name) => this.declared.get(name),
      resolved,
    ).of(this.tree.statements);
    const last = [...values].at(-1);
    const hasResults = this.tree.statements.some((each) => each.kind === "result");
    if (!hasResults && last !== undefined) results.push({ node: last[1], span: last[1].span, name: last[0] });
    const { graph, problems } = this.checker;
    const waiting = this.checker.waiting.resolved(resolved);
    const named = { declared: this.declared, models: this.models.all, values };
    return { problems, graph, ...named, results, assignments, beginnings, objective, waiting };
  }

  /** The inputs that have defaults. */
  private defaults(): readonly InputDefault[] {
    return [...this.items.values()].flatMap(({ name, statement }): InputDefault[] => {
      const { role, value } = this.declared.get(name) ?? {};
      return role === "input" && value !== undefined ? [{ name, span: statement.name.span, value }] : [];
    });
  }

  /** Collects the names of values that some expression differentiates in. */
  private findVariables(): void {
    for (const statement of this.tree.statements)
      for (const tree of expressionsOf(statement))
        for (const name of differentiatedNames(tree, this.names)) this.variables.add(name);
  }

  /** Checks the bodies of functions where they are defined, called or not. */
  private checkFunctions(): void {
    const functions = new Map<string, DefinedFunction>();
    for (const { name, statement } of this.items.values()) {
      if (statement.kind !== "definition" || statement.parameters === undefined) continue;
      functions.set(name, { ...statement, parameters: statement.parameters });
    }
    if (functions.size === 0) return;
    new FunctionBodies(this.checker, this.names, functions).check(({ parameters }) => {
      const inner = new Scope(this.scope.frame, 0);
      for (const { text, span } of parameters) {
        const argument: Expression = { kind: "reference", name: { text, span }, outputs: [], span };
        inner.bind(text, { kind: "argument", argument, scope: this.scope });
      }
      return inner;
    });
  }

  /** Defines a name, before any value is elaborated. */
  private introduce(statement: NamingStatement): void {
    const name = statement.kind === "declaration" ? featureName(statement.name) : statement.name.text;
    const report = this.checker.report(this.scope);
    const first = this.items.get(name)?.statement.name.span ?? this.models.spanOf(name);
    if (first !== undefined) {
      const related = [{ span: first, label: "first defined here" }];
      return report(problem("name/duplicate", statement.name.span, { name }, related));
    }
    const isBuiltIn =
      builtins.has(name) ||
      this.names.outer?.own(name) !== undefined ||
      this.options.functions?.has(name) === true;
    if (isBuiltIn) {
      const equality = statement.kind === "definition" && !statement.parameters;
      report(problem("name/shadows", statement.name.span, { name, equality }));
    }
    if (statement.kind === "model") return this.models.declare(statement);
    const item: NamedStatement = { name, statement, state: "new" };
    this.items.set(name, item);
    if (statement.kind === "declaration") return this.declare(statement, item);
    const { parameters, body } = statement;
    const parameterNames = new Set<string>();
    for (const { text, span } of parameters ?? []) {
      if (parameterNames.has(text)) report(problem("call/parameter", span, { name: text }));
      parameterNames.add(text);
    }
    if (parameters === undefined)
      this.names.define(name, { kind: "value", node: () => this.valueOf(name), expression: body });
    else {
      item.state = "done";
      this.names.define(name, { kind: "function", tree: statement, parameters, names: this.names });
    }
  }

  /** A declared tensor. An input has only a type; the others have a value, which variables and persistents may lose. */
  private declare(statement: Declaration, item: NamedStatement): void {
    const report = this.checker.report(this.scope);
    const type = statement.type && typeOf(statement.type, this.checker.words(this.scope), report);
    if (statement.role === "input" && type !== undefined)
      return this.declareInput(statement, item.name, type);
    const { value: expression } = statement;
    const define = (name: string): void =>
      this.names.define(name, { kind: "value", node: () => this.valueOf(item.name), expression });
    define(item.name);
    if (statement.role === "constant") define(`constant(${item.name})`);
  }

  private declareInput(statement: Declaration, name: string, type: TensorType): void {
    const fromHost = this.inputs.get(name);
    if (fromHost !== undefined && !isAssignable(fromHost, type)) {
      const span = statement.type?.span ?? statement.span;
      this.checker.report(this.scope)(problem("input/type", span, { name, type: fromHost, declared: type }));
    }
    this.inputs.set(name, type);
    this.declared.set(name, { role: "input", type, axes: writtenAxes(statement) });
  }

  /** The value of a statement, elaborated on first use. */
  private valueOf(name: string): Node | undefined {
    const item = this.items.get(name);
    if (item === undefined || item.state === "done") return item?.node;
    if (item.state === "open") {
      const path = [...this.open.slice(this.open.indexOf(item)), item].map((each) => each.name);
      this.checker.report(this.scope)(problem("name/cycle", item.statement.name.span, { path }));
      return undefined;
    }
    item.state = "open";
    this.open.push(item);
    try {
      const node =
        item.statement.kind === "definition"
          ? this.checker.node(item.statement.body, this.scope)
          : this.declaredValue(item.statement, item.name);
      const isInput = item.statement.kind === "declaration" && node?.op === "input"; // a variable as it is
      item.node = node && !isInput && this.variables.has(name) ? this.checker.standIns.of(node, name) : node;
      item.state = "done";
    } finally {
      // What is given up because it is nested too deeply is asked for again.
      if (item.state === "open") item.state = "new";
      this.open.pop();
    }
    return item.node;
  }

  private declaredValue(statement: Declaration, name: string): Node | undefined {
    const report = this.checker.report(this.scope);
    const type = statement.type && typeOf(statement.type, this.checker.words(this.scope), () => undefined);
    if (statement.type !== undefined && type === undefined) return undefined;
    const axes = writtenAxes(statement);
    const value = statement.value && this.initial(statement.value, type, axes);
    if (statement.value === undefined && statement.role !== "input" && type !== undefined) {
      return void report(problem("role/no-value", statement.span, { role: statement.role, name }));
    }
    if (statement.value !== undefined && value === undefined) return undefined;
    if (value !== undefined && type !== undefined && !isAssignable(value.type, type)) {
      const values = { name, type: value.type, declared: type };
      return void report(problem("role/type", statement.value?.span ?? statement.span, values));
    }
    const declaredType = type ?? value?.type;
    if (declaredType === undefined) return undefined;
    const typed = value && this.checker.resolved(this.checker.graph.cast(value, declaredType, value.span));
    if (statement.role !== "input" && typed !== undefined && this.dependsOnInput(typed)) {
      const values = { role: statement.role, name };
      return void report(problem("role/not-constant", statement.value?.span ?? statement.span, values));
    }
    this.declared.set(name, { role: statement.role, type: declaredType, axes, value: typed });
    if (statement.role === "constant") return typed;
    this.inputs.set(name, declaredType);
    return this.checker.graph.input(name, declaredType, statement.name.span);
  }

  /** The value of a declaration: an expression, or the tensor in a file. */
  private initial(
    value: Expression,
    type: TensorType | undefined,
    axes: readonly string[] | undefined,
  ): Node | undefined {
    const path = filePath(value);
    if (path === undefined || this.items.has("file")) return this.checker.node(value, this.scope);
    const report = this.checker.report(this.scope);
    if (type === undefined) return void report(problem("file/no-type", value.span, { path }));
    if (this.options.load === undefined) return void report(problem("file/no-reader", value.span, { path }));
    try {
      const tensor = this.options.load(path, type, value.span, axes, arrayIn(value));
      return this.checker.graph.constant(tensor, value.span);
    } catch (error) {
      if (!(error instanceof SphexError)) throw error;
      append(this.checker.problems, error.problems);
      return undefined;
    }
  }

  /** Nodes found to depend on no input, so that a long chain of constants is walked once. */
  private readonly closed = new Set<Node>();

  private dependsOnInput(node: Node): boolean {
    const visited = new Set<Node>();
    const open = [node];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.op === "input") return true;
      if (visited.has(next) || this.closed.has(next)) continue;
      visited.add(next);
      for (const input of visit(inputsOf, next)) open.push(input);
      const lambda = lambdaOf(next);
      if (lambda !== undefined) open.push(lambda.body);
    }
    for (const each of visited) this.closed.add(each);
    return false;
  }

  private result(statement: Statement, before: Statement | undefined) {
    if (statement.kind !== "result") return [];
    const { expression, span } = statement;
    const minus = span.source.text[span.start] === "-" && before?.kind === "result";
    const between = minus
      ? span.source.text.slice(before.span.end, span.start).replace(/(?:#|\/\/).*/g, "")
      : "";
    if (minus && !between.includes(";")) {
      const sign = { ...span, end: span.start + 1 };
      this.checker.report(this.scope)(problem("statement/minus", sign, {}));
    }
    const node = this.checker.node(expression, this.scope);
    return node === undefined ? [] : [{ node, span }];
  }
}

/** The expressions that a statement has. */
function expressionsOf(statement: Statement): readonly Expression[] {
  if (statement.kind === "result") return [statement.expression];
  if (statement.kind === "definition") return [statement.body];
  return statement.value === undefined ? [] : [statement.value];
}

/** The dimensions of a declaration's type in the order in which they are written. */
const writtenAxes = ({ type }: Declaration): readonly string[] | undefined =>
  type?.dimensions.map(({ name }) => name.text);
