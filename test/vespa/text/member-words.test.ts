import { expect, test } from "vitest";
import { parseJson } from "../../../src/formats/json/parse.js";
import { checkPackage, statisticsOf } from "../../../src/vespa.js";
import { first, packageOf } from "../../packages.js";
import { featureValue } from "../ranking/feature-value.js";

/** Attributes that are members of structs and maps are searched as arrays are. */

const document = {
  people: [{ name: "Ada", age: 7 }, { age: 9 }, { name: "Bob" }],
  shelf: { A: { name: "Eve" }, b: { name: "Dan" } },
};

test.each([
  ["matches(people.name)", 'people.name contains "ada"', 1],
  ["matches(people.name)", 'people.name contains "bobby"', 0],
  ["matches(people.name)", 'people.name matches "^b"', 1],
  ["matches(people.age)", "people.age = 9", 1],
  ["matches(people.age)", "people.age > 9", 0],
  ["attributeMatch(people.name).matches", 'people.name contains "bob"', 1],
  // Of the field around them, they have how upper and lower case count, unless they say so themselves.
  ["matches(shelf.key)", 'shelf.key contains "A"', 1],
  ["matches(shelf.key)", 'shelf.key contains "a"', 0],
  ["matches(shelf.value.name)", 'shelf.value.name contains "eve"', 1],
])("%s where %s is %d", (feature, where, expected) =>
  expect(featureValue(feature, { document, where })).toBe(expected));

test("with fast-search, it counts in how many documents a value is", () => {
  const asked = { document, where: 'people.name contains "ada"' };
  const rare = first([featureValue("term(0).significance", { ...asked, counts: { ada: 1 } })]);
  const common = first([featureValue("term(0).significance", { ...asked, counts: { ada: 50 } })]);
  expect(rare).toBeGreaterThan(common);
});

test("the values of members are counted over all documents", () => {
  const schema = `schema doc { document doc {
    struct person { field name type string {} }
    field people type array<person> { struct-field name { indexing: attribute } }
  }
  rank-profile p {} }`;
  const profile = first(
    checkPackage(packageOf({ "schemas/doc.sd": schema })).profiles.map((each) => each.profile),
  );
  const people = ['[{"name":"Ada"},{"name":"ada"}]', '[{"name":"Bob"}]', "[]"].map(
    (text) => parseJson({ name: "people", text }).tree,
  );
  const documents = people.map((value) => ({
    json: (name: string) => (name === "people" ? value : undefined),
  }));
  const counted = statisticsOf(documents, [...profile.fields.values()]);
  expect(["ada", "bob", "eve"].map((word) => counted.documentsWith("people.name", word))).toEqual([1, 1, 0]);
});
