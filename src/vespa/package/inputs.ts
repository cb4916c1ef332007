import { readLiteral } from "../../formats/literal.js";
import { textAsNumber } from "../../language/scalar/hash.js";
import type { Span } from "../../language/source/span.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { textOf, trimmed } from "./blocks.js";
import type { Input, InputType } from "./model.js";
import type { Reading } from "./reading.js";
import { type Statement, statementsIn, unquoted } from "./statements.js";

/** How many cells a tensor in a schema may have. */
const cells = 10_000_000;

/** `inputs { query(q) tensor<float>(x[3]): [1,2,3] … }`, by canonical name. */
export function readInputs({ body }: Statement, reading: Reading): ReadonlyMap<string, Input> {
  const inputs = new Map<string, Input>();
  for (const statement of body === undefined ? [] : statementsIn(body, "data")) {
    const input = readInput(statement, reading);
    if (input === undefined) continue;
    const first = inputs.get(input.name);
    if (first !== undefined) {
      const places = [{ span: first.span, says: "the first" }];
      reading.report("schema/duplicate", input.span, { what: "input", name: input.name }, places);
    } else inputs.set(input.name, input);
  }
  return inputs;
}

function readInput({ keyword, head, value, span }: Statement, reading: Reading): Input | undefined {
  const whole = { ...head, start: keyword.span.start };
  const named = nameAndType(whole, "query");
  if (named === undefined) {
    const values = { what: "input", wanted: "query(name) type, or query(name) type: value" };
    return void reading.report("schema/name", keyword.span, values);
  }
  const type = reading.type(named.type);
  if (type === undefined) return reading.lose(`query(${named.name})`);
  const input = { name: `query(${named.name})`, span, ...type };
  const tensor = value === undefined ? undefined : tensorIn(input.name, value, type, reading);
  return tensor === undefined ? input : { ...input, default: tensor };
}

/** `query(q) type` or `q type`: the name, and where the type stands. */
export function nameAndType(
  span: Span,
  feature: string,
): { readonly name: string; readonly type: Span } | undefined {
  const pattern = new RegExp(`^(?:${feature}\\s*\\(\\s*([\\w$@.-]+)\\s*\\)|([\\w$@-]+)(?![\\w$@(]))\\s*`);
  const found = pattern.exec(textOf(span));
  const name = found?.[1] ?? found?.[2];
  if (found === null || name === undefined) return undefined;
  return { name, type: trimmed({ ...span, start: span.start + found[0].length }) };
}

/** The value of an input or a constant as it stands in a schema. */
export function tensorIn(
  name: string,
  value: Span,
  { type, isString }: InputType,
  reading: Reading,
): Tensor | undefined {
  const text = textOf(value);
  if (isString) return Tensor.scalar(textAsNumber(unquoted(value)), TensorType.scalar);
  if (!type.isScalar) return reading.part(value, (source) => readLiteral(source, { type, empty: 0, cells }));
  const number = text === "true" ? 1 : text === "false" ? 0 : Number(text.replace(/[fd]$/i, ""));
  if (text !== "" && !Number.isNaN(number)) return Tensor.scalar(number, TensorType.scalar);
  const found = text === "" ? "nothing" : `\`${text.slice(0, 40)}\``;
  return void reading.report("schema/value", value, { name, found, wanted: "a number" });
}
