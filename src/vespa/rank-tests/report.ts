import { escapeHidden } from "../../language/source/hidden-characters.js";
import { append, greatest } from "../../language/source/lists.js";
import { inked } from "../../language/source/palette.js";
import { positionOf, type Span } from "../../language/source/span.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText, tensorText } from "../../language/values/text.js";
import type { FoundDifference, RankTestResult } from "./run.js";

/** Results of tests for people: a line for each test, and under those that failed what was expected and found. */
export interface ReportOptions {
  readonly colour?: boolean;
  readonly width?: number;
}

const styles = { good: "green", bad: "red", faint: "grey" } as const;
type Paint = (style: keyof typeof styles, text: string) => string;

const painter =
  (colour: boolean): Paint =>
  (style, text) =>
    colour ? inked(styles[style], escapeHidden(text)) : text;

/** Whether all values are as expected, and nothing kept the test from running. */
export const isPassed = ({ differences, problems }: RankTestResult): boolean =>
  differences.length === 0 && problems.length === 0;

/** One test; its problems are told apart. */
export function resultText(
  result: RankTestResult,
  { colour = false, width = 100 }: ReportOptions = {},
): string {
  const paint = painter(colour);
  const { test, differences } = result;
  const sign = isPassed(result) ? paint("good", "ok    ") : paint("bad", "FAILED");
  const lines = [
    `${sign} ${escapeHidden(test.name)}${isPassed(result) ? "" : paint("faint", `  ${positionText(test.span)}`)}`,
  ];
  append(lines, differenceLines(differences, paint, width));
  return lines.join("\n");
}

/** How many passed, and how many did not. */
export function summaryText(
  results: readonly RankTestResult[],
  { colour = false }: ReportOptions = {},
): string {
  const paint = painter(colour);
  const failed = results.filter((each) => !isPassed(each)).length;
  const passed = results.length - failed;
  const tests = (count: number): string => `${count} ${count === 1 ? "test" : "tests"}`;
  if (failed === 0) return paint("good", `${tests(passed)} passed`);
  return `${paint("bad", `${tests(failed)} failed`)}, ${passed} passed`;
}

export function positionText({ source, start }: Span): string {
  const { line, column } = positionOf(source, start);
  return `${source.name}:${line}:${column}`;
}

/** Differences without colours, one a line: for machines. */
export const plainDifferences = (differences: readonly FoundDifference[]): string[] =>
  differenceLines(differences, painter(false), 200);

function differenceLines(differences: readonly FoundDifference[], paint: Paint, width: number): string[] {
  const names = greatest(differences.map(({ name }) => name.length));
  const lines = differences.slice(0, most).map(({ name, expected, found, by }) => {
    const off = by === undefined ? "" : `, ${by > 0 ? "+" : ""}${numberText(rounded(by))}`;
    return `  ${escapeHidden(`${name.padEnd(names)}  expected ${expected}`)}, found ${paint("bad", found)}${off}`;
  });
  if (differences.length > most) lines.push(`  and ${differences.length - most} more differences`);
  // A function may be behind one difference and a feature behind another: functions come first.
  const all = differences.flatMap((each) => each.because);
  const ordered = [...all.filter(({ name }) => !name.includes("(")), ...all];
  const because = new Map(ordered.map(({ name, value }) => [name, value]));
  const longest = greatest([...because.keys()].map((name) => name.length));
  for (const [name, value] of because)
    lines.push(paint("faint", `    ${name.padEnd(longest)}  ${valueText(value, width - longest - 6)}`));
  return lines;
}

/** More cells that differ tell no more. */
const most = 12;

/** A difference is no value of its own: six digits of it will do. */
const rounded = (value: number): number => Number(value.toPrecision(6));

/** A value in one line. */
function valueText(value: Tensor, width: number): string {
  if (value.type.isScalar) return numberText(value.at(0));
  const text = tensorText(value);
  return text.length <= Math.max(width, 20) ? text : `${text.slice(0, Math.max(width, 20) - 1)}…`;
}
