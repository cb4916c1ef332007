import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hit, schema, shop } from "./shop.js";

/** `sphex capture`, as somebody uses it in a folder with a package. */
const ofResponse = ["capture", "response.json", "--profile", "plain", "--query", "query.json"];

describe("sphex capture", () => {
  test("of a response without hits makes no test", async () => {
    const own = shop({ "empty.json": '{"root":{"errors":[{"message":"timed out"}]}}' });
    expect(await own.run(["capture", "empty.json", ".", "--profile", "plain"])).toMatchObject({
      code: 2,
      out: "",
      err: "sphex: the response says: timed out\nsphex: there is no hit in empty.json\n",
    });
  });

  test("makes tests that pass as long as nothing changes", async () => {
    const own = shop();
    const captured = await own.run(ofResponse);
    expect(captured).toMatchObject({ code: 0, err: "" });
    // Without documents there are no vectors: the function of them is given.
    expect(captured.out).toContain(
      '    features:\n      "likeness": 3\n      "bm25(title)": 1\n      "attribute(price)": 50\n    expect:\n      score: 7\n',
    );
    writeFileSync(join(own.folder, "captured.rank-test.yaml"), captured.out);
    expect(await own.run(["test"])).toMatchObject({ code: 0, err: "" });
    writeFileSync(join(own.folder, "schemas/doc.sd"), schema.replace("double: 2", "double: 3"));
    const { code, out } = await own.run(["test"]);
    expect(code).toBe(1);
    expect(out).toContain("score  expected 7.0, found 10.0, +3.0");
  });

  test("without a query tells which inputs of it the response does not say", async () => {
    const profile =
      "rank-profile asked { inputs { query(a) double\nquery(b) double }\nfirst-phase { expression: attribute(price) * query(a) + query(b) } }";
    const features = { "attribute(price)": 50, "query(b)": 1 };
    const hit = { id: "id:shop:doc::1", relevance: 101, fields: { matchfeatures: features } };
    const own = shop({
      "schemas/doc.sd": schema.replace(/}\s*$/, `${profile}\n}`),
      "one.json": JSON.stringify({ root: { children: [hit] } }),
      "asked.json": { "input.query(a)": 2 },
    });
    const capture = ["capture", "one.json", "--profile", "asked"];
    const { code, err } = await own.run(capture);
    expect([code, err]).toEqual([
      0,
      "sphex: without --query, the tests take query(a) as in a request that does not say so\n",
    ]);
    expect(await own.run([...capture, "--query", "asked.json"])).toMatchObject({ code: 0, err: "" });
  });

  test("keeps what a query says of scores, and not what it says of the response", async () => {
    const asked = {
      ...{
        "input.query(q)": [2, 1],
        yql: "select * from doc where userQuery()",
        query: "a chair",
        type: "any",
      },
      ...{ ranking: "plain", hits: 3, "presentation.summary": "short", "ranking.rankScoreDropLimit": 0.5 },
    };
    const own = shop({ "query.json": asked });
    const { out } = await own.run(["capture", "response.json", "--query", "query.json"]);
    const lines = out.slice(out.indexOf("query:"), out.indexOf("# Responses"));
    expect(lines.trim().split("\n")).toEqual([
      "query:",
      '  "input.query(q)": [2,1]',
      '  "yql": "select * from doc where userQuery()"',
      '  "query": "a chair"',
      '  "type": "any"',
      '  "ranking.rankScoreDropLimit": 0.5',
    ]);
  });

  test("expects the functions that can be computed from other features", async () => {
    const features = { cost: 100, "attribute(price)": 50, "bm25(title)": 1, likeness: 3 };
    const own = shop({
      "schemas/doc.sd": schema.replace(
        "match-features:",
        "function cost() { expression: 2 * attribute(price) }\n    match-features:",
      ),
      "response.json": { root: { children: [hit(2, 7, features)] } },
    });
    const { out } = await own.run(ofResponse);
    expect(out).toContain('    expect:\n      score: 7\n      "cost": 100\n');
    writeFileSync(join(own.folder, "captured.rank-test.yaml"), out);
    expect((await own.run(["test"])).code).toBe(0);
  });

  test("of a profile whose scores depend on each other makes a list", async () => {
    const own = shop();
    const { out } = await own.run(["capture", "response.json", "--profile", "cheap"]);
    expect(out).toContain('cases:\n  - name: "id:shop:doc::2"');
    const few = shop({ "schemas/doc.sd": schema.replace("rerank-count: 2", "rerank-count: 1") });
    const list = await few.run(["capture", "response.json", "--profile", "cheap"]);
    expect(list.out).toContain('expect:\n  ranking:\n    - "id:shop:doc::2"\n    - "id:shop:doc::1"\n');
  });
});
