import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../folder.js";
import { patient } from "../patience.js";

/** That the bench works; not what it measures. */

// Below node_modules, where the packages that it imports are found.
const folder = temporaryFolder("node_modules");
const program = join(folder, "bench.mjs");

beforeAll(() => {
  buildSync({
    entryPoints: ["test/bench/bench.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile: program,
    logLevel: "error",
  });
});

const least = ["--rounds", "1", "--milliseconds", "1"];

function bench(...options: string[]): string {
  return execFileSync(process.execPath, [program, ...least, ...options], { encoding: "utf8", stdio: "pipe" });
}

interface Report {
  readonly machine: { readonly versions: { readonly node: string } };
  readonly outcomes: readonly {
    readonly name: string;
    readonly problems: readonly string[];
    readonly measured: readonly { readonly name: string; readonly least: number; readonly median: number }[];
    readonly verdicts: readonly {
      readonly of: string;
      readonly against: string;
      readonly found: number;
      readonly isMet: boolean;
    }[];
  }[];
}

test("times what it is asked for, with everybody who agrees, and writes it", patient, () => {
  const file = join(temporaryFolder(), "report.json");
  const printed = bench("--only", "net 20-40-1|a>b|hamming", "--json", file);
  const report = JSON.parse(readFileSync(file, "utf8")) as Report; // as the bench writes it
  expect(report.machine.versions.node).toBe(process.versions.node);
  expect(report.outcomes.map(({ name }) => name)).toEqual([
    "net 20-40-1 double, one",
    "MaxSim with hamming",
    "if(a>b,sum(q*q),0) 64",
    "hamming distance 128 bytes",
    "if(a>b,a+b*3,exp(c))*2",
  ]);
  for (const { name, measured, problems, verdicts } of report.outcomes) {
    expect(problems).toEqual([]);
    expect(measured.slice(0, 2).map((each) => each.name)).toEqual(["ours", "loop"]);
    const [ours, loop] = measured;
    for (const each of measured) expect(each.median).toBeGreaterThanOrEqual(each.least);
    for (const { of, against, found } of verdicts) {
      const timed = of === "ours" ? ours : measured.find((each) => each.name === of);
      if (against === "loop") expect(found).toBeCloseTo((timed?.least ?? 0) / (loop?.least ?? 0), 9);
    }
    expect(printed).toContain(name);
  }
});

test("times other ways to call the library, and another build", patient, () => {
  const report = JSON.parse(
    bench("--only", "b of numbers", "--json", "-", "--ways", "--against", "dist"),
  ) as Report; // as above
  const paths = ["", ", run", ", read", ", disposed of", ", sustained", ", read and sustained"];
  const ways = [...paths, ", into an array", ", into an array and sustained"];
  const names = ["ours", "before"].flatMap((build) => ways.map((way) => `${build}${way}`));
  for (const { measured, problems } of report.outcomes) {
    expect(problems).toEqual([]);
    expect(measured.map((each) => each.name)).toEqual([...names, "loop"]);
  }
  expect(report.outcomes.map(({ name }) => name)).toEqual(["a+b of numbers"]);
});

test("prints JSON alone to stdout when that is asked for", patient, () => {
  const report = JSON.parse(bench("--only", "slice of", "--json", "-")) as Report; // as above
  expect(report.outcomes.map(({ problems }) => problems)).toEqual([[]]);
});
