import { requireArgument, requireText } from "../language/source/arguments.js";
import { keysOf } from "../language/source/lists.js";
import { checkCallOptions, type OptionRules, oneOf, texts } from "../language/source/option-rule.js";
import type { Source } from "../language/source/span.js";
import type { Parsed } from "../language/syntax/parse.js";
import { cellTypes, decay } from "../language/types/cell.js";
import type { TensorType } from "../language/types/type.js";
import { requireTensor } from "../language/values/arguments.js";
import type { Tensor } from "../language/values/tensor.js";
import { readBinary, writeBinary } from "./binary.js";
import type { BytesFile } from "./bytes.js";
import { readCsv } from "./csv/read.js";
import { csvText } from "./csv/write.js";
import { formsOf, type JsonForm, jsonForm, jsonForms } from "./json/forms.js";
import { parseJson } from "./json/parse.js";
import { readTypedValue } from "./json/typed-value.js";
import { writeJson } from "./json/write.js";
import { type LiteralOptions, readLiteral } from "./literal.js";
import { problem, refuseTensor } from "./messages.js";
import { readNpy, writeNpy } from "./numpy/npy.js";
import { encodingProblem, textInUtf8 } from "./utf8.js";

/** The formats of files that hold one tensor: a table of their names, of what their files are called, and of both ways. */

/** What is known of a tensor before it is read. */
export type Request = LiteralOptions;

/** How a tensor is written. */
export interface WriteOptions {
  /** Of JSON; `typed` unless given. */
  readonly form?: JsonForm;
  /** Of .npy, and of the direct forms of JSON: the dimension of each axis, outermost first; canonical order unless given. */
  readonly axes?: readonly string[];
}

const writeRules: OptionRules<WriteOptions> = { form: oneOf(jsonForms), axes: texts };

interface FormatRow {
  /** The ends of names of files. */
  readonly ends: readonly string[];
  readonly read:
    | { readonly text: (source: Source, request: Request) => Parsed<Tensor> }
    | { readonly bytes: (file: BytesFile, request: Request) => Parsed<Tensor> };
  readonly write: (tensor: Tensor, options: WriteOptions) => string | Uint8Array;
}

// biome-ignore format: a table
const rows = {
  literal: { ends: [".txt", ".tensor"], read: { text: literalIn },                                   write: (tensor) => `${tensor}` },
  json:    { ends: [".json"],           read: { text: jsonIn },                                      write: (tensor, { form = "typed", axes }) => writeJson(tensor, { ...jsonForm(form).options, axes, namesNonFinite: true }) },
  csv:     { ends: [".csv"],            read: { text: (source, { type, cells }) => readCsv(source, type, cells) }, write: csvText },
  binary:  { ends: [".tbf"],            read: { bytes: binaryIn },                                   write: writeBinary },
  npy:     { ends: [".npy"],            read: { bytes: readNpy },                                    write: (tensor, { axes }) => writeNpy(tensor, axes) },
} as const satisfies Readonly<Record<string, FormatRow>>;

/** The formats of a file that holds one tensor; .npz archives are `readNpz`'s and `writeNpz`'s. */
export type TensorFormat = keyof typeof rows;

/** The names of all formats of files that hold one tensor. */
export const tensorFormats = keysOf(rows);

/** What a tensor is written as in a format: a text, or bytes. */
export type WrittenTensor<Format extends TensorFormat> = (typeof rows)[Format]["read"] extends {
  readonly text: unknown;
}
  ? string
  : (typeof rows)[Format]["read"] extends { readonly bytes: unknown }
    ? Uint8Array
    : string | Uint8Array;

const row = (format: TensorFormat): FormatRow => rows[format];

/** Whether a format is one of bytes, not of text. */
export const isBytesFormat = (format: TensorFormat): boolean => "bytes" in row(format).read;

/** @throws SphexError where a format is not in the table. */
export function requireFormat(format: TensorFormat): void {
  const isFormat = typeof format === "string" && Object.hasOwn(rows, format);
  requireArgument("tensorFormats", "format", format, isFormat);
}

/** The format that the name of a file ends with. */
export function tensorFormatOf(path: string): TensorFormat | undefined {
  requireText("tensorFormatOf", path);
  const name = path.toLowerCase();
  return tensorFormats.find((format) => row(format).ends.some((end) => name.endsWith(end)));
}

/** Reads a tensor; what the file itself says of its type wins over what is asked for. */
export function readAs(
  format: TensorFormat,
  name: string,
  data: string | Uint8Array,
  request: Request,
): Parsed<Tensor> {
  const { read } = row(format);
  const span = { source: { name, text: "" }, start: 0, end: 0 };
  if ("text" in read) {
    if (typeof data === "string") return read.text({ name, text: withoutMark(data) }, request);
    const text = textInUtf8(data);
    if (text !== undefined) return read.text({ name, text }, request);
    return { tree: undefined, problems: [encodingProblem(data, format, span)] };
  }
  if (typeof data !== "string") return read.bytes({ name, bytes: data }, request);
  return { tree: undefined, problems: [problem("bytes/text", span, { format })] };
}

/**
 * A tensor as the text or the bytes of a file.
 * @throws SphexError where the format cannot hold it.
 */
export function writeTensor<Format extends TensorFormat>(
  tensor: Tensor,
  format: Format,
  options?: WriteOptions,
): WrittenTensor<Format>;
export function writeTensor(
  tensor: Tensor,
  format: TensorFormat,
  options: WriteOptions = {},
): string | Uint8Array {
  requireTensor("writeTensor", tensor);
  requireFormat(format);
  checkCallOptions("writeTensor", options, writeRules);
  const { form } = options;
  if (format === "json" && form !== undefined && !jsonForm(form).has(tensor.type))
    refuseTensor(`the form ${form}`, tensor.type, { kind: "other form", forms: formsOf(tensor.type) });
  const written = row(format).write(tensor, options);
  return typeof written === "string" ? `${written}\n` : written;
}

/** The text without the one mark that a file may begin with. */
const withoutMark = (text: string): string => (text.startsWith("\ufeff") ? text.slice(1) : text);

function literalIn({ name, text }: Source, request: Request): Parsed<Tensor> {
  return readLiteral({ name, text: text.trimEnd() }, request);
}

/** JSON says its type, or is a number, or a text in the literal form; otherwise it needs one. */
function jsonIn(source: Source, request: Request): Parsed<Tensor> {
  const { tree, problems } = parseJson(source);
  return tree === undefined ? { tree, problems } : readTypedValue(tree, request.type, request);
}

/** A file may have what cells that Vespa lacks decay to. */
function binaryIn(file: BytesFile, { type }: Request): Parsed<Tensor> {
  const { tree, problems } = readBinary(file);
  const isDecayed = type !== undefined && isDecay(type, tree?.type);
  return { tree: isDecayed ? tree?.as(tree.type.withCells(type.cellType)) : tree, problems };
}

const isDecay = (requested: TensorType, found: TensorType | undefined): boolean =>
  !cellTypes[requested.cellType].vespa && found?.cellType === decay(requested.cellType);
