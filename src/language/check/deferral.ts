import type { Graph } from "../core/graph.js";
import type { Node, Site } from "../core/operations.js";
import type { Expression } from "../syntax/tree.js";
import type { TensorType } from "../types/type.js";
import type { Scope } from "./scope.js";

/**
 * Deep nesting without a deep stack. An expression that is met so many levels down is put off: what is being elaborated is
 * given up, the expression is elaborated first, on a stack that is empty again, and then what was given up once more, which
 * finds its value. What is done twice is not reported twice, and equal nodes are one.
 */

/** A level is some ten frames, of expressions in each other and of functions that call each other. */
const mostLevels = 150;

/** An expression that is met again and again, since nobody finds its value, is elaborated where it stands. */
const mostDeferrals = 3;

interface Task {
  readonly elaborate: () => Node | undefined;
  readonly site: Site | undefined;
  readonly store: (node: Node | undefined) => void;
}

interface BinderScope {
  readonly scope: Scope;
  readonly types: readonly TensorType[];
}

/** What is thrown to give up what is being elaborated. */
class Deferred {
  constructor(readonly task: Task) {}
}

export class Deferral {
  private level = 0;
  /** Values of expressions that were put off, in their scopes. */
  private readonly values = new WeakMap<Scope, Map<Expression, { readonly node: Node | undefined }>>();
  /** The latest scopes of binders, by the scopes that they stand in. */
  private readonly scopes = new WeakMap<Scope, Map<object, BinderScope>>();
  private readonly counts = new Map<object, number>();

  constructor(private readonly graph: Graph) {}

  /** The node of an expression in a scope: from `elaborate`, or from when it was put off. */
  node(tree: Expression, scope: Scope, elaborate: () => Node | undefined): Node | undefined {
    if (this.level === 0) return this.outermost(elaborate);
    if (this.counts.size > 0) {
      const found = this.values.get(scope)?.get(tree);
      if (found !== undefined) return found.node;
    }
    // A call that can be found again was put off before, if there is one.
    if (this.level > 2 * mostLevels)
      this.defer(tree, elaborate, (node) => {
        const ofScope = this.values.get(scope) ?? new Map();
        this.values.set(scope, ofScope.set(tree, { node }));
      });
    this.level++;
    const node = elaborate();
    this.level--;
    return node;
  }

  /** The scope of a binder, which is the same one when the binder is elaborated again on parameters of these types. */
  binder(tree: object, outer: Scope, types: readonly TensorType[], create: () => Scope): Scope {
    const ofOuter = this.scopes.get(outer) ?? new Map<object, BinderScope>();
    const latest = ofOuter.get(tree);
    const isSame =
      latest?.types.length === types.length && types.every((type, at) => latest.types[at]?.equals(type));
    if (latest !== undefined && isSame) return latest.scope;
    const scope = create();
    this.scopes.set(outer, ofOuter.set(tree, { scope, types }));
    return scope;
  }

  /** Puts off a call that is too deep, which is found again by whoever stores its value. */
  call(body: Expression, elaborate: () => Node | undefined): void {
    if (this.level > mostLevels) this.defer(body, elaborate, () => undefined);
  }

  private defer(tree: Expression, elaborate: Task["elaborate"], store: Task["store"]): void {
    const count = (this.counts.get(tree) ?? 0) + 1;
    if (count > mostDeferrals) return;
    this.counts.set(tree, count);
    throw new Deferred({ elaborate, store, site: this.graph.site });
  }

  /** Elaborates an expression, and whatever is put off meanwhile before it. */
  private outermost(elaborate: () => Node | undefined): Node | undefined {
    const { site } = this.graph;
    const tasks: Task[] = [{ elaborate, site, store: () => undefined }];
    let node: Node | undefined;
    for (let task = tasks.at(-1); task !== undefined; task = tasks.at(-1)) {
      this.level = 1;
      this.graph.site = task.site;
      try {
        node = task.elaborate();
        task.store(node);
        tasks.pop();
      } catch (error) {
        if (!(error instanceof Deferred)) throw error;
        tasks.push(error.task);
      } finally {
        this.level = 0;
        this.graph.site = site;
      }
    }
    return node;
  }
}
