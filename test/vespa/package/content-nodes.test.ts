import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf, schemaWith } from "../../packages.js";
import { deployed } from "./deployed.js";

/** What Vespa's configuration model deploys, and its content nodes refuse (the C++ of `../shared/reference/vespa-observed.md`). */

const profile = (body: string): ReturnType<typeof packageOf> =>
  packageOf({
    "schemas/doc.sd": schemaWith(
      `rank-profile p {
  inputs {
    query(v) tensor<float>(x[3])
    query(m) tensor<float>(k{},x[3])
    query(n) double
  }
  ${body}
}`,
    ),
  });

const codesOf = (body: string): readonly string[] =>
  checkPackage(profile(body)).problems.map(({ code }) => code);

const phase = (expression: string): string => `first-phase { expression: ${expression} }`;

const refused: readonly [expression: string, code: string][] = [
  ["abs(query(n))", "portability/container-function"],
  ["sum(map(query(v), f(x)(round(x))))", "portability/container-function"],
  ["sign(query(n)) ", "portability/container-function"],
  ["square(query(n))", "portability/container-function"],
  ["sum(tensor(i[3])(query(v)[i]))", "portability/index-label"],
  ["sum(map_subspaces(query(m), f(t)(t[1])))", "portability/lambda-slice"],
  ["sum(if(query(n) > 1, query(v), tensor(x[3]):[1,2,3]))", "portability/branches"],
];

test.each(refused)("%s is refused: %s", (expression, code) => {
  expect(codesOf(phase(expression))).toEqual([code]);
  const called = `function it() { expression: ${expression} }`;
  expect(codesOf(`${called}\n${phase("1 + it")}`)).toEqual([code]);
  expect(codesOf(`${called}\n${phase("1 + rankingExpression(it)")}`)).toEqual([code]);
  expect(codesOf(`${called}\n${phase("1")}\nmatch-features { it }`)).toEqual([code]);
});

test.each(refused)("containers compute %s, and what nothing calls is read by nobody", (expression) => {
  const called = `function it() { expression: ${expression} }`;
  expect(codesOf(`${called}\n${phase("1")}`)).toEqual([]);
  expect(codesOf(`${called}\n${phase("1")}\nglobal-phase { expression: 1 + it }`)).toEqual([]);
});

test.each([
  "fabs(query(n))",
  "sum(tensor(i[3])(query(v)[(i)]))",
  "sum(tensor(i[3])(query(v)[i + 0]))",
  "query(v)[now]",
  "sum(map_subspaces(query(m), f(t)(t{x:1})))",
  "sum(if(query(n) > 1, query(v), tensor<float>(x[3]):[1,2,3]))",
  "sum(if(query(n) > 1, query(v), cell_cast(tensor(x[3]):[1,2,3], float)))",
  "sum(if(1 > 0, query(v), tensor(x[3]):[1,2,3]))",
])("%s is taken", (expression) => {
  expect(codesOf(phase(expression))).toEqual([]);
});

test("a function of the profile may have the name of one that containers have", () => {
  expect(codesOf(`function abs(x) { expression: max(x, -x) }\n${phase("abs(query(n))")}`)).not.toContain(
    "portability/container-function",
  );
  for (const parameters of ["", "x, y"])
    expect(codesOf(`function abs(${parameters}) { expression: 1 }\n${phase("abs(query(n))")}`)).toContain(
      "portability/container-function",
    );
});

test("of a choice with a constant condition engines get one branch, with its type of cells", () => {
  const { value } = deployed("if(2 > 1, attribute(v), cell_cast(attribute(v), double))");
  expect(value).toBe("tensor<float>(x[3]):[1.0, 2.0, 3.0]");
});

test.each([
  ['query(v): "[1,2,3]"', false],
  ['query(v): "{x:1}"', false],
  ['query(v): "tensor(x[3]):[1,2,3]"', false],
  ['query(v): "tensor<float>(x[2]):[1,2]"', false],
  ['query(v): "query(v)"', false],
  ['$v: "[1,2,3]"', false],
  ['query(v): "tensor<float>(x[3]):[1,2,3]"', true],
  ['query(v): "tensor<float>(x[3])(x + 1)"', true],
])("a rank property is the tensor of an input that is read: %s, %j", (property, isTaken) => {
  const properties = `rank-properties { ${property} }\n`;
  expect(codesOf(`${properties}${phase("sum(query(v))")}`)).toEqual(isTaken ? [] : ["feature/property"]);
  expect(codesOf(`${properties}${phase("1")}\nfunction it() { expression: query(v) }`)).toEqual([]);
});
