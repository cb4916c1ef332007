import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { readJson, writeJson } from "../../src/formats/json/json.js";
import type { Tensor } from "../../src/language/values/tensor.js";
import { parseType } from "../../src/program/options.js";
import { holds } from "../chance.js";

/**
 * Tensors from JSON, against language.md 6.2: each form for each kind of type, by hand; and what is refused, with its
 * path.
 */

const reading = (type: string, text: string) => readJson({ name: "a.json", text }, parseType(type));

function read(type: string, text: string): Tensor {
  const { tree, problems } = reading(type, text);
  expect(problems.map((each) => each.message)).toEqual([]);
  if (tree === undefined) throw new Error("neither a tensor nor a problem");
  return tree;
}

/** Every problem as its message and what was found. */
const refusals = (type: string, text: string): [string, string | undefined][] =>
  reading(type, text).problems.map((each) => [each.message, each.description.found]);

// biome-ignore format: a table
const readings = [
  // Scalars.
  ["tensor()", "5", "{5.0}"],
  ["tensor()", "[5]", "{5.0}"],
  ["tensor()", '{"values":[5]}', "{5.0}"],
  ["tensor()", '{"values":5}', "{5.0}"],
  ["tensor()", '{"cells":[{"address":{},"value":5}]}', "{5.0}"],
  ["tensor()", '[{"address":{},"value":5}]', "{5.0}"],
  ["tensor()", '[{"value":5}]', "{5.0}"],
  ["tensor()", '{"type":"tensor()","value":"5","cells":[[{},5]]}', "{5.0}"],
  ["tensor()", '{"type":"tensor()","values":["-inf"]}', "{-Infinity}"],
  ["tensor()", "null", "{NaN}"],
  ["tensor()", '"2.5"', "{2.5}"],
  ["tensor()", '{"cells":[]}', "{0.0}"],
  // Dense: values, nested, flat, and nested otherwise; a missing cell of the cells form is 0.
  ["tensor(x[3])", '{"type":"tensor(x[3])","values":[1,2,3]}', "[1.0, 2.0, 3.0]"],
  ["tensor(x[3])", "[1,2,3]", "[1.0, 2.0, 3.0]"],
  ["tensor(x[2],y[2])", '{"values":[[1,2],[3,4]]}', "[[1.0, 2.0], [3.0, 4.0]]"],
  ["tensor(x[2],y[2])", '{"values":[1,2,3,4]}', "[[1.0, 2.0], [3.0, 4.0]]"],
  ["tensor(x[2],y[2])", "[[1,2],[3,4]]", "[[1.0, 2.0], [3.0, 4.0]]"],
  ["tensor(y[1],x[2])", "[7,8]", "[[7.0], [8.0]]"],
  ["tensor(x[2],y[3])", "[[1,2],[3,4],[[5],6]]", "[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]"],
  ["tensor(x[2],y[2])", '[{"address":{"y":"0","x":"1"},"value":3}]', "[[0.0, 0.0], [3.0, 0.0]]"],
  ["tensor(x[2])", '{"cells":[{"address":{"x":"1"},"value":3}]}', "[0.0, 3.0]"],
  ["tensor(x[2])", '{"cells":{"1":3}}', "[0.0, 3.0]"],
  ["tensor(x[2])", '{"type":"tensor(x[2])","cells":[[{"x":"0"},"NaN"],[{"x":"1"},3]]}', "[NaN, 3.0]"],
  ["tensor(x[2])", '{"cells":{}}', "[0.0, 0.0]"],
  // Sparse.
  ["tensor(k{})", '{"cells":{"b":3.0,"a":2.0}}', "{a:2.0, b:3.0}"],
  ["tensor(k{})", '{"a":2.0,"b":3.0}', "{a:2.0, b:3.0}"],
  ["tensor(k{})", '[{"address":{"k":"a"},"value":2}]', "{a:2.0}"],
  ["tensor(k{})", '{"cells":[[{"k":"a"},2]]}', "{a:2.0}"],
  ["tensor(k{})", "{}", "{}"],
  ["tensor(k{})", "[]", "{}"],
  ["tensor(j{},k{})", '{"cells":[{"address":{"k":"b","j":"a"},"value":1}]}', "{{j:a,k:b}:1.0}"],
  ["tensor(j{},k{})", '[{"address":{"k":"b","j":"a"},"value":1}]', "{{j:a,k:b}:1.0}"],
  ["tensor(j{},k{})", "{}", "{}"],
  ["tensor(j{},k{})", '{"cells":[]}', "{}"],
  // Mixed.
  ["tensor(k{},x[2])", '{"blocks":{"b":[3,4],"a":[1,2]}}', "{a:[1.0, 2.0], b:[3.0, 4.0]}"],
  ["tensor(k{},x[2])", '{"b":[3,4],"a":[1,2]}', "{a:[1.0, 2.0], b:[3.0, 4.0]}"],
  ["tensor(k{},x[2])", '{"blocks":[{"address":{"k":"a"},"values":[1,2]}]}', "{a:[1.0, 2.0]}"],
  ["tensor(k{},x[2])", '{"cells":[{"address":{"k":"a","x":"1"},"value":2}]}', "{a:[0.0, 2.0]}"],
  ["tensor(k{},x[2])", '[{"address":{"k":"a","x":"1"},"value":2}]', "{a:[0.0, 2.0]}"],
  ["tensor(k{},x[2])", '{"cells":[[{"k":"a","x":"1"},2]]}', "{a:[0.0, 2.0]}"],
  ["tensor(k{},x[2])", "{}", "{}"],
  // Of blocks with one label the last one counts, as it does for Vespa.
  ["tensor(k{},x[1])", '{"a":[1],"a":[2]}', "{a:[2.0]}"],
  ["tensor(k{},x[2],y[2])", '{"a":[[1,2],[3,4]]}', "{a:[[1.0, 2.0], [3.0, 4.0]]}"],
  ["tensor(k{},x[2],y[2])", '{"a":[1,2,3,4]}', "{a:[[1.0, 2.0], [3.0, 4.0]]}"],
  ["tensor(j{},k{},x[2])", '{"blocks":[{"address":{"k":"b","j":"a"},"values":[1,2]}]}', "{{j:a,k:b,x:0}:1.0, {j:a,k:b,x:1}:2.0}"],
  ["tensor(j{},k{},x[2])", '[{"address":{"k":"b","j":"a"},"values":[1,2]}]', "{{j:a,k:b,x:0}:1.0, {j:a,k:b,x:1}:2.0}"],
  ["tensor(j{},k{},x[2])", "[]", "{}"],
  // Sizes that the type leaves open come from the cells or the arrays.
  ["tensor(x[])", "[1,2,3]", "{0:1.0, 1:2.0, 2:3.0}"],
  ["tensor(x[])", '{"cells":{"2":5}}', "{0:0.0, 1:0.0, 2:5.0}"],
  ["tensor(x[])", '[{"address":{"x":"1"},"value":5}]', "{0:0.0, 1:5.0}"],
  ["tensor(x[])", '{"values":[]}', "{}"],
  ["tensor(x[],y[])", "[[1],[2]]", "{{x:0,y:0}:1.0, {x:1,y:0}:2.0}"],
  ["tensor(x[],y[2])", "[1,2,3,4]", "{{x:0,y:0}:1.0, {x:0,y:1}:2.0, {x:1,y:0}:3.0, {x:1,y:1}:4.0}"],
  ["tensor(k{},x[])", '{"a":[1,2],"b":[3,4]}', "{{k:a,x:0}:1.0, {k:a,x:1}:2.0, {k:b,x:0}:3.0, {k:b,x:1}:4.0}"],
  ["tensor(k{},x[])", '[{"address":{"k":"a","x":"1"},"value":2}]', "{{k:a,x:0}:0.0, {k:a,x:1}:2.0}"],
];

