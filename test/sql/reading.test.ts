import { expect, test } from "vitest";
import { tensorOfColumns } from "../../src/backends/sql/rows/reading.js";
import { parseType, type Tensor } from "../../src/index.js";
import { seeds } from "../chance.js";
import { Choice } from "../hunt/choice.js";
import { programOf } from "../hunt/program.js";
import { contents } from "../same.js";
import { plainRows } from "./campaign/rows.js";

/** Rows in any order are the tensor that they are the cells of. */
function columnsOf(tensor: Tensor, choice: Choice): readonly (readonly unknown[])[] {
  const rows = choice.shuffled(plainRows(tensor, false));
  const { names } = tensor.type;
  return [
    ...names.map((_, at) => rows.map(({ address }) => address[at])),
    rows.map(({ cells }) => cells?.[0]),
  ];
}

test("rows in any order are the tensor whose cells they are", () => {
  let compared = 0;
  for (const seed of seeds(120)) {
    for (const { type, values } of programOf(seed).inputs)
      for (const tensor of values) {
        if (tensor.data.length > 500) continue;
        // Without a row nothing tells how far an unbound dimension reaches.
        if (type.isScalar || (!type.isBound && tensor.data.length === 0)) continue;
        const found = tensorOfColumns(type, columnsOf(tensor, new Choice(seed)));
        expect(contents(found)).toEqual(contents(tensor));
        compared++;
      }
  }
  expect(compared).toBeGreaterThan(100);
});

test("labels are in the order of their code units, and numbers as they are written", () => {
  const labels = ["𝄞", "ﬀ", "é", "z", "Z", "10", "9", ""];
  const found = tensorOfColumns(parseType("tensor(k{})"), [labels, labels.map((_, at) => BigInt(at))]);
  expect(found.labels.flat()).toEqual(["", "10", "9", "Z", "z", "é", "𝄞", "ﬀ"]);
  expect([...found.data]).toEqual([7, 5, 6, 4, 3, 2, 0, 1]);
});
