import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf, schemaWith } from "../../packages.js";

/** What has a name that something else in a rank profile has, too: what is said of it is what Vespa's configuration model (8.600) makes of it. */
function codesOf(profiles: string, more?: string): string[] {
  const files = { "schemas/doc.sd": schemaWith(profiles, more), "c.json": '{"values":[1,2,4]}' };
  return checkPackage(packageOf(files)).problems.map(({ code }) => code);
}

const constant = (name: string, parents = ""): string =>
  `rank-profile ${name} ${parents} { constants { k: 5 } }\n`;
const named = (name: string, parents = ""): string =>
  `rank-profile ${name} ${parents} { function k() { expression: 4 } }\n`;
const plain = (name: string, parents = ""): string => `rank-profile ${name} ${parents} { }\n`;
const file = "constant k { type: tensor(x[3])\nfile: c.json }";

test.each([
  [named("a") + constant("b", "inherits a")],
  [constant("a") + named("b", "inherits a")],
  [named("a") + plain("b", "inherits a") + constant("c", "inherits b") + plain("d", "inherits c")],
  [named("a") + constant("b") + plain("c", "inherits a, b") + plain("d", "inherits c")],
  [constant("a") + named("b") + plain("c", "inherits a, b")],
  [named("a"), file],
])("a function and a constant of one name are refused once, wherever they are declared: %s%s", (...texts) => {
  expect(codesOf(...(texts as [string, string?]))).toEqual(["profile/constant-function"]);
});

test("they may have one name in profiles that have nothing to do with each other", () => {
  expect(codesOf(named("a") + constant("b"))).toEqual([]);
});
