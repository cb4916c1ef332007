import { levelBit } from "../core/graph.js";
import {
  inputsOf,
  type Lambda,
  type Node,
  type NodeOf,
  type Selection,
  type Table,
  visit,
} from "../core/operations.js";
import { rebuilt, substituted } from "../core/rebuild.js";
import { mapType } from "../types/algebra.js";
import { type Dimension, indexed, mapped, TensorType } from "../types/type.js";
import { Tensor } from "../values/tensor.js";
import { aligned, inEachBlock, ones, repeatedAlong } from "./alignment.js";
import { type Calculus, hasAllCells, NotDifferentiable, type NotDifferentiableReason } from "./calculus.js";
import { dependents, differentiable, inputsFirst } from "./node-order.js";

/**
 * A graph of the same value without binders around what depends on `x`: a generator's body computes each cell by itself, and a
 * subspace's lambda each block; here the indexes of the generator and the labels of the blocks are dimensions of the tensors
 * of the body instead. Then the derivatives of the other operations are enough. What is retained stays the node that it is.
 */
export function vectorised(root: Node, x: Node, calculus: Calculus, retained?: Node): Vectorised {
  const active = new Set(dependents(root, x));
  if (retained !== undefined) active.delete(retained);
  const vectorising = new Vectorising(x, calculus, active);
  return { root: vectorising.outermost(root), originals: vectorising.originals };
}

/** A graph, and nodes of it whose values are quicker to compute as they were written, by what binders enclose. */
interface Vectorised {
  readonly root: Node;
  readonly originals: ReadonlyMap<Node, Node>;
}

/** What a body depends on that is bound around it. */
interface Surrounding {
  /** The indexes of generators, and the dimensions that they become, which have names of their own. */
  readonly indexes: ReadonlyMap<Node, Dimension>;
  /** The block of a lambda, and the whole tensor in its place. */
  readonly block?: { readonly parameter: Node; readonly tensor: Node; readonly isWhole: boolean };
  /** The level of binders here. */
  readonly level: number;
  /** The bits of the levels that are bound. */
  readonly mask: number;
}

class Vectorising {
  /** What took the place of a node, with sums over indicators in it, and the node. */
  readonly originals = new Map<Node, Node>();
  private readonly results = new Map<Node, Node>();
  /** How many slices became sums over indicators so far. */
  private indicators = 0;

  constructor(
    private readonly x: Node,
    readonly calculus: Calculus,
    private readonly active: Set<Node>,
  ) {}

  /** A node of the graph around all binders. */
  outermost(root: Node): Node {
    const existing = this.results.get(root);
    if (existing !== undefined) return existing;
    const none: Surrounding = { indexes: new Map(), level: this.calculus.level, mask: 0 };
    const inputs = (node: Node): readonly Node[] => (this.isOpen(node) ? this.outside(node) : []);
    for (const node of inputsFirst(root, inputs)) {
      if (this.results.has(node)) continue;
      const { indicators } = this;
      const result = !this.isOpen(node)
        ? node
        : node.op === "generate" || node.op === "mapSubspaces"
          ? visit(forms, node, this, none, this.to)
          : rebuilt(node, inputs(node), this.to, this.calculus.graph);
      this.results.set(node, result);
      if (this.indicators > indicators && result.type.equals(node.type)) this.originals.set(result, node);
    }
    return this.to(root);
  }

  private readonly to = (node: Node): Node => this.results.get(node) ?? node;

  private isOpen(node: Node): boolean {
    return node !== this.x && this.active.has(node);
  }

  /** What a node is computed from that no binder of its own encloses. */
  private outside(node: Node): readonly Node[] {
    if (node.op !== "generate") return visit(differentiable, node);
    const bit = levelBit(node.level);
    const inside = (each: Node): boolean => (each.depends & bit) !== 0;
    const nodes = inputsFirst(node.body, (each) => (inside(each) ? visit(differentiable, each) : []));
    return nodes.filter((each) => !inside(each) && this.active.has(each));
  }

