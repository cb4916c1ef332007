import { expect, test } from "vitest";
import { check } from "../../src/index.js";
import { evaluate } from "../engine-evaluate.js";

/** How brackets nest in dense literals: Vespa does not mind those of dimensions of size 1, the other dialect does. */
// biome-ignore format: a table
const around = [
  { text: "tensor(a[3],b[1]):[[1,2,3]]",             value: "tensor(a[3],b[1]):[[1.0], [2.0], [3.0]]" },
  { text: "tensor(a[1],b[2],c[2]):[[1,2],[3,4]]",    value: "tensor(a[1],b[2],c[2]):[[[1.0, 2.0], [3.0, 4.0]]]" },
  { text: "tensor(b[2],c[1],a[2]):[[[1,2],[3,4]]]",  value: "tensor(a[2],b[2],c[1]):[[[1.0], [3.0]], [[2.0], [4.0]]]" },
];

test.each(around)("$text is sound in dialect vespa, and an error otherwise", ({ text, value }) => {
  expect(`${evaluate(text, {}, { dialect: "vespa" })}`).toBe(value);
  expect(check(text).some((each) => each.isError)).toBe(true);
});

test.each([
  "tensor(a[3],b[1]):[[1,2]]",
  "tensor(a[2],b[2]):[[1,2],[3,4],[5]]",
  "tensor(a[2],b[3]):[[1,2],[3,4],[5,6]]",
  "tensor(b[2],a[2]):[[[1]],2,[3,4]]",
])("%s nests otherwise than its sizes, in both dialects", (text) => {
  expect(check(text, { dialect: "vespa" }).some((each) => each.isError)).toBe(true);
  expect(check(text).some((each) => each.isError)).toBe(true);
});
