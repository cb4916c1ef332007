import { isPassed, plainDifferences, positionText } from "./report.js";
import type { RankTestResult } from "./run.js";

/** Results in the Test Anything Protocol, version 13. What was expected and found stands in comments. */
export function tapText(results: readonly RankTestResult[]): string {
  const lines = results.flatMap((result, at) => {
    const { test, differences, problems } = result;
    const title = `${isPassed(result) ? "ok" : "not ok"} ${at + 1} - ${escaped(test.name)}`;
    if (isPassed(result)) return [title];
    const notes = [
      positionText(test.span),
      ...plainDifferences(differences),
      ...problems.map(({ code, message, span }) => `${positionText(span)} ${code}: ${message}`),
    ];
    return [title, ...notes.flatMap((note) => note.split(/[\r\n]+/)).map((line) => `# ${line}`)];
  });
  return `TAP version 13\n1..${results.length}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** `#` would begin a directive. */
const escaped = (name: string): string => name.replace(/[\\#]/g, "\\$&").replace(/[\r\n]+/g, " ");
