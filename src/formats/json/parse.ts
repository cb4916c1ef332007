import { withinMachine } from "../../language/limits/overflow.js";
import { requireSource } from "../../language/source/arguments.js";
import type { Problem } from "../../language/source/problem.js";
import type { Source, Span } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { problem } from "./messages.js";
import { JsonNode } from "./node.js";
import { type Fault, Scanner } from "./scanner.js";
import { Tape } from "./tape.js";
import type { JsonValue } from "./value.js";

/** The value of a JSON text as `tree`; where the text is none, the first thing that keeps it from being one as `problems`. */
export function parseJson(source: Source): Parsed<JsonValue> {
  requireSource("parseJson", source);
  return parsePart({ source, start: 0, end: source.text.length });
}

/** The same of a part of a text, with the name that messages have for it. */
export function parsePart(span: Span, name = "$"): Parsed<JsonValue> {
  return withinMachine(span, () => {
    const scanner = new Scanner(span.source, span.end);
    const scanned = scanner.scan(span.start);
    if (!(scanned instanceof Tape)) return { tree: undefined, problems: [problemOf(scanned)] };
    const rest = scanner.finish();
    if (rest !== undefined) return { tree: undefined, problems: [problemOf(rest)] };
    return { tree: new JsonNode(scanned, 0, name), problems: [] };
  });
}

export function problemOf({ span, expected }: Fault): Problem {
  const found = span.source.text.slice(span.start, Math.min(span.end, span.start + 40));
  return problem("json/syntax", span, { found, expected });
}
