import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Command, command } from "../command.js";

/** Packages as revisions of git have them: whether a change is better is asked before it is committed. */
const schema = (expression: string): string => `schema doc {
  document doc {
    field price type double { indexing: attribute }
    field stars type double { indexing: attribute }
  }
  rank-profile p {
    first-phase { expression: ${expression} }
  }
}
`;

function repository(): Command {
  const own = command();
  const app = join(own.folder, "app");
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-C", own.folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  };
  mkdirSync(join(app, "schemas"), { recursive: true });
  git("init", "--quiet");
  const save = (expression: string): void => writeFileSync(join(app, "schemas/doc.sd"), schema(expression));
  const documents = [
    { put: "id:a:doc::1", fields: { price: 9, stars: 1 } },
    { put: "id:a:doc::2", fields: { price: 1, stars: 5 } },
  ];
  const files = {
    "feed.jsonl": documents.map((each) => JSON.stringify(each)).join("\n"),
    "queries.jsonl": JSON.stringify({ id: "q", yql: "select * from doc where true" }),
    "qrels.txt": "q 0 id:a:doc::2 1\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(own.folder, name), text);
  save("attribute(price)");
  git("add", "app");
  git("commit", "--quiet", "-m", "by price");
  save("attribute(stars)");
  return own;
}

const feed = ["--documents", "feed.jsonl", "--queries", "queries.jsonl", "--judgments", "qrels.txt"];

describe("a package in a revision of git", () => {
  test.each([
    ["--against", "app@HEAD"],
    ["--against-revision", "HEAD"],
  ])("is compared with by %s %s", async (...args) => {
    const { code, out, err } = await repository().run(["score", "app", ...feed, ...args]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^MRR +1\.0000 +0\.5000 +\+0\.5000/m);
    expect(out).toMatch(/^1 win, 0 lose, 0 stay the same/m);
    // 5 stars against 1, where a price of 1 stood against one of 9.
    expect(out).toMatch(
      /^q: id:a:doc::2 over id:a:doc::1: without attribute\(price\), which was -8; attribute\(stars\) \+4, was not there$/m,
    );
  });

  test("is scored as it was", async () => {
    const own = repository();
    const { out } = await own.run(["score", "app@HEAD", "--documents", "feed.jsonl", "--json"]);
    expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ id: "id:a:doc::1", score: 9 });
  });

  test("has the texts that its files have in a folder, without their mark, or none", async () => {
    const own = repository();
    const args = ["score", "app@HEAD", "--documents", "feed.jsonl", "--json"];
    const commit = (bytes: Uint8Array): void => {
      writeFileSync(join(own.folder, "app/schemas/doc.sd"), bytes);
      const git = ["-C", own.folder, "-c", "user.name=a", "-c", "user.email=a@b"];
      execFileSync("git", [...git, "commit", "--quiet", "--all", "-m", "other bytes"]);
    };
    commit(Buffer.from(`\ufeff${schema("attribute(stars)")}`));
    const { out } = await own.run(args);
    expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ id: "id:a:doc::2", score: 5 });
    commit(Buffer.from(`# caf\u00e9\n${schema("attribute(stars)")}`, "latin1"));
    const refused = await own.run(args);
    expect(refused.code).not.toBe(0);
    expect(refused.out).toContain("it is not text in UTF-8");
  });

  test.each<[string, RegExp]>([
    ["app@nowhere", /there is no revision nowhere of git here/],
    ["app@--output=x", /there is no revision --output=x of git here/],
    ["nothing@HEAD", /cannot read nothing@HEAD: nothing is no folder/],
  ])("%s is refused", async (path, message) => {
    const { code, err } = await repository().run(["score", path, "--documents", "feed.jsonl"]);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