test.each(readings)("%s from %s", (type, json, expected) => {
  expect(`${read(type, json)}`).toBe(`${type.replace("(y[1],x[2])", "(x[2],y[1])")}:${expected}`);
});

test("numbers are JSON's own, null, or text", () => {
  const json = '[1e400, -0, null, "inf", "+INF", "-Infinity", "+nan", "-NaN", "1.5e1", "-.5", "3."]';
  const expected = [Infinity, -0, NaN, Infinity, Infinity, -Infinity, NaN, NaN, 15, -0.5, 3];
  expect(read("tensor(x[11])", json).toNested()).toEqual(expected);
});

test("cells are stored by the rule of their type", () => {
  expect(read("tensor<int8>(x[3])", "[1.9, 200, null]").toNested()).toEqual([1, -56, 0]);
  expect(read("tensor<bfloat16>(x[1])", "[3.14159]").toNested()).toEqual([3.140625]);
  expect(read("tensor<float>(k{})", '{"a":0.1}').get({ k: "a" })).toBe(0.10000000149011612);
});

test.each([
  [
    "tensor<int8>(x[2],y[3])",
    '"0B22038405FF"',
    [
      [11, 34, 3],
      [-124, 5, -1],
    ],
  ],
  ["tensor<bfloat16>(x[4])", '{"values":"3f80C0003F007f80"}', [1, -2, 0.5, Infinity]],
  ["tensor<float>(x[2])", '{"values":"3f80000040000000"}', [1, 2]],
  ["tensor(x[2])", '"3FF0000000000000FFF8000000000000"', [1, Number.NaN]],
  // The width says what the bits are, whatever the type.
  ["tensor(x[2])", '"FF80"', [-1, -128]],
  ["tensor<float>(x[1])", '"C000"', [-2]],
  ["tensor<bfloat16>(x[1])", '"3FF8000000000000"', [1.5]],
  ["tensor<short>(x[1])", '"C0000000"', [-2]],
  ["tensor(k{},x[2])", '{"blocks":{"a":"0102"}}', { a: [1, 2] }],
  ["tensor(k{},x[2])", '{"a":"0102","b":[3,4]}', { a: [1, 2], b: [3, 4] }],
  ["tensor(k{},x[2])", '[{"address":{"k":"a"},"values":"0102"}]', { a: [1, 2] }],
  // A cell by itself, which is a double here whatever it is in Vespa; what may be a number of fewer digits is one.
  ["tensor()", '{"values":"4000000000000000"}', 2],
  ["tensor()", '"4000000000000000"', 2],
  ["tensor()", '"BF000000"', -0.5],
  ["tensor()", '{"values":"3FC0"}', 1.5],
  ["tensor()", '"7F"', 127],
  ["tensor()", '"12"', 12],
  ["tensor()", '["4000000000000000"]', 4e15],
])("hexadecimal cells of %s in %s", (type, json, expected) => {
  expect(read(type, json).toNested()).toEqual(expected);
});

