import { inputsOf, type Node, visit } from "../../core/operations.js";
import { inputsFirst } from "../../differentiate/node-order.js";
import { steepBelow } from "../../differentiate/slopes.js";
import type { Span } from "../../source/span.js";
import type { Assignment, Objective, Role, Statement } from "../../syntax/tree.js";
import { isAssignable } from "../../types/assignable.js";
import type { TensorType } from "../../types/type.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { featureName } from "../names.js";
import type { Scope } from "../scope.js";

interface Valued {
  readonly node: Node;
  readonly span: Span;
}

/** What a program does besides computing results: assignments after a run, an objective for training, and how labels begin in it. */
export class Effects {
  readonly assignments = new Map<string, Valued>();
  /** The expressions that say how labels of variables begin, by name. */
  readonly beginnings = new Map<string, Span>();
  objective: Valued | undefined;
  /** The names whose declarations have mistakes of their own, so that they have no type. */
  private readonly mistaken = new Set<string>();

  constructor(
    private readonly checker: Checker,
    private readonly scope: Scope,
    private readonly declared: (
      name: string,
    ) => { readonly role: Role; readonly type: TensorType } | undefined,
    private readonly resolved: (node: Node) => Node,
  ) {}

  /** Takes the effects that statements have. */
  of(statements: readonly Statement[]): this {
    for (const statement of statements) {
      const name = statement.kind === "declaration" ? featureName(statement.name) : undefined;
      if (name !== undefined && this.declared(name) === undefined) this.mistaken.add(name);
    }
    for (const statement of statements) {
      if (statement.kind === "assignment") this[statement.action](statement);
      if (statement.kind === "objective") this.minimise(statement);
    }
    this.checkVariables(statements);
    return this;
  }

  /** The name must be that of a tensor that a session keeps, and the value must fit its type. */
  private assign({ name: target, value, span }: Assignment): void {
    const report = this.checker.report(this.scope);
    const name = featureName(target);
    const node = this.checker.node(value, this.scope);
    const declared = this.declared(name);
    if (this.mistaken.has(name)) return;
    if (declared?.role !== "variable" && declared?.role !== "persistent")
      return report(problem("assign/role", target.span, { name, role: declared?.role }));
    const first = this.assignments.get(name);
    if (first !== undefined) {
      const related = [{ span: first.span, label: "first assigned here" }];
      return report(problem("assign/twice", span, { name }, related));
    }
    if (node === undefined || !this.fits(node, declared.type, name, value.span)) return;
    const typed = this.checker.graph.cast(node, declared.type, value.span);
    this.assignments.set(name, { node: this.resolved(typed), span });
  }

  /** The name must be that of a variable with labels, and the value must fit its type; its cells are rounded to those of the variable. */
  private begin({ name: target, value, span }: Assignment): void {
    const report = this.checker.report(this.scope);
    const name = featureName(target);
    const node = this.checker.node(value, this.scope);
    const declared = this.declared(name);
    if (this.mistaken.has(name)) return;
    if (declared?.role !== "variable")
      return report(problem("begin/role", target.span, { name, role: declared?.role }));
    const { type } = declared;
    if (type.isDense) return report(problem("begin/dense", target.span, { name, type }));
    const first = this.beginnings.get(name);
    if (first !== undefined) {
      const related = [{ span: first, label: "first said here" }];
      return report(problem("begin/twice", span, { name }, related));
    }
    if (node === undefined) return;
    const rounded = node.type.withCells(type.cellType);
    if (this.fits({ type: rounded }, type, name, value.span)) this.beginnings.set(name, value.span);
  }

  private fits({ type }: Pick<Node, "type">, declared: TensorType, name: string, span: Span): boolean {
    if (isAssignable(type, declared)) return true;
    this.checker.report(this.scope)(problem("role/type", span, { name, type, declared }));
    return false;
  }

  /** Which variables training can change nothing of. */
  private checkVariables(statements: readonly Statement[]): void {
    const { objective } = this;
    // What waits for the sizes of a run may depend on all.
    if (objective === undefined || !this.checker.waiting.isEmpty) return;
    const report = this.checker.report(this.scope);
    const below = inputsIn(inputsFirst(objective.node, (node) => visit(inputsOf, node)));
    const steep = inputsIn(steepBelow(objective.node));
    for (const statement of statements) {
      if (statement.kind !== "declaration" || statement.role !== "variable") continue;
      const name = featureName(statement.name);
      const { span } = statement.name;
      if (!below.has(name)) report(problem("minimise/unreached", span, { name }));
      else if (!steep.has(name)) report(problem("minimise/no-slope", span, { name }));
    }
  }

  private minimise({ value, span }: Objective): void {
    const report = this.checker.report(this.scope);
    const node = this.checker.node(value, this.scope);
    if (this.objective !== undefined) {
      const related = [{ span: this.objective.span, label: "first minimised here" }];
      return report(problem("minimise/twice", span, {}, related));
    }
    if (node === undefined) return;
    if (!node.type.isScalar) return report(problem("minimise/scalar", value.span, { type: node.type }));
    this.objective = { node: this.resolved(node), span: value.span };
  }
}

const inputsIn = (nodes: Iterable<Node>): ReadonlySet<string> =>
  new Set(Array.from(nodes, (node) => (node.op === "input" ? node.name : "")));
