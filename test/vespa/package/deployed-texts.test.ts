import { expect, test } from "vitest";
import { deployed } from "./deployed.js";

/**
 * What Vespa writes anew when it deploys a rank profile, and its engines read otherwise: lists of `in` without parentheses, and inline
 * functions whose constants are computed once more. The texts beside the values are those of its configuration model (8.700).
 */

const lists: readonly [string, string, string][] = [
  ["!(attribute(price) in [8])", "!price in [8]", "0.0"],
  ["2 * (attribute(price) in [7, 14])", "2 * price in [7, 14]", "1.0"],
  ["(attribute(price) in [7]) + (query(d) in [4])", "price in [7] + d in [4]", "0.0"],
  ["2 * (attribute(price) + query(d) in [11])", "2 * price + d in [11]", "0.0"],
  ["if(!(attribute(price) in [1]), 2, 3)", "if (!price in [1], 2, 3)", "3.0"],
  ["query(d) == (attribute(price) in [0, 7])", "d == price in [0, 7]", "1.0"],
  ["reduce(tensor(y[2])(2 * (y in [1, 2])), sum)", "sum(tensor(y[2])((2 * y in [1, 2])))", "1.0"],
  ["-(attribute(price) in [7])", "-price in [7]", "0.0"],
  ["query(d) - (attribute(price) > 1 in [1])", "d - price > 1 in [1]", "0.0"],
  ["query(d) + i", "d + price in [7, 11]", "1.0"],
];

const listed = "function inline i() { expression: attribute(price) in [7, 11] }";

test.each(lists)("%s is %s, as lists have no parentheses", (written, _, value) => {
  expect(deployed(written, listed)).toMatchObject({
    value: `tensor():{${value}}`,
    codes: ["portability/list"],
  });
});

const twice: readonly [string, string, string, string][] = [
  ["i", "query(d) - 4 / 2 - 1", "d - 1.0", "3.0"],
  ["i", "attribute(price) - 24 * 60 - 24", "price - 1416.0", "-1409.0"],
  ["2 * i", "query(d) - 4 / 2 - 1", "2 * (d - 1.0)", "6.0"],
  ["query(d) - i", "attribute(price) - 24 * 60 - 24", "d - price - 1416.0", "-1419.0"],
  ["-i", "query(d) - 4 / 2 - 1", "-d - 1.0", "-5.0"],
  [
    "sum(tensor(y[2])(i))",
    "attribute(price) - 24 * 60 - 24",
    "sum(tensor(y[2])((price - 1416.0)))",
    "-2818.0",
  ],
  ["7 + (i)", "attribute(price) in [7]", "7 + price in [7]", "0.0"],
  ["!(i) / 2", "attribute(price) in [7]", "!price in [7] / 2", "0.0"],
  ["if(2 * (i) > 1, 2, 3)", "attribute(price) in [7]", "if (2 * price in [7] > 1, 2, 3)", "3.0"],
];

test.each(
  twice,
)("%s with an inline i of %s is %s, computed and written once more", (written, body, _, value) => {
  const { value: found, codes } = deployed(written, `function inline i() { expression: ${body} }`);
  expect(found).toBe(`tensor():{${value}}`);
  expect(codes.length).toBeGreaterThan(0);
});

test("a constant with the name of a dimension is put in for it in max and min, and not in sum", () => {
  expect(deployed("sum(max(attribute(v), x))").value).toBe("tensor():{9.0}");
  expect(deployed("sum(min(attribute(v), x))").value).toBe("tensor():{6.0}");
  expect(deployed("sum(attribute(v), x)").value).toBe("tensor():{6.0}");
});

const listsAsWritten: readonly [string, string, string][] = [
  ["(attribute(price) in [7]) * 2", "price in [7] * 2", "2.0"],
  ["query(d) > 1 && (attribute(price) in [7])", "if (d > 1, price in [7], false)", "1.0"],
  ["sum(map(attribute(v), f(x)(2 * (x in [1, 2]))))", "sum(map(v, f(x)(2 * (x in [1, 2]))))", "4.0"],
  [
    "sum(tensor(y[2]):[2 * (attribute(price) in [7]), 1])",
    "sum(tensor(y[2]):[2 * (price in [7]), 1])",
    "3.0",
  ],
];

test.each(listsAsWritten)("%s is %s", (written, _, value) => {
  expect(deployed(written)).toMatchObject({ value: `tensor():{${value}}`, codes: [] });
});