test("hexadecimal floats of the documentation", () => {
  const tensor = read("tensor<float>(tag{},x[3])", '{"foo":"3DE38E393E638E393EAAAAAB"}');
  expect(tensor.get({ tag: "foo", x: 0 })).toBeCloseTo(0.11111111193895, 14);
  expect(tensor.get({ tag: "foo", x: 1 })).toBeCloseTo(0.2222222238779, 13);
  expect(tensor.get({ tag: "foo", x: 2 })).toBeCloseTo(0.33333334326744, 14);
});

test.each([
  // Names of forms are labels where their values can be no form.
  ["tensor(k{})", '{"cells":2,"b":3}', "{b:3.0, cells:2.0}"],
  ["tensor(k{})", '{"cells":null}', "{cells:NaN}"],
  ["tensor(k{})", '{"values":2,"blocks":3,"type":4}', "{blocks:3.0, type:4.0, values:2.0}"],
  ["tensor(k{})", '{"cells":{"cells":2}}', "{cells:2.0}"],
  ["tensor(k{},x[2])", '{"cells":[1,2]}', "{cells:[1.0, 2.0]}"],
  [
    "tensor(k{},x[2])",
    '{"cells":"0102","blocks":[[3],4],"values":[5,6]}',
    "{blocks:[3.0, 4.0], cells:[1.0, 2.0], values:[5.0, 6.0]}",
  ],
  ["tensor(k{},x[2])", '{"blocks":{"blocks":[1,2]}}', "{blocks:[1.0, 2.0]}"],
  // Names that objects inherit are labels.
  ["tensor(k{})", '{"__proto__":1,"constructor":2}', "{__proto__:1.0, constructor:2.0}"],
  ["tensor(k{},x[1])", '{"blocks":{"__proto__":[1]}}', "{__proto__:[1.0]}"],
  ["tensor(k{})", '[{"address":{"k":"__proto__"},"value":1}]', "{__proto__:1.0}"],
  // What else an object has says nothing.
  ["tensor(x[1])", '{"cells":{"0":2},"note":[]}', "[2.0]"],
])("%s from %s, by names", (type, json, expected) => {
  expect(`${read(type, json)}`).toBe(`${type}:${expected}`);
});

