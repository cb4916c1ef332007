import { type Node, type NodeOf, visit } from "../../../language/core/operations.js";
import { SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { type Forest, forestOf } from "../forest/forest.js";
import { indexOf } from "../layouts/label-indexes.js";
import type { PassFunctions, PassOptions } from "../passes/pass.js";
import type { UsedValue } from "../passes/share.js";
import { emptyFactor } from "../sparse/factor.js";
import { factorAxis, type Hiding, hidingOf, indexedAxis, isHidden } from "../values/axes.js";
import { Storage } from "../values/storage.js";
import { valueIn } from "../values/tensor-value.js";
import {
  type Axis,
  type Buffer,
  cellsIn,
  constant,
  type ReferenceCall,
  type Value,
} from "../values/value.js";
import { callReference } from "./call.js";
import { bodyParts, dependenciesOf } from "./dependencies.js";
import type { OperationPlans, PlanState } from "./plan-state.js";
import { isUnsupported, isValue, type Outcomes, type Planned, unsupported } from "./planned.js";
import { type InputContext, Inputs } from "./runs/inputs.js";
import { leftToReference } from "./runs/randomness.js";
import { Refusals, unconditionalNodes } from "./runs/refusals.js";
import { Requests } from "./runs/requests.js";
import { Scope } from "./scope.js";

/** What a plan is made from, beside the core. */
export interface PlanContext extends InputContext {
  readonly outcomes: Outcomes;
  /** @throws SphexError where so many cells, or rows, are beyond the limits. */
  readonly allow: (cells: number, span: Span, rows?: number) => void;
  /** @throws SphexError where so many values are beyond the limits, though they are folded and not stored. */
  readonly allowProduced: (cells: number, span: Span) => void;
  readonly passes?: PassOptions | undefined;
}

/** How many nodes were planned since the last time, and the expression that the plan is at. */
export interface Progress {
  readonly nodes: number;
  readonly span: Span;
}

/**
 * What a node needs, the last of it planned first: a choice's condition. What becomes of a node may depend on those that were planned
 * before, as of a sum whether its product is there; and of a choice the plan for its outcome lacks a branch.
 */
const inOrder = (node: Node, missing: readonly Node[]): readonly Node[] =>
  node.op === "select" && missing[0] === node.condition ? [...missing.slice(1), node.condition] : missing;

/** How many nodes are planned between two chances to pause. */
const nodesAtOnce = 256;

/**
 * Makes values of the nodes of a core graph. Nothing is computed, nothing is written, and no memory is taken: what a value
 * needs is described by its buffers. What a plan looks like depends on the layouts of inputs, and on outcomes.
 */
export class Planner implements PlanState {
  readonly storage = new Storage();
  readonly scope = new Scope(false);
  readonly inputs: Inputs;
  readonly requests: Requests;
  readonly refusals = new Refusals((node) => this.inputs.fallbacksOf(node));
  /** Nodes that the reference computes. */
  readonly calls = new Map<Node, ReferenceCall>();
  /** Hides the dimension of a batch. */
  readonly batching: Hiding;
  private readonly uses = new Map<Node, number>();
  private readonly constants = new Map<Tensor, Buffer>();
  private hidings = 0;
  private readonly refusedForests = new Set<Node>();
  /** Planned since progress was last reported. */
  private nodes = 0;

  constructor(
    readonly context: PlanContext,
    private readonly operations: OperationPlans,
    readonly passes: PassFunctions,
    roots: readonly Node[],
  ) {
    this.batching = this.hiding();
    this.inputs = new Inputs(context, this.batching);
    this.requests = new Requests(context.outcomes, (node) => this.inputs.fallbacksOf(node));
    this.count(roots);
  }

  /** What becomes of a closed node; yields now and then. */
  *plan(root: Node): Generator<Progress, Planned> {
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      this.planNext(this.scope, open, node);
      if (this.nodes >= nodesAtOnce) yield this.progress(node.span);
    }
    yield this.progress(root.span);
    return this.plannedBefore(this.scope, root);
  }

  /** What becomes of a body, its needs first. */
  body(scope: Scope, root: Node): Planned {
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) this.planNext(scope, open, node);
    return this.plannedBefore(scope, root);
  }

  /** Plans the last of some nodes, if all that it needs was planned; otherwise what is missing is behind it. */
  private planNext(scope: Scope, open: Node[], node: Node): void {
    if (scope.get(node) === undefined) {
      const missing = this.dependenciesOf(node).filter((dependency) => scope.get(dependency) === undefined);
      if (missing.length > 0) {
        for (const each of inOrder(node, missing)) open.push(each);
        return;
      }
      if (this.isRefusedForest(scope, node)) {
        this.refusedForests.add(node);
        return;
      }
      scope.set(node, this.planned(scope, node));
      this.nodes++;
    }
    open.pop();
  }

  private plannedBefore(scope: Scope, node: Node): Planned {
    const planned = scope.get(node);
    if (planned === undefined) throw new Error(`node ${node.id} was not planned`);
    return planned;
  }

  private progress(span: Span): Progress {
    const { nodes } = this;
    this.nodes = 0;
    return { nodes, span };
  }

  /**
   * Whether all that is refused of a generator stands in branches of choices. What the engine has no way for, as random
   * numbers in a body, is the reference's to compute with the whole.
   */
  private isAvoidable(node: NodeOf<"generate">, scope: Scope): boolean {
    return unconditionalNodes([node.body]).every((part) => {
      const planned = scope.get(part);
      return planned === undefined || isValue(planned) || isUnsupported(planned);
    });
  }

  /** Of a choice whose outcome was requested, the branch that is not taken is not planned. */
  private dependenciesOf(node: Node): readonly Node[] {
    if (node.op === "input") return this.inputs.fallbacksOf(node);
    const forest = this.forestOf(node);
    if (forest !== undefined) return forest.dependencies;
    if (node.op !== "select") return dependenciesOf(node);
    const truth = this.context.outcomes.of("truth", node);
    return truth === undefined ? dependenciesOf(node) : [node.condition, truth ? node.yes : node.no];
  }

  /** What a run must tell before some nodes have values. */
  private pendingAmong(nodes: readonly Node[], scope: Scope): Planned | undefined {
    const parts = nodes.map((node) => scope.get(node));
    return parts.find((planned) => planned !== undefined && !isValue(planned) && planned.kind === "pending");
  }

  /** What a run must tell before it shows whether a body comes to a branch that is refused. */
  private pendingWithin(scope: Scope, node: Node): Planned | undefined {
    return node.op === "generate" ? this.pendingAmong(bodyParts(node).needed, scope) : undefined;
  }

  /** A generator for the reference, which computes some parts of its body where it comes to them. */
  private leaving(parts: ReadonlySet<Node>, node: NodeOf<"generate">, scope: Scope): Planned {
    const operands = dependenciesOf(node).filter((part) => !parts.has(part));
    return this.pendingAmong(operands, scope) ?? callReference(node, this, scope);
  }

  private planned(scope: Scope, node: Node): Planned {
    if (node.op === "generate") {
      const left = leftToReference(node, this);
      if (left.size > 0) return this.leaving(left, node, scope);
    }
    // A choice does without the branch that is not taken.
    const blocker = this.isChoice(node) ? undefined : this.blocker(scope, node);
    // A body may never come to a branch that is refused: only the reference can tell.
    const isAvoidable = node.op === "generate" && blocker !== undefined && this.isAvoidable(node, scope);
    if (blocker !== undefined && !isAvoidable) return this.pendingWithin(scope, node) ?? blocker;
    try {
      const planned = isAvoidable
        ? unsupported("an input that is missing, in a body")
        : visit(this.operations, node, this, scope);
      const result = isUnsupported(planned) ? callReference(node, this, scope) : planned;
      if (isValue(result)) return this.passes.share(this.used(node, result), this);
      if (result.kind === "pending") this.requests.ask(node);
      return result;
    } catch (error) {
      // Only a limit is refused here; it ends a run that comes to this node.
      if (error instanceof SphexError) return { kind: "refused", problems: error.problems };
      throw error;
    }
  }

  /** The forest that a node is. */
  forestOf(node: Node): Forest | undefined {
    return this.refusedForests.has(node) ? undefined : forestOf(node, this.isBatch);
  }

  /** Whether a forest lacks a number that a run may never come to: then it is choices. */
  private isRefusedForest(scope: Scope, node: Node): boolean {
    const dependencies = this.forestOf(node)?.dependencies ?? [];
    const planned = dependencies.map((dependency) => scope.get(dependency));
    const isRefused = planned.some((each) => each !== undefined && !isValue(each) && each.kind === "refused");
    return isRefused || this.refusals.isAmong(dependencies);
  }

  /** Whether one branch of a node may be enough; a forest looks at all of its numbers. */
  private isChoice(node: Node): boolean {
    return node.op === "select" && this.forestOf(node) === undefined;
  }

  get isBatch(): boolean {
    return this.context.batch !== undefined;
  }

  /** Why a node has no value: one that it needs has none. */
  private blocker(scope: Scope, node: Node): Planned | undefined {
    for (const dependency of this.dependenciesOf(node)) {
      const planned = scope.get(dependency);
      if (planned !== undefined && !isValue(planned)) return planned;
    }
    return undefined;
  }

  /** A value, with what the plan knows of its node. Only the default of an input is not counted: it has one user. */
  private used(node: Node, value: Value): UsedValue {
    const { uses: counts } = this;
    return { node, value: withoutCells(value, node.type), uses: counts.get(node) ?? 1 };
  }

  /** How often each node is used by others, or is a result. */
  private count(roots: readonly Node[]): void {
    const open: Node[] = [];
    const use = (node: Node): void => {
      const uses = this.uses.get(node) ?? 0;
      if (uses === 0) open.push(node);
      this.uses.set(node, uses + 1);
    };
    for (const root of roots) use(root);
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const input of this.forestOf(node)?.dependencies ?? readBy(node)) use(input);
  }

  allow(cells: number, span: Span, rows?: number): void {
    this.context.allow(cells, span, rows);
  }

  allowProduced(cells: number, span: Span): void {
    this.context.allowProduced(cells, span);
  }

  hiding(): Hiding {
    return hidingOf(this.hidings++);
  }

  constant({ value: tensor }: NodeOf<"constant">): Value {
    if (tensor.type.isScalar) return constant(tensor.at(0));
    const { type, sizes } = tensor;
    const buffer: Buffer = this.constants.get(tensor) ?? {
      cellType: type.cellType,
      length: tensor.rows * tensor.blockCells,
      origin: { kind: "constant", tensor },
    };
    this.constants.set(tensor, buffer);
    return valueIn(buffer, type, sizes, type.isDense ? undefined : indexOf(tensor));
  }
}

