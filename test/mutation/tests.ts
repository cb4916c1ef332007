/** The test files that try each folder of the engine, those that find mistakes soonest first. */
const about: Readonly<Record<string, readonly string[]>> = {
  layouts: ["batch", "engine-replay", "engine-labels", "engine-layouts"],
  passes: [
    "engine-passes",
    "factorising",
    "optimise",
    "contraction",
    "contraction-order",
    "forest",
    "engine-labels",
    "engine-finish",
    "engine-omitted-passes",
  ],
  plan: [
    "batch",
    "plan",
    "factorising",
    "optimise",
    "engine-replay",
    "engine-labels",
    "engine-breaks",
    "engine-gathers",
    "forest",
    "random-order",
    "missing-inputs",
    "host-functions",
    "engine-windows",
    "engine-borders",
    "engine-numbers",
  ],
  values: ["batch", "engine-replay", "engine-labels"],
  sparse: ["engine-keys", "sparse", "sparse-sizes", "contraction", "engine-labels"],
  ir: ["batch", "loop-splitting", "plan", "engine-replay", "engine-borders"],
  machine: [
    "result-layouts",
    "factorising",
    "batch",
    "plan",
    "engine-gathers",
    "engine-replay",
    "feed",
    "library",
    "threads",
    "engine-numbers",
    "engine-borders",
    "engine-memory",
  ],
  memory: ["sparse-sizes", "overflow", "engine-replay", "library", "engine-memory"],
  kernels: [
    "engine-loops",
    "loop-sums",
    "engine-math",
    "engine-contractions",
    "result-layouts",
    "engine-cells",
  ],
  loops: [
    "deep-nesting",
    "engine-loops",
    "loop-sums",
    "engine-math",
    "engine-extremes",
    "engine-replay",
    "engine-even-tables",
  ],
  contractions: [
    "contraction",
    "engine-contractions",
    "engine-finish",
    "engine-convolutions",
    "engine-zeros",
  ],
  assembler: ["engine-loops", "contraction", "forest"],
  forest: ["forest"],
  ranking: ["ranking", "engine-orders"],
  interpreter: ["engine-replay", "engine-extremes"],
  threads: ["threads"],
};

/** Those that try all of it. */
const always: readonly string[] = ["engine-plan", "prepared", "engine-programs", "engine-machines"];

/** The paths of the test files to run for a mistake in a file of the engine. */
export function testsFor(file: string): readonly string[] {
  const folder = file.split("/").at(3);
  const names = [...((folder === undefined ? undefined : about[folder]) ?? []), ...always];
  return names.map((name) => `test/${name}.test.ts`);
}
