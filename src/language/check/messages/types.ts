import { didYouMean, error, type NoValues, portability, quoted, warning } from "../../source/message.js";
import { type Phrase, phrases } from "../../source/phrase.js";
import type { CellType } from "../../types/cell.js";
import type { DimensionInType } from "../../types/messages.js";
import { type Dimension, dimensionText, TensorType } from "../../types/type.js";

/** What must be a scalar. */
const parts = {
  lambda: "the value of this lambda",
  condition: "the condition of an if",
  switch: "the value of a switch",
  case: "the value of a case",
  item: "an item of this list",
  cell: "a cell",
  "generated cell": "the body of a generated tensor",
  count: "the number of cells to keep",
  "count first": "the number of cells to keep, which comes before the tensor,",
  index: ({ dimension }: { dimension: string }) => `the index of ${dimension}`,
};

export type ScalarPart = Phrase<typeof parts>;

const partText = phrases(parts);

interface NamedType {
  readonly name: string;
  readonly type: TensorType;
}

interface Unequal {
  readonly name: string;
  readonly dimension: string;
  readonly left: TensorType;
  readonly right: TensorType;
}

/** A short slice of a tensor that does not have just one dimension of the kind that it is about. */
interface ShortSlice {
  readonly type: TensorType;
  /** `mapped` for a label in braces, `indexed` for an index. */
  readonly kind: "mapped" | "indexed";
  /** What is between the brackets, as it is written. */
  readonly selector: string;
  /** Whether that is a word without quotes. */
  readonly isWord: boolean;
}

/** How to write the slice in full, on the first dimension that it could mean. A name in braces may have been meant as a value. */
function sliceHint({ type, kind, selector, isWord }: ShortSlice): string | undefined {
  if (isWord && type.isDense && type.indexed.length === 1)
    return `for the value of ${selector}, write [${selector}]`;
  const first = type[kind][0] ?? type.dimensions[0];
  return first === undefined ? undefined : `name the dimension: {${first.name}:${selector}}`;
}

/** What an index that counts from the end would be here. */
function fromTheEnd({ size }: Dimension, index: number): { hint: string; replacement: string } | undefined {
  if (size === undefined || !(index < 0 && size + index >= 0)) return undefined;
  const replacement = `${size + index}`;
  return { hint: `indexes count from the start: write ${replacement}`, replacement };
}

function scalarHint(part: ScalarPart): string {
  if (part === "condition") return "if chooses once: to choose in each cell, write where in its place";
  if (part === "count first") return "exchange the arguments, as in top(2, t)";
  return "reduce the tensor to a number, or slice one cell from it";
}

/** What can be wrong with the types of operands, with slices, and with tensors that an expression writes out. */
export const operandMessages = {
  "type/unknown-dimension": error(
    ({ dimension, type, nearest }: DimensionInType & { nearest: string | undefined }) => ({
      message: `there is no dimension ${dimension} here`,
      found: quoted(dimension),
      expected: `a dimension of ${type}`,
      hint: didYouMean(nearest),
      replacement: nearest,
    }),
  ),
  "type/not-scalar": error(({ part, type }: { part: ScalarPart; type: TensorType }) => ({
    message: `${partText(part)} must be a single number`,
    found: `${type}`,
    expected: `${TensorType.scalar}`,
    hint: scalarHint(part),
  })),
  "type/not-mapped": error(({ name, type }: NamedType) => ({
    message: `${name} needs a mapped dimension`,
    found: `${type}`,
    expected: "a tensor with at least one mapped dimension",
  })),
  "type/not-sparse": error(({ name, type }: NamedType) => ({
    message: `${name} needs a sparse tensor`,
    found: `${type}`,
    expected: "a tensor with mapped dimensions only",
  })),
  "type/not-new": error(({ dimension, type }: DimensionInType) => ({
    message: `the tensor already has the dimension ${dimension}`,
    found: `${type}`,
    expected: "a new dimension, or one of size 1",
  })),
  "type/same-size": error(({ name, dimension, left, right }: Unequal) => ({
    message: `${name} needs ${dimension} to be indexed, with the same size in both tensors`,
    found: `${left} and ${right}`,
    expected: `${dimension}[n] in both`,
  })),
  "type/not-generated": error(({ dimension, type }: DimensionInType) => ({
    message: `a generated tensor needs a size for ${dimension}`,
    found: `${type}`,
    expected: `${dimension}[size]`,
  })),
  "type/unpack-bits": error(({ type }: { type: TensorType }) => {
    const isInt8 = type.cellType === "int8";
    const unbound = type.indexed.find(({ size }) => size === undefined);
    return {
      message:
        isInt8 && unbound !== undefined
          ? `unpack_bits needs a size for ${unbound.name}`
          : "unpack_bits needs int8 cells along an indexed dimension of known size",
      found: `${type}`,
      expected: isInt8 && unbound !== undefined ? `${unbound.name}[size]` : "tensor<int8>(x[n])",
      hint: isInt8 ? undefined : "cell_cast(…, int8) makes such cells",
    };
  }),
  "type/scalar-cast": error(({ cellType }: { cellType: CellType }) => ({
    message: "a single number is always a double",
    found: cellType,
    expected: "double",
  })),
  "type/rename-clash": error(({ dimension, type }: DimensionInType) => ({
    message: `after this rename two dimensions would be called ${dimension}`,
    found: `${type}`,
    expected: "different names",
  })),
  "slice/text-label": error(({ dimension, label }: { dimension: Dimension; label: string }) => ({
    message: `${dimensionText(dimension)} is indexed, and ${label} is not an index`,
    found: `the label ${quoted(label)}`,
    expected: "a number",
    hint: `for the value of ${label}, write (${label})`,
  })),
  "slice/out-of-bounds": error(({ dimension, index }: { dimension: Dimension; index: string }) => ({
    message: `the index ${index} lies outside ${dimensionText(dimension)}`,
    found: index,
    expected: `an index from 0 to ${(dimension.size ?? 2147483647) - 1}`,
    ...fromTheEnd(dimension, Number(index)),
  })),
  "slice/ambiguous": error((values: ShortSlice) => ({
    message: `this short slice needs exactly one ${values.kind} dimension`,
    found: `${values.type}, which has ${values.type[values.kind].length || "none"}`,
    expected: `one ${values.kind} dimension`,
    hint: sliceHint(values),
  })),
  "literal/text": warning(({ text }: { text: string }) => ({
    message: "this cell is a text, which is read as a number: its hash",
    found: "a text",
    expected: "a number",
    replacement: text.trim() !== "" && Number.isFinite(Number(text)) ? `${Number(text)}` : undefined,
  })),
  "literal/unbound": error(({ dimension, type }: DimensionInType) => ({
    message: `a literal in an expression needs a size for ${dimension}`,
    found: `${type}`,
    expected: `${dimension}[size]`,
  })),
  "slice/along": error(({ dimension, type }: DimensionInType) => ({
    message: `a lambda that takes indexes of the remaining dimensions needs a size for ${dimension}`,
    found: `${type}`,
    expected: `${dimension}[size]`,
  })),
  "portability/literal": portability(({ type }: { type: TensorType }) => ({
    message: `Vespa does not read this form of a literal of type ${type}`,
    found: "the Paper's form",
    expected: "{{}:value} for a scalar, [ … ] for dense cells",
  })),
  "portability/empty-scalar": warning((_: NoValues) => ({
    message: "a tensor of rank 0 without a cell is NaN in the Paper, and 0 in Vespa",
    found: "no cell",
    expected: "one cell",
  })),
};

export type OperandMessages = typeof operandMessages;
