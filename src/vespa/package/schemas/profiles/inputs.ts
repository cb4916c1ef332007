import { readLiteral } from "../../../../formats/literal.js";
import { textAsNumber } from "../../../../language/scalar/hash.js";
import { type Span, textIn } from "../../../../language/source/span.js";
import { TensorType } from "../../../../language/types/type.js";
import { Tensor } from "../../../../language/values/tensor.js";
import { problem } from "../../model/messages.js";
import type { Input, InputType } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import { uncommented, unquoted } from "../../model/text.js";
import type * as Tree from "../../syntax/tree.js";
import { reportDash } from "../fields/field-checks.js";
import { isReadableNumber, reportUnwritable } from "../written-values.js";

/** How many cells a tensor in a schema may have. */
const cells = 10_000_000;

/** `inputs { query(q) tensor<float>(x[3]): [1,2,3] … }` */
export function readInputs({ items }: Tree.InputsStatement, reading: Reading): readonly Input[] {
  return items.flatMap((each) => {
    if (each.kind === "query") return readInput(each, reading) ?? [];
    return reading.unexpected(each, "input") ?? [];
  });
}

function readInput(
  { name: own, type, value, span }: Tree.InputStatement,
  reading: Reading,
): Input | undefined {
  const { text } = own;
  reportDash(own, reading);
  const name = `query(${text})`;
  const word = type === undefined ? "" : textIn(type);
  if (type !== undefined && otherInputs.has(word)) {
    reading.report(problem("schema/number-type", type, { type: word, hasValue: value !== undefined }));
    return { name, span, type: TensorType.scalar, isString: false };
  }
  const read = reading.type(type);
  if (read === undefined) return reading.lose(name);
  if (value !== undefined) reportUnread(value, read, reading);
  const tensor = value === undefined ? undefined : tensorIn(name, value, read, reading);
  const written = value === undefined ? {} : { defaultSpan: value };
  return { name, span, ...read, ...(tensor === undefined ? {} : { default: tensor, ...written }) };
}

/** Reports what Vespa does not read of a value: where texts are expected, all but numbers. */
function reportUnread(value: Span, { isString }: InputType, reading: Reading): void {
  if (!isString) reportUnwritable(value, reading);
  else if (!isReadableNumber(value))
    reading.report(problem("schema/text-default", value, { text: textIn(value) }));
}

/** Types of numbers elsewhere: after `query(q)` Vespa reads such a word as another input, which then has the value. */
const otherInputs = new Set(["int", "bool", "boolean"]);

/** The value of an input as it stands in a schema. */
function tensorIn(
  name: string,
  value: Span,
  { type, isString }: InputType,
  reading: Reading,
): Tensor | undefined {
  const text = textIn(value);
  if (isString) return Tensor.scalar(textAsNumber(unquoted(text)), TensorType.scalar);
  if (!type.isScalar)
    return reading.part(value, (source) => readLiteral(uncommented(source), { type, empty: 0, cells }));
  const number = text === "true" ? 1 : text === "false" ? 0 : Number(text.replace(/[fd]$/i, ""));
  if (text === "NaN" || (text !== "" && !Number.isNaN(number)))
    return Tensor.scalar(number, TensorType.scalar);
  return void reading.report(problem("schema/value", value, { name, text }));
}
