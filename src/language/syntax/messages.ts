import { limitMessages } from "../limits/messages.js";
import {
  alternatives,
  counted,
  didYouMean,
  error,
  type NoValues,
  portability,
  quoted,
  shortened,
  warning,
} from "../source/message.js";
import { problemsOf } from "../source/problem.js";
import { type CellType, cellTypeNames, cellTypes } from "../types/cell.js";
import type { DimensionInType } from "../types/messages.js";
import { type Dimension, dimensionText, type TensorType } from "../types/type.js";
import { describeUnexpected } from "./mistakes/unexpected.js";

/** A dense block with a number of values, or digits, that should be another. */
interface BlockCount {
  readonly found: number;
  readonly expected: number;
  readonly block: readonly Dimension[];
}

const vespaCellTypes = cellTypeNames.filter((name) => cellTypes[name].vespa);
const otherCellTypes = cellTypeNames.filter((name) => !cellTypes[name].vespa);

/** What other libraries call them. */
const foreignCellTypes: Readonly<Record<string, CellType>> = {
  float64: "double",
  float32: "float",
  float16: "half",
  bf16: "bfloat16",
  int64: "long",
  int32: "int",
  int16: "short",
  integer: "int",
  number: "double",
  f64: "double",
  f32: "float",
  bool: "int8",
  boolean: "int8",
};

const blockText = (block: readonly Dimension[]): string => block.map(dimensionText).join(",");

const addressText = (address: readonly AddressedDimension[]): string =>
  `{${address.map(({ dimension, label }) => `${dimension}:${label}`).join(",")}}`;

/** A form of another language, as it is written. */
interface ForeignText {
  readonly text: string;
  readonly message: string;
  /** What to write instead. */
  readonly replacement: string | undefined;
  readonly hint: string | undefined;
}

/** One dimension of an address, with its label or index. */
export interface AddressedDimension {
  readonly dimension: string;
  readonly label: string | number;
}

/** What is said of a single `=` in an address, and behind an operator. */
const equalsIn = {
  address: { expected: "`:`", hint: "an address is written with :, as in {x:1}", replacement: ":" },
  operator: {
    expected: "an expression",
    hint: "a value is given a name in a statement of its own, NAME = value",
  },
} as const;

