import { expect, test } from "vitest";
import { nearest } from "../../src/language/source/nearest.js";

/** The name that is offered in place of one that there is not. */

const candidates = ["sum", "max", "min", "log", "run", "matmul", "reduce", "cell_cast", "cosh"];

test.each([
  ["summ", "sum"],
  ["lgo", "log"],
  ["rnu", "run"],
  ["mni", "min"],
  ["amx", "max"],
  ["mamtul", "matmul"],
  ["MatMul", "matmul"],
  ["cellcast", "cell_cast"],
  ["redcue", "reduce"],
  ["usm", "sum"],
  ["gol", undefined],
  ["mus", undefined],
  ["ab", undefined],
  ["cash", "cosh"],
  ["nosuch", undefined],
  ["sm", "sum"],
  ["matm", "matmul"],
  ["x", undefined],
  ["", undefined],
])("%s is near to %s", (name, near) => {
  expect(nearest(name, candidates)).toBe(near);
});