  /** A body as tensors with the dimensions of what surrounds it. */
  body(root: Node, around: Surrounding): Node {
    const results = new Map<Node, Node>();
    const to = (node: Node): Node => {
      const result = results.get(node) ?? this.inactive(node, around);
      results.set(node, result);
      return result;
    };
    const inputs = (node: Node): readonly Node[] => {
      if (!this.mustBeOpened(node, around) || node.op === "generate") return [];
      // Conditions and labels, too: a block that has got further dimensions is another one for each of their indexes.
      return visit(inputsOf, node);
    };
    for (const node of inputsFirst(root, inputs))
      if (this.mustBeOpened(node, around)) results.set(node, visit(forms, node, this, around, to));
    return to(root);
  }

  isInside(node: Node, around: Surrounding): boolean {
    return (node.depends & around.mask) !== 0;
  }

  private mustBeOpened(node: Node, around: Surrounding): boolean {
    if (node === around.block?.parameter || !this.isInside(node, around)) return false;
    if (this.active.has(node)) return true;
    const dependsOnBlock =
      around.block !== undefined && !around.block.isWhole && this.dependsOn(node, around.block.parameter);
    return dependsOnBlock || !hasAllCells(node.type);
  }

  private dependsOn(node: Node, parameter: Node): boolean {
    return inputsFirst(node, (each) => (each.depends === 0 ? [] : visit(inputsOf, each))).includes(parameter);
  }

  /** A node that `x` has no part in: all of its values at once, by a generator or by blocks. */
  private inactive(node: Node, around: Surrounding): Node {
    const { block, level, indexes } = around;
    if (node === block?.parameter) return block.tensor;
    if (!this.isInside(node, around)) return this.active.has(node) ? this.outermost(node) : node;
    const used = [...indexes].filter(([parameter]) => this.dependsOn(node, parameter));
    const isOfBlock = block !== undefined && this.dependsOn(node, block.parameter);
    const all = used.length === 0 ? node : this.generated(node, used, isOfBlock ? 2 : level);
    if (!isOfBlock) return all;
    const lambda: Lambda = { parameters: [block.parameter.type], body: all };
    return this.calculus.graph.mapSubspaces(block.tensor, lambda, node.span);
  }

  private generated(node: Node, used: readonly [Node, Dimension][], level: number): Node {
    const { calculus } = this;
    const cells = node.type.isScalar ? "double" : mapType(node.type).cellType;
    const type = TensorType.of(cells, [...used.map(([, dimension]) => dimension), ...node.type.dimensions]);
    const index = (name: string): Node => calculus.parameter(level, type.names.indexOf(name));
    const replacements = new Map(used.map(([parameter, { name }]) => [parameter, index(name)]));
    const value = substituted(node, replacements, calculus.graph);
    const at = node.type.names.map((name): Selection => ({ dimension: name, label: index(name) }));
    return calculus.generated(
      type,
      () => (at.length === 0 ? value : calculus.graph.slice(value, at, node.span)),
      level,
    );
  }

  /** Two operands with the dimensions that the other has got. */
  aligned([left, right]: readonly [Node, Node], to: (node: Node) => Node): [Node, Node] {
    return aligned([to(left), to(right)], [left.type, right.type], this.calculus);
  }

  /** The value of a generator: its body with an axis for each of its dimensions. */
  generator(node: NodeOf<"generate">, around: Surrounding): Node {
    const { calculus } = this;
    const axes = node.type.dimensions.map((each) => ({ ...each, name: calculus.freshName(each.name) }));
    const parameters = axes.map((axis, at): [Node, Dimension] => [calculus.parameter(node.level, at), axis]);
    const inner = {
      ...around,
      indexes: new Map([...around.indexes, ...parameters]),
      mask: around.mask | levelBit(node.level),
    };
    const body = this.body(node.body, inner);
    const missing = axes.filter(({ name }) => body.type.dimension(name) === undefined);
    const all = missing.length === 0 ? body : calculus.both(body, ones(missing, calculus), "x");
    return this.stored(
      calculus.renamed(
        all,
        axes.map(({ name }) => name),
        node.type.names,
      ),
      node,
    );
  }

