import type { Source } from "../language/source/span.js";
import { type ParsedProgram, parseProgram as parse } from "../language/syntax/parse.js";

/**
 * Reads a program as a tree, with all its problems of syntax. Every node has a span, and all spans share one source, which
 * JSON has as its name alone: with its text in each of them, the JSON of a tree would grow with the square of the program.
 * `nesting` limits how deep brackets may stand in each other.
 */
export function parseProgram({ name, text }: Source, nesting?: number): ParsedProgram {
  const source = { name, text, toJSON: () => ({ name }) };
  return parse(source, nesting);
}