test("a dimension may have a name that objects inherit", () => {
  expect(refusals("tensor(__proto__{})", '[{"address":{},"value":1}]')).toEqual([
    ["$[0].address.__proto__ must be a label, as text", "nothing"],
  ]);
  const json = '[{"address":{"__proto__":"a"},"value":1}]';
  expect(writeJson(read("tensor(__proto__{})", json), { form: "cells", direct: true })).toBe(
    '[{"address":{"__proto__":"a"},"value":1.0}]',
  );
});

test("a stated type may be written otherwise, have narrower cells, or sizes that are not declared", () => {
  expect(`${read("tensor(x[2],y{})", '{"type":"tensor<double>( y{}, x[2] )","blocks":{"a":[1,2]}}')}`).toBe(
    "tensor(x[2],y{}):{a:[1.0, 2.0]}",
  );
  expect(`${read("tensor(x[1])", '{"type":"tensor<int8>(x[1])","values":[0.1]}')}`).toBe(
    "tensor(x[1]):[0.1]",
  );
  expect(`${read("tensor(x[])", '{"type":"tensor(x[2])","cells":{"0":1}}')}`).toBe(
    "tensor(x[]):{0:1.0, 1:0.0}",
  );
  expect(refusals("tensor(x[])", '{"type":"tensor(x[2])","values":[1]}')).toEqual([
    ["$.values must be an array of 2 numbers", "1 number"],
  ]);
});

test.each([
  ["tensor(x[3])", "tensor(x[2])"],
  ["tensor(x[3])", "tensor(x[])"],
  ["tensor(x[3])", "tensor(x[3],y[1])"],
  ["tensor(x[3])", "tensor(x{})"],
  ["tensor(x[3])", "tensor()"],
  ["tensor<float>(x[3])", "tensor(x[3])"],
  ["tensor<int8>(x[3])", "tensor<float>(x[3])"],
])("of %s, %s is another type", (type, stated) => {
  const { tree, problems } = reading(type, JSON.stringify({ type: stated, values: [1, 2, 3] }));
  expect(tree).toBeUndefined();
  expect(
    problems.map(({ code, message, description: { found, expected } }) => [code, message, found, expected]),
  ).toEqual([["json/type", "$.type is not the declared type", stated, type]]);
});

const number = "a number, null for NaN, or a number as text";
const cells = 'an array of cells, each {"address":{…},"value":…}';
const blocks = 'an array of blocks, each {"address":{…},"values":[…]}';
const block = 'a block: {"address":{…},"values":[…]}';
const own = "a cell with an address of its own";

