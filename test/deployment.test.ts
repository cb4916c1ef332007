import { expect, test } from "vitest";
import { evaluate } from "../src/index.js";
import { checkPackage, Document, featureSetting, Ranking, soundProfile } from "../src/vespa.js";
import { packageOf } from "./packages.js";

/**
 * What Vespa makes of expressions when it deploys a rank profile. The values are those of the expressions that its configuration
 * model (8.700) hands to the engines, which stand beside them.
 */
const features = {
  "attribute(price)": "7",
  "attribute(v)": "tensor<float>(x[3]):[1,2,3]",
  "attribute(m)": "tensor(k{}):{a:1,w:5}",
  "query(d)": "4",
};

const schema = (body: string, more = ""): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field v type tensor<float>(x[3]) { indexing: attribute }
    field m type tensor(k{}) { indexing: attribute }
  }
  rank-profile p {
    inputs { query(d) double }
    constants {
      w: 2
      x: 3
    }
    ${more}
    function it() { expression: ${body} }
    first-phase { expression: 1 }
  }
}
`;

function deployed(body: string, more?: string) {
  const read = packageOf({ "schemas/doc.sd": schema(body, more) });
  const checked = checkPackage(read);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "p", span);
  const overrides = new Map(
    Object.entries(features).map(([name, value]) => featureSetting(`${name}=${value}`)),
  );
  const ranking = new Ranking({ package: read, profile, overrides });
  const scorer = ranking.scorer({ query: undefined, cells: 1000 }, overrides);
  const outcome = scorer.values(["it"], { document: new Document("id:a:doc::1", new Map(), 1000) }).get("it");
  return {
    value: outcome?.kind === "value" ? `${outcome.value}` : "missing",
    codes: checked.problems.map(({ code }) => code),
    warnings: ranking.warnings(undefined).map(({ code }) => code),
  };
}

const constantsFirst: readonly [string, string, string][] = [
  ["attribute(price) - 4 - 3", "price - 1", "6.0"],
  ["attribute(price) / 4 / 2", "price / 2", "3.5"],
  ["(query(d) - attribute(price)) / 60 / 60 / 24", "(d - price) / (1 / 24)", "-72.0"],
  ["attribute(price) / 60 / 60 / w", "price / 0.5", "14.0"],
  ["1 - 2 - 3 - attribute(price) - 1 - 2 - query(d) - 3 - 4 - 5", "-4 - price - -1 - d - -6", "-8.0"],
  ["attribute(price) - (2 * 3) - 1 + sqrt(4) - 2", "price - 5 + 0", "2.0"],
  ["attribute(price) - if(1 < 2, 3, 4) - 1", "price - 2", "5.0"],
  ["attribute(price) * 4 % 3", "price * 1", "7.0"],
  ["attribute(price) / 2 / 3 % 4", "price / 2 / 3", "1.1666666666666667"],
  ["attribute(price) % 7 % 4", "price % 3", "1.0"],
  ["attribute(price) < 2 < 3", "price < true", "0.0"],
  ["attribute(price) >= 1 > 2", "price >= false", "1.0"],
  ["attribute(price) == 1 == 2", "price == false", "0.0"],
  ["attribute(price) - -2 - -3", "price - 1", "6.0"],
  ["attribute(price) / (2) / constant(w)", "price / 1", "7.0"],
  ["sum(attribute(v) / 2 / 4)", "sum(v / 0.5)", "12.0"],
  ["reduce(tensor(y[3])(y + query(d) / 2 / 2), max)", "max(tensor(y[3])(y + d / 1))", "6.0"],
];

test.each(constantsFirst)("%s is %s", (written, _, value) => {
  expect(deployed(written)).toMatchObject({ value: `tensor():{${value}}`, codes: ["portability/constants"] });
});

const asWritten: readonly [string, string][] = [
  ["(attribute(price) / 4) / 2", "0.875"],
  ["attribute(price) - 2 * 3 - 1", "0.0"],
  ["attribute(price) + 2 - 3 + 4 - 5", "5.0"],
  ["attribute(price) / 2 * 3", "10.5"],
  ["attribute(price) - query(d) - 1 - query(d)", "-2.0"],
  ["2 ^ 3 ^ 2 - attribute(price)", "505.0"],
  ["sum(map(attribute(v), f(a)(a / 2 / 2)))", "1.5"],
  ["sum(tensor(y[2]):[attribute(price) / 2 / 2, query(d) && 3])", "2.75"],
  ["attribute(v){x:(attribute(price) / 3 / 3)}", "1.0"],
];

test.each(asWritten)("%s is computed as it is written", (written, value) => {
  expect(deployed(written)).toMatchObject({ value: `tensor():{${value}}`, codes: [] });
});

const conditions: readonly [string, string][] = [
  ["query(d) && attribute(price)", "7.0"],
  ["query(d) - 4 && attribute(price)", "0.0"],
  ["query(d) || attribute(price)", "1.0"],
  ["query(d) - 4 || attribute(price)", "7.0"],
  ["query(d) && 2 && 5", "1.0"],
  ["2 && 5", "1.0"],
  ["w || 5", "1.0"],
  ["0 || attribute(price)", "7.0"],
  ["if(query(d) && attribute(price), 3, 4)", "3.0"],
  ["sum(attribute(v) && 5)", "3.0"],
  ["sum(map(attribute(v), f(a)(a && 5)))", "3.0"],
];

test.each(conditions)("%s is %s", (written, value) => {
  expect(deployed(written)).toMatchObject({ value: `tensor():{${value}}`, codes: [] });
});

test("a scalar constant is put in for a parameter of its name, but not in names of features and labels", () => {
  const functions = `
    function inner(w) { expression: w * 10 }
    function outer(w) { expression: inner(w) + w }
    function labelled(w) { expression: attribute(m){k:w} }
    function named(w) { expression: attribute(w) }`;
  const hidden = Array.from({ length: 4 }, () => "profile/hidden-parameter");
  expect(deployed("inner(5)", functions)).toMatchObject({ value: "tensor():{20.0}", codes: hidden });
  expect(deployed("outer(5) + inner(2)", functions)).toMatchObject({
    value: "tensor():{42.0}",
    codes: hidden,
  });
  expect(deployed("labelled(5)", functions)).toMatchObject({ value: "tensor():{5.0}", codes: hidden });
  expect(deployed("named(price)", functions)).toMatchObject({ value: "tensor():{7.0}", codes: hidden });
});

test("a scalar constant is put in for an index of its name, but not for a parameter of a lambda", () => {
  expect(deployed("tensor(x[2])(x)").value).toBe("tensor(x[2]):[3.0, 3.0]");
  expect(deployed("sum(map(attribute(v), f(x)(x)))").value).toBe("tensor():{6.0}");
});

test("a program that is no rank profile is computed as it is written", () => {
  expect(`${evaluate("a / 4 / 2 + (a && 5)", { a: 8 })}`).toBe("tensor():{2.0}");
});

test("an input of a type that inputs have not has no value, as Vespa gives it to another one", () => {
  const inputs = "inputs { query(n) int: 4\nquery(m) double: 4 }";
  expect(deployed("query(n) + 10 * query(m)", inputs)).toMatchObject({
    value: "tensor():{40.0}",
    codes: ["schema/number-type"],
  });
});

test("a chain in parentheses is shown without them", () => {
  const { problems } = checkPackage(
    packageOf({ "schemas/doc.sd": schema("(attribute(price) - 1 - 2) * 2") }),
  );
  expect(problems.map(({ values }) => values)).toEqual([
    { vespa: "attribute(price) - (1 - 2)", written: "(attribute(price) - 1) - 2" },
  ]);
});

test("who scores is warned of what is computed otherwise than it is written", () => {
  const doubled = "function doubled(w) { expression: w * 2 }";
  expect(deployed("attribute(price) / 60 / 60").warnings).toEqual(["portability/constants"]);
  expect(deployed("doubled(5)", doubled).warnings).toEqual(["profile/hidden-parameter"]);
  expect(deployed("attribute(price) / 60").warnings).toEqual([]);
});
