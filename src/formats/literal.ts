import { atOnce, type Slices } from "../language/limits/slices.js";
import type { Problem, Report } from "../language/source/problem.js";
import type { Source, Span } from "../language/source/span.js";
import { cellCount, type LayoutCell, layOutLiteral } from "../language/syntax/literal-layout.js";
import { type Parsed, parseConstant, parseTypeText, typePrefix } from "../language/syntax/parse.js";
import type { ConstantTree, ConstantWord } from "../language/syntax/tree.js";
import { plainWords, typeOf } from "../language/syntax/typing.js";
import { mapped, TensorType } from "../language/types/type.js";
import { offsetsAlong } from "../language/values/data/axis-order.js";
import { Rows } from "../language/values/data/rows.js";
import { numberAt } from "../language/values/element.js";
import { Tensor } from "../language/values/tensor.js";
import { hexDigits, hexNumbers, isHex } from "./hex-cells.js";
import { LiteralScanner, marks, numberIn } from "./literal-scanner.js";
import { problem } from "./messages.js";
import { QuickLiteral, type QuickLiteralOptions } from "./quick-literal.js";

/**
 * Constant tensor strings: a tensor as data, with its type in front or given by the reader. A text without a mistake is read in one
 * pass; by the grammar, which tells what is wrong and where, any other.
 */

export interface LiteralOptions extends QuickLiteralOptions {
  /** The type, where the text does not say it; a type in the text must then be this one. */
  readonly type?: TensorType | undefined;
  /** The dimensions of that type in the order in which an untyped text has them; canonical order by default. */
  readonly axes?: readonly string[] | undefined;
}

/** Reads a tensor. */
export function readLiteral(source: Source, options: LiteralOptions): Parsed<Tensor> {
  return atOnce(literalSlices(source, options));
}

/** As `readLiteral`, in slices between which other work may go on; a text with a mistake is read by the grammar at a stretch. */
function* literalSlices(source: Source, options: LiteralOptions): Slices<Parsed<Tensor>> {
  const tensor = yield* readQuickly(source, options);
  return tensor === undefined ? readByGrammar(source, options) : { tree: tensor, problems: [] };
}

/** Reads a text without a mistake, and nothing else. @internal */
export function* readQuickly(source: Source, options: LiteralOptions): Slices<Tensor | undefined> {
  const { text } = source;
  const prefix = typePrefix(text);
  const scanner = new LiteralScanner(text, prefix);
  const typed = prefix > 0 ? typeAtStart(source, prefix) : (declaredType(options) ?? impliedTypeAt(text));
  if (typed === undefined || typed.type.rank > mostQuickDimensions) return undefined;
  if (prefix > 0 && !scanner.takes(marks.colon)) return undefined;
  const span = { source, start: 0, end: text.length };
  return yield* new QuickLiteral(typed.type, typed.written, scanner, options, span).tensor();
}

/** Brackets may nest only so deep, which the grammar sees to. */
const mostQuickDimensions = 100;

/** A type, and its dimensions in the order in which a text has them. */
interface WrittenType {
  readonly type: TensorType;
  readonly written: readonly string[];
}

function typeAtStart({ name, text }: Source, end: number): WrittenType | undefined {
  const { tree } = parseTypeText({ name, text: text.slice(0, end) });
  const type = tree && typeOf(tree, plainWords, () => undefined);
  return type && { type, written: tree.dimensions.map((each) => each.name.text) };
}

const declaredType = ({ type, axes }: LiteralOptions): WrittenType | undefined =>
  type && { type, written: axes ?? type.names };

/** Without a type a number is a scalar, and cells with addresses have mapped dimensions. */
function impliedTypeAt(text: string): WrittenType | undefined {
  const scanner = new LiteralScanner(text);
  const names = new Set<string>();
  if (scanner.next() === marks.openBracket) return undefined;
  if (scanner.takes(marks.openBrace) && scanner.takes(marks.openBrace))
    for (let name = scanner.word(); name !== undefined && scanner.takes(marks.colon); name = scanner.word()) {
      names.add(name);
      if (scanner.label() === undefined || !scanner.takes(marks.comma)) break;
    }
  const type = TensorType.of("double", [...names].map(mapped));
  return { type, written: type.names };
}

/** Reads a text by the grammar, with a tree of all of it. @internal */
export function readByGrammar(source: Source, options: LiteralOptions): Parsed<Tensor> {
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

function numberOf({ text, span }: ConstantWord, report: Report): number | undefined {
  return numberIn(text) ?? void report(problem("literal/number", span, { text }));
}

/** The cells of a dense block as the bits of each, in the order of the dimensions as written. */
function hexCells(
  cell: LayoutCell<ConstantWord>,
  rows: Rows,
  written: readonly string[],
  report: Report,
): Float64Array | undefined {
  const { text, span } = cell.value;
  const numbers = hexNumbers(text, rows.type);
  if (numbers === undefined) return void report(wrongBlock(text, span, rows));
  const block = new Float64Array(rows.blockCells);
  const target = writtenOffsets(rows, written);
  for (const [at, number] of numbers.entries()) block[numberAt(target, at)] = number;
  return block;
}

/** Where the cells of a block lie that are given in the order of the dimensions as written. */
function writtenOffsets({ type, sizes }: Rows, written: readonly string[]): Float64Array {
  const axes = written
    .map((name) => type.indexed.findIndex((each) => each.name === name))
    .filter((at) => at >= 0);
  return offsetsAlong(axes, sizes);
}

/** Digits that are too few for two cells are a number, or a name, where several are wanted. */
function wrongBlock(text: string, span: Span, { type, blockCells }: Rows): Problem {
  const expected = hexDigits(type.cellType, blockCells);
  return isHex(text) && text.length > hexDigits(type.cellType, 1)
    ? problem("literal/hex", span, { found: text.length, expected, block: type.indexed })
    : problem("literal/array", span, { type });
}
