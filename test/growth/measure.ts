import { GCProfiler } from "node:v8";
import type { GrowthRow } from "./row.js";

/** What one kind of input costs by its size. */
export interface Cost {
  readonly size: number;
  /** Of the processor, the least of several times. */
  readonly milliseconds: number;
  /** The same without the collector's pauses, which are long where millions of objects are alive, however few steps are taken. */
  readonly ownMilliseconds: number;
}

/** The sizes that are measured: from ten thousand to a million. */
export const sizes: readonly number[] = [10_000, 31_623, 100_000, 316_228, 1_000_000];

/** Time of the processor, which other programs do not change as they do that of a clock. */
function elapsed(before?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least that the work on one size takes in several turns. */
export async function costOf(row: GrowthRow, size: number, enough = 100): Promise<Cost> {
  const work = row.prepare(size);
  let [least, leastOwn, total] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  for (let turn = 0; turn < 7 && (turn === 0 || total < enough); turn++) {
    const collector = new GCProfiler();
    collector.start();
    const before = process.cpuUsage();
    await work();
    const milliseconds = elapsed(before);
    const pauses = collector.stop().statistics.reduce((sum, { cost }) => sum + cost, 0) / 1000;
    least = Math.min(least, milliseconds);
    // Pauses are measured by the clock, and may seem longer than all that a busy processor did.
    leastOwn = Math.min(leastOwn, Math.max(milliseconds / 10, milliseconds - pauses));
    total += milliseconds;
  }
  return { size, milliseconds: least, ownMilliseconds: leastOwn };
}

/** The slope of the straight line nearest to the points, both of whose coordinates are logarithms. */
export function exponentOf(costs: readonly Cost[], time: "milliseconds" | "ownMilliseconds"): number {
  const points = costs.map((cost) => [Math.log(cost.size), Math.log(cost[time])] as const);
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
