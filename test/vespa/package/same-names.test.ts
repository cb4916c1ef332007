import { expect, test } from "vitest";
import { SphexError } from "../../../src/index.js";
import { textIn } from "../../../src/language/source/span.js";
import { checkPackage, Document, Ranking, readFeed, soundProfile } from "../../../src/vespa.js";
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

/** The scores of a document with the price 7 by the phases of the profile p. */
function scoresOf(profiles: string): string[] {
  const read = packageOf({ "schemas/doc.sd": schemaWith(profiles) });
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "p", span);
  const ranking = new Ranking({ package: read, profile });
  const scorer = ranking.scorer({ query: undefined, cells: 1000 });
  const [entry] = readFeed({ name: "feed", text: '{"put":"id:a:doc::1","fields":{"price":7}}' });
  const document = new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), 1000);
  const keys = ["first-phase", "second-phase"].filter((key) =>
    ranking.program.quantities.some((each) => each.key === key),
  );
  const values = scorer.values(keys, { document });
  return keys.map((key) => {
    const outcome = values.get(key);
    return outcome?.kind === "value" ? `${outcome.value.at(0)}` : "missing";
  });
}

const phased = (first: string, second: string | undefined, more: string): string =>
  `rank-profile p { ${more}
    first-phase { expression: ${first} }
    ${second === undefined ? "" : `second-phase { expression: ${second} }`}
  }`;
const firstphase = "function firstphase() { expression: attribute(price) + 42 }\n";
const secondphase = "function secondphase() { expression: 42 }\n";

test.each<[string, string | undefined, string, string[]]>([
  ["attribute(price) * 2", "firstphase + 1", firstphase, ["14", "15"]],
  ["attribute(price) * 2", "1", `${firstphase}match-features: firstphase\n`, ["49", "1"]],
  ["attribute(price) * 2", "1", `${firstphase}summary-features: firstphase\n`, ["49", "1"]],
  ["firstphase()", "1", `${firstphase}match-features: firstphase\n`, ["49", "1"]],
  [
    "g",
    "1",
    `${firstphase}function g() { expression: firstphase }\nmatch-features: firstphase\n`,
    ["49", "1"],
  ],
  ["secondphase", "attribute(price) * 2", secondphase, ["14", "14"]],
  [
    "1",
    "attribute(price) * 2",
    `${secondphase}match-features: rankingExpression(secondphase)\n`,
    ["1", "14"],
  ],
  ["secondphase", undefined, secondphase, ["42"]],
  ["firstphase * 2", undefined, firstphase.replace("function", "function inline"), ["98"]],
  ["1", "secondphase(3) * 2", "function secondphase(x) { expression: 42 + x }\n", ["1", "90"]],
  ["firstPhase", "firstPhase + 1", "function firstPhase() { expression: 42 }\n", ["42", "43"]],
  ["1", "firstPhase + relevanceScore", "constants { relevanceScore: 5 }\n", ["1", "6"]],
])("%s and %s with %s are %s, as Vespa has functions and phases by one name", (first, second, more, scores) => {
  expect(scoresOf(phased(first, second, more))).toEqual(scores);
});

test.each([
  ["firstphase", undefined, firstphase],
  ["firstphase * 2", undefined, firstphase],
  ["1", "secondphase", secondphase],
])("%s and %s are made of themselves with %s", (first, second, more) => {
  expect(codesOf(phased(first, second, more))).toEqual(["profile/reserved", "name/cycle"]);
});

const inline = "function inline p() { expression: 7 }\nfunction g(y) { expression: y }\n";

test.each([
  ["g(sum(tensor(p[2])(p)))", "", "1"],
  ["g(g(sum(tensor(p[2])(p)))) + sum(tensor(p[2])(p))", "", "15"],
  ["f(3)", "function f(p) { expression: g(p + 1) }", "4"],
  ["f(3)", "function f(p) { expression: g(min(p, 100)) + p }", "10"],
])("%s with %s is %s: no inline function is put in for a name in an argument of a call", (first, more, score) => {
  expect(scoresOf(phased(first, undefined, inline + more))).toEqual([score]);
});

const ranked = (first: string, more: string): string =>
  `rank-profile p { ${more}\nfirst-phase { expression: ${first} } }`;
const vectors = "field v type tensor<float>(x[3]) { indexing: attribute }";

