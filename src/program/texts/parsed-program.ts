import { requireNumber, requireSource } from "../../language/source/arguments.js";
import type { Source } from "../../language/source/span.js";
import { defaultNesting, type ParsedProgram, parseProgram as parse } from "../../language/syntax/parse.js";

/**
 * Reads a program as a tree, with all its problems of syntax. Every node has a span, and all spans share one source, which
 * JSON has as its name alone: with its text in each of them, the JSON of a tree would grow with the square of the program.
 * `nesting` limits how deep brackets may stand in each other.
 */
export function parseProgram(source: Source, nesting: number = defaultNesting): ParsedProgram {
  requireSource("parseProgram", source);
  requireNumber("parseProgram", nesting);
  const { name, text, firstLine = 1 } = source;
  const named = { name, text, firstLine, toJSON: () => ({ name }) };
  return parse(named, nesting);
}
