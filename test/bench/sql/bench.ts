import { rmSync } from "node:fs";
import { join } from "node:path";
import { compile, type Program } from "../../../src/index.js";
import { duckdb, isTable, onEngine, type SqlConnection, type SqlEngine } from "../../../src/sql.js";
import { scriptOptions } from "../../options.js";
import { einsums } from "./einsum.js";
import { peerTime } from "./peer.js";
import { type SqlWorkload, workloads } from "./workload.js";

/**
 * Programs on DuckDB beside statements that were written by hand, and beside the engine in memory, in turns on one connection:
 * README.md says how to read it.
 */
const { values: flags } = scriptOptions({
  options: {
    only: { type: "string", default: "" },
    cells: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "5" },
    // A folder for a database that is larger than the memory that the engine may have.
    "out-of-core": { type: "string" },
  },
});

const folder = flags["out-of-core"];
const isLarge = folder !== undefined;
const engine = duckdb(
  isLarge
    ? {
        file: join(folder, "large.db"),
        settings: { memory_limit: "512MB", temp_directory: join(folder, "spilled") },
      }
    : {},
);

/**
 * The least of some rounds, in milliseconds: the time of all processors, which hardly depends on what else the machine does, and
 * that of the clock.
 */
interface Time {
  readonly processor: number;
  readonly clock: number;
}

interface Row {
  readonly name: string;
  readonly cells: number;
  readonly written: Time;
  readonly ours: Time;
  readonly run: Time;
  readonly memory: Time | undefined;
  /** Whether the engine does the same for both statements, operator by operator. */
  readonly isSamePlan: boolean;
}

async function timed(act: () => unknown): Promise<Time> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  await act();
  const { user, system } = process.cpuUsage(before);
  return { processor: (user + system) / 1000, clock: performance.now() - start };
}

const never: Time = { processor: Number.POSITIVE_INFINITY, clock: Number.POSITIVE_INFINITY };
const least = (one: Time, other: Time): Time => ({
  processor: Math.min(one.processor, other.processor),
  clock: Math.min(one.clock, other.clock),
});

/** The one connection of all runs, which stays open. */
const sharing = (connection: SqlConnection): SqlEngine => ({
  ...engine,
  connect: async () => ({ ...shared(connection), close: async () => {} }),
});
const shared = (connection: SqlConnection): SqlConnection => ({
  query: (text, options) => connection.query(text, options),
  close: () => connection.close(),
});

/** What the tables of a workload are as tensors, where they are small enough. */
async function inMemory(program: Program, { bindings }: SqlWorkload, on: SqlEngine): Promise<() => unknown> {
  const inputs: Record<string, Awaited<ReturnType<typeof read>>> = {};
  const read = (name: string) => {
    const type = program.inputs.get(name);
    const binding = bindings[name];
    if (type === undefined || binding === undefined || !isTable(binding))
      throw new Error(`${name} is a table`);
    return compile(`input ${name}: ${type}\n${name}`)
      .on(onEngine(on), { [name]: binding })
      .run();
  };
  for (const name of Object.keys(bindings)) inputs[name] = await read(name);
  const prepared = program.prepare(inputs);
  return () => prepared.run(inputs);
}

async function measured(workload: SqlWorkload, cells: number, connection: SqlConnection): Promise<Row> {
  for (const text of workload.tables(cells)) await connection.query(text);
  const on = sharing(connection);
  const program = compile(workload.program);
  const bound = program.on(onEngine(on), workload.bindings);
  const text = bound.sql({ comments: false, ordered: false });
  const memory = cells > 2_000_000 ? undefined : await inMemory(program, workload, on);
  const best = { written: never, ours: never, run: never, memory: never };
  for (let round = 0; round < Number(flags.rounds); round++) {
    // Each is the first one half of the times.
    const order = round % 2 === 0 ? (["written", "ours"] as const) : (["ours", "written"] as const);
    for (const side of order) {
      const statement = side === "ours" ? text : workload.handwritten;
      best[side] = least(best[side], await timed(() => connection.query(statement)));
    }
    best.run = least(best.run, await timed(() => bound.run()));
    if (memory !== undefined) best.memory = least(best.memory, await timed(memory));
  }
  const isSamePlan =
    (await operators(workload.handwritten, connection)) === (await operators(text, connection));
  return { name: workload.name, cells, ...best, memory: memory && best.memory, isSamePlan };
}

/** The operators of a plan, from above. */
async function operators(text: string, connection: SqlConnection): Promise<string> {
  const plan = (await connection.query(`EXPLAIN ${text}`)).at(-1) ?? [];
  const words = plan.flatMap((each) => `${each}`.split(/[^A-Z_]+/));
  // A projection moves nothing.
  return words
    .filter((word) => word.includes("_") && word === word.toUpperCase() && word.length > 4)
    .join(" ");
}

const milliseconds = (time: number | undefined): string =>
  time === undefined ? "" : time.toFixed(time < 10 ? 1 : 0);

async function main(): Promise<void> {
  const connection = await engine.connect();
  const sizes = isLarge ? [50_000_000] : flags.cells.split(",").map(Number);
  const rows = [
    ...workloads.flatMap((each) => sizes.map((cells) => [each, cells] as const)),
    ...(isLarge ? [] : einsums.map((each) => [each, 0] as const)),
  ].filter(([{ name }]) => name.includes(flags.only));
  console.log(
    "| workload | cells | by hand | our statement | ratio | plan | with reading | in memory | xarray | ns a cell | clock |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
  for (const [workload, cells] of rows) {
    const { name, written, ours, run, memory, isSamePlan } = await measured(workload, cells, connection);
    const columns = [
      name,
      cells === 0 ? "" : `${cells}`,
      milliseconds(written.processor),
      milliseconds(ours.processor),
      (ours.processor / written.processor).toFixed(2),
      isSamePlan ? "same" : "other",
      milliseconds(run.processor),
      milliseconds(memory?.processor),
      milliseconds(peerTime(name, cells, Number(flags.rounds))),
      cells === 0 ? "" : ((ours.processor * 1e6) / cells).toFixed(0),
      milliseconds(ours.clock),
    ];
    console.log(`| ${columns.join(" | ")} |`);
  }
  await connection.close();
  if (isLarge) rmSync(join(folder, "large.db"), { force: true });
  console.log(`\nThe process had at most ${Math.round(process.resourceUsage().maxRSS / 1024)} MB.`);
}

await main();
