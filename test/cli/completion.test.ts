import { describe, expect, test } from "vitest";
import { builtins } from "../../src/language/check/calls/builtins.js";
import { preludeNames } from "../../src/language/check/prelude-names.js";
import { aggregatorNames, aggregators } from "../../src/language/scalar/aggregators.js";
import { scalarFunctions, scalarNames } from "../../src/language/scalar/functions.js";
import { complete } from "../../src/repl/completion/completion.js";
import { completionContext } from "../../src/repl/completion/completion-context.js";
import { functionNames } from "../../src/repl/completion/function-help.js";
import { Session } from "../../src/repl/session.js";

/** What Tab offers, in a session that knows a little of everything. */
const session = new Session();
const lines = [
  "docs = tensor(doc{},x[2]):{alpha:[0, 1], beta:[3, 4], 'a b':[1, 1]}",
  "input query(q): tensor<float>(x[2])",
  "constant weights = tensor(token{}):{cat:1, dog:2}",
  "double(t) = t * 2",
  ".set mass = tensor(unit{}):{gram:1}",
  "docs",
  "kept = _ * 2",
];
for (const line of lines) expect(session.enter(line).kind).toBe("answer");
const files = (prefix: string) => ["data/a.sphex", "data/b.sphex"].filter((each) => each.startsWith(prefix));
const offered = (line: string, before = "") =>
  complete(line, completionContext(session.memory, files), before);

describe("Tab offers", () => {
  // biome-ignore format: a table
  test.each([
    { says: "names",                          line: "do",                 offers: ["docs", "double("] },
    { says: "functions",                      line: "1 + softm",          offers: ["softmax("] },
    { says: "functions that begin alike",     line: "sin",                offers: ["sin(", "sinh("] },
    { says: "only names for nothing",         line: "1 + ",               offers: ["mass", "_", "query(q)", "weights", "docs", "kept"] },
    { says: "features",                       line: "que",                offers: ["query(q)"] },
    { says: "the rest of a feature",          line: "1 + query(",         offers: ["query(q)"] },
    { says: "roles",                          line: "pers",               offers: ["persistent"] },
    { says: "names in a call",                line: "sum(do",             offers: ["docs", "double("] },
    { says: "dimensions in a call",           line: "sum(weights, to",    offers: ["token"] },
    { says: "those of the argument",          line: "sum(docs, ",         offers: ["doc", "x"] },
    { says: "all where its type is unknown",  line: "sum(docs * 2, ",     offers: ["doc", "token", "unit", "x"] },
    { says: "dimensions in a type",           line: "tensor(",            offers: ["doc", "token", "unit", "x"] },
    { says: "dimensions of what is sliced",   line: "docs{",              offers: ["doc:", "x:"] },
    { says: "labels of a value",              line: "docs{doc:",          offers: ['"a b"', "alpha", "beta"] },
    { says: "labels that begin so",           line: "docs{x:0, doc: al",  offers: ["alpha"] },
    { says: "labels of the only dimension",   line: "weights{",           offers: ["token:", "cat", "dog"] },
    { says: "labels of what was set",         line: "mass{g",             offers: ["gram"] },
    { says: "labels of a constant",           line: "weights{token:d",    offers: ["dog"] },
    { says: "commands",                       line: ".lo",                offers: [".load"] },
    { says: "modes",                          line: ".mode js",           offers: ["json"] },
    { says: "dialects",                       line: ".dialect ",          offers: ["formalism", "vespa"] },
    { says: "files",                          line: ".load data/a",       offers: ["data/a.sphex"] },
    { says: "inputs to set",                  line: ".set m",             offers: ["mass = "] },
    { says: "an expression's names",          line: ".type sum(wei",      offers: ["weights"] },
    { says: "nothing in a text",              line: "'do",                offers: [] },
    { says: "nothing in a comment",           line: "1 # do",             offers: [] },
    { says: "nothing for what nobody knows",  line: "zzz",                offers: [] },
  ])("$says: $line", ({ line, offers }) => {
    expect(offered(line).candidates).toEqual(offers);
  });

  test("what fits an open statement", () => {
    expect(offered(".lo", "sum(docs,").candidates).toEqual(["log(", "log10("]);
    expect(offered("d", "sum(docs,").candidates).toEqual(["doc"]);
  });

  test("nothing that takes long to find out", () => {
    const slow = new Session();
    slow.enter("slow = tensor(k{}):{a:1} * sum(tensor(x[1000000])(sin(x)))");
    const context = completionContext(slow.memory, files);
    expect(complete("slow{k:", context).candidates).toEqual([]);
  });
});

describe("help", () => {
  test("is the signature, and the sentence and example of the prelude", () => {
    expect(offered("softmax(").help?.split("\n")).toEqual([
      "softmax(t, d)",
      "  The exponentials of t, scaled to sum to 1 along d; NaN where one is infinite, above 88 for floats, 709 for doubles.",
      "  softmax(tensor(x[2]):[0,0], x)  >  tensor(x[2]):[0.5, 0.5]",
    ]);
    expect(offered("1 + softmax(docs, ").help).toBe(offered("softmax").help);
  });

  test("is the definition of a function of the session", () => {
    expect(offered("double(").help).toBe("double(t)\n  double(t) = t * 2");
  });

  test("is there for each function, and for nothing else", () => {
    const without = functionNames.filter((name) => !offered(`${name}(`).help?.startsWith(`${name}(`));
    expect(without).toEqual([]);
    expect(offered("docs").help).toBeUndefined();
    expect(offered("(").help).toBeUndefined();
  });

  test("knows what the library knows", () => {
    const names = [...builtins.keys(), ...preludeNames().all].filter((name) => !name.startsWith("vespa"));
    expect([...functionNames].sort()).toEqual([...new Set(names)].sort());
    const sentence = (name: string) => offered(`${name}(`).help?.split("\n  ")[1];
    const scalars: Readonly<Record<string, { readonly description: string }>> = scalarFunctions;
    const onlyScalar = scalarNames.filter((name) => name !== "max" && name !== "min");
    expect(onlyScalar.map(sentence)).toEqual(onlyScalar.map((name) => scalars[name]?.description));
    const onlyAggregators = aggregatorNames.filter((name) => name !== "max" && name !== "min");
    expect(onlyAggregators.map(sentence)).toEqual(
      onlyAggregators.map((name) => aggregators[name].description),
    );
  });
});