/** What a node is computed from: one loop computes both factors of a square, or operands of a join, as one. */
function readBy(node: Node): readonly Node[] {
  const dependencies = dependenciesOf(node);
  const [first, second, ...others] = dependencies;
  const isOneLoop = node.op === "join" || node.op === "reduce" || node.op === "apply";
  return isOneLoop && first !== undefined && first === second ? [first, ...others] : dependencies;
}

/**
 * Without a cell nothing tells how far the unbound dimensions of a tensor reach, nor which labels it has; and where one
 * factor has no rows, there are no rows of all factors together, whatever is reduced afterwards.
 */
function withoutCells(value: Value, type: TensorType): Value {
  if (type.isScalar || cellsIn(value.axes) > 0) return value;
  const rows = value.axes.filter((axis) => axis.factor !== undefined && !isHidden(axis));
  if (type.isBound && (rows.length < 2 || rows.every(({ size }) => size > 0))) return value;
  const axes = value.axes.map((axis): Axis => {
    if (isHidden(axis)) return axis;
    if (axis.factor !== undefined) return axis.size === 0 ? axis : factorAxis(emptyFactor(axis.factor.names));
    const dimension = type.dimension(axis.name);
    return dimension !== undefined && dimension.size === undefined ? indexedAxis(axis.name, 0) : axis;
  });
  return { axes, source: constant(0).source };
}
