import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type InputValue } from "../../src/index.js";
import { holds } from "../chance.js";

/**
 * The largest and the smallest cells in dialect vespa, where a NaN stays if it comes first and is passed over otherwise:
 * the order of the cells can be seen. The engine finds what the reference does, whatever dimensions are kept, and of
 * tensors without rows too.
 */
interface Shape {
  readonly mapped: readonly string[];
  readonly indexed: readonly string[];
}

const shapes: readonly Shape[] = [
  { mapped: ["a"], indexed: [] },
  { mapped: ["a", "c"], indexed: [] },
  { mapped: ["a", "c"], indexed: ["x"] },
  { mapped: ["b"], indexed: ["x"] },
  { mapped: ["b", "d"], indexed: [] },
  { mapped: [], indexed: ["x"] },
];
const size = 2;

const typeOf = ({ mapped, indexed }: Shape): string =>
  `tensor(${[...mapped.map((name) => `${name}{}`), ...indexed.map((name) => `${name}[${size}]`)].join()})`;

interface Given {
  readonly shape: Shape;
  readonly value: InputValue;
}

const label = fc.constantFrom("p", "q", "r");
const number = fc.constantFrom(
  Number.NaN,
  1,
  2,
  Number.NEGATIVE_INFINITY,
  Number.POSITIVE_INFINITY,
  -0,
  0,
  0.5,
);

const givenOf = (shape: Shape): fc.Arbitrary<Given> => {
  const width = shape.indexed.length === 0 ? 1 : size;
  const row = fc.tuple(
    fc.array(label, { minLength: shape.mapped.length, maxLength: shape.mapped.length }),
    fc.array(number, { minLength: width, maxLength: width }),
  );
  const minLength = shape.mapped.length === 0 ? 1 : 0;
  return fc
    .uniqueArray(row, {
      minLength,
      maxLength: minLength === 1 ? 1 : 6,
      selector: ([labels]) => labels.join(),
    })
    .map((rows) => ({
      shape,
      value: rows.flatMap(([labels, cells]) =>
        cells.map((value, place) => ({
          address: Object.fromEntries([
            ...shape.mapped.map((name, at) => [name, labels[at]]),
            ...shape.indexed.map((name) => [name, place]),
          ]),
          value,
        })),
      ) as InputValue, // addresses of a shape are made here, not known by their types
    }));
};

const given = fc.constantFrom(...shapes).chain(givenOf);

describe("extremes in dialect vespa", () => {
  test("are those of the reference", () => {
    holds(
      fc.property(given, given, fc.nat(), fc.constantFrom("max", "min"), (left, right, choice, name) => {
        const shown = [left.shape, right.shape].flatMap(({ mapped, indexed }) => [...mapped, ...indexed]);
        const all = [...new Set(shown)].sort();
        const over = all.filter((_, at) => ((choice >> at) & 1) === 1);
        const text = [
          `input l: ${typeOf(left.shape)}`,
          `input r: ${typeOf(right.shape)}`,
          `reduce(l + r, ${[name, ...over].join()})`,
        ].join("; ");
        const [engine, reference] = [undefined, "reference" as const].map((backend) => {
          const program = compile(text, { dialect: "vespa", ...(backend === undefined ? {} : { backend }) });
          return `${program.run({ l: left.value, r: right.value })}`;
        });
        expect(engine).toBe(reference);
      }),
      200,
    );
  });

  test("of two kinds of tokens are planned for good", () => {
    const text =
      "input q: tensor(q{},x[2]); input d: tensor(d{},x[2]); sum(reduce(sum(q * d, x), max, d), q)";
    const program = compile(text, { dialect: "vespa" });
    const q = "tensor(q{},x[2]):{a:[1, 0], b:[0, 2]}";
    const d = "tensor(d{},x[2]):{s:[3, 1], t:[2, 5]}";
    // Of a the best is 3, of b it is 10.
    expect(program.run({ q, d }).asNumber()).toBe(13);
    expect(program.plan({ q, d }).isReplayable).toBe(true);
  });
});

describe("extremes of doubles that are made of floats are doubles", () => {
  // So many that a kernel is made at once.
  const count = 150_001;
  const a = Float64Array.from({ length: count }, (_, at) => 1 + ((at * 29) % count) / 300);
  const b = Float32Array.from({ length: count }, (_, at) => 1 + ((at * 13) % count) / 7);
  const largest = (numbers: Iterable<number>): number => {
    let most = Number.NEGATIVE_INFINITY;
    for (const each of numbers) most = Math.max(most, each);
    return most;
  };
  const smallest = (numbers: readonly number[]): number => -largest(numbers.map((each) => -each));
  const products = Array.from(a, (each, at) => each * (b[at] ?? Number.NaN));
  const sums = Array.from(a, (each, at) => (b[at] ?? Number.NaN) + each);
  // biome-ignore format: a table
  test.each([
    ["max(a * b)", largest(products)],
    ["max(b * a)", largest(products)],
    ["min(a * b)", smallest(products)],
    ["min(b + a)", smallest(sums)],
    ["max(map(b, f(c)(c / 3)) * 0 + a)", largest(a)],
  ])("%s", (text, expected) => {
    const inputs = { a: `tensor(x[${count}])`, b: `tensor<float>(x[${count}])` };
    for (const backend of ["engine", "closures", "reference"] as const)
      expect(compile(text, { inputs, backend }).run({ a, b }).asNumber(), backend).toBe(expected);
  });
});
