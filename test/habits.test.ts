import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { holds } from "./chance.js";
import { slowSuites } from "./slow-suites.js";

/** The habits of the tests, read from their texts. A failure lists every line that breaks one. */
const folder = fileURLToPath(new URL(".", import.meta.url));

/** Programs of their own, with data, clocks and folders that nobody else uses. */
const programs = /^(?:bench|hunt|mutation|fuzz)\//;

const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".ts") && !programs.test(path))
  .sort()
  .map((path) => ({ path, code: codeOf(readFileSync(posix.join(folder, path), "utf8")) }));

/** A text without its comments, and without what stands between quotes. */
function codeOf(text: string): string {
  const blank = (found: string): string => found.replace(/[^\n]/g, " ");
  return text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm, blank);
}

interface Habit {
  readonly what: string;
  readonly pattern: RegExp;
  /** The one file that does it for all. */
  readonly except?: string;
  /** What the pattern has to find, in case it no longer finds anything. */
  readonly example: string;
}

// biome-ignore format: a table
const habits: readonly Habit[] = [
  { what: "tries a law without the seed of the run", pattern: /\bfc\s*\.\s*(?:assert|check|sample|statistics)\b/, except: "chance.ts", example: "await fc.assert(law, { numRuns: 9 })" },
  { what: "draws by chance that cannot be repeated", pattern: /\bMath\s*\.\s*random\b|\bgetRandomValues\b|\brandomBytes\b|\brandomInt\b/, example: "at(Math.random())" },
  { what: "reads a clock: a busy machine is slow", pattern: /\bperformance\s*\.\s*now\b|\bDate\s*\.\s*now\b|\bnew\s+Date\s*\(\s*\)|\bhrtime\b|\bconsole\s*\.\s*time\b/, except: "stopwatch.ts", example: "const start = performance.now();" },
  { what: "makes a folder that nobody removes", pattern: /\bmkdtemp(?:Sync)?\b|\btmpdir\b/, except: "folder.ts", example: "mkdtempSync(join(tmpdir(), name))" },
  { what: "leaves others out", pattern: /\b(?:test|it|describe)\s*\.\s*(?:only|todo)\b/, example: "test.only(name, run)" },
];

test.each(habits)("no test $what", ({ pattern, except, example }) => {
  const found = files
    .filter(({ path }) => path !== except)
    .flatMap(({ path, code }) =>
      code.split("\n").flatMap((line, at) => (pattern.test(line) ? [`test/${path}:${at + 1}`] : [])),
    );
  expect(found).toEqual([]);
  expect(example).toMatch(pattern);
});

test("a law that fails says with which command it fails again", async () => {
  const name = "a law that fails says with which command it fails again";
  const command = `npx vitest run test/habits.test.ts -t '^${name}$'`;
  const wrong = fc.property(fc.nat(), (number) => number < 1000);
  const found = ["Counterexample: [1000]", `SEED=${process.env.SEED ?? 20191208} `, command];
  for (const text of found) expect(() => holds(wrong)).toThrow(text);
  const later = fc.asyncProperty(fc.nat(), async (number) => number < 1000);
  for (const text of found) await expect(holds(later)).rejects.toThrow(text);
});

test("the suites that are called slow are there", () => {
  const missing = slowSuites.filter((path) => !files.some((file) => `test/${file.path}` === path));
  expect(missing).toEqual([]);
});
