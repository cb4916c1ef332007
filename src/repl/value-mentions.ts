import type { Options, Span } from "../index.js";
import { Analysis, definitionAt } from "../service/service.js";
import type { Definitions } from "./definitions.js";
import { type IsValue, last } from "./last-result.js";

/**
 * Which mentions of names in the body of a definition are read as values, after the definitions that there are: others name a dimension,
 * an aggregator or a type of cells, as `x` does in `sum(t, x)`. Of a body with mistakes all may be.
 */
export function valueMentions(definitions: Definitions, body: Span, options: Options): IsValue {
  const before = definitions.texts.map(([, text]) => `${text}\n;\n`).join("");
  const written = body.source.text.slice(body.start, body.end);
  let analysis: Analysis | undefined;
  return ({ source, start, end }) => {
    if (source.text.slice(start, end) === last) return true;
    analysis ??= new Analysis({ name: "repl", text: before + written }, options);
    if (analysis.problems.some(({ isError }) => isError)) return true;
    return definitionAt(analysis, before.length + start - body.start) !== undefined;
  };
}
