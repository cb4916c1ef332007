import { describe, expect, test } from "vitest";
import { PackageAnalysis, type RankName, renamedInPackage } from "../../../src/service/service.js";

/** Names of a package: where they are defined and used, and when they may be others. A mark is a place that is asked about. */
const files = {
  "schemas/doc.sd": `schema doc {
  document doc {
    field vector type tensor<float>(x[2]) { indexing: attribute }
    field year type int { indexing: attribute }
  }
  rank-profile base {
    inputs { query(q) tensor<float>(x[2]) }
    constants { weight: 2 }
    function near() { expression: sum(query(q) * attribute(vector), x) }
    function twice(year) { expression: year * near }
    function x() { expression: sum(attribute(vector), x) }
    function least() { expression: 0.5 }
    function clipped() { expression: max(attribute(vector), least) }
    function scaled() { expression: near() * constant(weight) + weight }
    first-phase { expression: near + twice(attribute(year)) }
    match-features: near
  }
  rank-profile other {
    function near() { expression: 1 }
    first-phase { expression: near }
  }
}
`,
  "schemas/doc/best.profile": `rank-profile best inherits base {
  function near() { expression: 3 }
  second-phase { expression: near * query(q){x:0} }
}
`,
} as const;
type File = keyof typeof files;

const analysisOf = (texts: Readonly<Record<string, string>>): PackageAnalysis =>
  new PackageAnalysis({
    list: (folder) => Object.keys(texts).filter((path) => path.startsWith(`${folder}/`)),
    read: (path) => texts[path] ?? "",
  });

const analysis = analysisOf(files);

/** The name at the first of a text in a file, or at so many characters behind it. */
const nameAt = (file: File, text: string, behind = 0): RankName | undefined =>
  analysis.nameAt(file, files[file].indexOf(text) + behind);

/** Lines of files, from 1, with the word in each place. */
function placesOf(name: RankName | undefined): readonly string[] {
  const spans = [...(name?.definitions ?? []), ...(name?.uses ?? []).map(({ span }) => span)];
  return spans
    .map(({ source, start, end }) => {
      const line = source.text.slice(0, start).split("\n").length;
      return `${source.name.endsWith(".sd") ? "doc" : "best"} ${line} ${source.text.slice(start, end)}`;
    })
    .sort();
}

/** The texts of all files after a rename. */
function renamed(name: RankName | undefined, word: string): Readonly<Record<string, string>> | string {
  const edits = renamedInPackage(name, word);
  if ("refused" in edits) return edits.refused;
  const sorted = [...edits].sort((a, b) => b.span.start - a.span.start);
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      sorted
        .filter(({ span }) => span.source.name === path)
        .reduce(
          (all, { span, text }) => all.slice(0, span.start) + text + all.slice(span.end),
          text as string,
        ),
    ]),
  );
}

test("the package of the test is one without mistakes", () => {
  expect(analysis.problems.filter(({ isError }) => isError).map((each) => each.message)).toEqual([]);
});

describe("all places of a name are found from each of them", () => {
  test.each([
    [
      "a function, with that which replaces it, and not one of the same name elsewhere",
      [
        "doc 9 near",
        "doc 10 near",
        "doc 14 near",
        "doc 15 near",
        "doc 16 near",
        "best 2 near",
        "best 3 near",
      ],
      [
        nameAt("schemas/doc.sd", "near()"),
        nameAt("schemas/doc.sd", "* near", 2),
        nameAt("schemas/doc/best.profile", "near *"),
      ],
    ],
    [
      "an input, by its word alone",
      ["doc 7 q", "doc 9 q", "best 3 q"],
      [
        nameAt("schemas/doc.sd", "query(q)", 6),
        nameAt("schemas/doc.sd", "query(q) *", 6),
        nameAt("schemas/doc/best.profile", "query(q)", 6),
      ],
    ],
    [
      "a constant, in both forms",
      ["doc 8 weight", "doc 14 weight", "doc 14 weight"],
      [
        nameAt("schemas/doc.sd", "weight:"),
        nameAt("schemas/doc.sd", "constant(weight)", 10),
        nameAt("schemas/doc.sd", "+ weight", 3),
      ],
    ],
  ] as const)("%s", (_, places, names) => {
    for (const name of names) expect(placesOf(name)).toEqual([...places].sort());
  });
});

