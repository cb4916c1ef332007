import { counted } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import type { TensorType } from "../../language/types/type.js";
import { shapeText } from "../shape-text.js";

/** What files of bytes have, and should have, at a byte: in words for `bytes/shape`. */

interface Named {
  readonly name: string;
}

interface Sized extends Named {
  readonly bytes: number;
}

/** The columns of an input with several numbers an item, which are called by their indexes. */
export const partsText = (columns: readonly string[]): string =>
  columns.length === 1 ? `${columns[0]} alone` : `each of ${columns[0]} to ${columns.at(-1)} and no more`;

/** What a text in a file is. */
const textParts = {
  "dimension name": "the name of a dimension",
  label: ({ dimension }: { dimension: string }) => `a label of ${dimension}`,
  header: "a header",
  "file name": "the name of a file",
};

export type TextPart = Phrase<typeof textParts>;

const textPart = phrases(textParts);

// biome-ignore format: a table
const foundParts = {
  rest:                ({ bytes }: { bytes: number }) => (bytes === 0 ? "the end" : `${bytes} more ${bytes === 1 ? "byte" : "bytes"}`),
  bytes:               ({ bytes }: { bytes: number }) => `${bytes} bytes`,
  number:              ({ value }: { value: number }) => `${value}`,
  written:             ({ text }: { text: string }) => text.slice(0, 40),
  text:                ({ text }: { text: string }) => JSON.stringify(text),
  "no text":           "bytes that are not UTF-8",
  "other byte":        "another byte",
  "other bytes":       "other bytes",
  "other sign":        "another sign",
  "other text":        "another text",
  nothing:             "nothing",

  blocks:              ({ count }: { count: number }) => `${count} blocks`,
  labels:              ({ labels }: { labels: readonly string[] }) => `the labels ${labels.join(", ")} again`,
  dimension:           ({ name, after }: Named & { after: string | undefined }) => `${name} after ${after ?? "others"}`,

  version:             ({ version }: { version: number }) => `version ${version}`,
  "incomplete header": ({ lacks }: { lacks: string }) => `a header without '${lacks}'`,
  entry:               ({ name }: Named) => `'${name}' again`,
  structures:          "an array of structures",
  objects:             "Python objects",
  shape:               ({ shape }: { shape: readonly number[] }) => shapeText(shape),

  unpacked:            ({ bytes }: { bytes: number }) => `${bytes} bytes unpacked`,
  "shared bytes":      "files that share bytes",
  file:                ({ name }: Named) => `${name} again`,
  "no directory":      "no directory",
  "directory beyond":  "a directory elsewhere",
  encrypted:           ({ name }: Named) => `${name}, which is encrypted`,
  method:              ({ method }: { method: number }) => `method ${method}`,
  "more bytes":        "more bytes",
  /** In the words of the library that unpacks. */
  damage:              ({ reason }: { reason: string }) => reason,

  "deep structure":    "a structure that is nested too deeply",
  codec:               ({ name }: Named) => `the codec ${name}`,
  encoding:            ({ name }: Named) => `the encoding ${name}`,
  "page type":         ({ name }: Named) => `a page of type ${name}`,
  rows:                ({ count }: { count: number }) => counted(count, "row"),
  parts:               "lists or structures",
  times:               "dates or times",
  column:              ({ name }: Named) => `a column ${name}`,
  "no column":         ({ name }: Named) => `no column ${name}`,
};

/** What is found at a byte. */
export type FoundBytes = Phrase<typeof foundParts>;

export const foundBytes = phrases(foundParts);

interface ArrayShape {
  readonly shape: readonly (number | undefined)[];
  readonly axes: readonly string[];
  readonly type: TensorType;
}

const shapeOfAxes = ({ shape, axes, type }: ArrayShape): string =>
  `the shape ${shapeText(shape)}, as ${axes.length === 0 ? `${type} has no axes` : `the axes are ${axes.join(", ")} of ${type}`}`;

