import type { Graph } from "../core/graph.js";
import type { Lambda, Node, Selection } from "../core/operations.js";
import { isNumber } from "../core/patterns.js";
import { substituted } from "../core/rebuild.js";
import type { AggregatorName } from "../scalar/aggregators.js";
import type { ScalarName } from "../scalar/functions.js";
import type { Span } from "../source/span.js";
import { mapType, subspaceType } from "../types/algebra.js";
import { type Dimension, indexed, mapped, TensorType } from "../types/type.js";
import { element } from "../values/element.js";
import { cellsOf } from "../values/shape.js";
import { Tensor } from "../values/tensor.js";
import { isOfScalars } from "./node-order.js";

/** Reads a scalar function of x and y that is written in the language. */
export type LambdaReader = (text: string) => Lambda;

/** Where a derivative is asked for. */
export interface Surroundings {
  readonly graph: Graph;
  readonly span: Span;
  /** How many binders enclose it: those of the derivative are deeper. */
  readonly level: number;
  readonly lambda: LambdaReader;
}

/** Whether a tensor of the type always has the same cells. */
export const hasAllCells = ({ isDense, isBound }: TensorType): boolean => isDense && isBound;

/** The function of a cell and an indicator that takes the cell where the indicator is not 0. */
const pick = "if(y == 0, 0, x)";

/**
 * Builds what derivatives are made of. Functions of cells are texts of x and y, so that a rule reads as in a textbook. An
 * adjoint may have dimensions of its own besides those of its value: functions of cells pair up by name, and so carry them
 * along.
 */
export class Calculus {
  readonly graph: Graph;
  readonly span: Span;
  readonly level: number;
  private readonly lambdas = new Map<string, Lambda>();
  /** Tensors that others are along dimensions with sizes, again and again, by these others. */
  private readonly repeated = new Map<Node, Node>();

  constructor(
    private readonly surroundings: Surroundings,
    /** Names of dimensions that are in use. */
    private readonly names: Set<string>,
  ) {
    this.graph = surroundings.graph;
    this.span = surroundings.span;
    this.level = surroundings.level + 1;
  }

  /** A dimension that nothing has yet: `x1`, or the next number that is free. */
  freshName(name: string): string {
    let number = 1;
    while (this.names.has(`${name}${number}`)) number++;
    const fresh = `${name}${number}`;
    this.names.add(fresh);
    return fresh;
  }

  lambda(text: string): Lambda {
    const existing = this.lambdas.get(text) ?? this.surroundings.lambda(text);
    this.lambdas.set(text, existing);
    return existing;
  }

  /** A function of scalars with its parameters replaced. */
  applied(lambda: Lambda, values: readonly Node[]): Node {
    const parameters = values.map((_, at) => this.parameter(1, at));
    const replacements = new Map(values.map((value, at) => [parameters[at] ?? value, value]));
    return substituted(lambda.body, replacements, this.graph);
  }

  parameter(level: number, position: number): Node {
    return this.graph.parameter(level, position, TensorType.scalar, this.span);
  }

  number(value: number): Node {
    return this.graph.number(value, this.span);
  }

  /** A function of each cell x. One that makes tensors on the way stays a lambda, also where there is one cell. */
  each(tensor: Node, by: string | Lambda): Node {
    const { body } = typeof by === "string" ? this.lambda(by) : by;
    const lambda = { parameters: [TensorType.scalar], body };
    return tensor.type.isScalar && isOfScalars(lambda)
      ? this.applied(lambda, [tensor])
      : this.graph.map(tensor, lambda, this.span);
  }

  /** A function of each two cells x and y that meet, likewise. */
  both(left: Node, right: Node, by: string | Lambda): Node {
    const lambda = typeof by === "string" ? this.lambda(by) : by;
    return left.type.isScalar && right.type.isScalar && isOfScalars(lambda)
      ? this.applied(lambda, [left, right])
      : this.graph.join(left, right, lambda, this.span);
  }

  /** A scalar function of each cell, or of each two that meet. */
  function(name: ScalarName, [left, right]: readonly Node[]): Node {
    if (left === undefined) throw new Error(`${name} has no argument`);
    const parameters = [0, 1].slice(0, right === undefined ? 1 : 2).map((at) => this.parameter(1, at));
    const lambda = {
      parameters: parameters.map(({ type }) => type),
      body: this.graph.apply(name, parameters, this.span),
    };
    return right === undefined ? this.each(left, lambda) : this.both(left, right, lambda);
  }

  /** A product; a factor that is 1 everywhere is left out, if the other has all of the dimensions. */
  times(left: Node, right: Node): Node {
    if (isNumber(left, 1)) return right;
    if (isNumber(right, 1)) return left;
    return this.paired(left, right, "x * y", (inner) => this.times(inner, right));
  }

