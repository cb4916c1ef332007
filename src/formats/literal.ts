import type { Spend } from "../language/limits/spend.js";
import type { Problem, Report } from "../language/source/problem.js";
import type { Source, Span } from "../language/source/span.js";
import { cellCount, type LayoutCell, layOutLiteral } from "../language/syntax/literal-layout.js";
import { type Parsed, parseConstant, parseTypeText } from "../language/syntax/parse.js";
import type { ConstantTree, ConstantWord } from "../language/syntax/tree.js";
import { plainWords, typeOf } from "../language/syntax/typing.js";
import { cellTypes, readCell } from "../language/types/cell.js";
import { mapped, TensorType } from "../language/types/type.js";
import { offsetsAlong } from "../language/values/axis-order.js";
import { Rows } from "../language/values/rows.js";
import { Tensor } from "../language/values/tensor.js";
import { problem } from "./messages.js";

/** Constant tensor strings: a tensor as data, with its type in front or given by the reader. */

export interface LiteralOptions {
  /** The type, where the text does not say it; a type in the text must then be this one. */
  readonly type?: TensorType | undefined;
  /** The dimensions of that type in the order in which an untyped text has them; canonical order by default. */
  readonly axes?: readonly string[] | undefined;
  /** What a tensor of rank 0 without a cell is: NaN for the Paper, 0 for Vespa (D5). */
  readonly empty: number;
  /** How many cells it may have. */
  readonly cells: number;
  /** Is told of the work, and may end it. */
  readonly spend?: Spend | undefined;
}

/** Reads a tensor. */
export function readLiteral(source: Source, options: LiteralOptions): Parsed<Tensor> {
  const { tree, problems } = parseConstant(source, options.spend);
  if (tree === undefined) return { tree: undefined, problems };
  const found: Problem[] = [];
  const report: Report = (each) => void found.push(each);
  const tensor = tensorOf(tree, options, report);
  // A type of the Paper is no mistake in data.
  const errors = found.filter((each) => each.severity === "error");
  return errors.length > 0 ? { tree: undefined, problems: errors } : { tree: tensor, problems: [] };
}

/** Reads a tensor type. */
export function readType(source: Source): Parsed<TensorType> {
  const { tree, problems } = parseTypeText(source);
  if (tree === undefined) return { tree: undefined, problems };
  const found: Problem[] = [];
  const type = typeOf(tree, plainWords, (each) => void found.push(each));
  return { tree: type, problems: found.filter((each) => each.severity === "error") };
}

/** Whether a type can be written with a dimension of this name. */
export function isDimensionName(name: string): boolean {
  if (/^[A-Za-z_]\w*$/.test(name)) return true;
  return name.length < 1000 && readType({ name: "type", text: `tensor(${name}{})` }).tree?.names[0] === name;
}

function tensorOf(tree: ConstantTree, options: LiteralOptions, report: Report): Tensor | undefined {
  const type =
    tree.type === undefined
      ? (options.type ?? impliedType(tree.body))
      : typeOf(tree.type, plainWords, report);
  if (type === undefined) {
    if (tree.type === undefined) report(problem("literal/no-type", tree.body.span, {}));
    return undefined;
  }
  const { body } = tree;
  if (type.isScalar && body.kind === "cells" && body.cells.length === 0)
    return Tensor.scalar(options.empty, type);
  const written = tree.type?.dimensions.map(({ name }) => name.text) ?? options.axes ?? type.names;
  const layout = layOutLiteral<ConstantWord>(type, written, body, report, true);
  if (layout === undefined) return undefined;
  const [cells, limit] = [cellCount(type, layout), options.cells];
  if (cells > limit) return void report(problem("limit/cells", body.span, { cells, limit }));
  const rows = new Rows(type, layout.sizes);
  let sound = true;
  for (const cell of layout.cells) {
    const numbers =
      cell.offset === "block" ? hexCells(cell, rows, written, report) : numberOf(cell.value, report);
    if (numbers === undefined) sound = false;
    else if (typeof numbers === "number") rows.block(cell.labels)[Number(cell.offset)] = numbers;
    else rows.block(cell.labels).set(numbers);
  }
  return sound ? Tensor.ofRows(rows) : undefined;
}

/** Without a type a number is a scalar, and cells with addresses have mapped dimensions. */
function impliedType(body: ConstantTree["body"]): TensorType | undefined {
  if (body.kind === "word" || body.kind === "scalar") return TensorType.scalar;
  if (body.kind !== "cells") return undefined;
  const names = body.cells[0]?.address.map(({ dimension }) => dimension.text) ?? [];
  return TensorType.of("double", [...new Set(names)].map(mapped));
}

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/;
const nonFiniteNumbers: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "+Infinity": Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

function numberOf({ text, span }: ConstantWord, report: Report): number | undefined {
  if (decimal.test(text)) return Number.parseFloat(text);
  if (Object.hasOwn(nonFiniteNumbers, text)) return nonFiniteNumbers[text];
  return void report(problem("literal/number", span, { text }));
}

/** The cells of a dense block as the bits of each, most significant digit first, in the type's own width. */
function hexCells(
  cell: LayoutCell<ConstantWord>,
  rows: Rows,
  written: readonly string[],
  report: Report,
): Float64Array | undefined {
  const { text, span } = cell.value;
  const { cellType } = rows.type;
  const digits = cellTypes[cellType].width * 2;
  const expected = rows.blockCells * digits;
  if (!rows.type.isBound || !/^[0-9a-fA-F]+$/.test(text) || text.length !== expected) {
    return void report(wrongBlock(text, span, rows.type, expected));
  }
  const cells = cellTypes[cellType].allocate(rows.blockCells);
  const bytes = new DataView(cells.buffer);
  const { width } = cellTypes[cellType];
  for (let at = 0; at < text.length / 2; at++) {
    const byte = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
    // The buffer is as the machine keeps it; all machines that run JavaScript today are little-endian.
    bytes.setUint8(at - (at % width) + (width - 1 - (at % width)), byte);
  }
  const block = new Float64Array(rows.blockCells);
  const target = writtenOffsets(rows, written);
  for (let at = 0; at < block.length; at++) block[target[at] ?? 0] = readCell(cellType, cells, at);
  return block;
}

/** Where the cells of a block lie that are given in the order of the dimensions as written. */
function writtenOffsets({ type, sizes }: Rows, written: readonly string[]): Float64Array {
  const axes = written
    .map((name) => type.indexed.findIndex((each) => each.name === name))
    .filter((at) => at >= 0);
  return offsetsAlong(axes, sizes);
}

function wrongBlock(text: string, span: Span, type: TensorType, expected: number): Problem {
  const isHex = /^[0-9a-fA-F]+$/.test(text);
  return isHex
    ? problem("literal/hex", span, { found: text.length, expected, block: type.indexed })
    : problem("literal/array", span, { type });
}
