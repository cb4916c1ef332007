import type { Options, Span } from "../index.js";
import { Analysis, definitionAt } from "../service/service.js";
import type { Definitions } from "./memory/definitions.js";
import { type IsValue, last } from "./memory/last-result.js";

/**
 * Which mentions of names in the body of a definition are read as values, after the definitions that there are: others name a dimension,
 * an aggregator or a type of cells, as `x` does in `sum(t, x)`. Of a body with mistakes all may be. A body is checked where it has
 * mentions, and once.
 */
export function valueMentions(definitions: Definitions, options: Options): (body: Span) => IsValue {
  const analyses = new Map<number, Analysis>();
  const analysisOf = ({ source, start, end }: Span): Analysis => {
    const line = { name: "repl", text: source.text.slice(start, end) };
    const found =
      analyses.get(start) ?? new Analysis({ ...line, text: definitions.followedBy(line).text }, options);
    analyses.set(start, found);
    return found;
  };
  return (body) =>
    ({ source, start, end }) => {
      if (source.text.slice(start, end) === last) return true;
      const analysis = analysisOf(body);
      if (analysis.problems.some(({ isError }) => isError)) return true;
      return definitionAt(analysis, analysis.source.text.length - (body.end - start)) !== undefined;
    };
}
