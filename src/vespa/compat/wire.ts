import { type SphexError, showProblem } from "../../index.js";

/**
 * What is wrong with an expression, for a program that looks at how errors of `vespa-eval-expr` begin: whether it was the
 * text or the types.
 * Of a text that is no expression at all, a few problems are enough.
 */
export function wireError({ problems }: SphexError, expression: string): string {
  const [first] = problems;
  const isParsing = first === undefined || /^(?:syntax|name)\//.test(first.code);
  const stage = /^limit\//.test(first?.code ?? "")
    ? "evaluation stopped"
    : isParsing
      ? "expression parsing failed"
      : `type resolving failed for expression: '${brief(expression)}'`;
  const shown = problems
    .slice(0, mostShown)
    .map((each) => `${showProblem(each, { width: 100 }).trimEnd()}\n`);
  const others = problems.length - shown.length;
  return [`${stage}\n`, ...shown, ...(others > 0 ? [`and ${others} more\n`] : [])].join("\n").trimEnd();
}

const mostShown = 5;

const brief = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);
