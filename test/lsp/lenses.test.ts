import { expect, test } from "vitest";
import { PackageAnalysis } from "../../src/service/service.js";

/** What the lenses of a package name. */

test("lenses name a rank profile so that no other is meant", () => {
  const text = (name: string): string =>
    `schema ${name} { document ${name} { } rank-profile p { } rank-profile ${name}_own { } }`;
  const [first, second] = ["schemas/a.sd", "schemas/b.sd"];
  const files = { list: () => [first, second], read: (path: string) => text(path === first ? "a" : "b") };
  const analysis = new PackageAnalysis(files);
  const names = (path: string) => analysis.profiles(path).map(({ name }) => name);
  expect([names(first), names(second)]).toEqual([
    ["a.p", "a_own"],
    ["b.p", "b_own"],
  ]);
});