describe("a rename", () => {
  test("changes all places of the name, and nothing else", () => {
    const after = renamed(nameAt("schemas/doc.sd", "near()"), "nearness");
    if (typeof after === "string") throw new Error(after);
    expect(after["schemas/doc.sd"]?.split("nearness").length).toBe(6);
    expect(after["schemas/doc.sd"]).toContain("rank-profile other {\n    function near() { expression: 1 }");
    expect(after["schemas/doc/best.profile"]).toContain("function nearness() { expression: 3 }");
    expect(analysisOf(after).problems.length).toBe(analysis.problems.length);
  });

  test.each([
    ["year", "is bound where near is used"],
    ["scaled", "is defined already"],
    ["weight", "is defined already"],
    ["sum", "is a function of the language"],
    ["a b", "is no name"],
    ["true", "is no name"],
    ["tensor", "begins a type"],
  ])("to %s is refused", (word, reason) => {
    expect(renamed(nameAt("schemas/doc.sd", "near()"), word)).toContain(reason);
  });

  test("to a dimension, of an argument that would be one, is refused", () => {
    expect(renamed(nameAt("schemas/doc.sd", "least()"), "x")).toContain("is defined already");
    expect(renamed(nameAt("schemas/doc.sd", "least()"), "year")).toContain("dimension or a field");
    expect(renamed(nameAt("schemas/doc.sd", "least()"), "fewest")).toMatchObject({
      "schemas/doc.sd": expect.stringContaining("max(attribute(vector), fewest)"),
    });
  });

  test("of a function that has the name of a dimension is refused", () => {
    expect(renamed(nameAt("schemas/doc.sd", "x() {"), "fresh")).toContain("dimension");
  });
});

/** A schema whose profile has these statements. */
const profileOf = (statements: string): Readonly<Record<string, string>> => ({
  "schemas/doc.sd": `schema doc {
  document doc {
    field v type tensor<float>(x[2]) { indexing: attribute }
    field year type int { indexing: attribute }
  }
  rank-profile p {
    ${statements}
  }
}
`,
});

/** The text of a schema after a rename of what stands at the first of a text, or why there is none. */
function renamedText(statements: string, at: string, behind: number, word: string): string {
  const texts = profileOf(statements);
  const text = texts["schemas/doc.sd"] ?? "";
  const edits = renamedInPackage(analysisOf(texts).nameAt("schemas/doc.sd", text.indexOf(at) + behind), word);
  if ("refused" in edits) return edits.refused;
  const sorted = edits.toSorted((left, right) => right.span.start - left.span.start);
  const all = sorted.reduce(
    (now, { span, text: next }) => now.slice(0, span.start) + next + now.slice(span.end),
    text,
  );
  return all.split("\n").slice(6, -3).join("\n").trim();
}