// biome-ignore format: a table
const refused = [
  // Numbers.
  ["tensor()", "true", `$ must be ${number}`, "true"],
  ["tensor()", '"4014000000000000x"', `$ must be ${number}`, '"4014000000000000x"'],
  ["tensor()", "[5,6]", "$ must be an array of 1 number", "2 numbers"],
  ["tensor()", '{"values":[]}', "$.values must be an array of 1 number", "0 numbers"],
  ["tensor()", "{}", `$ must be ${number}`, "an empty object"],
  ["tensor(x[2])", '[1,"two"]', `$[1] must be ${number}`, '"two"'],
  ["tensor(x[2])", '[1," 2"]', `$[1] must be ${number}`, '" 2"'],
  ["tensor(x[2])", '[1,"0x2"]', `$[1] must be ${number}`, '"0x2"'],
  ["tensor(x[2])", '[1,""]', `$[1] must be ${number}`, '""'],
  ["tensor(x[2],y[1])", '{"values":[[1],[{"a":2}]]}', `$.values[1][0] must be ${number}`, 'an object with "a"'],
  ["tensor(k{})", '{"a":[1]}', `$.a must be ${number}`, "an array"],
  ["tensor(k{})", '{"cells":{"a b":false}}', `$.cells["a b"] must be ${number}`, "false"],
  ["tensor(k{})", '{"type":"tensor(k{})"}', `$.type must be ${number}`, '"tensor(k{})"'],
  ["tensor(k{})", '{"cells":"FF"}', `$.cells must be ${number}`, '"FF"'],
  // Forms: one has all cells.
  ["tensor(x[1])", '{"values":[1],"cells":{"0":2}}', "$.values must be left out: the tensor is read from $.cells", "an array"],
  ["tensor(k{})", '{"cells":{"a":1},"values":[4]}', "$.values must be left out: the tensor is read from $.cells", "an array"],
  ["tensor(k{},x[1])", '{"values":[1],"blocks":{"b":[2]}}', "$.values must be left out: the tensor is read from $.blocks", "an array"],
  // Values.
  ["tensor(x[3])", "[1,2]", "$ must be an array of 3 numbers", "2 numbers"],
  ["tensor(x[3])", '{"values":[1,2,3,4]}', "$.values must be an array of 3 numbers", "4 numbers"],
  ["tensor(x[3])", '{"values":[]}', "$.values must be an array of 3 numbers", "0 numbers"],
  ["tensor(x[3])", '{"values":7}', "$.values must be an array of 3 numbers", "7"],
  ["tensor(x[3])", '{"value":[1,2,3]}', "$ must be an array of 3 numbers", 'an object with "value"'],
  ["tensor(x[3])", '{"cells":[1,2,3]}', "$ must be an array of 3 numbers", 'an object with "cells"'],
  ["tensor(x[])", "[[1]]", "$[0] must be a number: the arrays nest deeper than the dimensions", "an array"],
  ["tensor(x[],y[])", "[1,2]", "$[0] must be an array for y[]", "1"],
  ["tensor(x[],y[])", "[[1,2],[3]]", "$[1] must be an array of length 2, for y[]", "an array of length 1"],
  ["tensor(x[],y[2])", "[[1,2],[3]]", "$[1] must be an array of length 2, for y[2]", "an array of length 1"],
  ["tensor(x[],y[2])", "[1,2,3]", "$ must be arrays nested for x[],y[2]", "3 numbers"],
  // Hexadecimal cells.
  ["tensor(x[2])", '"01020"', "$ must be 2 hexadecimal cells of 2, 4, 8 or 16 digits each", "5 digits"],
  ["tensor(x[2])", '"010203"', "$ must be 2 hexadecimal cells of 2, 4, 8 or 16 digits each", "6 digits"],
  ["tensor(x[2])", '{"values":"abXc"}', "$.values must be an array, or 2 hexadecimal cells as one text", '"abXc"'],
  ["tensor(x[2])", '""', "$ must be an array, or 2 hexadecimal cells as one text", '""'],
  ["tensor<int8>(x[1])", '"3F80"', "$ must be 1 hexadecimal cell of 2 digits each, which int8 holds", "4 digits per cell"],
  ["tensor(x[])", '"0102"', "$ must be an array, as not all sizes of tensor(x[]) are known", '"0102"'],
  // Cells.
  ["tensor(x[2])", '{"cells":[{"address":{"x":"2"},"value":1}]}', "$.cells[0].address.x must be an index from 0 to 1", '"2"'],
  ["tensor(x[2])", '{"cells":[{"address":{"x":"-1"},"value":1}]}', "$.cells[0].address.x must be an index from 0 to 1", '"-1"'],
  ["tensor(x[2])", '{"cells":{"0":1,"01":1}}', '$.cells["01"] must be an index from 0 to 1', '"01"'],
  ["tensor(x[])", '{"cells":{"a":1}}', "$.cells.a must be an index from 0", '"a"'],
  ["tensor(x[2])", '[{"address":{"x":0},"value":1}]', "$[0].address.x must be a label, as text", "0"],
  ["tensor(k{})", '[{"address":{"k":null},"value":1}]', "$[0].address.k must be a label, as text", "null"],
  ["tensor(j{},k{})", '[{"address":{"j":"a"},"value":1}]', "$[0].address.k must be a label, as text", "nothing"],
  ["tensor(k{})", '[{"address":{"k":"a","z":"b"},"value":1}]', "$[0].address.z must be one of the dimensions k", '"z"'],
  ["tensor()", '[{"address":{"x":"0"},"value":1}]', "$[0].address.x must be left out: tensor() has no dimensions", '"x"'],
  ["tensor(k{})", '[{"value":1}]', "$[0].address must be an object with labels for k", "nothing"],
  ["tensor(k{})", '[{"address":["a"],"value":1}]', "$[0].address must be an object with labels for k", "an array"],
  ["tensor(k{})", '[{"address":{"k":"a"}}]', `$[0].value must be ${number}`, "nothing"],
  ["tensor(k{})", '{"cells":[{"address":{"k":"a"},"value":1},7]}', '$.cells[1] must be a cell: {"address":{…},"value":…}', "7"],
  ["tensor(k{})", '{"cells":[[{"k":"a"},1],[{"k":"b"},1,2]]}', '$.cells[1] must be a cell: {"address":{…},"value":…}', "an array"],
  ["tensor(k{})", '{"cells":[[{"x":"a"},1]]}', "$.cells[0][0].x must be one of the dimensions k", "\"x\""],
  ["tensor(k{})", '[[{"address":{"k":"a"},"value":1}]]', '$[0] must be a cell: {"address":{…},"value":…}', "an array"],
  ["tensor(k{})", '[{"address":{"k":"a"},"value":1},{"address":{"k":"a"},"value":1}]', `$[1] must be ${own}`, "the address of $[0] again"],
  ["tensor(x[2])", '{"cells":[{"address":{"x":"1"},"value":0},{"address":{"x":"1"},"value":0}]}', `$.cells[1] must be ${own}`, "the address of $.cells[0] again"],
  ["tensor()", '[{"value":1},{"value":1}]', `$[1] must be ${own}`, "the address of $[0] again"],
  ["tensor(j{},k{})", '{"a":1}', `$ must be ${cells}`, 'an object with "a"'],
  ["tensor(j{},k{})", '{"cells":"a"}', `$.cells must be ${cells}`, '"a"'],
  ["tensor(k{})", "1", `$ must be ${cells}, or an object of numbers by label`, "1"],
  ["tensor(x[])", '{"cells":{"2000000000":1}}', "$.cells must be at most 50000000 cells", "2000000001 cells, with the zeros between them"],
  ["tensor(k{})", '{"a":1,"b":2,"a":3}', `$.a must be ${own}`, "the address of $.a again"],
  ["tensor(k{})", '{"cells":{"a":1,"\\u0061":3}}', `$.cells.a must be ${own}`, "the address of $.cells.a again"],
  // Blocks.
  ["tensor(k{},x[2])", '{"a":[1,2],"b":[3]}', "$.b must be an array of 2 numbers", "1 number"],
  ["tensor(k{},x[2])", '{"blocks":{"a":[1,2,3]}}', "$.blocks.a must be an array of 2 numbers", "3 numbers"],
  ["tensor(k{},x[2])", '{"blocks":{"a":1}}', "$.blocks.a must be an array of 2 numbers", "1"],
  ["tensor(k{},x[2])", "[[1,2]]", `$[0] must be ${block}`, "an array"],
  ["tensor(k{},x[2])", "5", `$ must be ${blocks}, or an object of arrays by label`, "5"],
  ["tensor(j{},k{},x[2])", '{"a":[1,2]}', `$ must be ${blocks}`, 'an object with "a"'],
  ["tensor(j{},k{},x[1])", '{"blocks":[{"address":{"j":"a"},"values":[1]}]}', "$.blocks[0].address.k must be a label, as text", "nothing"],
  ["tensor(k{},x[1])", '{"blocks":[{"address":{"k":"a","x":"0"},"values":[1]}]}', "$.blocks[0].address.x must be one of the dimensions k", '"x"'],
  ["tensor(k{},x[1])", '{"blocks":[{"address":{"k":"a"}}]}', "$.blocks[0].values must be an array of 1 number", "nothing"],
  ["tensor(k{},x[1])", '{"blocks":[{"address":{"k":"a"},"values":[1]},{"address":{"k":"a"},"values":[1]}]}', "$.blocks[1] must be a block with an address of its own", "the address of $.blocks[0] again"],
  ["tensor(k{},x[])", '{"a":[1,2],"b":[3]}', "$.b must be an array of length 2, for x[]", "an array of length 1"],
  ["tensor(x[2])", '{"blocks":{"a":[1,2]}}', "$.blocks must be left out: tensor(x[2]) does not have both mapped and indexed dimensions", 'an object with "a"'],
  ["tensor(k{})", '{"blocks":{"a":[1]}}', "$.blocks must be left out: tensor(k{}) does not have both mapped and indexed dimensions", 'an object with "a"'],
  // Types.
  ["tensor(x[1])", '{"type":1,"values":[1]}', "$.type must be a tensor type, as text", "1"],
  ["tensor(x[1])", '{"type":"tensor(x[","values":[1]}', "$.type must be a tensor type, as text", '"tensor(x["'],
];

