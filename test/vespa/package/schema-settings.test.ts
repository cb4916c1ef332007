import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf, schemaWith } from "../../packages.js";
import { settingCases } from "./setting-cases.js";

test.each(settingCases)("$codes", ({ texts, codes }) => {
  expect(checkPackage(packageOf(texts)).problems.map(({ code }) => code)).toEqual(codes);
});

test("a profile is not proposed as what it inherits itself", () => {
  const texts = { "schemas/doc.sd": schemaWith("rank-profile best inherits base { }") };
  const [found] = checkPackage(packageOf(texts)).problems;
  expect(found?.code).toBe("profile/unknown");
  expect(found?.description.hint ?? "").not.toContain("best");
});
