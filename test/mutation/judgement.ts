import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ending, runChild } from "./child.js";
import { type Mutant, mutatedText } from "./mutant.js";
import { bundled, type MutatedFile } from "./mutated.js";
import { testsFor } from "./tests.js";

/** What finds a mistake: the trials of the judge, or the test files of the engine. */
export type Level = "trials" | "tests";

export interface Judgement {
  /** What found it; nothing where it survived. */
  readonly level?: Level;
  /** The trial or the test that failed. */
  readonly by?: string;
}

/** How long the judge, whose trials are short, may be silent, and how long Vitest may, which tells of whole files. */
const silent = { trials: 30_000, tests: 240_000 } as const;
const heap = "--max-old-space-size=2048";

/** Judges mistakes, the cheaper way first. */
export class Judge {
  /** Trials that fail without any mistake. */
  private except: readonly string[] = [];

  constructor(
    private readonly root: string,
    /** For scripts. */
    private readonly folder: string,
    private readonly seed: number,
    private readonly levels: readonly Level[],
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** Judges what has no mistake, so that what fails there counts nowhere; the names of the trials that do. */
  async prepare(): Promise<readonly string[]> {
    const { output, code } = await this.runTrials(undefined, ["--all"]);
    if (code !== 0) throw new Error(`the judge fails without a mistake:\n${output.trim()}`);
    this.except = failuresIn(output).map(({ name }) => name);
    return this.except;
  }

  async judge(mutant: Mutant, text: string): Promise<Judgement> {
    const mutated = { file: mutant.file, text: mutatedText(text, mutant) };
    for (const level of this.levels) {
      const by = level === "trials" ? await this.byTrials(mutated) : await this.byTests(mutated);
      if (by !== undefined) return { level, by };
    }
    return {};
  }

  private async byTrials(mutated: MutatedFile): Promise<string | undefined> {
    const { code, output } = await this.runTrials(mutated, ["--except", JSON.stringify(this.except)]);
    if (code === 0) return undefined;
    if (code === "endless") return "it does not end";
    const [failure] = failuresIn(output);
    return failure === undefined ? lastLine(output) : `${failure.name}: ${failure.message}`;
  }

  private async runTrials(mutated: MutatedFile | undefined, more: readonly string[]): Promise<Ending> {
    const { judge, thread } = await bundled(this.root, this.folder, mutated);
    return runChild({
      command: [heap, judge, "--seed", `${this.seed}`, "--thread", thread, ...more],
      folder: this.root,
      silentMilliseconds: silent.trials,
    });
  }

  private async byTests(mutated: MutatedFile): Promise<string | undefined> {
    const path = join(this.folder, "mutant.json");
    writeFileSync(path, JSON.stringify(mutated));
    const { code, output } = await runChild({
      command: [
        join(this.root, "node_modules/vitest/vitest.mjs"),
        ...["run", "--config", "test/mutation/vitest.config.ts", ...testsFor(mutated.file)],
      ],
      folder: this.root,
      environment: { MUTANT: path, NO_COLOR: "1" },
      silentMilliseconds: silent.tests,
    });
    if (code === 0) return undefined;
    return code === "endless" ? "it does not end" : (/FAIL\s+(.*)/.exec(output)?.[1] ?? lastLine(output));
  }
}

interface Failure {
  readonly name: string;
  readonly message: string;
}

const failuresIn = (output: string): readonly Failure[] =>
  output
    .split("\n")
    .filter((line) => line.startsWith('{"name":'))
    .map((line): Failure => JSON.parse(line));

const lastLine = (output: string): string => output.trim().split("\n").at(-1) ?? "";
