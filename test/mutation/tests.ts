/** The test files that try each folder of the engine, those that find mistakes soonest first. */
const about: Readonly<Record<string, readonly string[]>> = {
  layouts: ["cli/batch", "engine/replay", "engine/labels", "engine/layouts"],
  passes: [
    "engine/passes",
    "engine/factorising",
    "optimise/optimise",
    "engine/contraction",
    "engine/contraction-order",
    "engine/forest",
    "engine/labels",
    "engine/finish",
    "engine/omitted-passes",
  ],
  plan: [
    "cli/batch",
    "inspect/plan",
    "engine/factorising",
    "optimise/optimise",
    "engine/replay",
    "engine/labels",
    "engine/breaks",
    "engine/gathers",
    "engine/forest",
    "language/random-order",
    "program/missing-inputs",
    "program/host-functions",
    "engine/windows",
    "engine/borders",
    "engine/numbers",
  ],
  values: ["cli/batch", "engine/replay", "engine/labels"],
  sparse: ["engine/keys", "engine/sparse", "engine/sparse-sizes", "engine/contraction", "engine/labels"],
  ir: ["cli/batch", "engine/loop-splitting", "inspect/plan", "engine/replay", "engine/borders"],
  machine: [
    "engine/result-layouts",
    "engine/factorising",
    "cli/batch",
    "inspect/plan",
    "engine/gathers",
    "engine/replay",
    "vespa/documents/feed",
    "program/library",
    "engine/threads",
    "engine/numbers",
    "engine/borders",
    "engine/memory",
  ],
  memory: ["engine/sparse-sizes", "language/overflow", "engine/replay", "program/library", "engine/memory"],
  kernels: [
    "engine/loops",
    "engine/loop-sums",
    "engine/math",
    "engine/contractions",
    "engine/result-layouts",
    "engine/cells",
  ],
  loops: [
    "language/deep-nesting",
    "engine/loops",
    "engine/loop-sums",
    "engine/math",
    "engine/extremes",
    "engine/replay",
    "engine/even-tables",
  ],
  contractions: [
    "engine/contraction",
    "engine/contractions",
    "engine/finish",
    "engine/convolutions",
    "engine/zeros",
  ],
  assembler: ["engine/loops", "engine/contraction", "engine/forest"],
  forest: ["engine/forest"],
  ranking: ["engine/ranking", "engine/orders"],
  interpreter: ["engine/replay", "engine/extremes"],
  threads: ["engine/threads"],
};

/** Those that try all of it. */
const always: readonly string[] = ["engine/plan", "program/prepared", "engine/programs", "engine/machines"];

/** The paths of the test files to run for a mistake in a file of the engine. */
export function testsFor(file: string): readonly string[] {
  const folder = file.split("/").at(3);
  const names = [...((folder === undefined ? undefined : about[folder]) ?? []), ...always];
  return names.map((name) => `test/${name}.test.ts`);
}
