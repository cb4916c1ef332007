import { expect, test } from "vitest";
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
