import { describe, expect, test } from "vitest";
import { SphexError } from "../../../src/index.js";
import {
  checkPackage,
  Document,
  featureSetting,
  Ranking,
  readFeed,
  soundProfile,
} from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Scores of document after document for one query, of which those after the first are computed in a shorter way. */
const cells = 1000;
const schema = `schema doc {
  document doc {
    field n type double { indexing: attribute }
    field v type tensor<float>(x[2]) { indexing: attribute }
  }
  rank-profile p {
    inputs { query(q) tensor<float>(x[2]) }
    first-phase { expression: attribute(n) + sum(query(q) * attribute(v)) }
  }
}
`;
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

function scorer() {
  const read = packageOf({ "schemas/doc.sd": schema });
  const profile = soundProfile(read, checkPackage(read), "p", nowhere);
  return new Ranking({ package: read, profile }).scorer({ query: undefined, cells });
}

const documentOf = (fields: object, isWhole = true): Document => {
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
  return new Document("1", entry?.document?.fields ?? new Map(), cells, isWhole);
};

describe("numbers of many documents", () => {
  const good = [
    { n: 1, v: [1, 2] },
    { n: 2, v: [0, 0] },
    { n: 3, v: [5, 5] },
  ];

  test("are the same as alone", () => {
    const one = scorer();
    const all = good.map((each) => one.number("first-phase", { document: documentOf(each) }));
    expect(all).toEqual([1, 2, 3]);
  });

  test("tell what is wrong with any document, at its place, and go on", () => {
    const one = scorer();
    for (const each of good) one.number("first-phase", { document: documentOf(each) });
    const wrong = { document: documentOf({ n: "many", v: [1, 2, 3] }) };
    try {
      one.number("first-phase", wrong);
      expect.unreachable();
    } catch (error) {
      const codes = error instanceof SphexError ? error.problems.map(({ code }) => `${code}`) : [];
      expect(codes).toHaveLength(2);
      expect(codes).toContain("ranking/field");
    }
    expect(one.number("first-phase", { document: documentOf({ n: 7 }) })).toBe(7);
  });

  test("lack what a part of a document does not say", () => {
    const one = scorer();
    for (const each of good) one.number("first-phase", { document: documentOf(each) });
    const partial = { document: documentOf({ n: 1 }, false) };
    expect(() => one.number("first-phase", partial)).toThrow("attribute(v)");
    const overrides = new Map([featureSetting("attribute(n)=40")]);
    expect(one.number("first-phase", { document: documentOf({ n: 1 }), overrides })).toBe(40);
  });
});
