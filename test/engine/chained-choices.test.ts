import { expect, test } from "vitest";
import { compile, type InputValue } from "../../src/index.js";

/** Choices of tensors, each of the one before: both branches need what both branches before it need, and so on. */

const length = 60;

/** A program whose value is halved once for each of its steps, and squared where it is said. */
function chained(type: string, squares: (step: number) => string, result: string): string {
  const steps = Array.from(
    { length },
    (_, at) => `v${at + 1} = if(${squares(at)}, v${at} * v${at}, v${at} / 2)`,
  );
  return [`input c: tensor()`, `input v0: ${type}`, ...steps, result].join("\n");
}

// biome-ignore format: a table
test.each([
  ["tensor(x[2])", [2, 3],                  [4 * 0.5 ** (length - 1), 9 * 0.5 ** (length - 1)]],
  ["tensor(k{})",  "tensor(k{}):{a:2,b:3}", { a: 4 * 0.5 ** (length - 1), b: 9 * 0.5 ** (length - 1) }],
])("of %s, that are sixty deep, are planned soon", (type, value: InputValue, expected) => {
  const text = chained(type, (at) => `c > ${at}`, `v${length}`);
  const program = compile<Record<string, InputValue>>(text);
  expect(program.prepare().run({ c: 1, v0: value }).toNested()).toEqual(expected);
});

test("whose conditions look at the value before are planned soon", () => {
  const text = chained("tensor(x[2])", (at) => `sum(v${at}) < ${-at}`, `sum(v${length})`);
  const program = compile<Record<string, InputValue>>(text);
  expect(
    program
      .prepare()
      .run({ c: 1, v0: [2, 3] })
      .asNumber(),
  ).toBe(5 * 0.5 ** length);
});
