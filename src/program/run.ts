import { Engine, type EngineOptions } from "../backends/engine/engine.js";
import { machines } from "../backends/engine/machine/machines.js";
import type { EngineRun } from "../backends/engine/machine/reference-call.js";
import type { Root } from "../backends/engine/plan/plan.js";
import { Meter, type Steps } from "../backends/meter.js";
import { boxed, Evaluation, type ReferenceValue, unboxed } from "../backends/reference/evaluation.js";
import type { Trace } from "../inspect/provenance/trace.js";
import type { CheckedProgram } from "../language/check/program.js";
import type { Node } from "../language/core/operations.js";
import { SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import type { TensorType } from "../language/types/type.js";
import type { Tensor } from "../language/values/tensor.js";
import { optimised } from "../optimise/optimise.js";
import { hostSpan } from "./inputs.js";
import { problem } from "./messages.js";
import { limitsOf, type Options } from "./options.js";
import { uniform } from "./random.js";

/** The engines of a program: one for its results together, and one for each named value that was requested. */
export class Engines {
  private readonly cache = new Map<string | undefined, Engine>();

  constructor(
    readonly checked: CheckedProgram,
    private readonly options: Options,
    /** The roots that are optimised already. */
    private readonly optimised = new Map<string | undefined, readonly Root[]>(),
  ) {}

  /** Engines with options of their own for the same program, which is optimised once for all of them. */
  fresh(): Engines {
    return new Engines(this.checked, this.options, this.optimised);
  }

  /** The engine for a named value, or for the results; undefined where the backend is the reference. */
  engine(name: string | undefined, options: EngineOptions = {}): Engine | undefined {
    const { backend = "engine" } = this.options;
    if (backend === "reference") return undefined;
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    const engine = new Engine(this.roots(name), machines.named(backend), options);
    this.cache.set(name, engine);
    return engine;
  }

  /** What an engine runs: the results, or a named value; optimised unless the options say otherwise. */
  roots(name: string | undefined): readonly Root[] {
    const cached = this.optimised.get(name) ?? this.optimisedRoots(name);
    this.optimised.set(name, cached);
    return cached;
  }

  private optimisedRoots(name: string | undefined): readonly Root[] {
    const { results, graph } = this.checked;
    const roots = name === undefined ? results : [namedRoot(this.checked, name)];
    const nodes = roots.map(({ node }) => node);
    const others = this.options.optimise === false ? nodes : optimised(nodes, graph);
    return roots.map(({ node, span }, at) => ({ node: others[at] ?? node, span }));
  }
}

/** A result of a program: its type, its span, and its name if it is a named value. */
export interface ResultType {
  readonly type: TensorType;
  readonly span: Span;
  readonly name?: string;
}

/** The results of a run, by position; named values are computed on request. */
export interface Results {
  readonly results: readonly Tensor[];
  /** @throws SphexError for a name that the program does not define. */
  readonly value: (name: string) => Tensor;
}

/** One run: a backend with its inputs, the defaults of missing ones, and its meter. */
export class Run implements EngineRun {
  private reference: Evaluation | undefined;
  readonly random: () => number;
  /** The random values so far, shared with named values that are requested later. */
  readonly drawn: EngineRun["drawn"] = new Map();
  readonly meter: Meter;

  constructor(
    private readonly checked: CheckedProgram,
    private readonly tensors: ReadonlyMap<string, Tensor>,
    options: Options,
    private readonly engines: Engines,
    private readonly trace?: Trace,
  ) {
    this.meter = new Meter(limitsOf(options), options.clock);
    this.random = options.random ?? uniform(0);
  }

  /** The reference evaluator, created when it is first needed. */
  get evaluation(): Evaluation {
    const { meter, random } = this;
    const input = (name: string, span: Span): Steps<ReferenceValue> => this.inputValue(name, span);
    this.reference ??= new Evaluation({ meter, random, input, watch: this.trace });
    return this.reference;
  }

  input(name: string): Tensor | undefined {
    return this.tensors.get(name);
  }

  sizeOf(dimension: string): number | undefined {
    for (const { type } of this.tensors.values()) {
      const match = type.dimension(dimension);
      if (match !== undefined) return match.size;
    }
    return undefined;
  }

  defaultOf(name: string, span: Span): Node {
    return defaultOf(this.checked, name, span);
  }

  *results(): Steps<readonly Tensor[]> {
    return yield* this.evaluate(this.engines.engine(undefined), this.checked.results);
  }

  /** The values of these nodes, by the engine for them, or by the reference. */
  private *evaluate(
    engine: Engine | undefined,
    roots: readonly { readonly node: Node }[],
  ): Steps<readonly Tensor[]> {
    if (engine !== undefined) return yield* engine.run(this);
    const results: Tensor[] = [];
    for (const { node } of roots) results.push(boxed(yield* this.evaluation.value(node), node.type));
    return results;
  }

  /** Computes these nodes in the reference evaluator, to be traced. */
  *values(roots: readonly { readonly node: Node }[]): Steps<void> {
    for (const { node } of roots) yield* this.evaluation.value(node);
  }

  *named(name: string): Steps<Tensor> {
    const root = namedRoot(this.checked, name);
    const [value] = yield* this.evaluate(this.engines.engine(name), [root]);
    if (value === undefined) throw new Error(`${name} has no value`);
    return value;
  }

  /** The value that a tensor was declared with. */
  *declared(name: string): Steps<Tensor> {
    const { type, value } = this.checked.declared.get(name) ?? {};
    if (type === undefined || value === undefined) throw new Error(`${name} was not declared with a value`);
    return boxed(yield* this.evaluation.value(value), type);
  }

  private *inputValue(name: string, span: Span): Steps<ReferenceValue> {
    const tensor = this.tensors.get(name);
    if (tensor !== undefined) return unboxed(tensor);
    return yield* this.evaluation.value(defaultOf(this.checked, name, span));
  }
}

/** The default of a missing input. */
function defaultOf({ declared }: CheckedProgram, name: string, span: Span): Node {
  const { type, value } = declared.get(name) ?? {};
  if (value !== undefined) return value;
  throw new SphexError([problem("input/missing", span, { name, type })]);
}

function namedRoot({ values }: CheckedProgram, name: string): Root {
  const node = values.get(name);
  if (node === undefined) throw unknownName(name);
  return { node, span: node.span };
}

export function unknownName(name: string): SphexError {
  const values = { name, nearest: undefined, isFunction: false };
  return new SphexError([problem("name/unknown", hostSpan(name, name), values)]);
}
