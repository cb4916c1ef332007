import { expect, test } from "vitest";
import { compile } from "../../src/index.js";
import { nearest } from "../../src/language/source/nearest.js";

/** The cell type of a choice is the one of its branches that holds the other, where one does. */
// biome-ignore format: a table
test.each([
  ["bfloat16", "int8",     "bfloat16"],
  ["int8",     "bfloat16", "bfloat16"],
  ["int",      "short",    "int"],
  ["short",    "int8",     "short"],
  ["float",    "half",     "float"],
  ["bfloat16", "half",     "float"],
  ["int",      "float",    "double"],
  ["int8",     "int8",     "int8"],
])("of %s and %s it is %s", (yes, no, expected) => {
  const program = compile(`input c: tensor(); input a: tensor<${yes}>(x[1]); input b: tensor<${no}>(x[1]); if(c, a, b)`);
  expect(program.results[0]?.type.cellType).toBe(expected);
});

test("the nearest name is another one, though the name itself is there", () => {
  expect(nearest("sum", ["sum", "sun"])).toBe("sun");
  expect(nearest("sum", ["sum"])).toBe(undefined);
});
