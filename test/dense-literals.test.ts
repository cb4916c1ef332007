import { expect, test } from "vitest";
import { check, evaluate } from "../src/index.js";

/** How brackets nest in dense literals: Vespa counts the cells only, the other dialect wants each size. */
// biome-ignore format: a table
const misfits = [
  { text: "tensor(a[3],b[1]):[[1,2,3]]",           value: "tensor(a[3],b[1]):[[1.0], [2.0], [3.0]]" },
  { text: "tensor(a[2],b[3]):[[1,2],[3,4],[5,6]]", value: "tensor(a[2],b[3]):[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]" },
  { text: "tensor(b[2],a[2]):[[[1]],2,[3,4]]",     value: "tensor(a[2],b[2]):[[1.0, 3.0], [2.0, 4.0]]" },
];

test.each(misfits)("$text is flat in dialect vespa, and an error otherwise", ({ text, value }) => {
  expect(`${evaluate(text, {}, { dialect: "vespa" })}`).toBe(value);
  expect(check(text).some((each) => each.isError)).toBe(true);
});

test.each([
  "tensor(a[3],b[1]):[[1,2]]",
  "tensor(a[2],b[2]):[[1,2],[3,4],[5]]",
])("%s has too few or too many cells in both dialects", (text) => {
  expect(check(text, { dialect: "vespa" }).some((each) => each.isError)).toBe(true);
  expect(check(text).some((each) => each.isError)).toBe(true);
});
