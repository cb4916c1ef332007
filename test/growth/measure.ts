import type { GrowthRow } from "./row.js";

/** What one kind of input costs by its size. */
export interface Cost {
  readonly size: number;
  /** Of the processor, the least of several times. */
  readonly milliseconds: number;
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
  let [least, total] = [Number.POSITIVE_INFINITY, 0];
  for (let turn = 0; turn < 7 && (turn === 0 || total < enough); turn++) {
    const before = process.cpuUsage();
    await work();
    const milliseconds = elapsed(before);
    least = Math.min(least, milliseconds);
    total += milliseconds;
  }
  return { size, milliseconds: least };
}

/** The slope of the straight line nearest to the points, both of whose coordinates are logarithms. */
export function exponentOf(costs: readonly Cost[]): number {
  const points = costs.map(({ size, milliseconds }) => [Math.log(size), Math.log(milliseconds)] as const);
  const mean = (at: 0 | 1): number => points.reduce((sum, point) => sum + point[at], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}