test.each(refused)("%s is not read from %s", (type, json, message, found) => {
  const { tree, problems } = reading(type, json);
  expect(tree).toBeUndefined();
  expect(refusals(type, json)).toEqual([[message, found]]);
  expect(problems[0]).toMatchObject({ code: "json/shape", span: { source: { name: "a.json", text: json } } });
});

// biome-ignore format: a table
test.each([
  ["tensor(x[2])",      '{\n "values": [1, true]}',                                "true"],
  ["tensor(x[2])",      '{"values":\n  [1]}',                                      "[1]"],
  ["tensor(k{})",       '{"cells":[{"address":{"k":7},"value":1}]}',                "7"],
  ["tensor(k{})",       '{"cells":[{"value":1}]}',                                  '{"value":1}'],
  ["tensor(k{},x[2])",  '{"a":[1,2], "b\\u0022c" : [3]}',                           "[3]"],
  ["tensor(k{})",       '{"cells":{"a":1},"cells":{"a":true}}',                      "true"],
  ["tensor(x[2])",      '{"type":"tensor(y[2])","values":[1,2]}',                   '"tensor(y[2])"'],
])("what is wrong for %s in %j lies at %j", (type, json, expected) => {
  const { problems } = reading(type, json);
  expect(problems.map(({ span }) => json.slice(span.start, span.end))).toEqual([expected]);
});

