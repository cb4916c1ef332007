import { escapeHidden, type Problem } from "../../index.js";
import type { PageFix, PageProblem } from "../protocol.js";

/** A problem as plain data for the page, with edits that may mend it. */
export function pageProblem(problem: Problem, fixes: readonly PageFix[] = []): PageProblem {
  const { message, found, expected, hint } = problem.description;
  return {
    code: problem.code,
    severity: problem.severity,
    message: escapeHidden(message),
    found: visible(found),
    expected: visible(expected),
    hint: visible(hint),
    start: problem.span.start,
    end: problem.span.end,
    fixes,
  };
}

const visible = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : escapeHidden(text);
