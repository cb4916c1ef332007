import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile, type InputValue } from "../src/index.js";
import { holds } from "./chance.js";

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
