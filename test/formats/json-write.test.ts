import fc from "fast-check";
import { expect, test } from "vitest";
import { type JsonOptions, readJson, writeJson } from "../../src/formats/json/json.js";
import { type CellType, cellTypeNames, cellTypes } from "../../src/language/types/cell.js";
import { type Dimension, indexed, mapped, TensorType } from "../../src/language/types/type.js";
import { Rows } from "../../src/language/values/data/rows.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";
import { holds } from "../chance.js";

/** Tensors as JSON, against the table of language.md 6.2, by hand; and that what is written is read back. */

const dense = "tensor(x[2],y[2]):[[1,2.5],[-3,1e10]]";
const mixed = "tensor<float>(k{},x[2]):{b:[0.1,2],'a\"b':[3,4]}";
const several = "tensor(j{},k{},x[1]):{{j:a,k:b,x:0}:1,{j:a,k:a,x:0}:2}";

// biome-ignore format: a table
const writings: [string, JsonOptions, string][] = [
  ["tensor():{5}", {}, '{"type":"tensor()","values":[5.0]}'],
  ["tensor():{5}", { hex: true, direct: true }, "[5.0]"],
  ["tensor():{5}", { form: "cells" }, '{"type":"tensor()","cells":[{"address":{},"value":5.0}]}'],
  [dense, {}, '{"type":"tensor(x[2],y[2])","values":[[1.0,2.5],[-3.0,1.0E10]]}'],
  [dense, { direct: true }, "[[1.0,2.5],[-3.0,1.0E10]]"],
  ["tensor<int8>(x[3]):[1,-1,-128]", {}, '{"type":"tensor<int8>(x[3])","values":[1,-1,-128]}'],
  ["tensor<int8>(x[3]):[1,-1,-128]", { hex: true }, '{"type":"tensor<int8>(x[3])","values":"01FF80"}'],
  ["tensor<bfloat16>(x[2]):[1,-2]", { hex: true, direct: true }, '"3F80C000"'],
  ["tensor<float>(x[2]):[1,NaN]", { hex: true, direct: true }, '"3F8000007FC00000"'],
  ["tensor(x[1]):[-2]", { hex: true, direct: true }, '"C000000000000000"'],
  ["tensor<half>(x[1]):[-2]", { hex: true, direct: true }, '"C0000000"'],
  ["tensor<long>(x[1]):[1]", { hex: true, direct: true }, '"3FF0000000000000"'],
  ["tensor(x[4]):[NaN,Infinity,-Infinity,-0.0]", { direct: true }, "[null,null,null,-0.0]"],
  ["tensor(x[4]):[NaN,Infinity,-Infinity,-0.0]", { direct: true, namesNonFinite: true }, '["NaN","Infinity","-Infinity",-0.0]'],
  ["tensor<float>(k{}):{a:NaN}", { typed: false, namesNonFinite: true }, '{"cells":{"a":"NaN"}}'],
  ["tensor(x[2],y[1]):[[1],[2]]", { typed: false }, '{"values":[[1.0],[2.0]]}'],
  ["tensor<int8>(k{},x[2]):{a:[1,2]}", { typed: false, hex: true }, '{"blocks":{"a":"0102"}}'],
  ["tensor(k{}):{b:1}", { form: "cells", typed: false }, '{"cells":[{"address":{"k":"b"},"value":1.0}]}'],
  ["tensor(x[2]):[1,2]", { form: "cells", direct: true, hex: true }, '[{"address":{"x":"0"},"value":1.0},{"address":{"x":"1"},"value":2.0}]'],
  ["tensor(x[]):[1,2]", { hex: true }, '{"type":"tensor(x[])","values":[1.0,2.0]}'],
  ["tensor(k{}):{b:1,a:2}", {}, '{"type":"tensor(k{})","cells":{"a":2.0,"b":1.0}}'],
  ["tensor(k{}):{b:1,a:2}", { direct: true }, '{"a":2.0,"b":1.0}'],
  ["tensor(k{}):{b:1}", { form: "cells" }, '{"type":"tensor(k{})","cells":[{"address":{"k":"b"},"value":1.0}]}'],
  ["tensor(k{}):{}", {}, '{"type":"tensor(k{})","cells":{}}'],
  ["tensor(j{},k{}):{{j:a,k:b}:1}", {}, '{"type":"tensor(j{},k{})","cells":[{"address":{"j":"a","k":"b"},"value":1.0}]}'],
  ["tensor(j{},k{}):{}", { direct: true }, "[]"],
  [mixed, {}, '{"type":"tensor<float>(k{},x[2])","blocks":{"a\\"b":[3.0,4.0],"b":[0.10000000149011612,2.0]}}'],
  [mixed, { hex: true, direct: true }, '{"a\\"b":"4040000040800000","b":"3DCCCCCD40000000"}'],
  [several, { direct: true }, '[{"address":{"j":"a","k":"a"},"values":[2.0]},{"address":{"j":"a","k":"b"},"values":[1.0]}]'],
  [several, { form: "cells", direct: true }, '[{"address":{"j":"a","k":"a","x":"0"},"value":2.0},{"address":{"j":"a","k":"b","x":"0"},"value":1.0}]'],
  ["tensor(k{},x[1],y[2]):{a:[[1,2]]}", {}, '{"type":"tensor(k{},x[1],y[2])","blocks":{"a":[[1.0,2.0]]}}'],
];

