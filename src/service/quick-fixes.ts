import { clip } from "../language/source/columns.js";
import type { Problem } from "../language/source/problem.js";
import { textIn } from "../language/source/span.js";
import type { Analysis } from "./analysis.js";
import type { TextEdit } from "./text-edits.js";

/** An edit that may mend a problem. */
export interface QuickFix {
  /** `write softmax` */
  readonly title: string;
  readonly problem: Problem;
  readonly edits: readonly TextEdit[];
}

/** What may be written instead, for the problems whose spans touch the range. */
export const quickFixes = ({ problems, source }: Analysis, start: number, end: number): readonly QuickFix[] =>
  fixesOf(
    problems.filter(({ span }) => span.source === source),
    start,
    end,
  );

/** The same of the problems of a file of a package: a word that is mistyped is all of their span. */
export const packageFixes = (
  problems: readonly Problem[],
  file: string,
  start: number,
  end: number,
): readonly QuickFix[] =>
  fixesOf(
    problems.filter(({ span, values }) => {
      const word = textIn(span);
      return span.source.name === file && Object.values(values).some((value) => value === word);
    }),
    start,
    end,
  );

function fixesOf(problems: readonly Problem[], start: number, end: number): readonly QuickFix[] {
  return problems.flatMap((problem) => {
    const { span } = problem;
    if (span.start > end || span.end < start || problem.isAtCall) return [];
    const text = problem.description.replacement ?? nearestOf(problem);
    return text === undefined
      ? []
      : [{ title: `write ${clip(text, longest)}`, problem, edits: [{ span, text }] }];
  });
}

/** Columns. */
const longest = 60;

/** The word that a problem about a word suggests in its stead. */
function nearestOf({ values }: Problem): string | undefined {
  return "nearest" in values && typeof values.nearest === "string" ? values.nearest : undefined;
}
