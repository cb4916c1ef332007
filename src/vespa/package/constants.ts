import type { Span } from "../../language/source/span.js";
import { textOf } from "./blocks.js";
import { nameAndType } from "./inputs.js";
import type { Constant } from "./model.js";
import type { Reading } from "./reading.js";
import { type Statement, statementsIn, valueAfter, wordsIn } from "./statements.js";

/** `constants { name type: value … }` */
export function readConstants({ body }: Statement, reading: Reading): ReadonlyMap<string, Constant> {
  const constants = new Map<string, Constant>();
  for (const statement of body === undefined ? [] : statementsIn(body, "data")) {
    const constant = entry(statement, reading);
    if (constant === undefined) continue;
    const first = constants.get(constant.name);
    if (first !== undefined) {
      const places = [{ span: first.span, says: "the first" }];
      reading.report("schema/duplicate", constant.span, { what: "constant", name: constant.name }, places);
    } else constants.set(constant.name, constant);
  }
  return constants;
}

function entry(statement: Statement, reading: Reading): Constant | undefined {
  const { keyword, head, value, body, span } = statement;
  const named = nameAndType({ ...head, start: keyword.span.start }, "constant");
  if (named === undefined) {
    const values = { what: "constant", wanted: "name type: value, or name type: file:path" };
    return void reading.report("schema/name", keyword.span, values);
  }
  if (body !== undefined) return inBlock(named.name, named.type, body, span, reading);
  return constantOf(named.name, typePlace(named.type, value), value, span, reading);
}

/** A value may say its type itself: `name: tensor(x[2]):[1,2]`. */
function typePlace(type: Span, value: Span | undefined): Span {
  const stated =
    value === undefined ? undefined : /^tensor\s*(?:<\s*\w+\s*>)?\s*\([^()]*\)/.exec(textOf(value))?.[0];
  return type.end > type.start || value === undefined || stated === undefined
    ? type
    : { ...value, end: value.start + stated.length };
}

/** `constant name { type: … file: … }`, the form at the level of schemas. */
export function readConstant(
  { keyword, head, body, span }: Statement,
  reading: Reading,
): ReadonlyMap<string, Constant> {
  const [name] = wordsIn(head);
  if (name === undefined || body === undefined) {
    const values = { what: "constant", wanted: "constant name { type: … file: … }" };
    reading.report("schema/name", keyword.span, values);
    return new Map();
  }
  const constant = inBlock(name.text, { ...name.span, start: name.span.end }, body, span, reading);
  return new Map(constant === undefined ? [] : [[name.text, constant]]);
}

function inBlock(name: string, type: Span, body: Span, span: Span, reading: Reading): Constant | undefined {
  const statements = statementsIn(body, "data");
  const value = statements.find((each) => each.keyword.text === "value");
  const file = valueAfter(statements, "file");
  const place = valueAfter(statements, "type") ?? type;
  if (file === undefined) return constantOf(name, place, value?.value ?? value?.body, span, reading);
  const found = reading.type(place);
  if (found === undefined) return reading.lose(`constant(${name})`);
  return { name, span, type: found.type, value: { file: textOf(file), span: file } };
}

function constantOf(
  name: string,
  type: Span,
  value: Span | undefined,
  span: Span,
  reading: Reading,
): Constant | undefined {
  const found = reading.type(type);
  if (found === undefined) return reading.lose(`constant(${name})`);
  const file = value === undefined ? undefined : /^file:\s*(\S+)$/.exec(textOf(value))?.[1];
  if (value === undefined) return { name, span, type: found.type, value: undefined };
  if (file !== undefined) return { name, span, type: found.type, value: { file, span: value } };
  return { name, span, type: found.type, value: { text: value } };
}
