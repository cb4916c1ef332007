import { requireUtf8 } from "../../formats/utf8.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { JsonReader, UnexpectedJson } from "../json-reader.js";
import { problem } from "../messages.js";
import type { Forest } from "./forest.js";
import { readLightgbm } from "./lightgbm.js";
import { lightgbmDocument } from "./lightgbm-text.js";
import { readUbjson, UnreadableBytes } from "./ubjson.js";
import { readXgboost } from "./xgboost.js";

/** The libraries whose models are read. */
export const forestLibraries = ["xgboost", "lightgbm"] as const;

/** A library whose forests can be read. */
export type ForestLibrary = (typeof forestLibraries)[number];

const readers: Readonly<Record<ForestLibrary, (json: JsonReader) => Forest>> = {
  xgboost: readXgboost,
  lightgbm: readLightgbm,
};

/** A file that one of these libraries has written: JSON, UBJSON of XGBoost, or the text format of LightGBM. */
export type ForestFile = {
  /** For messages. */
  readonly name: string;
} & ({ readonly text: string } | { readonly bytes: Uint8Array });

/**
 * Reads a forest; of whichever library has written it, where none is named.
 * @throws SphexError that says where the file has something else.
 */
export function readForest(file: ForestFile, library?: ForestLibrary): Forest {
  const span = { source: { name: file.name, text: "" }, start: 0, end: 0 };
  let writer = library ?? (isLightgbmText(file) ? "lightgbm" : "xgboost");
  try {
    const json = new JsonReader(documentOf(file, span));
    writer = library ?? libraryOf(json);
    return readers[writer](json);
  } catch (error) {
    if (error instanceof UnexpectedJson) {
      const values = { library: writer, path: error.path, expected: error.expected };
      throw new SphexError([problem("model/content", span, values)]);
    }
    if (error instanceof UnreadableBytes)
      throw new SphexError([problem("model/ubjson", span, { offset: error.offset })]);
    if (error instanceof SyntaxError || error instanceof RangeError)
      throw new SphexError([problem("model/json", span, { library: writer })]);
    throw error;
  }
}

/** LightGBM writes an object with its trees, XGBoost a list of them or an object with a learner. */
const libraryOf = (json: JsonReader): ForestLibrary =>
  !json.isList && json.names.includes("tree_info") ? "lightgbm" : "xgboost";

/** What a file has, as the values of JSON. */
function documentOf(file: ForestFile, span: Span): unknown {
  if ("bytes" in file && isUbjson(file.bytes)) return readUbjson(file.bytes);
  const text = "text" in file ? file.text : requireUtf8(file.bytes, "json", span);
  return isLightgbmText({ text }) ? lightgbmDocument(text) : JSON.parse(withoutNaN(text));
}

/** The text format of LightGBM begins with a line of its own. */
function isLightgbmText(file: { readonly text: string } | { readonly bytes: Uint8Array }): boolean {
  const start = "text" in file ? file.text : new TextDecoder().decode(file.bytes.subarray(0, 6));
  return start.startsWith("tree\n") || start.startsWith("tree\r\n");
}

/** XGBoost writes NaN, which JSON lacks, where nothing is to be read. */
const withoutNaN = (text: string): string =>
  text.includes("NaN")
    ? text.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|NaN/g, (found) => (found === "NaN" ? "null" : found))
    : text;

/** Behind the brace stands the kind of number that the length of the first name has, and no quote or space. */
const isUbjson = ([first = 0, second = 0]: Uint8Array): boolean =>
  first === 0x7b && "iUIlL#$N".includes(String.fromCharCode(second));