test("all mistakes are found, up to a limit", () => {
  expect(refusals("tensor(k{})", '[{"address":{"k":1},"value":true},{"address":{}}]')).toEqual([
    ["$[0].address.k must be a label, as text", "1"],
    [`$[0].value must be ${number}`, "true"],
    ["$[1].address.k must be a label, as text", "nothing"],
    [`$[1].value must be ${number}`, "nothing"],
  ]);
  expect(refusals("tensor(x[100])", JSON.stringify(Array(100).fill("x")))).toHaveLength(20);
});

test("depth and size are no danger", () => {
  const deep = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
  expect(reading("tensor(x[1])", "[".repeat(100_000)).problems[0]?.code).toBe("json/syntax");
  expect(`${read("tensor(x[1])", deep(100_000, "1"))}`).toBe("tensor(x[1]):[1.0]");
  expect(refusals("tensor(x[1])", deep(100_000, '"x"'))[0]?.[0]).toBe(
    `$${"[0]".repeat(8)}…${"[0]".repeat(8)} must be ${number}`,
  );
  for (const type of ["tensor(x[])", "tensor(k{})", "tensor(k{},x[2])", "tensor(x[],y[])"]) {
    expect(refusals(type, deep(100_000, "1"))).toHaveLength(1);
  }
  const many = read("tensor(x[1000000])", `[${"1.5,".repeat(999_999)}2]`);
  expect([many.data.length, many.at(999_998), many.at(999_999)]).toEqual([1_000_000, 1.5, 2]);
  expect(refusals("tensor(x[1])", `["${"1".repeat(1_000_000)}x"]`)).toHaveLength(1);
});

test("a text is not the engine's to judge: one that would give up on depth is never asked for it", () => {
  const parse = vi.spyOn(JSON, "parse").mockImplementation(() => {
    throw new RangeError("Maximum call stack size exceeded");
  });
  try {
    const deep = "[".repeat(1000);
    expect(reading("tensor(x[1])", deep).problems.map(({ code }) => code)).toEqual(["json/syntax"]);
    expect(`${reading("tensor(k{})", '{"a":1}').tree}`).toBe("tensor(k{}):{a:1.0}");
  } finally {
    parse.mockRestore();
  }
});

test("no JSON makes it throw", () => {
  const word = fc.constantFrom(
    "type",
    "cells",
    "values",
    "blocks",
    "address",
    "value",
    "k",
    "x",
    "0",
    "FF",
    "inf",
  );
  const { json } = fc.letrec((tie) => ({
    leaf: fc.oneof(fc.constantFrom(null, true, 0, 1.5), word),
    json: fc.oneof(
      { maxDepth: 5 },
      tie("leaf"),
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(word, tie("json"), { maxKeys: 3 }),
    ),
  }));
  const types = fc.constantFrom(
    "()",
    "(x[2])",
    "(x[])",
    "(k{})",
    "(k{},x[1])",
    "(k{},x[])",
    "(a{},k{},x[1])",
  );
  holds(
    fc.property(json, types, (value, type) => {
      const { tree, problems } = reading(`tensor${type}`, JSON.stringify(value));
      expect(tree === undefined).toBe(problems.length > 0);
      for (const { message } of problems) expect(message).toMatch(/^\$/);
    }),
    2000,
  );
});