/** What Vespa makes of a second argument that has the name of a dimension, by the properties that its configuration model deploys. */
test.each([
  // max(attribute(v) * attribute(v),x), where x is a feature that content nodes do not know
  [
    "f(attribute(v), attribute(v))",
    "function f(a, b) { expression: sum(max(a * b, x)) }",
    ["portability/reduction"],
  ],
  ["sum(f(attribute(v)))", "function f(a) { expression: max(a, x) }", ["portability/reduction"]],
  ["sum(f(x))", "function f(d) { expression: max(attribute(v), d) }", ["portability/reduction"]],
  ["f(attribute(v))", "function f(a) { expression: max(softmax(a, x), x) }", ["portability/reduction"]],
  // attribute(v){x:(max(attribute(v),x))}, and as it is written in literals and lambdas
  ["attribute(v){x:(max(attribute(v), x))}", "", ["portability/reduction"]],
  ["sum(tensor(y[2]):[max(attribute(v), x), 2])", "", ["portability/reduction"]],
  ["sum(map_subspaces(attribute(v), f(t)(max(t, x))))", "", ["portability/reduction"]],
  ["sum(tensor(y[2])(max(attribute(v), x) + y))", "", []],
  // reduce(attribute(v), max, 2)
  ["sum(f(2))", "function f(x) { expression: max(attribute(v), x) }", ["type/unknown-dimension"]],
  // reduce(attribute(v) * 2, max, x) and the like
  ["f(2)", "function f(a) { expression: max(attribute(v) * a, x) }", []],
  ["f(attribute(v))", "function f(a) { expression: max(sum(a, x) * attribute(v), x) }", []],
  [
    "f(2)",
    "function f(a) { expression: max(l2_normalize(attribute(v) * a, x), x) + max(expand(a, y), y) }",
    [],
  ],
  ["f(2)", "function g(a) { expression: attribute(v) * a }\nfunction f(a) { expression: max(g(a), x) }", []],
  ["f(2)", "function f(a) { expression: max(rename(attribute(v), x, y){y:1} + tensor(x[2])(a), x) }", []],
])("%s with %s: a reduction is one where the function is defined", (first, more, codes) => {
  expect(codesOf(ranked(first, more), vectors)).toEqual(codes);
});

test.each([
  // reduce(max(attribute(v),rankingExpression(x)), sum)
  [
    "sum(f(tensor(x[3]):[1,2,3]))",
    "function x() { expression: 9 }\nfunction f(a) { expression: max(a, x) }",
    "27",
  ],
  ["rankingExpression(f(3))", "function f(a) { expression: a + 1 }", "4"],
  [
    "g(3)",
    "function f(a) { expression: a + 1 }\nfunction g(a) { expression: rankingExpression(f(a)) * 2 }",
    "8",
  ],
  ["rankingExpression(f(f(attribute(price))))", "function f(a) { expression: a + 1 }", "9"],
  ["rankingExpression(attribute(price))", "", "7"],
  ["rankingExpression(rankingExpression(f))", "function f() { expression: attribute(price) }", "7"],
  ["rankingExpression(k) + rankingExpression(3)", "constants { k: 5 }", "8"],
  // reduce(rename(tensor(x[3])(x), x, 2) * tensor(w[3])(w), sum)
  ["f(2)", "function f(w) { expression: sum(rename(tensor(x[3])(x), x, w) * tensor(w[3])(w)) }", "9"],
])("%s with %s is %s in Vespa", (first, more, score) => {
  expect(scoresOf(phased(first, undefined, more))).toEqual([score]);
});

test("rankingExpression(firstphase) is the first phase, unless that is a feature", () => {
  const second = "rankingExpression(firstphase) + 1";
  expect(scoresOf(phased("attribute(price) * 2", second, ""))).toEqual(["14", "15"]);
  expect(codesOf(phased("attribute(price)", second, ""))).toEqual(["feature/unknown"]);
});

const argument = ["feature/argument"];

test.each([
  ["rankingExpression(attribute(price) + 1)", "", argument],
  ["rankingExpression(if(attribute(price) > 3, 1, 2))", "", argument],
  ["g(attribute(price))", "function g(a) { expression: rankingExpression(a) }", argument],
  ["rankingExpression(nosuch)", "", ["feature/unknown"]],
  ["g(attribute(price) + 1)", "function g(a) { expression: query(a) }", argument],
  ["1", "function f(a) { expression: a }\nmatch-features: rankingExpression(f(3))", ["feature/listed"]],
  [
    "1",
    "constants { k: 3 }\nfunction f(a) { expression: a + k }\nmatch-features: k f(k) f(2 * k) f(2) f(attribute(price))",
    Array(3).fill("feature/listed"),
  ],
  ["1", "function f(a) { expression: a }\nmatch-features: f(3) rankingExpression(attribute(price))", []],
])("%s with %s is nothing that content nodes read", (first, more, codes) => {
  expect(codesOf(phased(first, undefined, more))).toEqual(codes);
});

const ignoring = "function g(y) { expression: 1 }\n";

test.each([
  ["g(f)", ignoring],
  ["g(g(f))", ignoring],
  ["h", `${ignoring}function h() { expression: g(f) }\n`],
  ["h(1)", `${ignoring}function h(x) { expression: g(f) }\n`],
])("a function that is %s is made of itself, also where its value is not read", (body, more) => {
  const profile = phased("1", undefined, `${more}function f() { expression: ${body} }`);
  expect(codesOf(profile)).toEqual(["name/cycle"]);
});

