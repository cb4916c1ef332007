import { mostLevels } from "../../language/core/graph.js";
import { inputsOf, type Lambda, type Node, type Table, visit } from "../../language/core/operations.js";
import { append } from "../../language/source/lists.js";
import type { Span } from "../../language/source/span.js";
import { element, entry } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import type { Steps } from "../meter.js";
import {
  boxed,
  type EvaluationContext,
  type EvaluationOptions,
  type Fill,
  type Put,
  type ReferenceValue,
  unboxed,
} from "./context.js";
import { host } from "./hosting.js";
import { concat, join, merge } from "./joining.js";
import { filterSubspaces, generate, literal, map, mapSubspaces, random } from "./making.js";
import { reduce } from "./reducing.js";
import { apply, cast, order, rename, select, slice } from "./shaping.js";
import { type Tape, tapeOf } from "./tape.js";

export { boxed, type ReferenceValue, unboxed, type Watch } from "./context.js";

type Operate = {
  readonly [O in Node["op"]]: (
    run: EvaluationContext,
    node: Extract<Node, { op: O }>,
  ) => Steps<ReferenceValue>;
};

/** How each operation is computed, once the nodes that it needs have values. */
const operations: Operate = {
  // biome-ignore lint/correctness/useYield: a constant takes no time
  constant: function* (_, { value }) {
    return unboxed(value);
  },
  input: (run, { name, span }) => run.options.input(name, span),
  // biome-ignore lint/correctness/useYield: a parameter takes no time
  parameter: function* (run, { level, position }) {
    return run.parameter(level, position);
  },
  random,
  apply,
  select,
  map,
  reduce,
  join,
  merge,
  rename,
  concat,
  generate,
  slice,
  literal,
  cast,
  order,
  mapSubspaces,
  filterSubspaces,
  host,
};

/** The nodes whose values an operation needs first. A generator and a choice determine theirs themselves. */
const dependencies: Table<[EvaluationContext], readonly Node[]> = {
  ...inputsOf,
  generate: () => [],
  select: ({ condition, yes, no }, run) => {
    const chosen = run.lookUp(condition);
    return chosen === undefined ? [condition] : [chosen !== 0 ? yes : no];
  },
};

/** Finds the values of the nodes of one closed graph, each once for each combination of what it depends on. */
export class Evaluation implements EvaluationContext {
  /** Values by the innermost level that they depend on. */
  private readonly values: Map<Node, ReferenceValue>[] = [new Map()];
  private readonly parameters: ReferenceValue[][] = [];

  constructor(
    readonly options: EvaluationOptions,
    private readonly tapes = new Map<string, Tape | undefined>(),
  ) {}

  /** How many nodes of the graph itself have a value. */
  get computedCount(): number {
    return element(this.values, 0).size;
  }

  lookUp(node: Node): ReferenceValue | undefined {
    return this.values[levelOf(node)]?.get(node);
  }

  /** The nodes of the graph itself that have a value, with theirs. */
  closed(): Iterable<readonly [Node, ReferenceValue]> {
    return element(this.values, 0);
  }

  /** Sets the value of a closed node that was computed elsewhere. */
  define(node: Node, value: ReferenceValue): void {
    this.level(levelOf(node)).set(node, value);
  }

  parameter(level: number, position: number): ReferenceValue {
    return element(element(this.parameters, level), position);
  }

  computed(node: Node): ReferenceValue {
    return entry(element(this.values, levelOf(node)), node);
  }

  scalar(node: Node): number {
    const value = this.lookUp(node);
    if (typeof value !== "number") throw new Error(`the value of node ${node.id} is no scalar`);
    return value;
  }

  tensor(node: Node): Tensor {
    return boxed(this.computed(node), node.type);
  }

