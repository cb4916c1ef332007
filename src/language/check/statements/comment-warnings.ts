import type { Problem } from "../../source/problem.js";
import type { Span } from "../../source/span.js";
import type { ProgramTree } from "../../syntax/tree.js";
import { problem } from "../messages.js";

/** Warnings of comments that other languages compute: `5 // 2` is 5 and a comment, where they divide. */
export const commentWarnings = ({ statements }: ProgramTree): readonly Problem[] =>
  statements.flatMap(({ span }) => divisionAfter(span));

function divisionAfter({ source, start, end }: Span): readonly Problem[] {
  const [whole = "", divisor = ""] =
    /^[ \t]{0,9}\/\/[ \t]{0,9}(\d{1,20})[ \t]*$/m.exec(source.text.slice(end, end + 50)) ?? [];
  if (divisor === "" || !source.text.startsWith(whole, end)) return [];
  const text = source.text.slice(start, end).replace(/^[^=]*[^=<>!~]=(?!=)\s*/, "");
  return [problem("statement/comment", { source, start: end, end: end + whole.length }, { text, divisor })];
}
