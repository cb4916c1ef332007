import { expect, test } from "vitest";
import { evaluate, parseTensor, renderSvg } from "../../src/index.js";

/** Marks of pictures that say which cells they stand for. */
const byText = (one: unknown, other: unknown): number =>
  JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;

test("marks that stand for one cell have its labels, and those of means have none", () => {
  const tensor = parseTensor('tensor(k{},x[3]):{"a b":[1,2,3],"\\"<":[4,NaN,6]}');
  const addressesIn = (svg: string): unknown[] =>
    [...svg.matchAll(/data-address="([^"]*)"/g)].map(([, text = ""]) =>
      JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")),
    );
  const cells = ["a b", '"<'].flatMap((k) => ["0", "1", "2"].map((x) => ({ k, x })));
  expect(addressesIn(renderSvg(tensor, { addresses: true })).sort(byText)).toEqual(cells.sort(byText));
  expect(addressesIn(renderSvg(tensor))).toEqual([]);
  for (const kind of ["bars", "line"] as const) {
    const row = parseTensor("tensor(x[4]):[1,-2,NaN,Infinity]");
    const marks = addressesIn(renderSvg(row, { kind, addresses: true }));
    expect(marks).toEqual([{ x: "0" }, { x: "1" }, { x: "2" }, { x: "3" }]);
  }
  const large = evaluate("tensor(x[5000])(x)");
  expect(addressesIn(renderSvg(large, { kind: "bars", addresses: true }))).toEqual([]);
});
