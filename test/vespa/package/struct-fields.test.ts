import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { first, packageOf } from "../../packages.js";

/** What several `struct-field`s say of one member, which Vespa puts together in the order in which they are written. */

const read = (structFields: string) => {
  const checked = checkPackage(
    packageOf({
      "schemas/doc.sd": `schema doc { document doc {
        struct outer { field k type string {} }
        field m type map<string, outer> { indexing: summary
          ${structFields} }
      }
      rank-profile p {} }`,
    }),
  );
  const { fields } = first(checked.profiles.map(({ profile }) => profile));
  return { fields, codes: checked.problems.map(({ code }) => code) };
};

const attribute = "indexing: attribute";
const fast = "attribute: fast-search";

test.each<[string, object]>([
  [`struct-field value.k { ${attribute} }`, { isFastSearch: false }],
  [
    `struct-field value { struct-field k { ${attribute} } }
     struct-field value.k { ${fast} }`,
    { isFastSearch: true },
  ],
  [
    `struct-field value.k { ${fast} }
     struct-field value { struct-field k { ${attribute} } }`,
    { isFastSearch: true },
  ],
  [
    `struct-field value.k { ${attribute}
       ${fast} }
     struct-field value { struct-field k { attribute: paged } }`,
    { isFastSearch: false },
  ],
  [
    `struct-field value { match: cased }
     struct-field value.k { ${attribute} }`,
    { isCased: true },
  ],
  [
    `struct-field value.k { match: cased
       ${attribute} }
     struct-field value { match: uncased }`,
    { isCased: undefined },
  ],
  [
    `struct-field value { match: uncased
       struct-field k { match: cased } }
     struct-field value.k { ${attribute} }`,
    { isCased: true },
  ],
])("%s", (structFields, expected) => {
  const { fields, codes } = read(structFields);
  expect(codes).toEqual([]);
  const { isFastSearch, isCased, isAttribute, typeText } = first(
    [...fields].filter(([name]) => name === "m.value.k").map(([, field]) => field),
  );
  expect({ isAttribute, typeText }).toEqual({ isAttribute: true, typeText: "array<string>" });
  expect({ isFastSearch, isCased }).toMatchObject(expected);
});

test("of one name, a block has one struct-field", () => {
  const twice = packageOf({
    "schemas/doc.sd": `schema doc { document doc {
      struct outer { field k type string {} }
      field m type array<outer> { indexing: summary
        struct-field k { ${attribute} }
        struct-field k { ${fast} } }
    }
    rank-profile p {} }`,
  });
  expect(twice.problems.map(({ code }) => code)).toEqual(["schema/duplicate"]);
});