/** What can be wrong with a text before it means anything: tokens, grammar, types as written, and the form of literals. */
export const syntaxMessages = {
  "syntax/unexpected": error(describeUnexpected),
  "syntax/foreign": error(({ text, message, replacement, hint }: ForeignText) => ({
    message,
    found: quoted(shortened(text.replace(/\s+/g, " "), 60)),
    hint,
    replacement,
  })),
  "syntax/equals": error(({ behind }: { behind: keyof typeof equalsIn | undefined }) => ({
    message: "a single = defines a name, and cannot stand inside an expression",
    found: "`=`",
    ...(behind === undefined
      ? { expected: "an operator", hint: "to compare, write ==", replacement: "==" }
      : equalsIn[behind]),
  })),
  "syntax/empty": error((_: NoValues) => ({
    message: "there is nothing here to evaluate",
    found: "an empty text",
    expected: "an expression",
  })),
  "syntax/unclosed": error(({ bracket, closer }: { bracket: string; closer: string }) => ({
    message: `this ${bracket} is never closed`,
    found: "the end",
    expected: quoted(closer),
  })),
  "syntax/unopened": error(({ bracket }: { bracket: string }) => ({
    message: `this ${bracket} closes nothing`,
    found: quoted(bracket),
    expected: "no bracket, or one that opens before it",
  })),
  "syntax/mismatched": error(({ bracket, closer }: { bracket: string; closer: string }) => ({
    message: `this ${bracket} does not match the bracket that it would close`,
    found: quoted(bracket),
    expected: quoted(closer),
  })),
  "syntax/character": error(({ character }: { character: string }) => ({
    message: `the character ${JSON.stringify(character)} has no meaning outside quotes`,
    found: `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    expected: "names, numbers, operators and brackets",
    hint:
      instead[character] ??
      (/\p{L}/u.test(character) ? "names are made of a to z, digits, _ @ and $" : undefined),
  })),
  "syntax/unterminated": error(({ quote }: { quote: string }) => ({
    message: "this text is never closed",
    found: "the end",
    expected: quoted(quote),
  })),
  "syntax/escape": error(({ sequence }: { sequence: string }) => ({
    message: `${sequence} is not an escape sequence`,
    found: quoted(sequence),
    expected: "one of \\n \\r \\t \\f \\\\ \\\" \\' \\uXXXX \\xHH",
    hint: "write \\\\ for a backslash",
  })),
  "limit/nesting": error(({ limit }: { limit: number }) => ({
    message: `brackets are nested more than ${limit} levels deep here`,
    found: "one more bracket",
    expected: `at most ${limit}`,
    hint: "give parts names of their own, or raise the limit on nesting",
  })),
  "type/cell-type": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    message: `${name} is not a cell type`,
    found: quoted(name),
    expected: `${alternatives(vespaCellTypes)}; ${alternatives(otherCellTypes)}`,
    hint: didYouMean(foreignCellTypes[name] ?? nearest),
    replacement: foreignCellTypes[name] ?? nearest,
  })),
  "type/cell-type-vespa": portability(({ name }: { name: string }) => ({
    message: `Vespa does not have the cell type ${name}`,
    found: quoted(name),
    expected: alternatives(vespaCellTypes),
  })),
  "type/dimension-size": error(({ dimension, size }: { dimension: string; size: string }) => ({
    message: `${size} is not a valid size for ${dimension}`,
    found: quoted(size),
    expected: "a whole number from 1 to 2147483647",
  })),
  "type/duplicate-dimension": error(({ dimension }: { dimension: string }) => ({
    message: `the dimension ${dimension} appears here twice`,
    found: `${quoted(dimension)} again`,
    expected: "each dimension once",
  })),
  "literal/labels": error(({ type }: { type: TensorType }) => ({
    message: "cells of this tensor need labels",
    found: "a value without labels",
    expected: `a label for each mapped dimension of ${type}`,
    hint: "labels stand before values, as in {a:1, b:2}",
  })),
  "literal/no-labels": error(({ type }: { type: TensorType }) => ({
    message: "cells of this tensor have indexes, and no labels",
    found: "labels",
    expected: `the cells of ${type} in their order`,
    hint: "write the cells in brackets, as in [1, 2, 3]",
  })),
  "literal/dimension": error(({ dimension, type }: DimensionInType) => ({
    message: `the type has no dimension ${dimension}`,
    found: quoted(dimension),
    expected: `a dimension of ${type}`,
  })),
  "literal/incomplete": error(({ dimension, type }: DimensionInType) => ({
    message: `this address lacks the dimension ${dimension}`,
    found: "an incomplete address",
    expected: `every dimension of ${type}`,
  })),
  "literal/index-text": error(({ dimension, label }: { dimension: string; label: string }) => ({
    message: `${dimension} is indexed, and ${label} is not an index`,
    found: `the label ${quoted(label)}`,
    expected: "a whole number",
  })),
  "literal/index-size": error(
    ({ dimension, index, size }: { dimension: string; index: number; size: number }) => ({
      message: `the index ${index} lies outside ${dimension}[${size}]`,
      found: `${index}`,
      expected: `0 to ${size - 1}`,
    }),
  ),
  "literal/too-deep": error(({ type }: { type: TensorType }) => ({
    message: "brackets are nested more deeply than the type has dimensions",
    found: "one more level",
    expected: `the dimensions of ${type}`,
  })),
  "literal/one-value": error(({ type }: { type: TensorType }) => ({
    message: "a label of this tensor has a single value",
    found: "an array",
    expected: `one number for each address of ${type}`,
  })),
  "literal/array": error(({ type }: { type: TensorType }) => ({
    message: "a dense block needs all of its cells",
    found: "a single value",
    expected: `an array for ${blockText(type.indexed)}`,
  })),
  "literal/count": error(({ found, expected, block }: BlockCount) => ({
    message: `${blockText(block)} takes ${counted(expected, "value")}, not ${found}`,
    found: `${found}`,
    expected: `${expected}`,
  })),
  "literal/hex": error(({ found, expected, block }: BlockCount) => ({
    message: `the hexadecimal cells of ${blockText(block)} have ${expected} digits, not ${found}`,
    found: `${found}`,
    expected: `${expected}`,
  })),
  "literal/repeated": warning(({ address }: { address: readonly AddressedDimension[] }) => ({
    message: `the cell ${addressText(address)} is written twice: the first value counts`,
    found: "a second value",
    expected: "each address once",
  })),
  "literal/duplicate": error(({ address }: { address: readonly AddressedDimension[] }) => ({
    message: `the cell ${addressText(address)} is given twice`,
    found: "a second value",
    expected: "each address once",
  })),
};

/** What to write instead of characters of other languages and word processors. */
const instead: Readonly<Record<string, string>> = {
  "&": '"and" is written &&',
  "|": '"or" is written ||',
  "~": '"approximately equal" is written ~=',
  "?": "a choice is written if(condition, then, otherwise)",
  "\u00a0": "this is a no-break space: replace it with a plain space",
  "“": 'quote with "',
  "”": 'quote with "',
  "‘": "quote with '",
  "’": "quote with '",
  "−": "a minus is written -",
  "×": "a product is written *",
};

declare module "../source/problem.js" {
  interface MessageTables {
    readonly "language/syntax": typeof syntaxMessages;
  }
}

export const problem = problemsOf<"language/limits" | "language/syntax">({
  ...limitMessages,
  ...syntaxMessages,
});
