import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { holds } from "../chance.js";
import { slowSuites } from "../slow-suites.js";

/** The habits of the tests, read from their texts. A failure lists every line that breaks one. */
const folder = fileURLToPath(new URL("..", import.meta.url));

/** Programs of their own, with data, clocks and folders that nobody else uses. */
const programs = /^(?:bench|hunt|mutation|fuzz)\/(?!.*\.test\.ts$)/;

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
  const command = `npx vitest run test/project/habits.test.ts -t '^${name}$'`;
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

/** A default for what an index finds, `list[at] ?? 0`, in any way of breaking the line. */
const defaultOfRead = /\]\s*\?\?\s*(?:[01](?![\d.])|"")/g;

/**
 * How many of these are left in each wing. A read that must find something says so by `values/element.ts`, or nothing is indexed at
 * all. Those that are left say something: a list may be shorter, a text may end; or they are in loops that measured slower, or
 * below the values, where nothing can throw for them.
 */
// biome-ignore format: a table
const defaultsLeft: Readonly<Record<string, number>> = {
  cli: 8, repl: 2, service: 5, web: 20,
  formats: 3,            // sizes that no block has told yet; what a line begins with
  inspect: 2,            // the row behind the last; what a row begins with
  "language/check": 1,   // a lambda may have no names
  "language/limits": 1,  // below the values
  "language/source": 3,  // below the values
  "language/syntax": 4,  // beside the values
  "language/types": 2,   // below the values; a loop that measured slower
  "language/values": 6,  // loops that measured slower
  models: 14,            // inputs, outputs and attributes that a node may lack, axes that count as 1 where shapes are broadcast; what fills texts up
  pictures: 5,           // scales without ticks
  sql: 1,                // the first part of a text
  vespa: 18,             // features without arguments; a loop that measured slower
};

test("no wing has more reads with a default than are left", () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const found = new Map<string, number>();
  for (const path of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".ts")) continue;
    const folders = posix.dirname(path.replaceAll("\\", "/")).split("/");
    const wing = folders.slice(0, folders[0] === "language" ? 2 : 1).join("/");
    const text = readFileSync(posix.join(src, path), "utf8");
    const { length } = [...text.matchAll(defaultOfRead)];
    if (length > 0) found.set(wing, (found.get(wing) ?? 0) + length);
  }
  // A number that has fallen is written down, too: nothing comes back in its place.
  expect(Object.fromEntries(found)).toEqual(defaultsLeft);
  const defaultsIn = (text: string): number => text.match(defaultOfRead)?.length ?? 0;
  for (const example of ["list[at] ?? 0", 'rows[row]?.[at] ?? ""', "sizes[a[b]]\n  ?? 1"])
    expect(defaultsIn(example)).toBe(1);
  for (const other of ["list[at] ?? 0.5", "list[at] ?? 10", "map.get(key) ?? 0"])
    expect(defaultsIn(other)).toBe(0);
});

/** Everyday words in the place of terms, and the files that have them as terms or as names of what is printed. */
// biome-ignore format: a table
const everyday: Readonly<Record<string, readonly string[]>> = {
  given: [],
  known: [],
  kept: [],
  place: ["backends/engine/passes/pass.ts", "backends/engine/passes/passes.ts", "backends/engine/passes/place.ts", "backends/engine/plan/plan.ts"], // where buffers lie
  places: ["formats/parquet/decimal.ts", "formats/parquet/pages.ts", "language/source/problem.ts"], // of decimals; of a problem, as JSON
  thing: [],
  wanted: ["language/source/problem.ts"], // as JSON
};

test("names in code are terms", () => {
  const src = fileURLToPath(new URL("../../src", import.meta.url));
  const found = new Map(Object.keys(everyday).map((word): [string, string[]] => [word, []]));
  for (const name of readdirSync(src, { recursive: true, encoding: "utf8" }).sort()) {
    if (!name.endsWith(".ts")) continue;
    const path = name.replaceAll("\\", "/");
    const code = codeOf(readFileSync(posix.join(src, path), "utf8")).replace(/`[^`]*`/g, "");
    for (const word of new Set(code.match(/[A-Za-z_$][\w$]*/g))) found.get(word)?.push(path);
  }
  expect(Object.fromEntries(found)).toEqual(everyday);
});