  /**
   * What `both` is, or of what the left side repeats, where the right side repeats that anyway: so a product is seen to be one of
   * matrices.
   */
  private paired(left: Node, right: Node, by: string, unrepeated: (inner: Node) => Node): Node {
    const pairs = this.both(left, right, by);
    const inner = this.repeated.get(left);
    if (inner === undefined) return pairs;
    const isCovered = left.type.dimensions.every(({ name, size }) =>
      [inner, right].some(({ type }) => type.dimension(name)?.size === size),
    );
    const direct = isCovered ? unrepeated(inner) : pairs;
    return direct.type.equals(pairs.type) ? direct : pairs;
  }

  /** The sum of tensors of the same dimensions, of which a cell may be absent where it is 0. */
  plus(left: Node, right: Node): Node {
    return [left, right].every(({ type }) => hasAllCells(type))
      ? this.both(left, right, "x + y")
      : this.graph.merge(left, right, this.lambda("x + y"), this.span);
  }

  /** The cells along these dimensions taken together: those that the tensor has. */
  reduced(tensor: Node, aggregator: AggregatorName, over: Iterable<string>): Node {
    const own = [...over].filter((name) => tensor.type.dimension(name) !== undefined);
    if (own.length > 0) return this.graph.reduce(tensor, aggregator, own, this.span);
    // Of each cell by itself, all aggregators but one give what it is.
    return aggregator === "count" ? this.filled(tensor, 1) : tensor;
  }

  /** The sum over the dimensions of `from` that `to` does not have. */
  summedTo(tensor: Node, to: TensorType, from: TensorType): Node {
    return this.reduced(
      tensor,
      "sum",
      from.names.filter((name) => to.dimension(name) === undefined),
    );
  }

  renamed(tensor: Node, from: readonly string[], to: readonly string[]): Node {
    const changed = from
      .map((name, at) => [name, element(to, at)] as const)
      .filter(([old, name]) => old !== name);
    if (changed.length === 0) return tensor;
    const side = (at: 0 | 1): string[] => changed.map((pair) => pair[at]);
    return this.graph.rename(tensor, side(0), side(1), this.span);
  }

  /** A tensor of the same number everywhere, with the addresses of another. */
  filled(shape: Node, value: number): Node {
    const { type } = shape;
    if (type.isScalar) return this.number(value);
    return hasAllCells(type)
      ? this.generated(mapType(type), () => this.number(value))
      : this.each(shape, `${value}`);
  }

  /** A tensor's cells repeated along the dimensions that only `shape` has, and none where `shape` has none. */
  spread(tensor: Node, shape: Node): Node {
    if (shape.type.isScalar) return tensor;
    const result = this.both(tensor, this.filled(shape, 1), "x");
    if (hasAllCells(shape.type)) this.repeated.set(result, tensor);
    return result;
  }

  /**
   * The adjoint of a sum over some dimensions of a tensor, in the sum's place: repeated along them. Where all of them are
   * indexed, the sum has all labels of the tensor, so that the adjoint has none that the tensor lacks.
   */
  repeatedAlong(adjoint: Node, tensor: Node): Node {
    const result = this.spread(adjoint, tensor);
    const hasAllLabels = tensor.type.mapped.every(({ name }) => adjoint.type.dimension(name) !== undefined);
    if (hasAllLabels && tensor.type.isBound && result !== adjoint) this.repeated.set(result, adjoint);
    return result;
  }

  /** Zeros at the addresses of `shape`, with the further dimensions of an adjoint of `value`. */
  zerosLike(shape: Node, adjoint: Node, value: TensorType): Node {
    const zeros = this.filled(shape, 0);
    const further = adjoint.type.names.some((name) => value.dimension(name) === undefined);
    if (!further) return zeros;
    return this.both(this.reduced(this.filled(adjoint, 0), "sum", value.names), zeros, "x");
  }

  generated(type: TensorType, body: (indexes: readonly Node[]) => Node, level = this.level): Node {
    const indexes = type.names.map((_, at) => this.parameter(level, at));
    return this.graph.generate(type, level, body(indexes), this.span);
  }

  /** The indexes of a tensor along a dimension: 0, 1, 2 …; where it is unbound, they are the ranks of equal cells. */
  indexes(tensor: Node, name: string): Node {
    const size = tensor.type.dimension(name)?.size;
    if (size !== undefined) return this.counted(name, size);
    const others = tensor.type.names.filter((each) => each !== name);
    return this.graph.order(this.filled(this.reduced(tensor, "max", others), 0), false, this.span);
  }

  /** 0, 1, 2 … along a dimension. */
  counted(name: string, size: number): Node {
    return this.generated(
      TensorType.of("double", [indexed(name, size)]),
      ([index]) => index ?? this.number(0),
    );
  }

