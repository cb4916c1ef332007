import { attributeProtos } from "./attributes.js";
import { cellsIn } from "./axes.js";
import { constantOf } from "./file/constant.js";
import { UnreadableTensor } from "./file/constant-fault.js";
import { firstOf } from "./file/numbers.js";
import type { AttributeProto, GraphProto, NodeProto, TensorProto } from "./file/protos.js";

/**
 * Finds what exporters took apart: a layer normalisation of nine nodes, a gelu of five, an attention of four or five. They become one node of the domain
 * `sphex` each, so that a program says them by their names; nodes that only they asked go.
 */
export function recovered(graph: GraphProto): readonly NodeProto[] {
  const search = new Search(graph);
  const nodes = graph.node.map((node) => search.replacement(node) ?? node);
  if (search.matched.size === 0) return graph.node;
  return withoutUnused(nodes, search.matched, new Set(graph.output.map(({ name }) => name)));
}

const sphex = "sphex";

/** How far a constant may be from what it stands for: it is a float. */
const isNear = (value: number | undefined, expected: number): boolean =>
  value !== undefined && Math.abs(value - expected) <= 1e-6 * Math.abs(expected);

class Search {
  /** Nodes that are parts of what was found. */
  readonly matched = new Set<NodeProto>();
  private readonly makers: ReadonlyMap<string, NodeProto>;
  private readonly initial: ReadonlyMap<string, TensorProto>;

  constructor(graph: GraphProto) {
    this.makers = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
    this.initial = new Map(graph.initializer.map((each) => [each.name, each]));
  }

  /** What a node is the last part of; its parts are `matched`. */
  replacement(node: NodeProto): NodeProto | undefined {
    const parts: NodeProto[] = [];
    const whole = this.normalisation(node, parts) ?? this.gelu(node, parts) ?? this.attention(node, parts);
    if (whole === undefined) return undefined;
    for (const part of parts) this.matched.add(part);
    return { ...node, ...whole, domain: sphex };
  }

  /** `(x - mean(x)) / sqrt(mean((x - mean(x))²) + epsilon)`, along the last axis. */
  private normalisation(node: NodeProto, parts: NodeProto[]): Replacement | undefined {
    if (node.opType !== "Div") return undefined;
    const centred = this.made(node.input[0], "Sub", parts);
    const root = this.made(node.input[1], "Sqrt", parts);
    const sum = this.made(root?.input[0], "Add", parts);
    const [x, mean] = centred?.input ?? [];
    if (x === undefined || sum === undefined || !this.isMean(mean, x, parts)) return undefined;
    const epsilon = this.number(sum.input[1]);
    const squares = this.meanOf(sum.input[0], parts);
    if (epsilon === undefined || !this.isSquare(squares, x, parts)) return undefined;
    return {
      opType: "LayerNormalised",
      input: [x],
      attribute: attributeProtos({ epsilon: { float: epsilon } }),
    };
  }

  private isSquare(name: string | undefined, x: string, parts: NodeProto[]): boolean {
    const power = this.made(name, "Pow", parts);
    const product = this.made(name, "Mul", parts);
    if (power !== undefined)
      return this.number(power.input[1]) === 2 && this.isCentred(power.input[0], x, parts);
    if (product === undefined || product.input[0] !== product.input[1]) return false;
    return this.isCentred(product.input[0], x, parts);
  }

  private isCentred(name: string | undefined, x: string, parts: NodeProto[]): boolean {
    const cast = this.made(name, "Cast", parts);
    const isFloat = cast?.attribute.find((each) => each.name === "to")?.i === 1;
    const difference = this.made(isFloat ? cast.input[0] : name, "Sub", parts);
    return difference?.input[0] === x && this.isMean(difference.input[1], x, parts);
  }

  private isMean(name: string | undefined, x: string, parts: NodeProto[]): boolean {
    return this.meanOf(name, parts) === x;
  }

  /** What a mean along the last axis is taken of, which keeps the axis. */
  private meanOf(name: string | undefined, parts: NodeProto[]): string | undefined {
    const mean = this.made(name, "ReduceMean", parts);
    if (mean === undefined) return undefined;
    const ofName = (key: string): AttributeProto | undefined =>
      mean.attribute.find((each) => each.name === key);
    const listed = ofName("axes")?.ints ?? [this.number(mean.input[1])];
    const isLast = listed.length === 1 && listed[0] === -1;
    return isLast && ofName("keepdims")?.i !== 0 ? mean.input[0] : undefined;
  }

  /** `x * 0.5 * (1 + erf(x / sqrt(2)))`, in any order. */
  private gelu(node: NodeProto, parts: NodeProto[]): Replacement | undefined {
    if (node.opType !== "Mul") return undefined;
    const factors = node.input.flatMap((name) => {
      const inner = this.makers.get(name);
      if (inner?.opType !== "Mul" || inner.input.length !== 2) return [name];
      parts.push(inner);
      return [...inner.input];
    });
    const others = factors.filter((name) => !isNear(this.number(name), 0.5));
    if (factors.length !== 3 || others.length !== 2) return undefined;
    for (const [x, curve] of [others, [...others].reverse()]) {
      if (x !== undefined && this.isCurve(curve, x, parts))
        return { opType: "Gelu", input: [x], attribute: [] };
    }
    return undefined;
  }

