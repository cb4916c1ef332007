import { expect, test } from "vitest";
import * as sphex from "../../src/index.js";
import { patient } from "../patience.js";
import { aliases, attempt, faultOf, leaked } from "./api/api.js";
import { calls } from "./api/calls.js";

/** The fuzz of the library's functions for a short while, and that it would find something. */
const seed = Number(process.env.SEED ?? 20260117);
const count = 3000 * Number(process.env.TIMES ?? 1);

test(`${count} calls with values at random give values or errors of the library`, patient, async () => {
  for (let number = 0; number < count; number++)
    expect(await attempt(seed, number), `npm run fuzz:api -- --seed ${seed} --call ${number}`).toBe(
      undefined,
    );
});

test("no result shares memory with an input of the host, or with another result", () => {
  expect(aliases()).toEqual([]);
});

test("what fails leaves nothing in the memory of the engine", patient, async () => {
  expect(await leaked(200)).toBeLessThanOrEqual(0);
});

test("an error of another kind is found", async () => {
  const fault = await faultOf(() => {
    throw new TypeError("of ours");
  });
  expect(fault).toMatch(/^TypeError: of ours/);
  expect(await faultOf(() => Promise.reject(new RangeError("later")))).toMatch(/^RangeError: later/);
  expect(await faultOf(() => sphex.compile("1 +"))).toBe(undefined);
});

test("every function that the library exports is called, but for those that start something", () => {
  // Tables and classes; threads and wide vectors, which belong to the process; what takes only what another function returned.
  const others =
    /^(?:backendNames|backends|jsonForms|jsonFormsOf|tensorFormats|isBytesFormat|formatNames|preludeText|topics|topicText|defaultLimits|dialects|optimiserNames|scheduleNames|optimisers|startThreads|serveThread|useWideVectors|TensorType|Tensor|SphexError|showExplanation|showNotFinite|showWhy)$/;
  const called = new Set(calls.map(({ name }) => name));
  const functions = Object.keys(sphex).filter((name) => !others.test(name));
  expect(functions.filter((name) => !called.has(name))).toEqual([]);
});
