import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settle } from "./contender.js";
import { ours, prepared } from "./contenders.js";
import { Draw } from "./draw.js";
import { dense, type Inputs, sparse } from "./inputs.js";
import { measure } from "./rounds.js";
import { halfShared, pairs } from "./workloads/sparse.js";

/** How time and memory grow with the number of cells: each kind in a process of its own, size after size. */

export interface Growing {
  readonly name: string;
  readonly expression: string;
  readonly inputs: (draw: Draw, cells: number) => Inputs;
  /** The largest size in powers of ten: labels of more are too much for the collector of a usual process. */
  readonly most: number;
}

const vector = (draw: Draw, cells: number): Inputs[string] =>
  dense(`tensor(x[${cells}])`, draw.doubles(cells));

// biome-ignore format: a table
export const growing: readonly Growing[] = [
  { name: "dot",           expression: "sum(a * b)", inputs: (draw, cells) => ({ a: vector(draw, cells), b: vector(draw, cells) }), most: 7 },
  { name: "join",          expression: "a * b",      inputs: (draw, cells) => ({ a: vector(draw, cells), b: vector(draw, cells) }), most: 7 },
  { name: "reduce",        expression: "sum(a, y)",  inputs: (draw, cells) => ({ a: dense(`tensor(x[${cells / 10}],y[10])`, draw.doubles(cells)) }), most: 7 },
  { name: "sparse join",   expression: "a * b",      inputs: (draw, cells) => halfShared(cells, draw), most: 6 },
  { name: "sparse reduce", expression: "sum(t, y)",  inputs: (draw, cells) => ({ t: tenEach(draw, cells) }), most: 6 },
];

function tenEach(draw: Draw, cells: number): Inputs[string] {
  const columns = pairs(draw, cells / 10, 10, 1000);
  return sparse("tensor(x{},y{})", columns, draw.doubles(cells));
}

export interface Growth {
  readonly name: string;
  readonly sizes: readonly SizeCost[];
  /** Time is about a power of the size: which one, from ten thousand cells on. */
  readonly exponent: number;
}

interface SizeCost {
  readonly cells: number;
  /** Of a run on inputs that were used before. */
  readonly microseconds: number;
  /** Of the first run, which makes a plan. */
  readonly first: number;
  /** Bytes of memory at most in use in the runs beyond what was in use before them. */
  readonly peak: number;
}

/** Measures a kind in a new process. */
export async function growthOf({ name }: Growing): Promise<Growth> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--growth-of", name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  for await (const part of child.stdout) text += part;
  const sizes = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as SizeCost); // as the child writes them below
  return { name, sizes, exponent: exponentOf(sizes) };
}

/** What the process of a kind does; its exit code. */
export async function grow(name: string): Promise<number> {
  const found = growing.find((each) => each.name === name);
  if (found === undefined) return 2;
  for (let power = 2; power <= found.most; power++) {
    const cells = 10 ** power;
    const inputs = found.inputs(new Draw(power), cells);
    await settle();
    const before = resident();
    resetPeak();
    const our = prepared(ours, { ...found, inputs: () => inputs, peers: {} }, inputs);
    const start = performance.now();
    await our.answer();
    const first = (performance.now() - start) * 1000;
    const [measured] = await measure([our], { rounds: 5, milliseconds: 20 });
    const cost: SizeCost = { cells, microseconds: measured?.least ?? 0, first, peak: peak() - before };
    console.log(JSON.stringify(cost));
  }
  return 0;
}

/** The slope of the straight line nearest to the points, both of whose coordinates are logarithms. */
function exponentOf(sizes: readonly SizeCost[]): number {
  const points = sizes
    .filter(({ cells }) => cells >= 10_000)
    .map(({ cells, microseconds }) => [Math.log(cells), Math.log(microseconds)] as const);
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const over = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return over / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

const resident = (): number => process.memoryUsage.rss();

/** Linux can forget how much memory a process had at most; elsewhere the peak is that of the whole process. */
function resetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {}
}

function peak(): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {}
  return process.resourceUsage().maxRSS * 1024;
}