// biome-ignore format: a table
const expectedParts = {
  ...textParts,
  text:               ({ part, bytes }: { part: TextPart; bytes: number }) => `${textPart(part)} of ${bytes} bytes`,
  length:             ({ part }: { part: TextPart }) => `${textPart(part)}: its length`,
  end:                "the end",

  tag:                "a tag",
  "known tag":        "a tag: 1, 2, 3, 5, 6 or 7",
  "cell type":        "a cell type",
  "known cell type":  "a cell type: 0, 1, 2 or 3",
  dimensions:         "a count of dimensions",
  "sorted names":     "names in their order, each once",
  size:               ({ dimension }: { dimension: string }) => `the size of ${dimension}`,
  "positive size":    ({ dimension }: { dimension: string }) => `the size of ${dimension}, at least 1`,
  blocks:             "a count of blocks",
  "one block":        "one block, as there are no labels",
  block:              ({ bytes }: { bytes: number }) => `a block of ${bytes} bytes`,
  "other labels":     "other labels",

  signature:          "the signature of .npy",
  version:            "a version",
  "known version":    "version 1, 2 or 3",
  "header length":    "the length of the header",
  entries:            "descr, fortran_order and shape",
  "each entry once":  "each entry once",
  dictionary:         "a dictionary in braces",
  "closing brace":    "}",
  boolean:            "True or False",
  descr:              "whole, floating-point or boolean cells, such as '<f4'",
  "shape tuple":      "a shape, such as (2, 3)",
  "known shape":      "at most 64 axes of at most 2147483647",
  "shape of axes":    shapeOfAxes,
  cells:              "cells",
  "all cells":        ({ cells, bytes }: { cells: number; bytes: number }) => `the ${bytes} bytes of ${cells} cells, and no more`,

  archive:            "a zip archive",
  directory:          "a directory before its end",
  "directory entry":  "a file of the directory",
  "file notes":       "notes on a file",
  plain:              "a file that is not encrypted",
  "known method":     "a stored or deflated file",
  stored:             "a file that is not compressed",
  "file header":      ({ name }: Named) => `the header of ${name}`,
  "packed file":      ({ name, bytes }: Sized) => `the ${bytes} bytes of ${name}`,
  "most unpacked":    ({ bytes }: { bytes: number }) => `at most ${bytes} bytes unpacked`,
  "own bytes":        "a file of its own",
  "other name":       "different names",
  "same checksum":    ({ name }: Named) => `${name} as its size and checksum say`,
  "unpacked file":    ({ name, bytes }: Sized) => `${name} of ${bytes} bytes`,
  "deflated file":    ({ name, bytes }: Sized) => `${name} of ${bytes} bytes, deflated`,
  "deflated bytes":   ({ name }: Named) => `deflated bytes of ${name}`,

  "Parquet file":     "a Parquet file, which begins and ends with PAR1",
  "Parquet footer":   "the metadata of the Parquet file",
  "Parquet header":   "a Parquet header",
  "Parquet run":      "a run of small numbers",
  "gzip header":      "a gzip header",
  "Zstandard frame":  "a Zstandard frame",
  "same rows":        ({ name }: Named) => `${name} with as many rows as the file`,
  "own column":       ({ name }: Named) => `one column ${name}`,
  "some row":         "a row",
  "most rows":        ({ count }: { count: number }) => `at most ${counted(count, "row")}`,
  "flat column":      ({ name }: Named) => `${name} with one value in each row`,
  parts:              ({ names }: { names: readonly string[] }) => partsText(names),
  "input column":     ({ names }: { names: readonly string[] }) => `a column of an input, such as ${names.join(", ")}`,
  "numbers or labels": ({ name }: Named) => `${name} with numbers, truth values or texts`,
  "column bytes":     ({ name }: Named) => `the bytes of ${name}`,
  page:               ({ name }: Named) => `a page of ${name}`,
  "page codec":       "pages that are not compressed, or compressed by Snappy, gzip or Zstandard",
  "page encoding":    "plain values, differences, split bytes or a dictionary",
  "page dictionary":  ({ name }: Named) => `the dictionary of ${name} before its values`,
  "most cells":       ({ name, count }: Named & { count: number }) => `labels of ${name} in at most ${count} cells`,
  "number in row":    ({ name, row }: Named & { row: number }) => `a number for ${name} in row ${row}`,
  "label in row":     ({ name, row }: Named & { row: number }) => `a label for ${name} in row ${row}`,
};

/** What should stand at a byte. */
export type ExpectedBytes = Phrase<typeof expectedParts>;

export const expectedBytes = phrases(expectedParts);
