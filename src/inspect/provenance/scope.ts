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
import type { Tensor } from "../../language/values/tensor.js";
import { cellAt, within } from "./cells.js";

/** A cell of a node's value. The same node has other values in other scopes. */
export interface Cell {
  readonly scope: Scope;
  readonly node: Node;
  readonly address: TextAddress;
}

/** Where the cells of a parameter come from; those of an index of a generator from nowhere. */
type Source = (address: TextAddress) => Cell;

/**
 * A place where nodes have values: the program, one turn of a generator in it, or the body of a lambda for certain
 * parameters. Inner scopes are entered when somebody asks about a cell that was made in one.
 */
export class Scope {
  private readonly inner = new Map<string, Scope>();

  constructor(
    private readonly evaluation: Evaluation,
    /** Of the level whose parameters are set here. */
    private readonly bit = 0,
    /** The scope around a turn; the graph of a lambda is closed. */
    private readonly outer?: Scope,
    private readonly sources: readonly Source[] = [],
    /** What parameters are called, as far as is known. */
    private readonly names: readonly string[] = [],
  ) {}

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

  /** A value that was found already. */
  known(node: Node): Tensor | undefined {
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
  turn({ id, level, type }: NodeOf<"generate">, indexes: readonly number[]): Scope {
    const evaluation = this.evaluation.nested(level, [...indexes]);
    const enter = (): Scope => new Scope(evaluation, levelBit(level), this, [], type.names);
    return this.entered(`${id} ${indexes}`, enter);
  }

  /** The lambda's body for the block in a row of the tensor. */
  block({ id, tensor }: NodeOf<"mapSubspaces" | "filterSubspaces">, row: number): Scope {
    const whole = this.tensor(tensor);
    const labels = whole.type.mapped.map(({ name }, at) => [name, whole.labels[row]?.[at] ?? ""] as const);
    const source: Source = (address) => {
      const inWhole = Object.fromEntries([...Object.entries(address), ...labels]);
      return { scope: this.home(tensor), node: tensor, address: within(inWhole, tensor.type) };
    };
    return this.entered(`${id} ${row}`, () => this.closed([subspace(whole, row)], [source]));
  }

  /** The lambda's body for these cells. */
  call(lambda: Lambda, cells: readonly Cell[]): Scope {
    const values = lambda.parameters.map((_, at) => {
      const cell = cells[at];
      return cell?.scope.value(cell.node, cell.address) ?? 0;
    });
    return this.closed(
      values,
      cells.map((cell) => () => cell),
    );
  }

  private closed(parameters: ReferenceValue[], sources: readonly Source[]): Scope {
    const evaluation = new Evaluation(this.evaluation.options).nested(1, parameters);
    return new Scope(evaluation, 0, undefined, sources);
  }

  private entered(key: string, enter: () => Scope): Scope {
    const scope = this.inner.get(key) ?? enter();
    this.inner.set(key, scope);
    return scope;
  }
}

const drawing = new WeakMap<Node, boolean>();

/** Whether a body draws at random each time: a second look at it would see other numbers. */
export function drawsAnew(body: Node): boolean {
  const known = drawing.get(body);
  if (known !== undefined) return known;
  const seen = new Set([body]);
  let draws = false;
  // A set goes on to what is added to it on the way.
  for (const node of seen) {
    draws ||= node.op === "random" && node.level > 0;
    for (const each of visit(inputsOf, node)) seen.add(each);
    const lambda = lambdaOf(node);
    if (lambda !== undefined) seen.add(lambda.body);
  }
  drawing.set(body, draws);
  return draws;
}
