import { expect, test } from "vitest";
import { checkPackage, constantValue } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Of constants with one name: a profile's own first, then those of its schema, then what it inherits from other profiles. */

const type = "type: tensor(x[1])";

const texts = {
  "schemas/parent.sd": `schema parent {
    document parent { field price type int { indexing: attribute } }
    constant both { file: parent.json
      ${type} }
    constant above { file: parent.json
      ${type} }
    rank-profile base { constants {
      both tensor(x[1]): [1]
      above tensor(x[1]): [1]
      alone tensor(x[1]): [1]
    } }
    rank-profile middle inherits base { }
  }`,
  "schemas/child.sd": `schema child inherits parent {
    document child inherits parent { }
    constant both { file: child.json
      ${type} }
    rank-profile own inherits base { constants { both tensor(x[1]): [2] } }
    rank-profile none inherits base { }
    rank-profile far inherits own { }
  }`,
  "parent.json": "[10]",
  "child.json": "[20]",
};

const read = packageOf(texts);
const { profiles, problems } = checkPackage(read);

test.each([
  ["base", "both", 1],
  ["base", "above", 1],
  ["middle", "both", 10],
  ["middle", "alone", 1],
  ["own", "both", 2],
  ["own", "above", 10],
  ["own", "alone", 1],
  ["none", "both", 20],
  ["none", "above", 10],
  ["far", "both", 20],
])("the profile %s has of %s the value %d", (name, constant, expected) => {
  expect(problems).toEqual([]);
  const profile = profiles.find((each) => each.profile.name === name)?.profile;
  const found = profile?.constants.get(constant);
  expect(found && `${constantValue(found, read)}`).toBe(`tensor(x[1]):[${expected}.0]`);
});

test("of a schema whose document alone is inherited there are no constants, but for its own rank profiles", () => {
  const codesOf = (profile: string): string[] => {
    const schema = `schema apart { document apart inherits parent { } rank-profile p ${profile} }`;
    return checkPackage(packageOf({ ...texts, "schemas/apart.sd": schema })).problems.map(({ code }) => code);
  };
  expect(codesOf("{ first-phase { expression: sum(constant(both)) } }")).toEqual(["feature/unknown"]);
  expect(codesOf("inherits base { first-phase { expression: sum(constant(both)) } }")).toEqual([]);
  expect(codesOf("{ function both() { expression: 1 } }")).toEqual([]);
});
