import type { Code } from "../assembler/code.js";

/** The loops that kernels are made of. Counters, limits and what remains are locals of whole numbers. */

interface CountedLoop {
  readonly counter: number;
  readonly limit: () => unknown;
  readonly step?: number;
}

/** `for (counter = 0; counter < limit; counter += step)`. */
export function count(code: Code, { counter, limit, step = 1 }: CountedLoop, body: () => void): void {
  code
    .i32(0)
    .set(counter)
    .block(() =>
      code.loop(() => {
        code.get(counter);
        limit();
        code.do("i32.ge_s").branchIf(1);
        body();
        code.advance(counter, step).branch();
      }),
    );
}

/** `if (turns > 0) do … while (--turns > 0)`: as many turns as a local has, which is 0 then. */
export function countDown(code: Code, turns: number, body: () => void): void {
  code.get(turns).if(() =>
    code.loop(() => {
      body();
      code.get(turns).i32(1).do("i32.sub").tee(turns).branchIf();
    }),
  );
}

/** `while (remaining > 0)`. */
export function whileAny(code: Code, remaining: number, body: () => void): void {
  code.block(() =>
    code.loop(() => {
      code.get(remaining).do("i32.eqz").branchIf(1);
      body();
      code.branch();
    }),
  );
}

/** `while (remaining >= fewest) { body; counter += step }`, of what is pushed as remaining. */
export function whileAtLeast(
  code: Code,
  fewest: number,
  pushRemaining: () => Code,
  { counter, step }: { readonly counter: number; readonly step: number },
  body: () => void,
): void {
  code.block(() =>
    code.loop(() => {
      pushRemaining().i32(fewest).do("i32.lt_s").branchIf(1);
      body();
      code.advance(counter, step).branch();
    }),
  );
}

interface PiecewiseLoop {
  /** Where a piece begins, and how long it is. */
  readonly from: number;
  readonly length: number;
  readonly limit: () => unknown;
  readonly most: () => unknown;
}

/** All from 0 to a limit that is not 0, in pieces of at most some length. */
export function inPieces(code: Code, { from, length, limit, most }: PiecewiseLoop, body: () => void): void {
  code
    .i32(0)
    .set(from)
    .loop(() => {
      limit();
      code.get(from).do("i32.sub").set(length);
      lesser(code, most, () => code.get(length)).set(length);
      body();
      code.get(from).get(length).do("i32.add").tee(from);
      limit();
      code.do("i32.lt_s").branchIf();
    });
}

/** Leaves the smaller of two numbers that are pushed, each twice. */
export function lesser(code: Code, one: () => unknown, other: () => unknown): Code {
  for (let turn = 0; turn < 2; turn++) {
    one();
    other();
  }
  return code.do("i32.lt_s", "select");
}

/** Leaves a local, but no more than a number. */
export const atMost = (code: Code, most: number, local: number): Code =>
  lesser(
    code,
    () => code.i32(most),
    () => code.get(local),
  );

/** Takes the most it may from what is left. */
export function takeAtMost(code: Code, remaining: number, most: number, taken: number): void {
  atMost(code, most, remaining).set(taken);
  code.get(remaining).get(taken).do("i32.sub").set(remaining);
}
