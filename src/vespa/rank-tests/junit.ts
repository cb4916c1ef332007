import { showProblem } from "../../language/source/show.js";
import { isPassed, plainDifferences, positionText } from "./report.js";
import type { RankTestResult } from "./run.js";

/** Results as JUnit's XML, which most servers of continuous integration read: a suite for each file. */
export function junitText(results: readonly RankTestResult[]): string {
  const files = new Map<string, RankTestResult[]>();
  for (const result of results) {
    const { name } = result.test.span.source;
    files.set(name, [...(files.get(name) ?? []), result]);
  }
  const suites = [...files].map(([name, all]) => suite(name, all));
  const counts = countsOf(results);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="sphex test" ${counts}>\n${suites.join("")}</testsuites>\n`;
}

function suite(name: string, results: readonly RankTestResult[]): string {
  return `  <testsuite name="${escaped(name)}" ${countsOf(results)}>\n${results.map(testcase).join("")}  </testsuite>\n`;
}

function testcase(result: RankTestResult): string {
  const { test, differences, problems } = result;
  const head = `    <testcase name="${escaped(test.name)}" classname="${escaped(test.profile.name)}" file="${escaped(test.span.source.name)}"`;
  if (isPassed(result)) return `${head}/>\n`;
  const lines = [
    positionText(test.span),
    ...plainDifferences(differences),
    ...problems.map((each) => showProblem(each)),
  ];
  const [wrong] = problems;
  const [kind, message] =
    wrong === undefined
      ? ["failure", differences.map(({ name }) => name).join(", ")]
      : ["error", wrong.message];
  return `${head}>\n      <${kind} message="${escaped(message)}">${escaped(lines.join("\n"))}</${kind}>\n    </testcase>\n`;
}

function countsOf(results: readonly RankTestResult[]): string {
  const errors = results.filter(({ problems }) => problems.length > 0).length;
  const failures = results.filter((each) => !isPassed(each)).length - errors;
  return `tests="${results.length}" failures="${failures}" errors="${errors}"`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Text for XML 1.0, in which some characters cannot be said at all. */
function escaped(text: string): string {
  const sayable = [...text].map((sign) => (isSayable(sign.codePointAt(0) ?? 0) ? sign : "\ufffd")).join("");
  return sayable
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replace(/[\n\r\t]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** Neither a control character but for tabs and line breaks, nor half a character. */
function isSayable(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
