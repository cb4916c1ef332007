import { expect, test } from "vitest";
import { boostTable } from "../../../src/vespa/package/model/boost-tables.js";

test("a table is a curve with its numbers", () => {
  expect(boostTable("linear(2,1,3)")).toMatchObject({ size: 3, greatest: 5 });
  expect(boostTable("linear(2,1,3)")?.at(9)).toBe(5);
  expect(boostTable("linear(0x10,2x,1e3)")).toMatchObject({ size: 1, greatest: 2 });
  expect(boostTable("linear(0x10,2x,2)")?.at(1)).toBe(18);
  expect(boostTable("linear(1,inf,2)")?.at(0)).toBe(Number.POSITIVE_INFINITY);
  expect(boostTable("loggrowth(1,2,3)")?.at(3)).toBeCloseTo(Math.log(2) + 2, 12);
  for (const text of [
    "linear",
    "linear(1)",
    "linear(1,2,3,4)",
    "cubic(1,2)",
    "linear(1,2,0)",
    "linear(1,2,1000000001)",
  ])
    expect(boostTable(text)).toBeUndefined();
});
