import { expect, test } from "vitest";
import { parseTensor } from "../../../src/index.js";
import { derivativeKey } from "../../../src/vespa/ranking/program/quantities.js";
import { checkPackage, Document, featureSetting, Ranking, soundProfile } from "../../../src/vespa.js";
import { evaluate } from "../../engine-evaluate.js";
import { packageOf } from "../../packages.js";
import { deployed, features, schema } from "./deployed.js";

/**
 * What Vespa makes of expressions when it deploys a rank profile. The values are those of the expressions that its configuration
 * model (8.700) hands to the engines, which stand beside them.
 */
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

const zeros: readonly [string, string, string][] = [
  ["attribute(price) / -0", "price / 0", "Infinity"],
  ["attribute(price) / (- 00)", "price / 0", "Infinity"],
  ["attribute(price) / -(0)", "price / 0", "Infinity"],
  ["attribute(price) / --0", "price / 0", "Infinity"],
  ["attribute(price) / -0.0", "price / -0.0", "-Infinity"],
  ["attribute(price) / (query(d) * -0)", "price / (d * 0)", "Infinity"],
  ["sum(map(attribute(v), f(t)(1 / -0)))", "sum(map(v, f(t)(1 / 0)))", "Infinity"],
  ["attribute(price) / sum(tensor(x[2]):[-0, -0])", "price / sum(tensor(x[2]):[0, 0])", "Infinity"],
];

test.each(zeros)("%s is %s, as a whole number has no sign of zero", (written, _, value) => {
  expect(deployed(written)).toMatchObject({
    value: `tensor():{${value}}`,
    codes: written.includes("-0.0") ? [] : expect.arrayContaining(["portability/sign"]),
  });
});

test.each([
  ["1 / 0", ["portability/infinity"]],
  ["if(attribute(price) > 3, 1 / 0, 2)", ["portability/infinity"]],
  ["attribute(price) + -1 / 0", ["portability/infinity"]],
  ["min(attribute(price), 1e400)", ["portability/infinity"]],
  ["attribute(price) * (1 / 0)", ["portability/infinity"]],
  ["2 * 1e400", ["portability/infinity"]],
  ["(2 * (1 / 0))", ["portability/infinity"]],
  ["attribute(price) + 1e300 * 1e300 * 2", ["portability/infinity"]],
  ["sum(tensor(x[2])(1 / 0))", ["portability/infinity"]],
  ["sum(tensor(x[2]):[1 / 0, 2])", []],
  ["sum(map(attribute(v), f(y)(y + 1 / 0)))", []],
  ["join(1, 0, f(a,b)(a / b))", []],
  ["1 / query(d)", []],
  ["attribute(price) / 0", []],
  ["0 / 0 + attribute(price)", []],
])("what is deployed of %s as a word is told", (written, codes) => {
  expect(deployed(written).codes).toEqual(codes);
});

const products: readonly [string, string, string][] = [
  ["attribute(price) * 0 / log(0 - query(d))", "0.0", "0.0"],
  ["2 * 0 * log(0 - query(d))", "0.0", "0.0"],
  ["(1 - 1) * log(0 - query(d))", "0.0", "0.0"],
  ["(w - 2) * log(0 - query(d))", "0.0", "0.0"],
  ["(2 < 1) * log(0 - query(d))", "0.0", "0.0"],
  ["false * log(0 - query(d))", "0.0", "0.0"],
  ["if(1 > 2, 3, 0) * log(0 - query(d))", "0.0", "0.0"],
  ["(sqrt(0) * 1) * log(0 - query(d))", "0.0", "0.0"],
  ["log(0 - query(d)) * 0 ^ 2", "0.0", "0.0"],
  ["1 + (0 * log(0 - query(d)))", "1.0", "1.0"],
  ["-(0 * log(0 - query(d)))", "-0.0", "-0.0"],
  ["!(0 * log(0 - query(d)))", "!0.0", "1.0"],
  ["log(0 - query(d)) * 0 in [0, 1]", "0.0 in [0, 1]", "1.0"],
  ["reduce(tensor(y[2])(0 * log(0 - query(d))), max)", "max(tensor(y[2])(0.0))", "0.0"],
  ["reduce(0 * attribute(v), count)", "reduce(0.0, count)", "1.0"],
];

test.each(products)("%s is %s, as a factor is 0", (written, _, value) => {
  expect(deployed(written)).toMatchObject({ value: `tensor():{${value}}`, codes: ["portability/zero"] });
});

test("a factor 0 that neighbours make is told with these", () => {
  expect(deployed("log(0 - query(d)) * 6 % 3")).toMatchObject({
    value: "tensor():{0.0}",
    codes: expect.arrayContaining(["portability/zero"]),
  });
});

test("a tensor with a factor 0 is a number where it is computed, and has its own type where it is checked", () => {
  const read = packageOf({ "schemas/doc.sd": schema("0 * attribute(v)") });
  const [checked] = checkPackage(read).profiles;
  expect(`${checked?.computed.find(({ name }) => name === "it")?.type}`).toBe("tensor<float>(x[3])");
  expect(deployed("0 * attribute(v)").value).toBe("tensor():{0.0}");
});