  /** The value of an operation with all cells that it has in each block. */
  inEachBlock(value: Node, { type }: Node, { block }: Surrounding): Node {
    return block === undefined ? value : inEachBlock(value, type, block.tensor, this.calculus);
  }

  /** The lambda on all blocks at once: their labels are dimensions like others. */
  subspaces(node: NodeOf<"mapSubspaces">, tensor: Node, around: Surrounding): Node {
    const { calculus } = this;
    const outer = node.tensor.type.mapped.map(({ name }) => name);
    const fresh = outer.map((name) => calculus.freshName(name));
    const [type] = node.lambda.parameters;
    const parameter = calculus.graph.parameter(1, 0, type ?? TensorType.scalar, node.span);
    const block = {
      parameter,
      tensor: calculus.renamed(tensor, outer, fresh),
      isWhole: tensor.type.rank === node.tensor.type.rank,
    };
    const inner = new Vectorising(parameter, calculus, new Set(dependents(node.lambda.body, parameter)));
    const body = inner.body(node.lambda.body, {
      indexes: new Map(),
      block,
      level: around.level,
      mask: levelBit(1),
    });
    this.indicators += inner.indicators;
    // A body that does not look at its block is the same for all of them.
    const isOfBlock = fresh.every((name) => body.type.dimension(name) !== undefined);
    const all = isOfBlock ? body : repeatedAlong(body, block.tensor, fresh, calculus);
    return this.stored(calculus.renamed(all, fresh, outer), node);
  }

  /** A value in the cell type of the operation that it replaces. */
  private stored(value: Node, { type, span }: Node): Node {
    return this.calculus.graph.cast(
      value,
      value.type.withCells(type.isScalar ? "double" : type.cellType),
      span,
    );
  }

  /** A slice, with a cell where it finds none in a block. */
  slice(node: NodeOf<"slice">, around: Surrounding, to: (node: Node) => Node): Node {
    const value = this.sliced(node, around, to);
    const isFound = ({ dimension, label }: Selection): boolean =>
      typeof label === "string"
        ? Number(label) < (node.tensor.type.dimension(dimension)?.size ?? 0)
        : this.isInside(label, around);
    return hasAllCells(node.tensor.type) && node.at.every(isFound)
      ? value
      : this.inEachBlock(value, node, around);
  }

  /** A slice: a label that is an index of a generator names a dimension anew, and any other picks cells by an indicator. */
  private sliced(node: NodeOf<"slice">, around: Surrounding, to: (node: Node) => Node): Node {
    const { calculus } = this;
    const isBound = ({ label }: Selection): boolean =>
      typeof label !== "string" && this.isInside(label, around);
    const fixed = node.at.filter((each) => !isBound(each));
    const whole = to(node.tensor);
    const start = fixed.length === 0 ? whole : calculus.graph.slice(whole, fixed, node.span);
    return node.at.filter(isBound).reduce((tensor, { dimension, label }) => {
      if (typeof label === "string") return tensor;
      const axis = around.indexes.get(label);
      const isFree = axis !== undefined && tensor.type.dimension(axis.name) === undefined;
      const kind = tensor.type.dimension(dimension)?.kind;
      if (kind === "indexed" && isFree) return this.renamedTo(tensor, dimension, axis);
      this.indicators++;
      const indicator =
        kind === "indexed"
          ? calculus.indicator(tensor, dimension, to(label))
          : this.labels(node, dimension, axis);
      return calculus.reduced(calculus.picked(tensor, indicator), "sum", [dimension]);
    }, start);
  }

  /** A dimension under the name of an index, as far as that goes. */
  private renamedTo(tensor: Node, dimension: string, axis: Dimension): Node {
    const { calculus } = this;
    const renamed = calculus.renamed(tensor, [dimension], [axis.name]);
    if (renamed.type.dimension(axis.name)?.size === axis.size) return renamed;
    return calculus.resized(renamed, calculus.counted(axis.name, axis.size ?? 0), renamed.type);
  }

