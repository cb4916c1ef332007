import { limitMessages } from "../language/limits/messages.js";
import { error, type NoValues, quoted } from "../language/source/message.js";
import { type Phrase, phrases } from "../language/source/phrase.js";
import { problemsOf, SphexError } from "../language/source/problem.js";
import { syntaxMessages } from "../language/syntax/messages.js";
import type { TensorType } from "../language/types/type.js";
import { type ExpectedBytes, expectedBytes, type FoundBytes, foundBytes } from "./messages/bytes.js";

/** What a format can require of a tensor. */
const requirements = {
  "some cell": "a cell in each dimension",
  "whole characters": "labels that are whole characters",
  dense: "indexed dimensions only",
  "one mapped": "at most one mapped dimension",
  "labels of an archive": "at most 65,534 labels, each of at most 65,000 bytes without U+0000",
  "other form": ({ forms }: { forms: readonly string[] }) => `one of the forms ${forms.join(", ")}`,
};

type FormatRequirement = Phrase<typeof requirements>;

const requirementText = phrases(requirements);

interface MissingArray {
  /** The one that is asked for; nothing where there should be only one. */
  readonly array: string | undefined;
  readonly arrays: readonly string[];
}

function foundArrays({ array, arrays }: MissingArray): string {
  if (arrays.length === 0) return "no array";
  return array === undefined ? "several arrays" : `no array ${array}`;
}

/** What can be wrong with files of tensors. */
export const formatMessages = {
  "bytes/shape": error((values: { offset: number; found: FoundBytes; expected: ExpectedBytes }) => ({
    message: `at byte ${values.offset} there must be ${expectedBytes(values.expected)}`,
    found: foundBytes(values.found),
    expected: expectedBytes(values.expected),
  })),
  "bytes/text": error(({ format }: { format: string }) => ({
    message: `${format} is a binary format`,
    found: "a text",
    expected: "an array of bytes",
  })),
  "bytes/encoding": error(({ format, isWide }: { format: string; isWide: boolean }) => ({
    message: `${format} is text in UTF-8`,
    found: isWide ? "a text in UTF-16" : "bytes that are not UTF-8",
    expected: "a text in UTF-8",
  })),
  "bytes/array": error((values: MissingArray) => ({
    message: `this archive has ${foundArrays(values)}`,
    found: foundArrays(values),
    expected: values.array ?? "one array",
    hint: values.arrays.length === 0 ? undefined : `name one of ${values.arrays.slice(0, 20).join(", ")}`,
  })),
  "format/no-type": error((_: NoValues) => ({
    message: "this JSON does not say the type of its tensor",
    found: "no type",
    expected: "a type",
    hint: "state it beside the cells, or give it with the file",
  })),
  "format/cannot-hold": error(
    (values: { format: string; type: TensorType; expected: FormatRequirement }) => ({
      message: `${values.format} cannot hold this tensor of type ${values.type}`,
      found: `${values.type}`,
      expected: requirementText(values.expected),
    }),
  ),
  "literal/no-type": error((_: NoValues) => ({
    message: "only a number or cells with addresses can be written without a type",
    found: "no type",
    expected: "tensor(…): in front",
  })),
  "literal/number": error(({ text }: { text: string }) => ({
    message: `${text} is not a number`,
    found: quoted(text),
    expected: "a number, NaN, Infinity or -Infinity",
  })),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly formats: typeof formatMessages;
  }
}

export const problem = problemsOf<"language/limits" | "language/syntax" | "formats">({
  ...limitMessages,
  ...syntaxMessages,
  ...formatMessages,
});

/**
 * Refuses a tensor that a format cannot represent.
 * @throws SphexError always.
 */
export function refuseTensor(format: string, type: TensorType, expected: FormatRequirement): never {
  const source = { name: "tensor", text: `${type}` };
  const span = { source, start: 0, end: source.text.length };
  throw new SphexError([problem("format/cannot-hold", span, { format, type, expected })]);
}
