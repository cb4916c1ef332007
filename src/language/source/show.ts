import { requireArgument } from "./arguments.js";
import { clip, columnsOf, wrapped } from "./columns.js";
import { type ExcerptFrame, excerpt, type Mark, type Paint, styles } from "./excerpt.js";
import { greatest } from "./lists.js";
import { amount, boolean, checkCallOptions, type OptionRules } from "./option-rule.js";
import { isProblem, type Problem } from "./problem.js";
import { lineAt, type Source } from "./span.js";

/**
 * Problems as people read them: the sentence and its code, the lines of text that it is about with its span marked,
 * what was found and expected, and a hint. All of it but the marks may come from untrusted text, so that everything
 * goes through `graphemesOf`: there tabs become spaces, characters that a terminal would obey become visible, and each
 * character gets the columns that it takes.
 */

/** Options of `showProblem`. */
export interface ShowOptions {
  /** Whether to colour with the escapes of a terminal. */
  readonly colour?: boolean;
  /** How many columns a line of an excerpt may take; 100 by default. */
  readonly width?: number;
}

const showRules: OptionRules<ShowOptions> = { colour: boolean, width: amount };

/** A problem as text of several lines, with the place in its source marked. */
export function showProblem(problem: Problem, options: ShowOptions = {}): string {
  requireArgument("showProblem", "problem", problem, isProblem(problem));
  checkCallOptions("showProblem", options, showRules);
  const { colour = false, width = 100 } = options;
  const { found, expected, hint } = problem.description;
  const paint: Paint = colour ? (style, text) => styles[style](text) : (_, text) => text;
  const severity = severityNames[problem.severity];
  const sources = bySource(marksOf(problem, severity, width));
  const spans = [...sources.values()].flat().map(({ span }) => span);
  const digits = `${greatest(spans.map(({ source, end }) => lineAt(source, end).number))}`.length;
  const frame: ExcerptFrame = {
    margin: digits + 3,
    width: Math.max(20, width - digits - 3),
    gutter: (sign, number = "") => paint("frame", `${number.padStart(digits)} ${sign}`),
    paint,
  };
  const lines = [
    ...heading(problem, severity, width, paint),
    ...[...sources].flatMap(([source, marks]) => excerpt(source, marks, frame)),
    frame.gutter("│"),
    ...remark("found", found, frame),
    ...remark("wanted", expected, frame),
    ...hintLines(hint, width, paint),
  ];
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** What a severity is called where people read it. */
const severityNames = { error: "error", warning: "warning", portability: "warning", hint: "note" } as const;
type SeverityName = (typeof severityNames)[Problem["severity"]];

const marksOf = (problem: Problem, severity: SeverityName, width: number): readonly Mark[] => [
  { span: problem.span, sign: "^", style: severity, label: "" },
  ...problem.related.map(
    ({ span, label }): Mark => ({ span, sign: "─", style: "frame", label: clip(label, width) }),
  ),
];

function bySource(marks: readonly Mark[]): Map<Source, Mark[]> {
  const sources = new Map<Source, Mark[]>();
  for (const mark of marks) {
    const { source } = mark.span;
    const existing =
      [...sources.keys()].find(({ name, text }) => name === source.name && text === source.text) ?? source;
    sources.set(existing, [...(sources.get(existing) ?? []), mark]);
  }
  return sources;
}

/** The sentence of a problem, with its code at the right end of the last line, or of one more where there is no room. */
function heading(problem: Problem, severity: SeverityName, width: number, paint: Paint): readonly string[] {
  const sentence = wrapped(`${severity}: ${clip(problem.description.message, longest)}`, width, 2);
  const gap = width - columnsOf(sentence.at(-1) ?? "") - problem.code.length;
  if (gap < 2) sentence.push("");
  const last = sentence.length - 1;
  const code =
    " ".repeat(Math.max(0, gap < 2 ? width - problem.code.length : gap)) + paint("code", problem.code);
  return sentence.map((line, at) => {
    const words = at === 0 ? line.slice(severity.length + 2) : line;
    const text = words === "" ? "" : paint("sentence", words);
    return `${at === 0 ? `${paint(severity, severity)}: ` : ""}${text}${at === last ? code : ""}`;
  });
}

/** What was found, or expected; no line of what a problem does not say. */
function remark(
  what: string,
  text: string | undefined,
  { gutter, margin, width }: ExcerptFrame,
): readonly string[] {
  if (text === undefined) return [];
  const head = `${what}: `;
  const [first = "", ...more] = wrapped(clip(text, longest), Math.max(20, width - head.length), 0);
  return [`${gutter("=")} ${head}${first}`, ...more.map((line) => " ".repeat(margin + head.length) + line)];
}

function hintLines(hint: string | undefined, width: number, paint: Paint): readonly string[] {
  if (hint === undefined) return [];
  const [first = "", ...more] = wrapped(`hint: ${clip(hint, longest)}`, width, 6);
  return [`${paint("hint", "hint")}${first.slice(4)}`, ...more];
}

/** How many columns of a sentence are shown: it may hold a name or a type of any length. */
const longest = 300;
