import {
  isBytesFormat,
  readAs,
  type TensorFormat,
  type Request as TensorRequest,
  tensorFormatOf,
} from "../../formats/interchange.js";
import { readJson } from "../../formats/json/json.js";
import { readLiteral } from "../../formats/literal.js";
import { readStoredArray } from "../../formats/numpy/npz.js";
import { requireUtf8 } from "../../formats/utf8.js";
import type { LoadFile } from "../../language/check/check-options.js";
import type { LoadModel } from "../../language/check/models/models.js";
import type { Store } from "../../language/limits/spend.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import { thrownText } from "../../language/source/thrown.js";
import type { Parsed } from "../../language/syntax/parse.js";
import type { TensorType } from "../../language/types/type.js";
import { kindOf, kindText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { problem } from "../messages.js";
import { emptyScalar, limitsOf, type Options, unwrapped } from "../options.js";

/** Files of tensors and models that a program names, `file("weights.npy")`, read by the functions that its host passes in. */

/**
 * Reads the tensor in a file through the host: in the format that its name ends with; any other has JSON or a literal.
 * What it reads, and what that becomes, is counted.
 */
export function fileLoader(options: Options, store: Store): LoadFile | undefined {
  const load = uncountedLoader(options, store);
  if (load === undefined) return undefined;
  return (path, type, span, axes, array) => {
    const tensor = load(path, type, span, axes, array);
    store(tensor.bytes, span);
    return tensor;
  };
}

/** Reads models through the host. What it reads is counted. */
export function modelLoader({ models, readBytes }: Options, store: Store): LoadModel | undefined {
  if (models === undefined || readBytes === undefined) return undefined;
  return (path, span) => {
    const read = (file: string): Uint8Array => {
      const bytes = bytesAt(readBytes, file, span);
      store(bytes.length, span);
      return bytes;
    };
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    return models({ name: path, bytes: read(path), readExternal: (file) => read(folder + file) });
  };
}

function uncountedLoader(options: Options, store: Store): LoadFile | undefined {
  const readText = textReader(options);
  if (readText === undefined) return undefined;
  const archives = new Map<string, Uint8Array>();
  const archive = (path: string, span: Span): Uint8Array => {
    const bytes = archives.get(path) ?? bytesAt(options.readBytes ?? noBytes, path, span);
    if (!archives.has(path)) store(bytes.length, span);
    archives.set(path, bytes);
    return bytes;
  };
  return (path, type, span, axes, array) => {
    if (array !== undefined)
      return unwrapped(
        readStoredArray({ name: path, bytes: archive(path, span) }, array, { type, axes, store }),
      );
    if (path.toLowerCase().endsWith(".npz")) refuseArchive(path, span);
    const format = formatOf(path);
    const request = { type, axes, empty: emptyScalar(options.dialect), cells: limitsOf(options).cells };
    if (isBytesFormat(format)) {
      const bytes = bytesAt(options.readBytes ?? noBytes, path, span);
      store(bytes.length, span);
      return unwrapped(readAs(format, path, bytes, request));
    }
    const source: Source = { name: path, text: readText(path, span) };
    store(2 * source.text.length, span);
    const parsed = readTextFile(source, format, { ...request, type });
    if (options.showFileContents !== false) return unwrapped(parsed);
    return unwrapped({
      ...parsed,
      problems: parsed.problems.map((each) => withoutContent(each, path, type, span)),
    });
  };
}

const formatOf = (path: string): TensorFormat => tensorFormatOf(path) ?? "literal";

/** A host that reads bytes reads texts too. */
function textReader({ readFile, readBytes }: Options): ((path: string, span: Span) => string) | undefined {
  if (readFile !== undefined) return (path, span) => textAt(readFile, path, span);
  if (readBytes === undefined) return undefined;
  return (path, span) => requireUtf8(bytesAt(readBytes, path, span), formatOf(path), span);
}

function readTextFile(source: Source, format: TensorFormat, request: TypedRequest): Parsed<Tensor> {
  if (format === "csv") return readAs(format, source.name, source.text, request);
  const isLiteral = source.text.trimStart().startsWith("tensor");
  return isLiteral ? readLiteral(source, request) : readJson(source, request.type, request);
}

/** How a file is read whose type is declared. */
type TypedRequest = TensorRequest & { readonly type: TensorType };

/**
 * A problem in a file that a program names, at the span that names it: neither an excerpt nor what was found tells what
 * the file has.
 */
function withoutContent({ code, position }: Problem, path: string, type: TensorType, span: Span): Problem {
  return problem("file/content", span, { path, position, code, type });
}

/** The text of a file. Callers without types may have a reader that returns anything. */
function textAt(read: (path: string) => unknown, path: string, span: Span): string {
  const text = contentOf(read, path, span);
  return typeof text === "string" ? text : refuseContent("readFile", "a text", text, path, span);
}

/** The bytes of a file, in the same way. */
function bytesAt(read: (path: string) => unknown, path: string, span: Span): Uint8Array {
  const bytes = contentOf(read, path, span);
  return bytes instanceof Uint8Array ? bytes : refuseContent("readBytes", "a Uint8Array", bytes, path, span);
}

function contentOf(read: (path: string) => unknown, path: string, span: Span): unknown {
  try {
    return read(path);
  } catch (error) {
    throw new SphexError([problem("file/unreadable", span, { path, reason: thrownText(error) })]);
  }
}

function refuseContent(reader: string, expected: string, found: unknown, path: string, span: Span): never {
  const isPromise = typeof found === "object" && found !== null && "then" in found;
  const description = isPromise ? "a promise, which compileAsync awaits" : kindText(kindOf(found));
  const reason = `${reader} returned ${description}, and must return ${expected}`;
  throw new SphexError([problem("file/unreadable", span, { path, reason })]);
}

function refuseArchive(path: string, span: Span): never {
  const reason = `it is an archive of arrays: name one of them behind it, file("${path}").name`;
  throw new SphexError([problem("file/unreadable", span, { path, reason })]);
}

function noBytes(): never {
  throw new Error("this host reads texts only");
}
