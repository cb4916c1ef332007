// What a program may use, and how a host learns that it was too much. Limits hold while a text is compiled as well as while it
// runs; one that is reached is a problem with its own code and with the place in the text.

import { compile, evaluate, SphexError } from "sphex";

/** The code of what an action ends with. */
async function outcome(action) {
  try {
    await action();
    return "done";
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    const [{ code, span }] = error.problems;
    return `${code} at ${span.start}`;
  }
}

const clock = () => performance.now();
const long = "sum(tensor(x[3000],y[3000],z[3000])(x * y + z))";

// Cells of one tensor, bytes in all, elementary steps, milliseconds.
console.log(await outcome(() => evaluate("tensor(x[1000],y[1000])(x)", {}, { limits: { cells: 10_000 } })));
console.log(await outcome(() => evaluate("tensor(x[1000],y[1000])(x)", {}, { limits: { bytes: 10_000 } })));
console.log(await outcome(() => evaluate(long, {}, { limits: { cells: 1e12, steps: 1e6 } })));
console.log(await outcome(() => evaluate(long, {}, { limits: { cells: 1e12, time: 20 }, clock })));

// Brackets, and calls of functions.
const deep = `${"(".repeat(200)}1${")".repeat(200)}`;
console.log(await outcome(() => evaluate(deep, {}, { limits: { nesting: 100 } })));
const doubling = "f(a) = a + a\nf(1 + f(2))";
console.log(await outcome(() => compile(doubling, { limits: { expansions: 1 } })));

// From outside: a run that lets other work go on can be given up at any time.
const program = compile(long, { limits: { cells: 1e12 } });
console.log(await outcome(() => program.runAsync({}, { signal: AbortSignal.timeout(20) })));

// A limit that would limit nothing is a mistake, and not a limit that is absent.
console.log(await outcome(() => compile("1", { limits: { steps: Number.NaN } })));
console.log(await outcome(() => compile("1", { limits: { time: 100 } })));

//> limit/cells at 0
//> limit/bytes at 0
//> limit/steps at 0
//> limit/time at 0
//> limit/nesting at 100
//> limit/expansions at 13
//> limit/cancelled at 0
//> option/value at 0
//> option/no-clock at 0
