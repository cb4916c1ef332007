import type { Slot, Step } from "../loop.js";
import type { Division } from "./division.js";
import type { Pool } from "./pool.js";

/** A step that takes fewer microseconds is run by one thread: waking another takes some tens. */
const minimumMicroseconds = 200;

/** The steps of a way to run loops, divided among the threads of a pool where there are any and that pays. */
export function divided<Loops extends readonly unknown[]>(
  lowering: (...loops: Loops) => Step | undefined,
  pool: Pool,
): (...loops: Loops) => Step | undefined {
  return (...loops) => {
    const step = lowering(...loops);
    if (step === undefined || step.division === undefined || step.extent < 2) return step;
    return step.work < minimumMicroseconds * step.division.pace
      ? step
      : new DividedStep(step, step.division, pool);
  };
}

class DividedStep implements Step {
  readonly extent: number;
  readonly work: number;
  readonly description: string;
  readonly division: Division;
  readonly packed: Slot | undefined;
  /** The parts that can be divided end here. */
  private readonly end: number;

  constructor(
    private readonly step: Step,
    division: Division,
    private readonly pool: Pool,
  ) {
    this.division = division;
    this.extent = step.extent;
    this.work = step.work;
    this.description = step.description;
    this.packed = step.packed;
    this.end = division.serialFrom ?? step.extent;
  }

  get threads(): number {
    return this.pool.team?.size ?? 1;
  }

  readonly run = (from: number, to: number): void => {
    const { division } = this;
    const { team } = this.pool;
    const until = Math.min(to, this.end);
    if (team === undefined || from >= until || !team.hasKernel(division)) return this.step.run(from, to);
    division.prepare(from);
    if (!team.run(division, from, until, this.timeout(until - from))) return this.step.run(from, to);
    if (division.serialFrom !== undefined && to === this.extent) this.step.run(this.end, to);
  };

  /** A second, and ten times as many milliseconds as all the parts should take. */
  private timeout(parts: number): number {
    return 1000 + (this.work * parts) / this.extent / this.division.pace / 100;
  }
}
