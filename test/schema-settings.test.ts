import { expect, test } from "vitest";
import { checkPackage } from "../src/vespa.js";
import { packageOf } from "./packages.js";
import { settingCases } from "./setting-cases.js";

test.each(settingCases)("$codes", ({ texts, codes }) => {
  expect(checkPackage(packageOf(texts)).problems.map(({ code }) => code)).toEqual(codes);
});
