import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { command } from "./command.js";
import { patient } from "./patience.js";

/** A program as an application package: it is sound, and its rank profile has the values of the program. */
const { run, folder } = command();

beforeAll(() => {
  writeFileSync(
    join(folder, "my rank.sphex"),
    [
      "input query(q): tensor<float>(x[3])",
      "input attribute(e): tensor<float>(chunk{},x[3])",
      "input attribute(boost): tensor()",
      "constant w: tensor(x[3]) = tensor(x[3]):[1,2,3]",
      "best = reduce(sum(query(q) * attribute(e) * w, x), max, chunk)",
      "best * attribute(boost)",
    ].join("\n"),
  );
  writeFileSync(
    join(folder, "document.json"),
    JSON.stringify({ fields: { e: { blocks: { a: [1, 2, 3], b: [3, 2, 1] } }, boost: 2 } }),
  );
  writeFileSync(join(folder, "query.json"), JSON.stringify({ "input.query(q)": [1, 0.5, 2] }));
});

test("the package is sound, and scores as the program computes", patient, async () => {
  const { code, err, out } = await run(["export", "vespa", "my rank.sphex", "--out", "app"]);
  expect([code, err, out]).toEqual([0, "", "app/schemas/my_rank.sd\napp/services.xml\n"]);
  expect((await run(["check", "app"])).err).toContain("0 errors, 0 warnings");
  const scored = await run(["score", "app", "--document", "document.json", "--query", "query.json"]);
  expect(scored.err).toBe("");
  // b: 1*3*1 + 0.5*2*2 + 2*1*3 = 11; a: 1*1*1 + 0.5*2*2 + 2*3*3 = 21; twice the larger.
  expect(scored.out).toContain("42.0");
});

test("what a rank profile has no place for is refused, and nothing is written", patient, async () => {
  writeFileSync(join(folder, "bare.sphex"), "input w: tensor(x[3])\nsum(w)\n");
  const refused = await run(["export", "vespa", "bare.sphex", "--out", "bare"]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("export/input")]);
  writeFileSync(join(folder, "half.sphex"), "sum(tensor<half>(x[3])(x))\n");
  expect((await run(["export", "vespa", "half.sphex", "--out", "half"])).code).toBe(1);
  mkdirSync(join(folder, "there"));
  expect((await run(["export", "vespa", "bare.sphex", "--out", "there"])).code).toBe(2);
  expect(() => readFileSync(join(folder, "bare", "services.xml"))).toThrow();
});
