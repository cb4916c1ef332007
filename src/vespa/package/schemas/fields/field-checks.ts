import { nearest } from "../../../../language/source/nearest.js";
import { type Span, textIn } from "../../../../language/source/span.js";
import type { Word } from "../../../../language/syntax/tree.js";
import type { RefusedQuantization } from "../../model/feature-messages.js";
import { problem } from "../../model/messages.js";
import type { Field } from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type * as Tree from "../../syntax/tree.js";

/** Names that fields cannot have. */
const reserved = new Set([
  ...["attribute", "documentid", "if", "index", "position", "relevancy", "sddocname", "summary"],
]);

/** Names are letters, digits and `_`, and begin with a letter; some mean something already. */
export function reportFieldName({ name: { text, span } }: Pick<Field, "name">, { report }: Reading): void {
  if (reserved.has(text)) report(problem("schema/field-name", span, { name: text, isReserved: true }));
  else if (!/^[A-Za-z]\w*$/.test(text))
    report(problem("schema/field-name", span, { name: text, isReserved: false }));
}

/** Names of what expressions mention, and of field sets, have no dash. */
export function reportDash({ text, span }: Word, { report }: Reading): void {
  if (text.includes("-")) report(problem("schema/dashed-name", span, { name: text }));
}

/** What Vespa refuses of the attribute that a field is: by its metric, how its cells are stored, and whether ranking changes it. */
export function reportAttributeFaults(
  { where, name, typeText, tensorType }: Pick<Field, "where" | "name" | "typeText" | "tensorType">,
  items: readonly Tree.FieldItem[],
  reading: Reading,
): void {
  const field = name.text;
  const settings = items.flatMap((each) =>
    each.kind === "setting" && each.keyword.text === "attribute" ? [each] : [],
  );
  const details = settings.flatMap((each) => each.details);
  for (const { keyword } of where === "document" ? details : [])
    if (keyword.text === "mutable") reading.report(problem("field/mutable", keyword.span, { field }));
  const fastRank = details.find(({ keyword }) => keyword.text === "fast-rank");
  const isDense = tensorType?.mapped.length === 0 || !typeText.startsWith("tensor");
  if (fastRank !== undefined && isDense)
    reading.report(problem("field/fast-rank", fastRank.keyword.span, { field, type: typeText }));
  const metrics = details.filter(({ keyword }) => keyword.text === "distance-metric");
  const metric = metrics[0]?.details[0]?.keyword;
  reportSecondMetric(metrics, reading);
  if (metric !== undefined && !metricNames.includes(plainMetric(metric.text))) {
    const values = { field, metric: metric.text, nearest: nearest(metric.text, metricNames) };
    reading.report(problem("field/metric", metric.span, values));
  }
  const bits = settings.flatMap((each) => bitsIn(each) ?? [])[0];
  if (bits === undefined) return;
  const isUnread = tensorType === undefined && typeText.startsWith("tensor");
  const refusal = isUnread ? undefined : refusedQuantization(bits.count, tensorType, metric?.text ?? "");
  if (refusal === undefined)
    reading.report(problem("field/quantized", bits.span, { field, bits: bits.count }));
  else reading.report(problem("field/quantization", bits.span, { field, refusal }));
}

function reportSecondMetric([first, second]: readonly Tree.Detail[], { report }: Reading): void {
  if (first === undefined || second === undefined) return;
  const related = [{ span: first.span, label: "the first" }];
  report(problem("schema/duplicate", second.span, { what: "setting", name: "distance-metric" }, related));
}

const plainMetric = (text: string): string => text.toLowerCase().replaceAll("_", "-");

/** The metrics of nearest neighbour search. */
const metricNames: readonly string[] = [
  ...["euclidean", "angular", "dotproduct", "prenormalized-angular", "innerproduct", "geodegrees", "hamming"],
];

/** `attribute { quantization { bits: 4 } }` */
function bitsIn({ span }: Tree.Detail): { readonly count: number; readonly span: Span } | undefined {
  const found = /\bquantization\s*\{\s*bits\s*:\s*(\d+)/.exec(textIn(span));
  if (found === null) return undefined;
  const start = span.start + found.index;
  return {
    count: Number(found[1]),
    span: { source: span.source, start, end: start + "quantization".length },
  };
}

function refusedQuantization(
  bits: number,
  type: Field["tensorType"],
  metric: string,
): RefusedQuantization | undefined {
  if (bits < 1 || bits > 4) return "bits";
  if (type === undefined) return "no tensor";
  if (type.dimensions.every((each) => each.kind === "mapped")) return "sparse";
  return ["geodegrees", "hamming"].includes(plainMetric(metric)) ? "metric" : undefined;
}
