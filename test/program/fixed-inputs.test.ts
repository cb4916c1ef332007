import { expect, test } from "vitest";
import { compile, parseTensor, type Tensor } from "../../src/index.js";

/** Inputs that are fixed where a program is prepared, and passed all the same. */

test("what is computed of a fixed input is not computed again where that is passed once more", async () => {
  let calls = 0;
  const seen = (value: Tensor): Tensor => {
    calls++;
    return value;
  };
  const type = "tensor(x[2])";
  const functions = { seen: { parameters: [type], returns: type, pure: true, call: seen } };
  const program = compile(`input a: ${type}; input n: tensor(); sum(seen(a) * n)`, { functions });
  const [a, other] = [parseTensor(`${type}:[1,2]`), parseTensor(`${type}:[5,5]`)];
  const prepared = program.prepare({ a });
  const array = new Float64Array(1);
  expect(prepared.run({ a, n: 2 }).asNumber()).toBe(6);
  expect(prepared.runAll({ a, n: 3 }).results.map((each) => each.asNumber())).toEqual([9]);
  expect((await prepared.runAsync({ n: 4, a })).asNumber()).toBe(12);
  prepared.runInto(array, { a, n: 5 });
  expect(array[0]).toBe(15);
  expect(prepared.run({ n: 6 }).asNumber()).toBe(18);
  expect(calls).toBe(1);
  // Another tensor counts in its run alone.
  expect(prepared.run({ a: other, n: 2 }).asNumber()).toBe(20);
  expect(prepared.run({ a, n: 2 }).asNumber()).toBe(6);
  expect(calls).toBe(2);
});
