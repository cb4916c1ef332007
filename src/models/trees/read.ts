import { SphexError } from "../../language/source/problem.js";
import { problem } from "../messages.js";
import type { Forest } from "./forest.js";
import { JsonReader, UnexpectedJson } from "./json-reader.js";
import { readLightgbm } from "./lightgbm.js";
import { readXgboost } from "./xgboost.js";

/** The libraries whose models are read. */
export const forestLibraries = ["xgboost", "lightgbm"] as const;

/** A library whose forests can be read. */
export type ForestLibrary = (typeof forestLibraries)[number];

const readers: Readonly<Record<ForestLibrary, (json: JsonReader) => Forest>> = {
  xgboost: readXgboost,
  lightgbm: readLightgbm,
};

/** A file of JSON that one of these libraries has written. */
export interface ForestFile {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads a forest of whichever library has written it.
 * @throws SphexError that says where the file has something else.
 */
export function forestOf(file: ForestFile): Forest {
  const isLightgbm = file.text.slice(0, beginning).includes('"tree_info"');
  return readForest(file, isLightgbm ? "lightgbm" : "xgboost");
}

/** What LightGBM writes before its trees is shorter. */
const beginning = 10_000_000;

/**
 * Reads a forest.
 * @throws SphexError that says where the file has something else.
 */
export function readForest({ name, text }: ForestFile, library: ForestLibrary): Forest {
  const span = { source: { name, text: "" }, start: 0, end: 0 };
  try {
    return readers[library](new JsonReader(JSON.parse(text)));
  } catch (error) {
    if (error instanceof UnexpectedJson) {
      const values = { library, path: error.path, expected: error.expected };
      throw new SphexError([problem("model/content", span, values)]);
    }
    if (error instanceof SyntaxError || error instanceof RangeError)
      throw new SphexError([problem("model/json", span, { library })]);
    throw error;
  }
}
