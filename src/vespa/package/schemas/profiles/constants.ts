import { type Span, textIn } from "../../../../language/source/span.js";
import { problem } from "../../model/messages.js";
import type { Constant } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type * as Tree from "../../syntax/tree.js";
import { reportDash } from "../fields/field-checks.js";
import { reportUnwritable } from "../written-values.js";

/** `constants { name type: value … }` */
export function readConstants({ items }: Tree.ConstantsStatement, reading: Reading): readonly Constant[] {
  return items.flatMap((each) => {
    if (each.kind === "constant") return readConstant(each, reading) ?? [];
    return reading.unexpected(each, "constant") ?? [];
  });
}

/** One of `constants`, or `constant name { type: … file: … }`, the form at the level of schemas. */
export function readConstant(
  { name, type, value, span, isRemote }: Tree.ConstantStatement,
  reading: Reading,
): Constant | undefined {
  const isFile = value !== undefined && "path" in value;
  const found = reading.type(type ?? (value === undefined || isFile ? undefined : statedType(value)));
  reportDash(name, reading);
  if (found === undefined) return reading.lose(`constant(${name.text})`);
  const constant = { name: name.text, span, type: found.type };
  if (value === undefined) {
    if (!isRemote) reading.report(problem("schema/no-value", name.span, { name: name.text }));
    return { ...constant, value };
  }
  if (!isFile) reportUnwritable(value, reading);
  return { ...constant, value: isFile ? { file: value.path.text, span: value.span } : { text: value } };
}

/** A value may say its type itself: `name: tensor(x[2]):[1,2]`. */
function statedType(value: Span): Span | undefined {
  const stated = /^tensor\s*(?:<\s*\w+\s*>\s*)?\([^()]*\)/.exec(textIn(value))?.[0];
  return stated === undefined ? undefined : { ...value, end: value.start + stated.length };
}
