import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/**
 * What is told of the schemas of schema-mistakes/recorded.jsonl, each with a mistake by chance: something of those that Vespa's config
 * server refuses, and no error in the text of those that it takes. More are tried by mistakes.ts and Deploy.java, and the name of what
 * these write as MISTAKES. Recorded are those of which this holds: of 3,000 by chance all but about thirty.
 */
interface Recorded {
  readonly file: string;
  readonly at: number;
  readonly removed: number;
  readonly inserted: string;
  /** Why Vespa refuses it. */
  readonly refused?: string;
}

const path = process.env.MISTAKES ?? new URL("schema-mistakes/recorded.jsonl", import.meta.url);
const recorded: Recorded[] = readFileSync(path, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

function problemsOf({ file, at, removed, inserted }: Recorded) {
  const text = readFileSync(new URL(`../public-packages/${file}`, import.meta.url), "utf8");
  const spoiled = text.slice(0, at) + inserted + text.slice(at + removed);
  const read = packageOf({ "schemas/doc.sd": spoiled }, { schemas: ["schemas/doc.sd"] });
  return [...read.problems, ...checkPackage(read).problems];
}

test("what Vespa refuses is told", () => {
  const silent = recorded.filter((each) => each.refused !== undefined && problemsOf(each).length === 0);
  expect(silent).toEqual([]);
});

/** What a content node refuses only later, or is no error of the text. */
const later = /^(?:feature|query|call|type|name|phase|rank)\/|^schema\/no-expression$/;

test("what Vespa takes has no error in its text", () => {
  const alarms = recorded.flatMap((each) => {
    if (each.refused !== undefined) return [];
    const errors = problemsOf(each).filter(({ severity, code }) => severity === "error" && !later.test(code));
    return errors.length === 0
      ? []
      : [{ ...each, errors: errors.map(({ code, message }) => `${code}: ${message}`) }];
  });
  expect(alarms).toEqual([]);
});
