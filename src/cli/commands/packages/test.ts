import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { Problem } from "../../../index.js";
import {
  isPassed,
  junitText,
  type RankTestResult,
  RankTestRunner,
  readRankTests,
  resultText,
  summaryText,
  tapText,
  unreadableTestFile,
} from "../../../vespa.js";
import { writeFile } from "../../files/files.js";
import { sourceAt } from "../../files/sources.js";
import type { ModelRuntime } from "../../models/onnx-runtime.js";
import { withOptions } from "../../options/options.js";
import { packageAround, rankTestFiles, testFileReader } from "../../packages/rank-test-files.js";
import { type LoadedPackage, loadPackage } from "../../packages/ranking-inputs.js";
import { exit, isColoured, reported, UsageError, writeProblems } from "../../terminal/failure.js";
import { type Io, write, writeStyled } from "../../terminal/io.js";
import { runOnChanges } from "../../terminal/watching.js";

/** `sphex test`: the tests that live beside rank profiles. */
export function addTest(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("test"), ["models"])
    .description("run the tests of rank profiles: *.rank-test.yaml and *.rank-test.json")
    .argument("[paths...]", "files, folders that have some, or - for stdin; this folder unless given")
    .addOption(new Option("--filter <text>", "only tests whose names have this text"))
    .addOption(new Option("--junit <file>", "write the results as JUnit's XML, too"))
    .addOption(new Option("--tap", "write the results in the Test Anything Protocol"))
    .addOption(new Option("--watch", "run again whenever a test or a schema changes"))
    .addHelpText("after", example)
    .action(async (paths: readonly string[], flags: TestFlags) => {
      const all = paths.length === 0 ? ["."] : paths;
      finish(await (flags.watch === true ? watchTests : testAll)(all, flags, io));
    });
}

interface TestFlags {
  readonly filter?: string;
  readonly junit?: string;
  readonly tap?: boolean;
  readonly watch?: boolean;
  readonly models?: ModelRuntime;
}

/** Runs all tests, and writes their results; `used` is called with the files that they depend on. */
async function testAll(
  paths: readonly string[],
  flags: TestFlags,
  io: Io,
  used: (path: string) => void = () => undefined,
): Promise<number> {
  const files = rankTestFiles(paths, io);
  if (files.length === 0) throw new UsageError(`there is no *.rank-test.yaml in ${paths.join(", ")}`);
  const run: TestRun = {
    flags,
    io,
    packages: new Map(),
    reported: new Set(),
    used,
  };
  const results: RankTestResult[] = [];
  for (const file of files) {
    if (file !== "-") used(resolve(io.cwd, file));
    for (const each of await testFile(file, run)) results.push(each);
  }
  if (flags.filter !== undefined && results.length === 0) {
    await write(io.stderr, `sphex: no test has ${flags.filter} in its name\n`);
    return exit.wrongUse;
  }
  if (flags.tap === true) await write(io.stdout, tapText(results));
  else await writeStyled(io.stdout, `${summaryText(results, colours(io))}\n`, colours(io).colour);
  if (flags.junit !== undefined) writeFile(flags.junit, junitText(results), io.cwd);
  return results.every(isPassed) ? exit.fine : exit.problems;
}

/** What the files of one run share. */
interface TestRun {
  readonly flags: TestFlags;
  readonly io: Io;
  readonly packages: Map<string, LoadedPackage>;
  /** Problems that were reported: one of a schema concerns many tests. */
  readonly reported: Set<string>;
  readonly used: (path: string) => void;
}

async function testFile(
  file: string,
  { flags, io, packages, reported, used }: TestRun,
): Promise<readonly RankTestResult[]> {
  const packageFolder = packageAround(file, io) ?? dirname(resolve(io.cwd, file));
  const source = await sourceAt(file, io, mostCharacters);
  const tests = await readRankTests(source, testFileReader(file, packageFolder, io, used));
  const named = tests.file.package?.path;
  const folder = named === undefined ? packageFolder : resolve(io.cwd, dirname(file), named);
  const loaded = packages.get(folder) ?? loadPackage(folder, io, { used, models: flags.models });
  packages.set(folder, loaded);
  const runner = new RankTestRunner(loaded.package, loaded.checked);
  const results: RankTestResult[] = [];
  const finished = async (result: RankTestResult): Promise<void> => {
    results.push(result);
    if (flags.tap === true) return;
    await writeStyled(io.stdout, `${resultText(result, colours(io))}\n`, colours(io).colour);
    const all = [...result.problems, ...result.warnings];
    const unreported = all.filter((each) => !reported.has(keyOf(each)));
    for (const each of unreported) reported.add(keyOf(each));
    await writeProblems(unreported, io);
  };
  if (tests.problems.length > 0) await finished(unreadableTestFile(source, tests.problems));
  for (const test of tests.file.tests) {
    if (flags.filter !== undefined && !test.name.includes(flags.filter)) continue;
    await finished(await runner.run(test));
  }
  return results;
}

/** The largest file of tests. */
const mostCharacters = 10_000_000;

const keyOf = ({ code, span }: Problem): string =>
  JSON.stringify([code, span.source.name, span.start, span.end]);

const colours = (io: Io): { colour: boolean; width: number } => ({
  colour: isColoured(io, "stdout"),
  width: io.columns ?? 100,
});

/** Runs the tests, and again whenever a file that they depend on changes, until Ctrl-C. */
async function watchTests(paths: readonly string[], flags: TestFlags, io: Io): Promise<number> {
  if (paths.includes("-")) throw new UsageError("--watch needs a file");
  const used = new Set(paths.map((path) => resolve(io.cwd, path)));
  // Tests that are to be written yet are waited for.
  const run = (): Promise<number> =>
    testAll(paths, flags, io, (path) => used.add(path)).catch(
      async (error: unknown) => await reported(error, {}, io),
    );
  return await runOnChanges({ files: () => [...used], run }, {}, io);
}

const example = `
A test names a profile, a document, a query, features that only an engine computes, and what it expects:
  profile: hybrid
  query: { input.query(q): [1, 2] }
  document: { price: 3 }
  features: { bm25(title): 3.2 }
  expect: { score: 5.2, my_function: 2 }
Cases, tables of them and lists of documents are in examples/rank-profiles.

Examples:
  $ sphex test
  $ sphex test app/tests --junit report.xml
  $ sphex test --watch`;
