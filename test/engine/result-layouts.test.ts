import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression, parseType, Tensor } from "../../src/index.js";
import { type CellType, cellTypeNames, cellTypes, storeCells } from "../../src/language/types/cell.js";
import { holds } from "../chance.js";

/** Results whose cells lie in another order than their labels: they are read in the order that the reference gives. */

/** Sizes about those of tiles and of lines that are copied as a whole. */
const size = fc.constantFrom(1, 2, 3, 15, 16, 17, 31, 32, 33, 40);

const views = [
  "rename(a, (x,y,z), (y,z,x))",
  "rename(a, (x,y,z), (z,y,x))",
  "rename(a, (x,y,z), (x,z,y))",
  "a{x:0}",
  "a{y:0}",
  "a{z:0}",
  "rename(a{y:0}, (x,z), (z,x))",
  "tensor(p[20])(a{x:0,y:0,z:0})",
  "tensor<float>(p[3],q[40])(a{x:0,y:0,z:0})",
  "a + 1",
  "rename(a, (x,y,z), (z,x,y)) + 1",
];

test("dense results are read in canonical order, however they lie", () => {
  const shapes = fc.record({
    sizes: fc.tuple(size, size, size),
    cellType: fc.constantFrom<CellType>(...cellTypeNames),
    view: fc.constantFrom(...views),
  });
  holds(
    fc.property(shapes, ({ sizes: [x, y, z], cellType, view }) => {
      const type = parseType(`tensor<${cellType}>(x[${x}],y[${y}],z[${z}])`);
      const numbers = Float64Array.from({ length: x * y * z }, (_, at) => (at * 7) % 120);
      expectAsReference(view, { a: Tensor.from(type, storeCells(cellType, numbers)) });
    }),
    40,
  );
});

test("so are results with labels", () => {
  const shapes = fc.record({ rows: fc.integer({ min: 0, max: 40 }), x: size, y: size });
  const texts = [
    "rename(a, (x,y), (y,x))",
    "a{x:0}",
    "a{y:0}",
    "a * b",
    "rename(a, k, j) * b",
    "rename(a * b, (k,x), (x,k))",
  ];
  holds(
    fc.property(shapes, fc.constantFrom(...texts), ({ rows, x, y }, text) => {
      const labels = Array.from({ length: rows }, (_, row) => `r${row}`);
      const cells =
        (from: number) =>
        (label: string): [string, number[][]] => [
          label,
          Array.from({ length: x }, (_, row) =>
            Array.from({ length: y }, (__, column) => from + row * y + column),
          ),
        ];
      const a = Tensor.from(
        parseType(`tensor(k{},x[${x}],y[${y}])`),
        Object.fromEntries(labels.map(cells(1))),
      );
      const others = labels.filter((_, at) => at % 3 !== 0).map((label): [string, number] => [label, 2]);
      const b = Tensor.from(parseType("tensor(k{})"), Object.fromEntries(others));
      expectAsReference(text, text.includes("b") ? { a, b } : { a });
    }),
    40,
  );
});

function expectAsReference(text: string, inputs: Readonly<Record<string, Tensor>>): void {
  const types = Object.fromEntries(Object.entries(inputs).map(([name, { type }]) => [name, type]));
  const expected = compileExpression(text, { inputs: types, backend: "reference" }).run(inputs);
  const found = compileExpression(text, { inputs: types }).prepare().run(inputs);
  const into = cellTypes[expected.type.cellType].allocate(expected.data.length);
  found.copyTo(into);
  expect(into).toEqual(expected.data);
  expect(found.data).toEqual(expected.data);
  expect(found.labels).toEqual(expected.labels);
}

test("only rows of one tensor lie evenly one behind the other", () => {
  const described = (text: string) => {
    const inputs = { k: "tensor(k{},x[2])", j: "tensor(j{},x[2])" };
    const program = compileExpression(text, { inputs, backend: "engine" });
    return program.run({ k: { a: [1, 2], b: [3, 4] }, j: { c: [5, 6], d: [7, 8], e: [9, 10] } }).description;
  };
  expect(described("k + 1")).toMatchObject({ rows: 2, rowStride: 2, strides: [1] });
  expect(described("k * j")).toMatchObject({ rows: 6, rowStride: undefined });
});
