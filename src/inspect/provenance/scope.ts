import { finish, type Meter } from "../../backends/meter.js";
import { boxed, Evaluation, type ReferenceValue } from "../../backends/reference/evaluation.js";
import { subspace } from "../../backends/reference/making.js";
import { levelBit } from "../../language/core/graph.js";
import {
  inputsOf,
  type Lambda,
  lambdaOf,
  type Node,
  type NodeOf,
  visit,
} from "../../language/core/operations.js";
import type { TextAddress } from "../../language/values/address.js";
import { element } from "../../language/values/element.js";
import type { Tensor } from "../../language/values/tensor.js";
import { addressWithin, cellAt } from "./cells.js";

/** A cell of a node's value. The same node has other values in other scopes. */
export interface Cell {
  readonly scope: Scope;
  readonly node: Node;
  readonly address: TextAddress;
}

/** The expression that an input has its value from, where a run gives it none and the value is computed. */
export type DefaultOf = (name: string) => Node | undefined;

/** Where the cells of a parameter come from; those of an index of a generator from nowhere. */
type CellSource = (address: TextAddress) => Cell;

/**
 * A context in which nodes have values: the program, one iteration of a generator, or the body of a lambda for certain
 * parameters. Inner scopes are created when a cell of one is inspected.
 */
export class Scope {
  private readonly inner = new Map<string, Scope>();

  constructor(
    private readonly evaluation: Evaluation,
    /** The bit of the level whose parameters are set here. */
    private readonly bit = 0,
    /** The scope around an iteration; the graph of a lambda is closed. */
    private readonly outer?: Scope,
    private readonly sources: readonly CellSource[] = [],
    /** The names of the parameters, where they have any. */
    private readonly names: readonly string[] = [],
    readonly defaultOf: DefaultOf = () => undefined,
  ) {}

  static ofProgram(evaluation: Evaluation, defaultOf: DefaultOf): Scope {
    return new Scope(evaluation, 0, undefined, [], [], defaultOf);
  }

  get meter(): Meter {
    return this.evaluation.options.meter;
  }

  /** The outermost scope in which a node has the value that it has here: equal cells are one. */
  home(node: Node): Scope {
    return this.outer === undefined || (node.depends & this.bit) !== 0 ? this : this.outer.home(node);
  }

  tensor(node: Node): Tensor {
    return boxed(finish(this.evaluation.value(node)), node.type);
  }

  scalar(node: Node): number {
    return this.tensor(node).at(0);
  }

  /** A value that the run has computed. */
  cachedValue(node: Node): Tensor | undefined {
    const value = this.evaluation.lookUp(node);
    return value === undefined ? undefined : boxed(value, node.type);
  }

  value(node: Node, address: TextAddress): number | undefined {
    return cellAt(this.tensor(node), address);
  }

  /** Where a cell of a parameter comes from. */
  source({ position }: NodeOf<"parameter">, address: TextAddress): Cell | undefined {
    return this.sources[position]?.(address);
  }

  nameOf({ position }: NodeOf<"parameter">): string | undefined {
    return this.names[position];
  }

  /** The body of a generator for these indexes. */
  iteration({ id, level, type }: NodeOf<"generate">, indexes: readonly number[]): Scope {
    const evaluation = this.evaluation.nested(level, [...indexes]);
    const enter = (): Scope => new Scope(evaluation, levelBit(level), this, [], type.names);
    return this.innerScope(`${id} ${indexes}`, enter);
  }

  /** The lambda's body for the block in a row of the tensor. */
  block({ id, tensor, lambda }: NodeOf<"mapSubspaces" | "filterSubspaces">, row: number): Scope {
    const whole = this.tensor(tensor);
    const texts = element(whole.labels, row);
    const labels = whole.type.mapped.map(({ name }, at) => [name, element(texts, at)] as const);
    const source: CellSource = (address) => {
      const inWhole = Object.fromEntries([...Object.entries(address), ...labels]);
      return { scope: this.home(tensor), node: tensor, address: addressWithin(inWhole, tensor.type) };
    };
    return this.innerScope(`${id} ${row}`, () => this.lambdaScope(lambda, [subspace(whole, row)], [source]));
  }

  /** The lambda's body for these cells. */
  call(lambda: Lambda, cells: readonly Cell[]): Scope {
    const values = lambda.parameters.map((_, at) => {
      const cell = cells[at];
      return cell?.scope.value(cell.node, cell.address) ?? 0;
    });
    return this.lambdaScope(
      lambda,
      values,
      cells.map((cell) => () => cell),
    );
  }

  private lambdaScope(
    { names }: Lambda,
    parameters: ReferenceValue[],
    sources: readonly CellSource[],
  ): Scope {
    const evaluation = new Evaluation(this.evaluation.options).nested(1, parameters);
    return new Scope(evaluation, 0, undefined, sources, names);
  }

  private innerScope(key: string, enter: () => Scope): Scope {
    const scope = this.inner.get(key) ?? enter();
    this.inner.set(key, scope);
    return scope;
  }
}

const drawsCache = new WeakMap<Node, boolean>();

/** Whether a body draws random numbers, or calls the host, each time: evaluated again, it might have other values. */
export function isVolatileBody(body: Node): boolean {
  const cached = drawsCache.get(body);
  if (cached !== undefined) return cached;
  const visited = new Set([body]);
  let draws = false;
  // Iterating over a set includes what is added meanwhile.
  for (const node of visited) {
    draws ||= (node.op === "random" && node.level > 0) || node.op === "host";
    for (const each of visit(inputsOf, node)) visited.add(each);
    const lambda = lambdaOf(node);
    if (lambda !== undefined) visited.add(lambda.body);
  }
  drawsCache.set(body, draws);
  return draws;
}
