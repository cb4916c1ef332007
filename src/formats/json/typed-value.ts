import type { Problem } from "../../language/source/problem.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { cellTypes } from "../../language/types/cell.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { type LiteralOptions, readLiteral } from "../literal.js";
import { problem } from "../messages.js";
import { readJson, readJsonValue, typeInJson } from "./json.js";
import { numberInText, readNumber } from "./numbers.js";
import { TensorReading } from "./reading.js";
import type { JsonValue } from "./value.js";

/** Tensors that a document, a query or a response gives: in JSON, or as a text inside JSON, as queries may have them. */

/** How a value is read, beside its type. */
export interface TypedValueOptions extends Omit<LiteralOptions, "type"> {
  /** Whether a whole number may be a label in an address. */
  readonly hasNumberLabels?: boolean;
}

/**
 * A tensor of a type; where none is known, of the type that the value says, and a number by itself is a scalar. A text
 * is a number, the literal form, JSON, or hexadecimal cells.
 */
export function readTypedValue(
  value: JsonValue,
  type: TensorType | undefined,
  options: TypedValueOptions,
): Parsed<Tensor> {
  const { string, kind } = value;
  if (string !== undefined && !(type?.isScalar !== false && numberInText(string) !== undefined)) {
    return readTypedText(value, string, type, options);
  }
  const stated = typeInJson(value);
  if (type !== undefined) {
    // Cells are first those of the type that the value says, if that has the same dimensions.
    const own = stated.tree?.equals(type.withCells(stated.tree.cellType)) === true ? stated.tree : type;
    const { tree, problems } = readJsonValue(value, own, options);
    return { tree: tree?.as(type), problems };
  }
  if (stated.problems.length > 0) return { tree: undefined, problems: stated.problems };
  if (stated.tree !== undefined) return readJsonValue(value, stated.tree, { cells: options.cells });
  const number = readNumber(value);
  if (number !== undefined) return { tree: Tensor.scalar(number, TensorType.scalar), problems: [] };
  if (kind === "object" || kind === "array") {
    return { tree: undefined, problems: [problem("format/no-type", value.span, {})] };
  }
  const reading = new TensorReading();
  reading.report(value, "number or typed cells");
  return { tree: undefined, problems: reading.problems };
}

function readTypedText(
  value: JsonValue,
  text: string,
  type: TensorType | undefined,
  options: Omit<LiteralOptions, "type">,
): Parsed<Tensor> {
  const { axes, cells } = options;
  // Digits in JSON are those of a type that Vespa has: of one that it lacks, a literal would take them for the type's own bits.
  if (type !== undefined && !cellTypes[type.cellType].vespa && /^[0-9a-fA-F]+$/.test(text))
    return readJsonValue(value, type, { axes, cells });
  const source = { name: `${value.span.source.name} ${value.path}`, text };
  const literal = readLiteral(source, { ...options, type });
  if (literal.tree !== undefined) return literal;
  if (type !== undefined) {
    // Hexadecimal cells of another width than the type's are JSON's; so is a text that is JSON.
    for (const read of [
      () => readJsonValue(value, type, { axes, cells }),
      () => readJson(source, type, { axes, cells }),
    ]) {
      const { tree } = read();
      if (tree !== undefined) return { tree, problems: [] };
    }
  }
  return { tree: undefined, problems: literal.problems.map((each) => inJson(each, value, text)) };
}

/** A place in a text that stands in JSON as it is, without escapes, is a place in the JSON. */
function inJson(found: Problem, value: JsonValue, text: string): Problem {
  const { source, start } = value.span;
  const indent = value.written.indexOf(text);
  if (indent < 0 || indent > 1) return found;
  const at = start + indent;
  const span = { source, start: at + found.span.start, end: at + found.span.end };
  return found.at(span, []);
}
