import { type Problem, SphexError } from "../language/source/problem.js";
import type { Span } from "../language/source/span.js";
import { problem } from "./messages.js";

/** What a run may use. A limit that is absent does not hold. */
export interface Limits {
  /**
   * Cells of any one tensor. One that is reduced while it is produced, as the join of a matrix product, needs no memory: it
   * may have a thousand times as many.
   */
  readonly cells?: number;
  /**
   * Bytes in all: of the text, and while one of a million characters or more is read, some 400 for each of its words; of files that it names, of inputs and their texts, and of each tensor and buffer that is stored. What a program
   * stores while it is compiled counts in each of its runs, too.
   */
  readonly bytes?: number;
  /** Elementary steps: about one for each scalar operation on a cell, and for each number of a text that is an input. */
  readonly steps?: number;
  /** Milliseconds by `clock`. */
  readonly time?: number;
}

/** Milliseconds since any fixed moment; passed in by the host, since nothing below it reads a clock. */
export type Clock = () => number;

/** A computation that can be left between any two of its steps, and may have to wait for the host. */
export type Steps<T> = Generator<Awaited | undefined, T>;

/** What a function of the host owes: the computation goes on when it is there. */
export interface Awaited {
  readonly promise: Promise<unknown>;
  readonly name: string;
  readonly span: Span;
}

/** The steps that a call of the host counts as, beside its cells: it is followed by a look at the clock. */
export const hostCallSteps = 2048;

/** How much work is done between two looks at the clock, or two chances to pause. */
const slice = hostCallSteps;

const producedPerStored = 1000;

/** A Map cannot hold more, so no sparse tensor can have more rows. */
const mostRows = 2 ** 24 - 1;

/** Counts the work of a run and refuses what goes beyond its limits. */
export class Meter {
  /** The steps so far. */
  steps = 0;
  /** The bytes so far. */
  bytes = 0;
  /** Where the last work was done. */
  latest: Span | undefined;
  private sinceSlice = 0;
  private deadline: number;
  /** What is left of the time while it stands still. */
  private left: number | undefined;

  constructor(
    private readonly limits: Limits,
    private readonly clock?: Clock,
  ) {
    this.deadline =
      clock === undefined || limits.time === undefined ? Number.POSITIVE_INFINITY : clock() + limits.time;
  }

  /** Counts work; true when it is time to yield. */
  spend(work: number, span: Span): boolean {
    this.steps += work;
    this.latest = span;
    this.sinceSlice += work;
    const { steps = Number.POSITIVE_INFINITY } = this.limits;
    if (this.steps > steps) refuse(problem("limit/steps", span, { limit: steps }));
    if (this.sinceSlice < slice) return false;
    this.sinceSlice = 0;
    this.allowTime(span);
    return true;
  }

  /** Looks at the clock, and refuses to go on after the limit of time. */
  allowTime(span: Span): void {
    if (this.clock !== undefined && this.clock() > this.deadline)
      refuse(problem("limit/time", span, { limit: this.limits.time ?? 0, steps: this.steps }));
  }

  /** Between two parts of the work, however long that is, no time goes by until `resume`. */
  pause(): void {
    if (this.clock !== undefined) this.left = this.deadline - this.clock();
  }

  resume(): void {
    if (this.clock !== undefined && this.left !== undefined) this.deadline = this.clock() + this.left;
    this.left = undefined;
  }

  /** Counts bytes that are stored from now on. */
  store(bytes: number, span: Span): void {
    this.allowBytes(bytes, span);
    this.bytes += bytes;
  }

  /** Refuses to store so many bytes more than there are. */
  allowBytes(bytes: number, span: Span, isText = false): void {
    const { bytes: limit = Number.POSITIVE_INFINITY } = this.limits;
    const before = this.bytes;
    if (before + bytes > limit)
      refuse(problem("limit/bytes", span, { bytes, before, limit, ...(isText ? { isText } : {}) }));
  }

  /** Refuses a tensor that is not stored, but whose cells would take too long to produce. */
  allowProduced(cells: number, span: Span): void {
    if (cells > (this.limits.cells ?? Number.POSITIVE_INFINITY) * producedPerStored) this.allow(cells, span);
  }

  /** Refuses a tensor of more cells than the limit, before it is made. */
  allow(cells: number, span: Span, rows = 0): void {
    const { cells: limit = Number.POSITIVE_INFINITY } = this.limits;
    if (cells > limit) refuse(problem("limit/cells", span, { cells, limit }));
    if (rows > mostRows) refuse(problem("limit/cells", span, { cells: rows, limit: mostRows }));
  }
}

function refuse(found: Problem): never {
  throw new SphexError([found]);
}

/**
 * Runs to the end without pausing.
 * @throws SphexError where the computation has to wait for the host.
 */
export function finish<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (step.done !== true)
    step = step.value === undefined ? steps.next() : steps.throw(promised(step.value));
  return step.value;
}

/** The problem of a promise that nothing awaits. */
function promised({ promise, name, span }: Awaited): SphexError {
  promise.catch(() => undefined); // what it is rejected with is of no interest any more
  return new SphexError([problem("function/promise", span, { name })]);
}