  /**
   * 1 where the index along a dimension of a tensor is the whole part of a label, for each label that there is. In this form the engine
   * knows it: a sum of cells that it picks is a gather, or a scatter.
   */
  indicator(tensor: Node, dimension: string, label: Node): Node {
    const whole = this.each(label, "if(x < 0, ceil(x), floor(x))");
    return this.both(this.indexes(tensor, dimension), whole, "x == y");
  }

  /** The cells where an indicator is not 0, and zeros where it is, whatever the cells are there. */
  picked(cells: Node, indicator: Node): Node {
    return this.paired(cells, indicator, pick, (inner) => this.picked(inner, indicator));
  }

  /** Whether a function of two cells is that of `picked`. */
  isPick({ body }: Lambda): boolean {
    return body === this.lambda(pick).body;
  }

  /** Ones at a label of one dimension, on which the cells of an adjoint are to stand again. */
  labelled(tensor: Node, { dimension, label }: Selection): Node {
    const kind = tensor.type.dimension(dimension)?.kind;
    if (kind === "indexed") {
      const index = typeof label === "string" ? this.number(Number(label)) : label;
      return this.indicator(tensor, dimension, index);
    }
    if (typeof label !== "string") throw new NotDifferentiable("label", tensor);
    return this.single(TensorType.of("double", [mapped(dimension)]), [label], 0);
  }

  /** A tensor with one 1, in a block of zeros if it has more cells. */
  single(type: TensorType, labels: readonly string[], offset: number): Node {
    const sizes = type.declaredSizes;
    const cells = new Float64Array(cellsOf(sizes));
    cells[offset] = 1;
    return this.graph.constant(Tensor.of(type.withCells("double"), sizes, [labels], cells), this.span);
  }

  /** The part of a tensor that begins at an index of a dimension, as long as it is in `shape`. */
  part(tensor: Node, name: string, start: number, size: number): Node {
    const shift = (block: Node, level: number): Node => {
      const { cellType, dimensions } = block.type;
      const isAlong = (each: Dimension): boolean => each.name === name;
      const type = TensorType.of(
        cellType,
        dimensions.map((each) => (isAlong(each) ? indexed(name, size) : each)),
      );
      return this.generated(
        type,
        (indexes) => {
          const at = type.dimensions.map((each, position): Selection => {
            const index = indexes[position] ?? this.number(0);
            const label = isAlong(each) ? this.both(index, this.number(start), "x + y") : index;
            return { dimension: each.name, label };
          });
          return this.graph.slice(block, at, this.span);
        },
        level,
      );
    };
    if (tensor.type.isDense) return shift(tensor, this.level);
    const block = subspaceType(tensor.type);
    const body = shift(this.graph.parameter(1, 0, block, this.span), 2);
    return this.graph.mapSubspaces(tensor, { parameters: [block], body }, this.span);
  }

  /**
   * An adjoint with the sizes of its value: cells beyond those of a shorter operand are left out, and zeros follow those
   * that a longer one did not use.
   */
  resized(adjoint: Node, value: Node, from: TensorType): Node {
    const shared = value.type.indexed.filter((each) => adjoint.type.dimension(each.name) !== undefined);
    const differs = (each: Dimension): boolean => {
      const before = from.dimension(each.name);
      return before !== undefined && (each.size === undefined || before.size !== each.size);
    };
    if (!shared.some(differs)) return adjoint;
    const zeros = this.filled(value, 0);
    const side = this.freshName("side");
    const padded = this.graph.concat(
      zeros,
      value.type.isBound ? adjoint : this.unbound(adjoint, value.type),
      side,
      true,
      this.span,
    );
    const slice = this.graph.slice(padded, [{ dimension: side, label: "1" }], this.span);
    return this.both(slice, this.filled(value, 1), "x");
  }

  /** The same cells without bounds on the dimensions that a type has. */
  unbound(tensor: Node, of: TensorType): Node {
    const dimensions = tensor.type.dimensions.map((each) =>
      each.kind === "indexed" && of.dimension(each.name) !== undefined ? indexed(each.name) : each,
    );
    return this.graph.cast(tensor, tensor.type.withDimensions(dimensions), this.span);
  }
}

/**
 * Why there is no derivative of an operation: a label that is computed, something in a generator that has no form outside, or what
 * would be drawn once more.
 */
export type NotDifferentiableReason =
  | "label"
  | "cell_order"
  | "filter_subspaces"
  | "choice"
  | "host"
  | "random";

export class NotDifferentiable extends Error {
  constructor(
    readonly reason: NotDifferentiableReason,
    readonly node: Node,
  ) {
    super(reason);
  }
}