  /** The value of a node, children first. */
  *value(root: Node): Steps<ReferenceValue> {
    const open = [root];
    for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
      if (this.lookUp(node) === undefined) {
        const before = open.length;
        // The first is computed first: random numbers are drawn in the order in which they are written.
        for (const dependency of visit(dependencies, node, this).toReversed())
          if (this.lookUp(dependency) === undefined) open.push(dependency);
        if (open.length > before) continue;
        // The entry under a node's own operation takes that node; TypeScript cannot see this of a union.
        const operate = operations[node.op] as (run: EvaluationContext, node: Node) => Steps<ReferenceValue>;
        this.options.watch?.begins(node);
        const value = yield* operate(this, node);
        this.level(levelOf(node)).set(node, value);
        // What depends on a parameter is forgotten with it, and a constant was counted when it was made.
        if (typeof value !== "number" && levelOf(node) === 0 && !isElsewhere(node))
          this.options.meter.store(value.bytes, node.span);
        this.options.watch?.ends(node);
        if (this.options.meter.spend(1, node.span)) yield;
      }
      open.pop();
    }
    return this.computed(root);
  }

  private level(level: number): Map<Node, ReferenceValue> {
    while (this.values.length <= level) this.values.push(new Map());
    return element(this.values, level);
  }

  /** The value of a body with these parameters at this level. */
  *with(level: number, parameters: ReferenceValue[], body: Node): Steps<ReferenceValue> {
    this.parameters[level] = parameters;
    for (let inner = Math.min(level, mostLevels); inner < this.values.length; inner++)
      this.values[inner]?.clear();
    return yield* this.value(body);
  }

  /** An evaluation of its own with these parameters at this level, which shares all that does not depend on them. */
  nested(level: number, parameters: ReferenceValue[]): Evaluation {
    const inner = new Evaluation(this.options, this.tapes);
    for (let outer = 0; outer < Math.min(level, mostLevels); outer++) inner.values[outer] = this.level(outer);
    append(inner.parameters, this.parameters);
    inner.parameters[level] = parameters;
    return inner;
  }

  callable({ body }: Lambda): (...parameters: ReferenceValue[]) => Steps<ReferenceValue> {
    const inner = new Evaluation(this.options);
    return (...parameters) => inner.with(1, parameters, body);
  }

  *lambda(lambda: Lambda, count: number, fill: Fill, put: Put, span: Span): Steps<void> {
    const inner = new Evaluation(this.options);
    yield* inner.loop(lambda.body, 1, lambda.parameters.length, count, fill, put, span);
  }

  *loop(
    body: Node,
    level: number,
    parameters: number,
    count: number,
    fill: Fill,
    put: Put,
    span: Span,
  ): Steps<void> {
    const { meter } = this.options;
    const tape = this.tape(body, level, parameters);
    const registers = new Float64Array(tape?.length ?? parameters);
    if (tape === undefined) {
      // A closed generator has the level of the one whose body it stands in, which goes on afterwards.
      const inner = this.nested(level, []);
      for (let at = 0; at < count; at++) {
        fill(at, registers);
        put(at, (yield* inner.with(level, [...registers], body)) as number); // a scalar body has a scalar value
      }
      return;
    }
    for (const [at, node] of tape.outside.entries())
      registers[parameters + at] = (yield* this.value(node)) as number; // as above
    for (let at = 0; at < count; at++) {
      fill(at, registers);
      put(at, tape.run(registers));
      if (meter.spend(tape.length, span)) yield;
    }
  }

  private tape(body: Node, level: number, parameters: number): Tape | undefined {
    // Generators of different types may share a body, such as `x`.
    const key = `${body.id} ${level} ${parameters}`;
    if (!this.tapes.has(key)) this.tapes.set(key, tapeOf(body, level, parameters));
    return this.tapes.get(key);
  }
}

/** Whether the cells of a node were stored before it is computed. */
const isElsewhere = ({ op }: Node): boolean => op === "constant" || op === "input" || op === "select";

const levelOf = (node: Node): number => 32 - Math.clz32(node.depends);
