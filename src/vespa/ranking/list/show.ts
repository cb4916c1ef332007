import { tensorJson } from "../../../formats/show/json.js";
import { greatest } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { numberText, tensorText } from "../../../language/values/text.js";
import { missingType, reasonText } from "../messages.js";
import type { Origin, Outcome } from "../scorer.js";
import type { Move } from "./list.js";
import type { RankedDocument } from "./ranked.js";
import { type ScoreReport, templateOf } from "./score-report.js";

/** What rank profiles compute, as tables for people and as data for programs. */
export interface ShowScoreReportOptions {
  /** How many columns a line may take; 100 unless given. */
  readonly width?: number;
}

/** The score report of a document: a line for each value, grouped by kind. */
export function scoreReportText(report: ScoreReport, { width = 100 }: ShowScoreReportOptions = {}): string {
  const lines: Line[] = [];
  if (report.score !== undefined) lines.push(["score", "", numberText(report.score), ""]);
  const texts = new Map(report.features.map(({ name, text }) => [name, text]));
  for (const { quantity, outcome } of report.rows)
    lines.push([
      quantity.kind,
      quantity.name,
      quotedText(texts.get(quantity.name)) ?? outcomeText(outcome),
      "",
    ]);
  for (const { name, value, origin, text } of report.features)
    lines.push(["feature", name, quotedText(text) ?? valueText(value), originText(origin, value)]);
  for (const each of report.missing)
    lines.push(["missing", each.name, missingType(each), reasonText(each.reason)]);
  return columns(lines, width);
}

/** What nobody said is told as what it counts for, and not as if it were said. */
function originText(origin: Origin, { type }: Tensor): string {
  if (origin !== "unset") return origin;
  return type.isScalar ? "unset, so 0" : type.mapped.length > 0 ? "unset, so empty" : "unset, so all 0";
}

const quotedText = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : JSON.stringify(text);

/** Kind, name, value, and where it comes from. */
type Line = readonly [string, string, string, string];

function columns(lines: readonly Line[], width: number): string {
  const widest = (at: 0 | 1 | 3): number => greatest(lines.map((line) => line[at].length));
  const [kinds, names, origins] = [widest(0), Math.min(widest(1), 60), widest(3)];
  const valueWidth = Math.max(20, width - kinds - names - origins - 6);
  // A long value moves only what stands behind it.
  const values = Math.min(valueWidth, 40, greatest(lines.map((line) => line[2].length)));
  return lines
    .map(([kind, name, value, origin], at) => {
      const shownKind = lines[at - 1]?.[0] === kind ? "" : kind;
      const head = `${shownKind.padEnd(kinds)}  ${name.padEnd(names)}`;
      return `${head}  ${clipped(value, valueWidth).padEnd(values)}  ${origin}`.trimEnd();
    })
    .join("\n");
}

const clipped = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;

const valueText = (value: Tensor): string =>
  value.type.isScalar ? numberText(value.at(0)) : tensorText(value);

const outcomeText = (outcome: Outcome): string =>
  outcome.kind === "value"
    ? valueText(outcome.value)
    : `lacks ${outcome.missing.map(({ name }) => name).join(", ")}`;

/** The score report of a document as data. */
export function scoreReportJson(report: ScoreReport): object {
  const ofKind = (kind: string): object =>
    Object.fromEntries(
      report.rows
        .filter(({ quantity }) => quantity.kind === kind)
        .map(({ quantity, outcome }) => [quantity.name, outcomeJson(outcome)]),
    );
  return {
    ...(report.id === undefined ? {} : { id: report.id }),
    ...(report.score === undefined ? {} : { score: numberJson(report.score) }),
    phases: ofKind("phase"),
    functions: ofKind("function"),
    matchfeatures: ofKind("match-features"),
    summaryfeatures: ofKind("summary-features"),
    features: Object.fromEntries(
      report.features.map(({ name, value, origin, text }) => [
        name,
        { value: valueJson(value), ...(text === undefined ? {} : { text }), origin },
      ]),
    ),
    missing: report.missing,
    // A template is an object of JSON.
    ...(report.missing.length === 0 ? {} : { template: JSON.parse(templateOf(report.missing)) as object }),
  };
}

const outcomeJson = (outcome: Outcome): unknown =>
  outcome.kind === "value" ? valueJson(outcome.value) : { missing: outcome.missing.map(({ name }) => name) };

/** A number for a scalar; a tensor says its type. */
function valueJson(value: Tensor): unknown {
  if (value.type.isScalar) return numberJson(value.at(0));
  const { type, value: literal } = tensorJson(value);
  return { type, value: literal };
}

/** JSON has no NaN and no infinities: they are texts. */
const numberJson = (value: number): number | string => (Number.isFinite(value) ? value : `${value}`);

/** A ranked list, a line for each hit. */
export function listText(ranked: readonly RankedDocument[], most = Number.POSITIVE_INFINITY): string {
  const shown = ranked.slice(0, most);
  const phases = (["first", "second", "global"] as const).filter((phase) =>
    ranked.some((each) => each[phase] !== undefined),
  );
  const rows = shown.map((each, at) => [
    `${at + 1}`,
    documentId(each),
    numberText(each.score),
    ...(phases.length < 2 ? [] : phases.map((phase) => optional(each[phase]))),
  ]);
  const heads = [
    "rank",
    "document",
    "score",
    ...(phases.length < 2 ? [] : phases.map((phase) => `${phase}-phase`)),
  ];
  const more = ranked.length - shown.length;
  return `${grid([heads, ...rows])}${more > 0 ? `\nand ${more} more` : ""}`;
}

/** The id of a document; of one without an id its number in its file, from 1. */
export const documentId = ({ hit, document }: RankedDocument): string => hit.document.id ?? `${document + 1}`;

const optional = (value: number | undefined): string => (value === undefined ? "" : numberText(value));

/** A hit of a list as data. */
export function hitJson(each: RankedDocument, rank: number, features: ReadonlyMap<string, Outcome>): object {
  const phases = { "first-phase": each.first, "second-phase": each.second, "global-phase": each.global };
  const scores = Object.entries(phases).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, numberJson(value)] as const],
  );
  return {
    rank,
    id: documentId(each),
    score: numberJson(each.score),
    ...Object.fromEntries(scores),
    ...(features.size === 0
      ? {}
      : {
          matchfeatures: Object.fromEntries([...features].map(([name, value]) => [name, outcomeJson(value)])),
        }),
  };
}

/** What moved between two orders: where each hit was, where it is, and its scores. */
export function movesText(moved: readonly Move[]): string {
  const rows = moved.map(({ id, before, after }) => [
    after === undefined ? "gone" : `${after.rank}`,
    before === undefined ? "new" : `${before.rank}`,
    change(before?.rank, after?.rank),
    id,
    optional(after?.score),
    optional(before?.score),
  ]);
  return grid([["rank", "was", "", "document", "score", "was"], ...rows]);
}

function change(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined || before === after) return "";
  return before > after ? `↑${before - after}` : `↓${after - before}`;
}

/** Columns; numbers to the right. */
function grid(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => greatest(rows.map((row) => element(row, at).length)));
  const isNumber = (text: string): boolean => /^-?[\d.E+-]+$|^NaN$|Infinity$/.test(text);
  const columns = widths.map((width, at) => {
    const texts = rows.slice(1).map((row) => element(row, at));
    return { width, isRight: texts.every((text) => text === "" || isNumber(text)) };
  });
  const cell = (text: string, at: number): string => {
    const { width, isRight } = element(columns, at);
    return isRight ? text.padStart(width) : text.padEnd(width);
  };
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
