import { readType } from "../../formats/literal.js";
import { isProblem } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { Input } from "./model.js";
import { partOf, type Reading } from "./reading.js";

/** Where the types of query profiles lie. */
const folder = "search/query-profiles/types";

/**
 * Query features that types of query profiles declare, the older place for what rank profiles declare as `inputs`:
 * `<field name="ranking.features.query(q)" type="tensor<float>(x[3])"/>`. Nothing else of these files is looked at.
 */
export function queryProfileInputs(reading: Reading): ReadonlyMap<string, Input> {
  const inputs = new Map<string, Input>();
  for (const path of reading.files.list(folder).filter((each) => each.endsWith(".xml"))) {
    const name = reading.files.nameOf(path);
    const source = reading.files.load(path, { source: { name, text: "" }, start: 0, end: 0 });
    if (isProblem(source)) continue;
    for (const found of source.text.matchAll(/<field\b(?:[^<>"]|"[^"]*")*>/g)) {
      const span: Span = { source, start: found.index, end: found.index + found[0].length };
      const input = inputOf(found[0], span);
      if (input !== undefined && !inputs.has(input.name)) inputs.set(input.name, input);
    }
  }
  return inputs;
}

function inputOf(element: string, span: Span): Input | undefined {
  const attribute = (name: string): string =>
    new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(element)?.[1] ?? "";
  const query = /^ranking\.features\.query\(\s*([\w$@.-]+)\s*\)$/.exec(attribute("name"))?.[1];
  const text = attribute("type").replaceAll("&lt;", "<").replaceAll("&gt;", ">").trim();
  if (query === undefined || !text.startsWith("tensor")) return undefined;
  const { tree: type } = partOf(span, (source) => readType({ ...source, text }));
  return type && { name: `query(${query})`, span, type, isString: false };
}