  /** `1 + erf(x / sqrt(2))`. */
  private isCurve(name: string | undefined, x: string, parts: NodeProto[]): boolean {
    const sum = this.made(name, "Add", parts);
    const [first, second] = sum?.input ?? [];
    const error = this.made(this.number(first) === 1 ? second : first, "Erf", parts);
    const hasOne = this.number(first) === 1 || this.number(second) === 1;
    const quotient = this.made(error?.input[0], "Div", parts);
    const product = this.made(error?.input[0], "Mul", parts);
    const [scaled, factor] = quotient?.input ?? product?.input ?? [];
    const expected = quotient === undefined ? Math.SQRT1_2 : Math.SQRT2;
    return hasOne && scaled === x && isNear(this.number(factor), expected);
  }

  /** `softmax(scores) values` with `scores = queries keys / sqrt(width) + mask`, of which the factor and the mask may be absent. */
  private attention(node: NodeProto, parts: NodeProto[]): Replacement | undefined {
    if (node.opType !== "MatMul") return undefined;
    const weights = this.made(node.input[0], "Softmax", parts);
    const axis = weights?.attribute.find((each) => each.name === "axis")?.i;
    const values = node.input[1];
    if (weights === undefined || axis !== -1 || values === undefined) return undefined;
    const scores = weights.input[0];
    const sum = this.made(scores, "Add", parts);
    const [first, second] = sum?.input ?? [];
    const masked = [
      [first, second],
      [second, first],
    ].map(([score, mask]) => ({ product: this.scaledProduct(score, parts), mask }));
    const biased = masked.find(({ product }) => product !== undefined);
    const { product = this.scaledProduct(scores, parts), mask } = biased ?? {};
    if (product === undefined) return undefined;
    const input = [...product.operands, values, ...(mask === undefined ? [] : [mask])];
    return { opType: "AttentionOf", input, attribute: attributeProtos({ scale: { float: product.scale } }) };
  }

  /** A product of matrices, and the number that it is multiplied by. */
  private scaledProduct(
    name: string | undefined,
    parts: NodeProto[],
  ): { readonly operands: readonly string[]; readonly scale: number } | undefined {
    const plain = this.made(name, "MatMul", parts);
    if (plain !== undefined) return { operands: plain.input, scale: 1 };
    const [quotient, multiple] = [this.made(name, "Div", parts), this.made(name, "Mul", parts)];
    const [left, right] = (quotient ?? multiple)?.input ?? [];
    const isFirst = multiple !== undefined && this.number(left) !== undefined;
    const factor = this.number(isFirst ? left : right);
    const product = this.made(isFirst ? right : left, "MatMul", parts);
    if (factor === undefined || product === undefined) return undefined;
    return { operands: product.input, scale: quotient === undefined ? factor : 1 / factor };
  }

  /** The node of this operator that makes a value. */
  private made(name: string | undefined, operator: string, parts: NodeProto[]): NodeProto | undefined {
    const node = this.makers.get(name ?? "");
    if (node?.opType !== operator || !["", "ai.onnx"].includes(node.domain)) return undefined;
    parts.push(node);
    return node;
  }

  /** The one element of a constant, which has at most one axis: more of them would be axes of the result. */
  private number(name: string | undefined): number | undefined {
    const maker = this.makers.get(name ?? "");
    const value =
      maker?.opType === "Constant" ? maker.attribute.find((each) => each.name === "value")?.t : undefined;
    const proto = value ?? this.initial.get(name ?? "");
    if (proto === undefined || proto.dims.length > 1 || cellsIn(proto.dims) !== 1) return undefined;
    try {
      return firstOf(constantOf(proto).numbers);
    } catch (error) {
      // What is wrong with a tensor is told where it is imported.
      if (error instanceof UnreadableTensor) return undefined;
      throw error;
    }
  }
}

type Replacement = Pick<NodeProto, "opType" | "input" | "attribute">;

/** The nodes without those of a set whose values nobody asks for any more; from the last on, so that each is looked at once. */
function withoutUnused(
  nodes: readonly NodeProto[],
  parts: ReadonlySet<NodeProto>,
  outputs: ReadonlySet<string>,
): NodeProto[] {
  const asked = new Set(outputs);
  const remaining: NodeProto[] = [];
  for (const node of [...nodes].reverse()) {
    if (parts.has(node) && !node.output.some((name) => asked.has(name))) continue;
    for (const name of node.input) asked.add(name);
    for (const { g } of node.attribute)
      for (const inner of g === undefined ? [] : insideOf(g)) asked.add(inner);
    remaining.push(node);
  }
  return remaining.reverse();
}

/** All that the nodes of a graph within another take. */
function insideOf(graph: GraphProto): string[] {
  const names = graph.output.map(({ name }) => name);
  const open = [graph];
  for (let next = open.pop(); next !== undefined; next = open.pop())
    for (const { input, attribute: list } of next.node) {
      for (const name of input) names.push(name);
      for (const { g } of list) if (g !== undefined) open.push(g);
    }
  return names;
}
