import { limitMessages } from "../../language/limits/messages.js";
import { counted, error } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";
import { type Dimension, dimensionText, type TensorType } from "../../language/types/type.js";
import { indexText } from "../from-cells.js";
import { type JsonValue, quoted, shown } from "./value.js";

/** What a text that is not JSON should have where it stops being JSON. */
const syntaxParts = {
  JSON: "JSON",
  end: "nothing more",
  value: "a value",
  "value or ]": "a value or ]",
  key: "a key in quotes",
  "key or }": "a key in quotes, or }",
  colon: "a colon",
  "comma or ]": "a comma or ]",
  "comma or }": "a comma or }",
  "escaped line break": "an escape, such as \\n for a line break",
  escape: "a JSON escape, such as \\\\",
  "closing quote": "a text that ends with a quote",
};

export type ExpectedSyntax = Phrase<typeof syntaxParts>;

export const expectedSyntax = phrases(syntaxParts);

/** The beginning of what stands there; nothing at the end of the text. */
export const foundSyntax = (text: string): string => (text === "" ? "the end" : JSON.stringify(text));

const foundParts = {
  value: ({ value }: { value: JsonValue | undefined }) => shown(value),
  text: ({ text }: { text: string }) => quoted(text),
  "same address": ({ of }: { of: string }) => `the address of ${of} again`,
  array: ({ length }: { length: number }) => `an array of length ${length}`,
  numbers: ({ count }: { count: number }) => counted(count, "number"),
  cells: ({ count }: { count: number }) => `${count} cells, with the zeros between them`,
  digits: ({ count }: { count: number }) => counted(count, "digit"),
  "digits of cell": ({ count }: { count: number }) => `${counted(count, "digit")} per cell`,
};

/** What a place in JSON has. */
export type FoundInJson = Phrase<typeof foundParts>;

const foundInJson = phrases(foundParts);

interface OfType {
  readonly type: TensorType;
}

interface Cells {
  readonly cells: number;
}

const hexadecimal = ({ cells }: Cells): string => counted(cells, "hexadecimal cell");

const verboseCell = `{"address":{…},"value":…}`;
const verboseBlock = `{"address":{…},"values":[…]}`;

const expectedParts = {
  number: "a number, null for NaN, or a number as text",
  "number or typed cells": "a number, or cells with their type",
  "number, not array": "a number: the arrays nest deeper than the dimensions",
  type: "a tensor type, as text",
  "one form": ({ of }: { of: string }) => `left out: the tensor is read from ${of}`,

  cell: `a cell: ${verboseCell}`,
  cells: ({ type }: OfType) =>
    `an array of cells, each ${verboseCell}${type.rank === 1 ? ", or an object of numbers by label" : ""}`,
  "own cell": "a cell with an address of its own",
  "most cells": ({ count }: { count: number }) => `at most ${counted(count, "cell")}`,
  address: ({ dimensions }: { dimensions: readonly string[] }) =>
    `an object with ${dimensions.length === 0 ? "no labels" : `labels for ${dimensions.join(", ")}`}`,
  dimension: ({ dimensions, type }: OfType & { dimensions: readonly string[] }) =>
    dimensions.length === 0
      ? `left out: ${type} has no dimensions`
      : `one of the dimensions ${dimensions.join(", ")}`,
  label: "a label, as text",
  index: ({ size }: { size: number | undefined }) => indexText(size),

  block: `a block: ${verboseBlock}`,
  blocks: ({ type }: OfType) =>
    `an array of blocks, each ${verboseBlock}${type.mapped.length === 1 ? ", or an object of arrays by label" : ""}`,
  "no blocks": ({ type }: OfType) => `left out: ${type} does not have both mapped and indexed dimensions`,
  "own block": "a block with an address of its own",

  array: ({ dimension }: { dimension: Dimension }) => `an array for ${dimensionText(dimension)}`,
  "array of size": ({ dimension, size }: { dimension: Dimension; size: number }) =>
    `an array of length ${size}, for ${dimensionText(dimension)}`,
  "nested arrays": ({ type }: OfType) => `arrays nested for ${type.indexed.map(dimensionText).join(",")}`,
  numbers: ({ count }: { count: number }) => `an array of ${counted(count, "number")}`,

  "array of open sizes": ({ type }: OfType) => `an array, as not all sizes of ${type} are known`,
  "array or digits": (values: Cells) => `an array, or ${hexadecimal(values)} as one text`,
  digits: (values: Cells) => `${hexadecimal(values)} of 2, 4, 8 or 16 digits each`,
  "digits of int8": (values: Cells) => `${hexadecimal(values)} of 2 digits each, which int8 holds`,
};

/** What a place in the JSON of a tensor should have. */
export type ExpectedInJson = Phrase<typeof expectedParts>;

/** A place in JSON that should be something else. */
export interface JsonShape<Expected> {
  readonly path: string;
  readonly found: FoundInJson;
  readonly expected: Expected;
}

/** The message `json/shape`, for readers that expect what these phrases say. */
export const shapeMessage = <Expected>(expectedText: (expected: Expected) => string) =>
  error(({ path, found, expected }: JsonShape<Expected>) => ({
    message: `${path} must be ${expectedText(expected)}`,
    found: foundInJson(found),
    expected: expectedText(expected),
  }));

/** What other languages have that JSON has not, by what was found, and by what was expected where that decides. */
// biome-ignore format: a table
const habits: readonly { readonly found: RegExp; readonly expected?: ExpectedSyntax; readonly hint: string }[] = [
  { found: /^[+-]?(?:nan|inf(?:inity)?)$/i, hint: 'write it as a text, such as "NaN"' },
  { found: /^'/,                            hint: "texts stand in double quotes" },
  { found: /^[/#]/,                         hint: "JSON has no comments" },
  { found: /^\]/, expected: "value",        hint: "leave out the last comma" },
  { found: /^}/,  expected: "key",          hint: "leave out the last comma" },
];

/** What can be wrong with JSON, and with tensors in it. */
export const jsonMessages = {
  "json/syntax": error(({ found, expected }: { found: string; expected: ExpectedSyntax }) => ({
    message: `this is not JSON: ${expectedSyntax(expected)} must stand here`,
    found: foundSyntax(found),
    expected: expectedSyntax(expected),
    hint: habits.find((each) => each.found.test(found) && (each.expected ?? expected) === expected)?.hint,
  })),
  "json/shape": shapeMessage(phrases(expectedParts)),
  "json/type": error((values: { path: string; type: TensorType; declared: TensorType }) => ({
    message: `${values.path} is not the declared type`,
    found: `${values.type}`,
    expected: `${values.declared}`,
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "formats/json": typeof jsonMessages;
  }
}

export const problem = problemsOf<"language/limits" | "formats/json">({ ...limitMessages, ...jsonMessages });
