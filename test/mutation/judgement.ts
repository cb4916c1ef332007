import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ending, runChild } from "./child.js";
import { type Mutant, mutatedText } from "./mutant.js";
import { bundled, type Texts } from "./mutated.js";
import { failuresIn, Reach } from "./reach.js";
import { testsFor } from "./tests.js";

/** What finds a mistake: the trials of the judge, those of an engine with low thresholds, or the test files of the engine. */
export const allLevels = ["trials", "low", "tests"] as const;
export type Level = (typeof allLevels)[number];
type TrialLevel = Exclude<Level, "tests">;

export interface Judgement {
  /** What found it; nothing where it survived. */
  readonly level?: Level;
  /** The trial or the test that failed. */
  readonly by?: string;
}

/** How long the judge, whose trials are short, may be silent, and how long Vitest may, which tells of whole files. */
const silent = { trials: 30_000, low: 30_000, tests: 240_000 } as const;
const heap = "--max-old-space-size=2048";

/** Judges mistakes, the cheaper way first. */
export class Judge {
  /** The trials to run. */
  private readonly reaches: Record<TrialLevel, Reach>;

  constructor(
    private readonly root: string,
    /** For scripts. */
    private readonly folder: string,
    private readonly seed: number,
    private readonly levels: readonly Level[],
    /** Where the trials to run need not be found out. */
    reach = new Reach([], []),
  ) {
    this.reaches = { trials: reach, low: reach };
    mkdirSync(folder, { recursive: true });
  }

  /** Runs all trials without any mistake, on code that tells what they reach; those that fail count nowhere. */
  async prepare(instrumented: Texts): Promise<readonly string[]> {
    const names: string[] = [];
    for (const level of this.levels) {
      if (level === "tests") continue;
      const path = join(this.folder, "reach.json");
      const { output, code } = await this.runTrials(level, instrumented, ["--reach", path]);
      if (code !== 0) throw new Error(`the judge fails without a mistake:\n${lastLine(output)}`);
      this.reaches[level] = new Reach(JSON.parse(readFileSync(path, "utf8")), failuresIn(output));
      names.push(...failuresIn(output).map(({ failure }) => failure));
    }
    return names;
  }

  async judge(mutant: Mutant, text: string): Promise<Judgement> {
    for (const level of this.levels) {
      const changed = mutatedText(text, mutant);
      const by =
        level === "tests" ? await this.byTests(mutant, changed) : await this.byTrials(level, mutant, changed);
      if (by !== undefined) return { level, by };
    }
    return {};
  }

  private async byTrials(
    level: TrialLevel,
    { file, inFunction }: Mutant,
    text: string,
  ): Promise<string | undefined> {
    const numbers = this.reaches[level].trialsFor(file, inFunction);
    if (numbers.length === 0) return undefined;
    const { code, output } = await this.runTrials(level, new Map([[file, text]]), [
      "--only",
      JSON.stringify(numbers),
    ]);
    if (code === 0) return undefined;
    if (code === "endless") return "it does not end";
    const [first] = failuresIn(output);
    return first === undefined ? lastLine(output) : `${first.failure}: ${first.message}`;
  }

  private async runTrials(level: TrialLevel, texts: Texts, more: readonly string[]): Promise<Ending> {
    const isLow = level === "low";
    const { judge, thread } = await bundled(this.root, this.folder, texts, isLow);
    const options = ["--seed", `${this.seed}`, "--thread", thread, ...(isLow ? ["--low"] : [])];
    return runChild({
      command: [heap, judge, ...options, ...more],
      folder: this.root,
      silentMilliseconds: silent[level],
    });
  }

  private async byTests({ file }: Mutant, text: string): Promise<string | undefined> {
    const path = join(this.folder, "mutant.json");
    writeFileSync(path, JSON.stringify([file, text]));
    const { code, output } = await runChild({
      command: [
        join(this.root, "node_modules/vitest/vitest.mjs"),
        ...["run", "--config", "test/mutation/vitest.config.ts", ...testsFor(file)],
      ],
      folder: this.root,
      environment: { MUTANT: path, NO_COLOR: "1" },
      silentMilliseconds: silent.tests,
    });
    if (code === 0) return undefined;
    return code === "endless" ? "it does not end" : (/FAIL\s+(.*)/.exec(output)?.[1] ?? lastLine(output));
  }
}

const lastLine = (output: string): string => output.trim().split("\n").at(-1) ?? "";