// Vespa's container takes these, and its content nodes, which see a number 0, do not.
test.each([
  ["sum(attribute(v) * 0, x)", "type/unknown-dimension"],
  ["sum((attribute(v) * 0){x:0})", "type/unknown-dimension"],
  ["sum(rename(0 * attribute(v), x, y))", "type/unknown-dimension"],
  ["sum(attribute(v) * 0)", undefined],
  ["sum(concat(attribute(v) * 0, 1, x))", undefined],
])("%s is refused where it is checked as it is where it is computed", (written, code) => {
  const { problems } = checkPackage(packageOf({ "schemas/doc.sd": schema(written) }));
  expect(problems.filter(({ isError }) => isError).map((each) => each.code)).toEqual(
    code === undefined ? [] : [code],
  );
});

const inline: readonly [string, string, string, string][] = [
  ["-i", "attribute(price) - 3", "-price - 3", "-10.0"],
  ["query(d) - i", "attribute(price) - 3", "d - price - 3", "-6.0"],
  ["query(d) - i()", "attribute(price) - 3 - 1", "d - price - 2.0", "-5.0"],
  ["-i - 3", "attribute(price) - 3", "-price - 3 - 3", "-13.0"],
  ["i / i", "attribute(price) / 3", "price / 3 / price / 3", "0.11111111111111112"],
  ["!i", "attribute(price) > 8", "!price > 8", "0.0"],
  ["!i", "attribute(price) - 7", "!price - 7", "-7.0"],
  ["query(d) > i", "attribute(price) > 3", "d > price > 3", "0.0"],
  ["max(-i, 2 - i)", "attribute(price) - 3", "max(-price - 3, 2 - price - 3)", "-8.0"],
  ["sum(tensor(y[2])(-i))", "attribute(price) - 1", "sum(tensor(y[2])((-price - 1)))", "-16.0"],
  ["query(d) - if(w > 1, attribute(price) - 3, i)", "1", "d - price - 3", "-6.0"],
  ["10 - j", "attribute(price) - 3", "10 - d - price - 3", "-4.0"],
];

const inlineFunctions = (body: string): string => `
    function inline i() { expression: ${body} }
    function inline j() { expression: query(d) - i }`;

test.each(inline)("%s with an inline i of %s is %s", (written, body, _, value) => {
  const { value: found, codes } = deployed(written, inlineFunctions(body));
  expect(found).toBe(`tensor():{${value}}`);
  expect(codes).toContain("portability/inline");
});

const inlineAsWritten: readonly [string, string, string][] = [
  ["2 * i", "2 * (price - 3)", "8.0"],
  ["i - 2", "price - 3 - 2", "2.0"],
  ["query(d) + i", "d + price - 3", "8.0"],
  ["query(d) - i - 1", "d - (price - 3) - 1", "-1.0"],
  ["query(d) * -i", "d * -(price - 3)", "-16.0"],
  ["-(i)", "-(price - 3)", "-4.0"],
  ["-rankingExpression(i)", "-rankingExpression(i)", "-4.0"],
  ["-doubled(i)", "-rankingExpression(doubled@…)", "-8.0"],
  ["sum(tensor(y[2]):[-i, 1])", "sum(tensor(y[2]):[-rankingExpression(i), 1])", "-3.0"],
];

test.each(inlineAsWritten)("%s with an inline i is %s", (written, _, value) => {
  const functions = `
    function inline i() { expression: attribute(price) - 3 }
    function doubled(a) { expression: a * 2 }`;
  expect(deployed(written, functions)).toMatchObject({ value: `tensor():{${value}}`, codes: [] });
});

test("an inline function in another one sees the parameters of that, and is put in for one of its name", () => {
  const functions = `
    function inline i() { expression: a + 1 }
    function a() { expression: attribute(price) }
    function doubled(a) { expression: i * 2 }
    function hidden(i) { expression: i * 2 }
    function labelled(i) { expression: attribute(m){k:i} }`;
  expect(deployed("doubled(100)", functions).value).toBe("tensor():{202.0}");
  expect(deployed("hidden(100)", functions)).toMatchObject({
    value: "tensor():{16.0}",
    codes: ["profile/hidden-parameter", "profile/hidden-parameter"],
  });
  expect(deployed("labelled(a)", functions).value).toBe("tensor():{0.0}");
  const dimension = "function inline y() { expression: attribute(price) }";
  expect(deployed("sum(tensor(y[2])(y)) + sum(map(attribute(v), f(y)(y)))", dimension).value).toBe(
    "tensor():{20.0}",
  );
});

