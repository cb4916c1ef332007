import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check, compile, type Program, parseTensor, SphexError, Tensor } from "../../src/index.js";
import { holds } from "../chance.js";
import { differentiableExpressions, differentiableTensors, tensorNames } from "./gradient-expressions.js";

/** The derivative in a direction is the gradient times that direction, without the gradient being computed. */

const inputs: Record<string, Tensor> = Object.fromEntries(
  Object.entries(differentiableTensors).map(([name, text]) => [name, parseTensor(text)]),
);

function compiled(expression: string, backend: "engine" | "reference"): Program | undefined {
  const declarations = Object.entries(inputs).map(([name, { type }]) => `input ${name}: ${type}\n`);
  const directions = Object.entries(inputs).map(([name, { type }]) => `input ${name}_t: ${type}\n`);
  try {
    return compile(`${declarations.join("")}${directions.join("")}${expression}`, { backend });
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** A tensor with the addresses of another and other numbers. */
function directionOf(tensor: Tensor): Tensor {
  const cells = Float64Array.from({ length: tensor.data.length }, (_, at) => Math.sin(3 * at + 1));
  return Tensor.of(tensor.type, tensor.sizes, tensor.labels, cells);
}

const directions = Object.fromEntries(
  Object.entries(inputs).map(([name, tensor]) => [`${name}_t`, directionOf(tensor)]),
);

/** Of the dimensions of y those that x has too, with their names in the gradient. */
function nameInGradient(name: string, y: readonly string[], x: readonly string[]): string {
  if (!x.includes(name)) return name;
  const taken = new Set([...y, ...x]);
  for (const each of y) {
    if (!x.includes(each)) continue;
    let number = 1;
    while (taken.has(`${each}${number}`)) number++;
    taken.add(`${each}${number}`);
    if (each === name) return `${each}${number}`;
  }
  return name;
}

/** How many cells were compared with the gradient times the direction. */
function compare(y: string, x: (typeof tensorNames)[number], backend: "engine" | "reference"): number {
  const [value, gradient, product] = [y, `gradient(${y}, ${x})`, `jvp(${y}, ${x}, ${x}_t)`].map((text) =>
    compiled(text, backend),
  );
  expect({ y, x, isProgram: product !== undefined }).toEqual({ y, x, isProgram: gradient !== undefined });
  const [variable, direction] = [inputs[x], directions[`${x}_t`]];
  if (!value || !gradient || !product || !variable || !direction) return 0;
  const all = { ...inputs, ...directions };
  const [base, jacobian, found] = [value.run(all), gradient.run(all), product.run(all)];
  expect(found.type.names).toEqual(base.type.names);
  expect([...found.cells()].length).toBe([...base.cells()].length);
  let count = 0;
  for (const { address } of base.cells()) {
    const row = Object.fromEntries(
      Object.entries(address).map(([name, label]) => [
        nameInGradient(name, base.type.names, variable.type.names),
        label,
      ]),
    );
    let [expected, size] = [0, 1];
    for (const cell of variable.cells()) {
      const term =
        (jacobian.get({ ...row, ...cell.address }) ?? Number.NaN) *
        (direction.get(cell.address) ?? Number.NaN);
      expected += term;
      size += Math.abs(term);
    }
    const derivative = found.get(address);
    if (!Number.isFinite(expected)) continue;
    if (!(Math.abs((derivative ?? Number.NaN) - expected) <= 1e-9 * size))
      expect({ y, x, address, derivative }).toEqual({ y, x, address, derivative: expected });
    count++;
  }
  return count;
}

test("jvp is the gradient times the direction", () => {
  let count = 0;
  const law = fc.property(
    differentiableExpressions(3),
    fc.constantFrom(...tensorNames),
    fc.constantFrom("engine", "reference"),
    (y, x, backend) => {
      count += compare(y, x, backend) > 0 ? 1 : 0;
    },
  );
  holds(law, 150);
  expect(count).toBeGreaterThan(20);
});

describe("jvp", () => {
  test("is what one computes by hand", () => {
    const text = "w = tensor(x[2]):[1,2]\nk = tensor(k{}):{a:3,b:5}\nt = tensor(k{}):{b:10}\n";
    const last = (expression: string): string => `${compile(`${text}${expression}`).run()}`;
    expect(last("jvp(w * w, w, tensor(x[2]):[1,0.5])")).toBe("tensor(x[2]):[2.0, 2.0]");
    expect(last("jvp(sum(w) * w, w, w)")).toBe("tensor(x[2]):[6.0, 12.0]");
    // What the direction lacks does not change.
    expect(last("jvp(k * k, k, t)")).toBe("tensor(k{}):{a:0.0, b:100.0}");
    expect(last("jvp(sum(k * k), k, t)")).toBe("tensor():{100.0}");
    // The derivative of a derivative: 6 w in the direction w.
    expect(last("jvp(gradient(sum(w * w * w), w), w, w)")).toBe("tensor(x[2]):[6.0, 24.0]");
  });

  test("computes no Jacobian", () => {
    const program = compile("input a: tensor(x[4000])\njvp(sin(a) * a, a, a)", {
      limits: { cells: 200_000 },
    });
    const a = Float64Array.from({ length: 4000 }, (_, at) => at / 1000);
    const found = program.run({ a });
    for (const [x, cell] of a.entries())
      expect(found.get({ x })).toBeCloseTo((Math.sin(cell) + cell * Math.cos(cell)) * cell, 10);
  });

  test("says what is wrong with its arguments", () => {
    const codes = (text: string): string[] => check(text).map(({ code }) => code);
    const w = "w = tensor(x[2]):[1,2]\n";
    expect(codes(`${w}jvp(w, w, tensor(y[2]):[1,2])`)).toContain("gradient/direction");
    expect(codes(`${w}jvp(w, w, tensor(x[3]):[1,2,3])`)).toContain("gradient/direction");
    expect(codes(`${w}jvp(w, w, 1)`)).toContain("gradient/direction");
    expect(codes(`${w}jvp(w, w * 2, w)`)).toContain("gradient/not-name");
    expect(codes(`${w}jvp(w + floor(w), w, w)`)).toEqual(["portability/gradient"]);
    expect(codes(`${w}jvp(tensor(y[2]):[1,2], w, w)`)).toContain("gradient/zero");
  });
});
