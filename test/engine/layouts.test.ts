import { describe, expect, test } from "vitest";
import {
  hasLayout,
  type InputLayout,
  layoutOf,
  showLayout,
  verifyLayout,
} from "../../src/backends/engine/layouts/input-layout.js";
import { LabelIndex } from "../../src/language/values/labels/label-index.js";
import { parseTensor } from "../../src/program/inputs/inputs.js";

/** The first stage of the engine, by itself: of an input what a plan may depend on, and nothing of its cells. */
const layout = (text: string, isFixed = false): InputLayout => layoutOf("t", parseTensor(text), isFixed);

/** A tensor of more labels than those whose index is found by a text. */
const many = (last: string): string =>
  `tensor(k{}):{${Array.from({ length: 400 }, (_, at) => `l${at}:1,`).join("")}${last}:1}`;

describe("a layout", () => {
  // biome-ignore format: a table
  test.each([
    ["tensor(x[3]):[1,2,3]",                                "t: tensor(x[3])"],
    ["tensor<float>(x[],y[2]):[[1,2],[3,4],[5,6]]",         "t: tensor<float>(x[],y[2]), x:3"],
    ["tensor(k{}):{p:1}",                                   "t: tensor(k{}), 1 row"],
    ["tensor(k{},x[]):{p:[1,2],q:[3,4]}",                   "t: tensor(k{},x[]), x:2, 2 rows"],
  ])("of %s is printed", (text, expected) => {
    expect(showLayout(layout(text))).toBe(expected);
    expect(() => verifyLayout(layout(text))).not.toThrow();
  });

  test("says whether its cells are the same in all runs", () => {
    expect(showLayout(layout("tensor():{1}", true))).toBe("t: tensor(), fixed");
  });

  // biome-ignore format: a table
  test.each([
    ["other cells",        "tensor(k{},x[]):{p:[1,2]}", "tensor(k{},x[]):{p:[3,4]}",        true],
    ["another label",      "tensor(k{},x[]):{p:[1,2]}", "tensor(k{},x[]):{q:[1,2]}",        false],
    ["another row",        "tensor(k{},x[]):{p:[1,2]}", "tensor(k{},x[]):{p:[1,2],q:[1,2]}", false],
    ["another size",       "tensor(k{},x[]):{p:[1,2]}", "tensor(k{},x[]):{p:[1,2,3]}",      false],
    ["bound sizes",        "tensor(x[]):[1,2]",         "tensor(x[2]):[3,4]",               true],
    ["fewer bound cells",  "tensor(x[]):[1,2]",         "tensor(x[1]):[3]",                 false],
    ["smaller bound sizes", "tensor(x[2]):[1,2]",       "tensor(x[1]):[3]",                 false],
    ["open sizes",         "tensor(x[2]):[1,2]",        "tensor(x[]):[1,2]",                false],
    ["as many labels",     many("last"),                many("last"),                       true],
    ["another last label", many("last"),                many("other"),                      false],
    ["another cell type",  "tensor(x[2]):[1,2]",        "tensor<float>(x[2]):[1,2]",        false],
    ["another dimension",  "tensor(x[2]):[1,2]",        "tensor(y[2]):[1,2]",               false],
  ])("is not that of a tensor with %s, unless it is only cells", (_, one, other, isSame) => {
    expect(hasLayout(parseTensor(other), layout(one))).toBe(isSame);
  });
});

describe("the verifier refuses a layout", () => {
  const sound = layout("tensor(k{},x[],y[2]):{p:[[1,2]],q:[[3,4]]}");
  const rows = LabelIndex.of([["p"], ["q"]], 1);

  // biome-ignore format: a table
  test.each<[string, InputLayout, RegExp]>([
    ["without a size",          { ...sound, sizes: [1] },                                     /number of sizes/],
    ["of another size",         { ...sound, sizes: [1, 3] },                                  /declared/],
    ["without rows",            { ...sound, index: undefined },                               /rows/],
    ["with too few columns",    { ...sound, index: new LabelIndex([], [], 1) },               /number of columns/],
    ["with too few entries",    { ...sound, index: new LabelIndex(rows.dictionaries, rows.columns, 3) }, /number of rows/],
    ["with rows of no dimension", { ...layout("tensor(x[1]):[1]"), index: rows },             /rows/],
  ])("%s", (_, broken, reason) => {
    expect(() => verifyLayout(broken)).toThrow(reason);
  });
});
