import type { Problem } from "../../index.js";

/** What GitHub calls a severity. */
const level = { error: "error", warning: "warning", portability: "notice", hint: "notice" } as const;

/** A line that GitHub shows beside the line of the file: https://docs.github.com/actions calls it a workflow command. */
export function annotation(problem: Problem): string {
  const { line, column } = problem.position;
  const { message, hint } = problem.description;
  const escaped = (text: string): string =>
    text.replace(/[%\r\n]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const property = (text: string): string => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const location = `file=${property(problem.span.source.name)},line=${line},col=${column},title=${property(problem.code)}`;
  const text = hint === undefined ? message : `${message}; ${hint}`;
  return `::${level[problem.severity]} ${location}::${escaped(text)}\n`;
}