test("a function that is no longer inline in a profile that inherits it is computed by itself", () => {
  const written = schema("-i", inlineFunctions("attribute(price) - 3")).replace(
    /\}\s*$/,
    `rank-profile q inherits p { function i() { expression: attribute(price) - 5 } }
}`,
  );
  const read = packageOf({ "schemas/doc.sd": written });
  const [p, q] = checkPackage(read).profiles;
  expect(p?.problems.map(({ code }) => code)).toContain("portability/inline");
  expect(q?.problems.map(({ code }) => code)).not.toContain("portability/inline");
});

const functionsAsFeatures: readonly [string, string, string][] = [
  ["rankingExpression(f)", "attribute(price) + 1", "8.0"],
  ["sum(rankingExpression(f))", "attribute(v)", "6.0"],
];

test.each(
  functionsAsFeatures,
)("%s of a function that does not read its parameter", (written, body, value) => {
  const functions = `function f(a) { expression: ${body} }`;
  expect(deployed(written, functions).value).toBe(`tensor():{${value}}`);
});

test("a constant with the name of a parameter of a composite function is not put in for that", () => {
  const constants = "constants { t: 3\nd: 4 }";
  expect(deployed("sum(softmax(attribute(v), x))", constants).codes).toEqual([]);
});

const asWritten: readonly [string, string][] = [
  ["0 * log(0 - query(d)) + 1", "NaN"],
  ["attribute(price) / 0 * 0", "NaN"],
  ["attribute(price) / 0 / 0", "Infinity"],
  ["sqrt(0) * log(0 - query(d))", "NaN"],
  ["!1 * log(0 - query(d))", "NaN"],
  ["log(0 - query(d)) * 0 ^ 1 ^ 2", "NaN"],
  ["if(0 * log(0 - query(d)) == 0, 1, 2)", "2.0"],
  ["sum(tensor(y[2]):[0 * log(0 - query(d)), 1])", "NaN"],
  ["sum(map(attribute(v), f(a)(0 * log(0 - a))))", "NaN"],
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

test("what computes otherwise is shown from where it begins", () => {
  const { problems } = checkPackage(
    packageOf({ "schemas/doc.sd": schema("query(d) > 1 - attribute(price) / 24 / 7 / 2") }),
  );
  expect(problems.map(({ values }) => values)).toEqual([
    { vespa: "attribute(price) / (24 / 7)", written: "(attribute(price) / 24) / 7" },
  ]);
});

test.each([
  // What is longer is shown shortened.
  ...constantsFirst.flatMap(([written]) => (written.length < 50 ? [written] : [])),
  "1 - attribute(price) / 24 / 7",
  "query(d) * 2 - attribute(price) * 3 / 4 / 5 - 1 - 2",
  "3 > attribute(price) - 1 - 2 && query(d) / 2 / 3 > 0",
])("%s with the parentheses that are proposed is what it was written as", (written) => {
  const types = { "attribute(price)": "7", "attribute(v)": features["attribute(v)"], "query(d)": "4" };
  const inputs = Object.fromEntries(Object.entries(types).map(([name, text]) => [name, parseTensor(text)]));
  const plain = written.replaceAll("constant(w)", "2").replaceAll(/\bw\b/g, "2");
  const expected = evaluate(plain, inputs, { dialect: "vespa" });
  let body = written;
  for (let turn = 0; turn < 10; turn++) {
    const { problems } = checkPackage(packageOf({ "schemas/doc.sd": schema(body) }));
    const [found] = problems;
    if (found === undefined) break;
    const { source, start, end } = found.span;
    const { written: proposed } = found.values as { readonly written?: string }; // of another problem it is absent
    expect(proposed, `${found.code}: ${body}`).toBeDefined();
    const text = `${source.text.slice(0, start)}${proposed}${source.text.slice(end)}`;
    body = /expression: (.*) \}\n {4}first-phase/.exec(text)?.[1] ?? expect.unreachable();
  }
  expect(deployed(body)).toMatchObject({ value: `${expected}`, codes: [] });
});

test("who scores is warned of what is computed otherwise than it is written", () => {
  const doubled = "function doubled(w) { expression: w * 2 }";
  expect(deployed("attribute(price) / 60 / 60").warnings).toEqual(["portability/constants"]);
  expect(deployed("doubled(5)", doubled).warnings).toEqual(["profile/hidden-parameter"]);
  expect(deployed("attribute(price) / 60").warnings).toEqual([]);
});

test("a constant that is differentiated in is no factor 0", () => {
  const read = packageOf({ "schemas/doc.sd": schema("w * attribute(price)").replace("w: 2", "w: 0") });
  const checked = checkPackage(read);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checked, "p", span);
  const overrides = new Map([featureSetting("attribute(price)=7")]);
  const slope = { of: "it", in: "constant(w)" };
  const ranking = new Ranking({ package: read, profile, overrides, derivatives: [slope] });
  const scorer = ranking.scorer({ query: undefined, cells: 1000 }, overrides);
  const key = derivativeKey(slope);
  const outcome = scorer.values([key], { document: new Document("id:a:doc::1", new Map(), 1000) }).get(key);
  expect(outcome?.kind === "value" ? `${outcome.value}` : "missing").toBe("tensor():{7.0}");
});