test.each([
  ["f(price)", "constants { price: 3 }\nfunction f(x) { expression: attribute(x) }", 1],
  ["f(price)", "function price() { expression: 3 }\nfunction f(x) { expression: attribute(x) }", 1],
  [
    "h(price)",
    "constants { price: 3 }\nfunction f(x) { expression: attribute(x) }\nfunction h(y) { expression: f(y) }",
    1,
  ],
  ["f(x)", "constants { x: 3 }\nfunction f(y) { expression: sum(tensor(x[2])(x), y) }", 1],
  ["f(price)", "constants { price: 3 }\nfunction f(x) { expression: x + 1 }", 0],
  [
    "f(c)",
    "constants { c { type: tensor(x[3])\nfile: c.json } }\nfunction f(w) { expression: sum(constant(w)) }",
    0,
  ],
  ["f(price)", "function price(a) { expression: a }\nfunction f(x) { expression: attribute(x) }", 0],
  ["1", "constants { other: 3 }\nfunction f(x) { expression: attribute(x) }\nmatch-features: f(price)", 0],
  [
    "1",
    "function price() { expression: 3 }\nfunction f(x) { expression: attribute(x) }\nmatch-features: f(price)",
    1,
  ],
])("%s with %s: what is put in for an argument is no name", (first, more, count) => {
  expect(codesOf(phased(first, undefined, more))).toEqual(Array(count).fill("feature/replaced-argument"));
});

/** The first phase of a profile of a schema that inherits `doc`, and its second, where Vespa has one. */
function inheritingScores(base: string, kid: string, name: string): string[] {
  const read = packageOf({
    "schemas/doc.sd": schemaWith(base),
    "schemas/kid.sd": `schema kid inherits doc { document kid inherits doc { }\n${kid}\n}`,
  });
  const checked = checkPackage(read);
  expect(checked.problems.map(({ code }) => code)).toEqual([]);
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const { phases } = soundProfile(read, checked, `kid.${name}`, span);
  return [phases["first-phase"], phases["second-phase"]]
    .map((each) => each?.expression?.span ?? span)
    .map((each) => textIn(each).trim());
}

const one = (name: string, inherits = "", body = "first-phase { expression: 1 }"): string =>
  `rank-profile ${name} ${inherits} { ${body} }\n`;
const two = "second-phase { expression: 2 }";
const again = "first-phase { expression: 3 }";

test.each([
  [
    one("base") + one("m", "inherits base", ""),
    one("base", "", again) + one("q", "inherits m", two),
    "q",
    ["1", "2"],
  ],
  [
    one("base") + one("m", "inherits base", ""),
    one("base", "inherits base", again) + one("q", "inherits m", two),
    "q",
    ["1", "2"],
  ],
  [
    one("default") + one("m", "inherits default", ""),
    one("default", "", again) + one("q", "inherits m", two),
    "q",
    ["1", "2"],
  ],
  [one("default") + one("m", "inherits default", ""), one("q", "inherits m", two), "q", ["1", "2"]],
  [
    one("default") + one("m", "inherits default", ""),
    one("default", "inherits m", two),
    "default",
    ["1", "2"],
  ],
  [one("default"), one("default", "inherits default", two), "default", ["", "2"]],
  [one("base"), one("base", "inherits base", two), "base", ["1", "2"]],
])("%s and %s: a profile inherits those of the schema that it is written in", (base, kid, name, expressions) => {
  expect(inheritingScores(base, kid, name)).toEqual(expressions);
});

/** What is told of a name of no profile, of a schema `child` that inherits `parent`, and of `third` that inherits it and has no profile. */
test.each<[string, string, string?]>([
  ["comon", "child.own, common, parent.own, child.common, third.own, third.common", "common"],
  ["child.comon", "child.own, child.common", "child.common"],
  ["third.ow", "third.own, third.common", "third.own"],
  ["nothing.at.all", "child.own, common, parent.own, child.common, third.own, third.common"],
])("the profiles that %s may be meant for", (name, profiles, meant) => {
  expect(unknown(name)).toEqual([
    `there is no rank profile ${name}`,
    `the profiles ${profiles}`,
    meant && `did you mean ${meant}?`,
  ]);
});

test("a name that several schemas have is not one that none has", () => {
  const expected = ["which rank profile own is meant?", "the profiles child.own, parent.own", undefined];
  expect(unknown("own")).toEqual(expected);
});

function unknown(name: string): (string | undefined)[] {
  const read = packageOf({
    "schemas/child.sd": `schema child inherits parent {
      document child inherits parent { }
      rank-profile own inherits common { first-phase { expression: 2 } }
    }`,
    "schemas/parent.sd": `schema parent {
      document parent { }
      rank-profile common { first-phase { expression: 1 } }
      rank-profile own { first-phase { expression: 3 } }
    }`,
    "schemas/third.sd": "schema third inherits child { document third inherits child { } }",
  });
  const span = { source: { name: "test", text: "" }, start: 0, end: 0 };
  try {
    soundProfile(read, checkPackage(read), name, span);
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.flatMap(({ message, description: { found, hint } }) => [message, found, hint]);
  }
  return [];
}