describe("a rename changes no score", () => {
  test.each([
    ["a parameter", '<field name="ranking.features.query(boost)">2</field>', "boost", "gain"],
    ["a parameter with the new name", '<field name="ranking.features.query(gain)">2</field>', "gain", "gain"],
    [
      "a query",
      '<field name="yql">select * from doc where {targetHits:9}nearestNeighbor(v, boost)</field>',
      "boost",
      "gain",
    ],
  ])("of an input that %s of a query profile names is refused", (_, field, named, word) => {
    const texts: Readonly<Record<string, string>> = {
      ...profileOf("inputs { query(boost) double: 1 }\n first-phase { expression: query(boost) }"),
      "search/query-profiles/default.xml": `<query-profile id="default">${field}</query-profile>`,
    };
    const at = texts["schemas/doc.sd"]?.indexOf("boost") ?? 0;
    const renaming = (to: string) => renamedInPackage(analysisOf(texts).nameAt("schemas/doc.sd", at), to);
    expect(renaming(word)).toEqual({ refused: `${named} is named by a query profile as well` });
    if (named === word) expect(renaming("other")).toHaveLength(2);
  });

  test("an input without query(…) is renamed where it is declared, and not its dimension", () => {
    const statements =
      "inputs { x tensor<float>(x[2]): [1,2] }\n first-phase { expression: sum(query(x) * attribute(v), x) }";
    expect(renamedText(statements, "query(x)", 6, "z")).toBe(
      statements.replace("{ x", "{ z").replace("query(x)", "query(z)"),
    );
    const longer = "constants { constantine double: 3 }\n first-phase { expression: constantine }";
    expect(renamedText(longer, "expression: c", 12, "z")).toBe(longer.replaceAll("constantine", "z"));
  });

  test("a name of a parameter is no input", () => {
    const statements = `inputs { query(a) double: 100
 query(b) double: 7 }
    function foo(a) { expression: 2 * query(a) }
    first-phase { expression: foo(b) + query(a) }`;
    expect(renamedText(statements, "inputs { query(a)", 15, "z")).toBe(
      statements.replace("{ query(a)", "{ query(z)").replace("+ query(a)", "+ query(z)"),
    );
  });

  // biome-ignore format: a table
  test.each([
    ["function foo() { expression: 2 }\nfirst-phase { expression: foo }\nsecond-phase { expression: 10 * firstPhase + foo }", "foo()", "firstPhase", /is a rank feature|means something else/],
    ["function foo() { expression: 2 }\nfirst-phase { expression: foo + nativeRank }", "foo()", "nativeRank", /is a rank feature|means something else/],
    ["function foo() { expression: 2 }\nfirst-phase { expression: foo + attribute(year) }", "foo()", "query", /is a rank feature/],
    ["function foo() { expression: 2 }\nfirst-phase { expression: rankingExpression(\"foo\") }", "foo()", "bar", /in quotes/],
    ["inputs { query(a) double: 100 }\nfirst-phase { expression: query(\"a\") + query(a) }", "a) double", "z", /in quotes/],
    ["constants { a: 2 }\nfunction g(a) { expression: a * 10 }\nfirst-phase { expression: g(5) + a }", "a: 2", "zz", /is a parameter/],
    ["constants { b: 2 }\nfunction g(a) { expression: a * 10 }\nfirst-phase { expression: g(5) + b }", "b: 2", "a", /means something else/],
    ["constants { a: 2 }\nfirst-phase { expression: sum(tensor(a[3])(a)) + a }", "a: 2", "zz", /is a dimension/],
    ["constants { b: 2 }\nfirst-phase { expression: sum(tensor(a[3])(a)) + b }", "b: 2", "a", /means something else/],
    ["function inline year() { expression: 3 }\nfirst-phase { expression: sum(tensor(year[2])(year + 1)) }", "year()", "zz", /is a dimension/],
  ])("%j: %s is not renamed to %s", (statements, at, word, reason) => {
    expect(renamedText(statements, at, 0, word)).toMatch(reason);
  });

  test("a parameter, an index and a dimension are not shown as the function of their name", () => {
    const texts = profileOf(`function a() { expression: 2 }
    function g(a) { expression: a * 2 }
    function i() { expression: sum(tensor(a[3])(a)) }
    first-phase { expression: a }`);
    const text = texts["schemas/doc.sd"] ?? "";
    const own = analysisOf(texts);
    const shown = (at: string, behind: number) =>
      own.hover("schemas/doc.sd", text.indexOf(at) + behind)?.code;
    expect(shown("expression: a }", 12)).toBe("a(): tensor()");
    expect([shown("a * 2", 0), shown("(a)) }", 1)]).toEqual([undefined, undefined]);
    expect(own.definition("schemas/doc.sd", text.indexOf("a * 2"))).toBeUndefined();
  });
});