  /** Ones where a label is the text of an index. */
  private labels(node: Node, dimension: string, axis: Dimension | undefined): Node {
    const { calculus } = this;
    if (axis?.size === undefined) throw new NotDifferentiable("label", node);
    const { size } = axis;
    // As texts, 10 comes before 2.
    const labels = Array.from({ length: size }, (_, index) => [`${index}`]).sort();
    const ones = new Float64Array(size * size);
    for (const [row, [label]] of labels.entries()) ones[row * size + Number(label)] = 1;
    const type = TensorType.of("double", [mapped(dimension), indexed(axis.name, size)]);
    return calculus.graph.constant(Tensor.of(type, [size], labels, ones), calculus.span);
  }
}

type Converted = (node: Node) => Node;

/** Each operation on operands that have further dimensions; the first four have no operands. */
const forms: Table<[Vectorising, Surrounding, Converted], Node> = {
  constant: (node) => node,
  input: (node) => node,
  parameter: (node) => node,
  random: (node) => node,
  apply: (node, { calculus }, _, to) => calculus.function(node.function, node.arguments.map(to)),
  select: (node, vectorising, around, to) => choice(node, vectorising, around, to),
  map: (node, { calculus }, _, to) => calculus.each(to(node.tensor), node.lambda),
  reduce: (node, vectorising, around, to) => {
    const over = node.over.length === 0 ? node.tensor.type.names : node.over;
    const value = vectorising.calculus.reduced(to(node.tensor), node.aggregator, over);
    return hasAllCells(node.tensor.type) ? value : vectorising.inEachBlock(value, node, around);
  },
  join: (node, { calculus }, _, to) => calculus.both(to(node.left), to(node.right), node.lambda),
  merge: (node, vectorising, _, to) => {
    const [left, right] = vectorising.aligned([node.left, node.right], to);
    return vectorising.calculus.graph.merge(left, right, node.lambda, node.span);
  },
  rename: (node, { calculus }, _, to) => calculus.renamed(to(node.tensor), node.from, node.to),
  concat: ({ left, right, along, pad, span }, { calculus }, _, to) =>
    calculus.graph.concat(to(left), to(right), along, pad, span),
  generate: (node, vectorising, around) => vectorising.generator(node, around),
  slice: (node, vectorising, around, to) => vectorising.slice(node, around, to),
  literal: (node, vectorising, _, to) => cells(node, vectorising, to),
  cast: ({ tensor, type, span }, { calculus }, _, to) => {
    const value = to(tensor);
    return value.type.isScalar
      ? value
      : calculus.graph.cast(value, value.type.withCells(type.cellType), span);
  },
  order: (node) => unsupported("cell_order", node),
  mapSubspaces: (node, vectorising, around, to) => vectorising.subspaces(node, to(node.tensor), around),
  filterSubspaces: (node) => unsupported("filter_subspaces", node),
  host: (node) => unsupported("host", node),
};

function unsupported(reason: NotDifferentiableReason, node: Node): never {
  throw new NotDifferentiable(reason, node);
}

/** A choice that differs from cell to cell is made in each cell. */
function choice(node: NodeOf<"select">, vectorising: Vectorising, around: Surrounding, to: Converted): Node {
  const { calculus } = vectorising;
  const [yes, no] = vectorising.aligned([node.yes, node.no], to);
  const condition = to(node.condition);
  if (!vectorising.isInside(node.condition, around))
    return calculus.graph.select(condition, yes, no, node.span);
  if (!hasAllCells(node.type)) unsupported("choice", node);
  const [first, second] = [
    calculus.both(condition, yes, "if(x != 0, y, 0)"),
    calculus.both(condition, no, "if(x != 0, 0, y)"),
  ];
  return calculus.both(first, second, "x + y");
}

/** A literal whose cells have further dimensions: the sum of those with one cell each. */
function cells(node: NodeOf<"literal">, vectorising: Vectorising, to: Converted): Node {
  const { calculus } = vectorising;
  const parts = node.cells.map((cell) => {
    const single = calculus.single(node.type, cell.labels, cell.offset);
    return calculus.picked(to(cell.value), single);
  });
  return parts.reduce((sum, part) => {
    const [left, right] = aligned([sum, part], [node.type, node.type], calculus);
    return calculus.plus(left, right);
  });
}
