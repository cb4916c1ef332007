import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { command } from "../../command.js";
import { patient } from "../../patience.js";

/** Whole application packages, as people have them: each command does what it says, and complains of nothing. */
const folder = fileURLToPath(new URL("../whole-packages", import.meta.url));
const packages = readdirSync(folder, { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }) => name);

const { run } = command();

test("there are twenty", () => expect(packages).toHaveLength(20));

const sound = expect.stringMatching(/^\d+ rank profiles?, 0 errors, 0 warnings\n$/);

test.each(packages)("%s is checked and described", patient, async (name) => {
  const path = join(folder, name);
  expect(await run(["check", path])).toMatchObject({ code: 0, out: "", err: sound });
  expect(await run(["profile", path])).toMatchObject({ code: 0, err: "" });
});

test.each(packages)("the tests of %s pass", patient, async (name) => {
  const { code, out, err } = await run(["test", join(folder, name)]);
  expect({ code, err, failed: out.includes("FAILED") ? out : "" }).toEqual({ code: 0, err: "", failed: "" });
});

/** The features that nobody without an engine or a model has. */
const features: Readonly<Record<string, readonly string[]>> = {
  "passage-ranking": ["cross_score=0.5"],
};

test.each(packages)("the documents of %s are ranked", patient, async (name) => {
  const at = (file: string): string => join(folder, name, file);
  const parents = readdirSync(at(".")).includes("parents.jsonl") ? ["--parents", at("parents.jsonl")] : [];
  const supplied = (features[name] ?? []).flatMap((each) => ["--feature", each]);
  const files = ["--documents", at("documents.jsonl"), "--query", at("query.json"), ...parents, ...supplied];
  const { code, out, err } = await run([
    "score",
    at("."),
    ...files,
    "--statistics",
    "feed",
    "--now",
    "0",
    "--json",
  ]);
  expect({ code, err: err.replace(/^text features: .*\n/, "") }).toEqual({ code: 0, err: "" });
  const fed = readFileSync(at("documents.jsonl"), "utf8").match(/"put"/g);
  expect(out.trim().split("\n")).toHaveLength(fed?.length ?? 0);
});
