import type { Node, Selection } from "../../core/operations.js";
import type { Span } from "../../source/span.js";
import { sizeOf } from "../../syntax/typing.js";
import { subspaceType } from "../../types/algebra.js";
import { type Dimension, indexed, TensorType } from "../../types/type.js";
import type { Checker } from "../checker.js";
import { problem } from "../messages.js";
import { pairwise } from "../operators.js";
import type { Scope } from "../scope.js";
import { reduction } from "./aggregations.js";
import { anyNumber, type Builtin, type Call } from "./call.js";

/**
 * Composite functions that the prelude cannot write, because they take a list of dimensions or a type body, or look at
 * the type of their argument. Each builds core nodes.
 */
// biome-ignore format: a table
export const intrinsics: readonly [string, Builtin][] = [
  ["argmax",      { signature: "argmax(tensor, dimension, …)",                     least: 1, most: anyNumber, tensors: [0], elaborate: (call) => extreme(call, "max"), description: "1 for each cell that is the highest along the dimensions, 0 for the others." }],
  ["argmin",      { signature: "argmin(tensor, dimension, …)",                     least: 1, most: anyNumber, tensors: [0], elaborate: (call) => extreme(call, "min"), description: "1 for each cell that is the lowest along the dimensions, 0 for the others." }],
  ["unpack_bits", { signature: "unpack_bits(tensor, cell type, big or little)",    least: 1, most: 3,         tensors: [0], elaborate: unpackBits, description: "Eight cells, one a bit, for each int8 cell along the last indexed dimension." }],
  ["random",      { signature: "random(size, …)",                                  least: 1, most: anyNumber, tensors: [],  elaborate: randomOfSizes, description: "Random numbers from 0 up to 1: random(i[3]), or random(3) along dimension i1." }],
];

type ShapeBody = (checker: Checker, type: TensorType, scope: Scope, span: Span) => Node;

/** What each cell of `range(…)`, `diag(…)` and `random(…)` is. */
export const shapeBodies: ReadonlyMap<string, ShapeBody> = new Map<string, ShapeBody>([
  [
    "range",
    generated((checker, indexes, span) =>
      indexes.reduce((sum, index) => checker.graph.apply("add", [sum, index], span)),
    ),
  ],
  ["diag", generated(allEqual)],
  ["random", (checker, type, scope, span) => checker.graph.random(type, scope.level, span)],
]);

type IndexBody = (checker: Checker, indexes: readonly [Node, ...Node[]], span: Span) => Node;

/** A generated tensor whose body is built from the nodes of its indexes. */
function generated(body: IndexBody): ShapeBody {
  return (checker, type, scope, span) => {
    const { graph } = checker;
    const level = scope.level + 1;
    const [first, ...more] = type.names.map((_, at) => graph.parameter(level, at, TensorType.scalar, span));
    if (first === undefined) return graph.number(0, span);
    return graph.generate(type, level, body(checker, [first, ...more], span), span);
  };
}

/** 1 where all indexes are the same; with one dimension they always are. */
function allEqual({ graph }: Checker, [first, ...more]: readonly [Node, ...Node[]], span: Span): Node {
  const tests = more.map((index) => graph.apply("equal", [first, index], span));
  return tests.reduce((all, test) => graph.apply("and", [all, test], span), graph.number(1, span));
}

/** 1 at every cell that equals the extreme of its group, 0 elsewhere. */
function extreme(call: Call, name: "max" | "min"): Node | undefined {
  const tensor = call.tensor(0);
  const over = call.dimensions(1, tensor?.type);
  if (tensor === undefined || over === undefined) return undefined;
  const { checker, span } = call;
  return checker.graph.join(
    tensor,
    reduction(call, tensor, name, over),
    pairwise(checker, "equal", span),
    span,
  );
}

/** Each int8 cell along the last indexed dimension becomes eight cells, one a bit. */
function unpackBits(call: Call): Node | undefined {
  const tensor = call.tensor(0);
  const cellType = call.count > 1 ? call.cellType(1) : "float";
  const endian = call.count > 2 ? call.oneOf(2, ["big", "little"], "bit order") : "big";
  if (tensor === undefined || cellType === undefined || endian === undefined) return undefined;
  const block = subspaceType(tensor.type);
  const last = block.indexed.at(-1);
  if (tensor.type.cellType !== "int8" || last?.size === undefined || !block.isBound) {
    return void call.checker.report(call.scope)(
      problem("type/unpack-bits", call.spanOf(0), { type: tensor.type }),
    );
  }
  const { graph } = call.checker;
  const { span } = call;
  const type = block.withSizes(new Map([[last.name, last.size * 8]])).withCells(cellType);
  const at = block.dimensions.map(({ name }, position): Selection => {
    const index = graph.parameter(2, position, TensorType.scalar, span);
    const eight = graph.number(8, span);
    return {
      dimension: name,
      label: name === last.name ? graph.apply("divide", [index, eight], span) : index,
    };
  });
  const index = graph.parameter(2, block.rank - 1, TensorType.scalar, span);
  const rest = graph.apply("fmod", [index, graph.number(8, span)], span);
  const bit = endian === "big" ? graph.apply("subtract", [graph.number(7, span), rest], span) : rest;
  const byte = graph.slice(graph.parameter(1, 0, block, span), at, span);
  const body = graph.generate(type, 2, graph.apply("bit", [byte, bit], span), span);
  return graph.mapSubspaces(tensor, { parameters: [block], body }, span);
}

/** The Paper's `random(n1, n2, …)`: dimensions `i1`, `i2`, … (D9). */
function randomOfSizes(call: Call): Node | undefined {
  const values = { name: call.name, instead: "random(i1[n1],i2[n2])" };
  call.checker.report(call.scope)(problem("portability/function", call.span, values));
  const [only] = call.tree.arguments ?? [];
  // In the Paper's own definition: one number, uniform from 0 up to 1.0.
  if (call.count === 1 && only?.kind === "number" && only.text === "1.0") {
    return call.checker.graph.random(TensorType.scalar, call.scope.level, call.span);
  }
  const dimensions: Dimension[] = [];
  for (let at = 0; at < call.count; at++) {
    const word = call.word(at, "size");
    const size = word && (sizeOf(word.text) ?? call.checker.words(call.scope).size(word));
    if (word !== undefined && size === undefined)
      call.refuse(at, "whole size", { kind: "text", text: word.text });
    if (size === undefined) return undefined;
    dimensions.push(indexed(`i${at + 1}`, size));
  }
  return call.checker.graph.random(TensorType.of("double", dimensions), call.scope.level, call.span);
}
