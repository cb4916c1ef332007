import { expect, test } from "vitest";
import { compile, showExplanation } from "../../src/index.js";

/** Times of `explain`: those of a run that is not the first, unless it is long. The clock here goes on by itself. */
function clocked(step: (reading: number) => number) {
  let [now, readings] = [0, 0];
  return () => {
    now += step(readings++);
    return now;
  };
}

const text = "sum(tensor(x[3]):[1,2,3] * 2)";

test("of a short run they are those of a later one", () => {
  const first = clocked((reading) => (reading < 4 ? 3 : 0.25));
  const cold = compile(text, { clock: clocked(() => 0.25) }).explain().time ?? 0;
  expect(cold).toBeGreaterThan(0);
  const explanation = compile(text, { clock: first }).explain();
  expect(explanation.time).toBe(cold);
  expect(showExplanation(explanation)).toMatch(/ ms in all$/);
});

test("of a long run they are its own", () => {
  let readings = 0;
  const clock = clocked(() => {
    readings++;
    return 30;
  });
  const time = compile(text, { clock }).explain().time ?? 0;
  expect(time).toBeGreaterThanOrEqual(30);
  expect(readings * 30).toBeLessThan(3 * time);
  expect(showExplanation(compile(text, { clock }).explain())).toMatch(/ ms in all, in a first run$/);
});

test("random numbers are drawn once", () => {
  let draws = 0;
  const random = (): number => ++draws / 100;
  compile("random(x[3]) * 2", { random, clock: clocked(() => 0.1) }).explain();
  expect(draws).toBe(3);
});