test.each(writings)("%s is written with %j", (text, options, expected) => {
  expect(writeJson(parseTensor(text), options)).toBe(expected);
});

/** Finite numbers that a cell type holds as such: infinities are written as null. */
const largest: Readonly<Record<CellType, number>> = {
  double: Number.MAX_VALUE,
  float: 3e38,
  bfloat16: 3e38,
  half: 65504,
  int8: 300,
  short: 70_000,
  int: 5e9,
  long: 2 ** 53,
};

const labels = fc.oneof(
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("__proto__", "cells", "values", "blocks", "type", "address", "0", "10"),
);
const dimensions: fc.Arbitrary<Dimension[]> = fc
  .record({
    names: fc.uniqueArray(fc.constantFrom("a", "k", "x", "y", "toString", "__proto__"), { maxLength: 4 }),
    sizes: fc.array(fc.constantFrom(undefined, 0, 1, 2, 3), { minLength: 6, maxLength: 6 }),
    bound: fc.boolean(),
  })
  .map(({ names, sizes, bound }) =>
    names.map((name, at) => {
      const size = sizes[at];
      if (size === undefined) return mapped(name);
      return size === 0 ? indexed(name, bound ? 2 : undefined) : indexed(name, size);
    }),
  );

function tensors(numbers: (cellType: CellType) => fc.Arbitrary<number>): fc.Arbitrary<Tensor> {
  return fc
    .tuple(fc.constantFrom(...cellTypeNames), dimensions)
    .map(([cellType, all]) => TensorType.of(cellType, all))
    .chain((type) => {
      const sizes = type.indexed.map(({ size }) => size ?? 2);
      const cells = sizes.reduce((product, size) => product * size, 1);
      const row = fc.record({
        labels: fc.tuple(...type.mapped.map(() => labels)),
        cells: fc.array(numbers(type.cellType), { minLength: cells, maxLength: cells }),
      });
      // Without a block nothing says the size of an unbound dimension.
      const least = type.isDense || !type.isBound ? 1 : 0;
      return fc.array(row, { minLength: least, maxLength: type.isDense ? 1 : 4 }).map((made) => {
        const rows = new Rows(type, sizes);
        for (const each of made) rows.block(each.labels).set(each.cells);
        return Tensor.ofRows(rows);
      });
    });
}

function roundTrip(tensor: Tensor, options: JsonOptions): void {
  const text = writeJson(tensor, options);
  const { tree, problems } = readJson({ name: "written", text }, tensor.type);
  expect(problems.map(({ message, description }) => [message, description.found])).toEqual([]);
  expect(`${tree}`).toBe(`${tensor}`);
  expect(tree?.equals(tensor)).toBe(true);
}

test("what is written is read back, in every form", () => {
  const numbers = (cellType: CellType) => {
    const most = largest[cellType];
    return fc.oneof(
      fc.double({ min: -most, max: most, noNaN: cellTypes[cellType].whole }),
      fc.constantFrom(0, -0, 1, -1, 0.1, 1e-7, most, -most),
    );
  };
  const options = fc.record({
    form: fc.constantFrom("short" as const, "cells" as const),
    direct: fc.boolean(),
    hex: fc.boolean(),
  });
  holds(fc.property(tensors(numbers), options, roundTrip), 2000);
});

test("hexadecimal cells keep every number", () => {
  const all = () => fc.double();
  const retained = tensors(all).filter(({ type }) => type.isBound && type.indexed.length > 0);
  holds(
    fc.property(retained, (tensor) => roundTrip(tensor, { hex: true })),
    500,
  );
});
