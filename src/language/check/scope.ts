import type { Graph } from "../core/graph.js";
import type { Node, Site } from "../core/operations.js";
import type { Sizes } from "../core/run-sizes.js";
import type { Span } from "../source/span.js";
import type { Argument, Word } from "../syntax/tree.js";
import type { Names } from "./names.js";

/**
 * Names that are visible at a point of the text, from the inside out: parameters of lambdas, dimensions of generators, parameters
 * of functions. The names of the program come after all of these (`names.ts`).
 */
export class Scope {
  private readonly bindings = new Map<string, Binding>();
  private readonly bindingsOfArguments = new Map<Argument, Binding>();
  private ofArguments: Scope | undefined;

  constructor(
    /** The closed graph that is being built here: a lambda's body has its own and sees no value of another. */
    readonly frame: Frame,
    /** How many binders of the frame enclose this scope. */
    readonly level: number,
    /** The expansion that this scope belongs to; undefined in the program's own text. */
    readonly origin?: Origin,
    private readonly outer?: Scope,
    private readonly isApart: boolean = outer?.isApart ?? false,
    /** Whether it is an argument of a call, where Vespa puts in no inline functions for names that are bound. */
    readonly isOfArgument: boolean = outer?.isOfArgument ?? false,
  ) {}

  bind(name: string, binding: Binding): void {
    this.bindings.set(name, binding);
    if (binding.kind === "argument") this.bindingsOfArguments.set(binding.argument, binding);
  }

  find(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.outer) {
      const binding = scope.bindings.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /** The parameter that an argument is bound to here. */
  bindingOf(argument: Argument): Binding | undefined {
    return this.bindingsOfArguments.get(argument);
  }

  /** Whether the text of an argument that is bound here was used, and not its value alone. */
  get hasArgumentAsText(): boolean {
    return [...this.bindings.values()].some((each) => each.kind === "argument" && each.isText === true);
  }

  /** The body of a lambda with so many parameters, which is used in a frame: it has a frame of its own. */
  lambda(user: Frame, parameters: number, sizes?: Sizes): Scope {
    return new Scope(new Frame({ frame: user, parameters, sizes }), 1, this.origin, this);
  }

  /** The body of a generator: one more binder of the same frame. */
  generator(): Scope {
    return new Scope(this.frame, this.level + 1, this.origin, this);
  }

  /** The body of a lambda that computes an index or a cell: it sees what is seen here, and its parameters. */
  indexes(): Scope {
    return new Scope(this.frame, this.level, this.origin, this);
  }

  /** A cell of a literal, or an index of a slice, which Vespa deploys as it is written. */
  apart(): Scope {
    return new Scope(this.frame, this.level, this.origin, this, true);
  }

  /** The arguments of calls of functions: they see what is seen here. */
  get arguments(): Scope {
    this.ofArguments ??= new Scope(this.frame, this.level, this.origin, this, this.isApart, true);
    return this.ofArguments;
  }

  /** The body of a function called here: it sees its parameters, and nothing of the caller's. */
  expansion(origin: Origin): Scope {
    return new Scope(this.frame, this.level, origin);
  }

  /** The names of this scope, as seen from a lambda of another. */
  inFrameOf(other: Scope): Scope {
    return new Scope(other.frame, other.level, this.origin, this);
  }

  /** Whether values of the program itself may be seen: everywhere but in a lambda. */
  get isOutermostFrame(): boolean {
    return this.frame.isOutermost;
  }

  /** Whether Vespa makes something else of an expression here when it deploys a rank profile (`deployment.ts`). */
  get isDeployed(): boolean {
    return this.frame.isOutermost && !this.isApart;
  }

  /** The parameters of lambdas and dimensions of generators that have a value in this frame. */
  get localNames(): string[] {
    const own = [...this.bindings].flatMap(([name, each]) =>
      each.kind === "node" && each.frame === this.frame ? [name] : [],
    );
    const outer = this.outer?.frame === this.frame ? this.outer.localNames : [];
    return [...own, ...outer];
  }

  get names(): string[] {
    return [...this.bindings.keys(), ...(this.outer?.names ?? [])];
  }
}

/** A scalar of the frame around a lambda, what it is called there, and the parameter that stands for it. */
export interface Capture {
  readonly outer: Node;
  readonly name: string;
  readonly parameter: Node;
}

/** The identity of a closed graph. */
export class Frame {
  /** Scalars of the frame around, by what they are there, and the parameters that stand for them here. */
  private readonly captures = new Map<Node, Capture>();

