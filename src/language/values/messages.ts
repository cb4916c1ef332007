import { counted, error, quoted } from "../source/message.js";
import { type Problem, problemsOf, SphexError } from "../source/problem.js";
import { type Span, spanOfText } from "../source/span.js";
import { kindText, type ValueKind } from "../source/value-kind.js";
import type { DimensionInType } from "../types/messages.js";
import type { TensorType } from "../types/type.js";

export { spanOfText } from "../source/span.js";
export { kindOf, kindText, type ValueKind } from "../source/value-kind.js";

/** A typed array, by the name of its class and its length. */
interface ArrayShape {
  readonly name: string;
  readonly length: number;
}

export const arrayText = ({ name, length }: ArrayShape): string => `${name}(${length})`;

const nestedParts = { labels: "an object of labels", array: "an array", number: "a number" } as const;

interface NestedShape {
  readonly type: TensorType;
  readonly found: ValueKind;
  readonly expected: keyof typeof nestedParts;
}

interface Strides {
  readonly type: TensorType;
  readonly shape: readonly number[];
  readonly strides: readonly number[];
  readonly cells: number;
}

interface Count<Expected = number> {
  readonly type: TensorType;
  readonly found: number;
  readonly expected: Expected;
}

/** What can be wrong with tensors that an embedder makes, reads or asks for. */
export const valueMessages = {
  "value/not-a-number": error(({ type }: { type: TensorType }) => ({
    message: "only a tensor of rank 0 is a number",
    found: `${type}`,
    expected: "tensor()",
  })),
  "value/dimensions": error(({ type, expected }: { type: TensorType; expected: TensorType }) => ({
    message: "cells can be stored only as a type with the same dimensions and sizes",
    found: `${type}`,
    expected: `${expected}`,
  })),
  "value/array-type": error((values: { type: TensorType; found: string; expected: string }) => ({
    message: `the cells of ${values.type} need another kind of array`,
    found: values.found,
    expected: values.expected,
  })),
  "value/array-mapped": error(({ type }: { type: TensorType }) => ({
    message: "a typed array cannot express the labels of mapped dimensions",
    found: `${type}`,
    expected: "a type with indexed dimensions only",
    hint: "give a list of { address, value }, or an object by label",
  })),
  "value/count": error(({ type, found, expected }: Count<number | undefined>) => ({
    message:
      expected === undefined
        ? `the sizes of ${type} do not follow from ${counted(found, "cell")}`
        : `${type} has ${counted(expected, "cell")}, not ${found}`,
    found: `${found}`,
    expected: expected === undefined ? "nested arrays, whose lengths are the sizes" : `${expected}`,
  })),
  "value/size": error(({ type, dimension, found, expected }: Count & { dimension: string }) => ({
    message: `an array for ${dimension} of ${type} has the wrong length`,
    found: `${found}`,
    expected: `${expected}`,
  })),
  "value/shape": error(({ type, found, expected }: NestedShape) => ({
    message: `this does not fit ${type}`,
    found: kindText(found),
    expected: nestedParts[expected],
  })),
  "value/nulls": error(({ type, nulls }: { type: TensorType; nulls: number }) => ({
    message: `a column with nulls cannot be a ${type}, whose cells are numbers`,
    found: counted(nulls, "null"),
    expected: "a number in each row",
  })),
  /** What is found is how many numbers there are; nothing where they count days or other units of time. */
  "value/column": error((values: { type: TensorType; rows: number; found: number | undefined }) => ({
    message: `a column whose rows are not numbers cannot be a ${values.type}`,
    found:
      values.found === undefined
        ? "dates or times"
        : `${counted(values.found, "number")} in ${counted(values.rows, "row")}`,
    expected: "a number in each row",
    hint: "convert decimals, dates and other values to numbers first",
  })),
  "value/strides": error((values: Strides) => ({
    message: `this shape and these strides are not those of ${values.type} in ${counted(values.cells, "number")}`,
    found: `shape ${values.shape.join(", ")} and strides ${values.strides.join(", ")}`,
    expected: "a size and a stride for each dimension, which lead only to numbers of the data",
  })),
  "value/into": error((values: { type: TensorType; found: ArrayShape; expected: ArrayShape }) => ({
    message: `the cells of ${values.type} do not fit into this array`,
    found: arrayText(values.found),
    expected: arrayText(values.expected),
  })),
  "value/address": error(({ type, dimension }: DimensionInType) => ({
    message: `an address of ${type} must name each of its dimensions, and no others`,
    found: type.dimension(dimension) === undefined ? quoted(dimension) : `no ${quoted(dimension)}`,
    expected: `${type}`,
  })),
  "value/position": error((values: { type: TensorType; position: number; cells: number }) => ({
    message: `${values.type} has no cell at this position`,
    found: `${values.position}`,
    expected: values.cells === 0 ? "no position: the tensor is empty" : `0 to ${values.cells - 1}`,
  })),
  "value/axes": error((values: { type: TensorType; axes: readonly string[] }) => ({
    message: `the axes of ${values.type} are its indexed dimensions, or all of its dimensions, each once`,
    found: values.axes.length === 0 ? "no axis" : values.axes.join(", "),
    expected: values.type.names.join(", "),
  })),
  "value/index": error(({ type, dimension, label }: DimensionInType & { label: string }) => ({
    message: `${label} is not an index of ${dimension}`,
    found: quoted(label),
    expected: `an index within ${type}`,
  })),
  "value/duplicate": error((values: { type: TensorType; address: readonly (string | number)[] }) => ({
    message: `the cell ${values.address.join(", ")} of ${values.type} is given twice`,
    found: "a second value",
    expected: "each address once",
  })),
};

declare module "../source/problem.js" {
  interface MessageTables {
    readonly "language/values": typeof valueMessages;
  }
}

export const problem = problemsOf<"language/values">(valueMessages);

export function refuse(found: Problem): never {
  throw new SphexError([found]);
}

/** The span of a type that data does not fit. */
export const typeSpan = (type: TensorType): Span => spanOfText("tensor", `${type}`);
