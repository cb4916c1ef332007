import type { Problem } from "../../language/source/problem.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { type LiteralOptions, readLiteral } from "../literal.js";
import { problem } from "../messages.js";
import { readJson, readJsonValue, typeInJson } from "./json.js";
import { readNumber, spelt } from "./numbers.js";
import { TensorReading } from "./reading.js";
import type { JsonValue } from "./value.js";

/** Tensors that a document, a query or a response gives: in JSON, or as a text inside JSON, as queries may have them. */

/**
 * A tensor of a type; where none is known, of the type that the value says, and a number by itself is a scalar. A text
 * is a number, the literal form, JSON, or hexadecimal cells.
 */
export function readGiven(
  given: JsonValue,
  type: TensorType | undefined,
  options: Omit<LiteralOptions, "type">,
): Parsed<Tensor> {
  const { string, kind } = given;
  if (string !== undefined && !(type?.isScalar !== false && spelt(string) !== undefined)) {
    return readGivenText(given, string, type, options);
  }
  if (type !== undefined) return readJsonValue(given, type);
  const stated = typeInJson(given);
  if (stated.problems.length > 0) return { tree: undefined, problems: stated.problems };
  if (stated.tree !== undefined) return readJsonValue(given, stated.tree);
  const number = readNumber(given);
  if (number !== undefined) return { tree: Tensor.scalar(number, TensorType.scalar), problems: [] };
  if (kind === "object" || kind === "array") {
    return { tree: undefined, problems: [problem("format/no-type", given.span, {})] };
  }
  const reading = new TensorReading();
  reading.complain(given, "number or typed cells");
  return { tree: undefined, problems: reading.problems };
}

function readGivenText(
  given: JsonValue,
  text: string,
  type: TensorType | undefined,
  options: Omit<LiteralOptions, "type">,
): Parsed<Tensor> {
  const source = { name: `${given.span.source.name} ${given.path}`, text };
  const literal = readLiteral(source, { ...options, type });
  if (literal.tree !== undefined) return literal;
  if (type !== undefined) {
    // Hexadecimal cells of another width than the type's are JSON's; so is a text that is JSON.
    for (const read of [() => readJsonValue(given, type), () => readJson(source, type)]) {
      const { tree } = read();
      if (tree !== undefined) return { tree, problems: [] };
    }
  }
  return { tree: undefined, problems: literal.problems.map((each) => placed(each, given, text)) };
}

/** A place in a text that stands in JSON as it is, without escapes, is a place in the JSON. */
function placed(found: Problem, given: JsonValue, text: string): Problem {
  const { source, start } = given.span;
  const indent = given.written.indexOf(text);
  if (indent < 0 || indent > 1) return found;
  const at = start + indent;
  const span = { source, start: at + found.span.start, end: at + found.span.end };
  return found.at(span, []);
}