  constructor(
    /** Of a lambda that may see scalars around it: where it is used, and how many parameters it has. */
    private readonly around?: {
      readonly frame: Frame;
      readonly parameters: number;
      readonly sizes?: Sizes | undefined;
    },
    readonly isOutermost = false,
  ) {}

  /** The frame of a program. */
  static outermost(): Frame {
    return new Frame(undefined, true);
  }

  /** Where the lambda is used that this is the frame of. */
  get user(): Frame | undefined {
    return this.around?.frame;
  }

  /** The sizes that a lambda's block has in the run that the program is for. */
  get sizes(): Sizes | undefined {
    return this.around?.sizes;
  }

  /** The frame around all others. */
  get outermost(): Frame {
    let frame: Frame = this;
    while (frame.user !== undefined) frame = frame.user;
    return frame;
  }

  /** What a scalar of a frame around is here: one more parameter of each lambda between. Nothing where that frame is not around. */
  capture(value: Node, name: string, of: Frame, graph: Graph): Node | undefined {
    if (of === this) return value;
    const outer = this.around?.frame.capture(value, name, of, graph);
    if (outer === undefined || this.around === undefined) return undefined;
    const existing = this.captures.get(outer);
    if (existing !== undefined) return existing.parameter;
    const position = this.around.parameters + this.captures.size;
    const parameter = graph.parameter(1, position, value.type, value.span);
    this.captures.set(outer, { outer, name, parameter });
    return parameter;
  }

  /** The scalars that became parameters, in their order. */
  get captured(): readonly Capture[] {
    return [...this.captures.values()];
  }
}

/** What a name of a scope stands for. */
export type Binding =
  | {
      readonly kind: "node";
      readonly node: Node;
      readonly frame: Frame;
      /** Of a generator's index: the dimension, which may be a parameter where it is written. */
      readonly dimension?: Word;
    }
  | ArgumentBinding;

/** An argument of a call, as the caller wrote it, and where that is understood. */
export interface ArgumentBinding {
  readonly kind: "argument";
  readonly argument: Argument;
  readonly scope: Scope;
  elaborated?: { readonly node: Node | undefined };
  /** Whether the argument was read as it is written: in a lambda's graph, or as the name of a feature. */
  isText?: boolean;
}

/** A call that is being expanded. */
export interface Origin {
  readonly name: string;
  readonly call: Span;
  readonly site: Site;
  readonly inPrelude: boolean;
  /** The names that the function's text sees. */
  readonly names: Names;
  /** The expansion that the call stands in. */
  readonly outer?: Origin | undefined;
  readonly depth: number;
  /** Where the function's name stands in the text that defines it: its identity. */
  readonly definedAt: Span;
}

/** What is known of a call before the scope that it stands in. */
type Expanded = Pick<Origin, "name" | "call" | "inPrelude" | "names" | "definedAt">;

/** The origin of a call that stands in a scope, with the expression that it becomes, if that is one. */
export function originIn(scope: Scope, expanded: Expanded, body?: Span): Origin {
  const { name, call } = expanded;
  const { origin: outer } = scope;
  const outermost = outer?.site.outermost ?? call;
  const site = { name, outermost, call, body, outer: outer?.site };
  return { ...expanded, site, outer, depth: (outer?.depth ?? 0) + 1 };
}
