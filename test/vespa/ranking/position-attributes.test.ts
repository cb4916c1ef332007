import { expect, test } from "vitest";
import { zCurve } from "../../../src/vespa/ranking/document/position-values.js";
import { attribute, scoreOf } from "./profile-score.js";

/** Fields of positions are attributes of another name, whose bits are those of both coordinates in turn. */

const fields = `${attribute("price", "int")}${attribute("place", "position")}${attribute("places", "array<position>")}`;
const place = { lat: 0.000003, lng: 0.000001 };
const document = { price: 5, place, places: [place, "N0;E0.000002"] };

test.each<[string, number]>([
  // x is 01, and y is 11.
  ["attribute(place_zcurve)", 0b1011],
  ["attribute(place_zcurve).count", 1],
  ["attribute(places_zcurve)", 0],
  ["attribute(places_zcurve).count", 2],
  ["attribute(places_zcurve,1)", 0b100],
  ["attribute(places_zcurve,2)", 0],
  ["foreach(attributes,N,attribute(N).count,true,sum)", 4],
  ["foreach(attributes,N,attribute(N),true,sum)", 5 + 0b1011],
])("%s is %d", async (expression, expected) =>
  expect(await scoreOf(expression, { fields, document })).toBe(expected));

test("what is not there is no number", async () => {
  expect(await scoreOf("isNan(attribute(place_zcurve))", { fields, document: {} })).toBe(1);
});

test.each(["attribute(place)", "attribute(places).count"])("%s is refused", async (expression) => {
  await expect(scoreOf(expression, { fields, document })).rejects.toThrow(/feature\/field-kind/);
});

test.each<[number, number, bigint]>([
  [-1, -1, 0xffffffffffffffffn],
  [-(2 ** 31), 2 ** 31 - 1, 0x6aaaaaaaaaaaaaaan],
  [2 ** 30 - 1, -(2 ** 30), 0xa555555555555555n],
])("the bits of %d and %d", (x, y, bits) =>
  expect(zCurve({ longitude: x / 1e6, latitude: y / 1e6 })).toBe(Number(BigInt.asIntN(64, bits))));
