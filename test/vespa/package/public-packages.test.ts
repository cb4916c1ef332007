import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** Schemas in the manner of public packages: what Vespa deploys is no mistake here. */
const folder = new URL("../public-packages/", import.meta.url);
const texts = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith(".sd"))
    .map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
);

/** Schemas that others refer to or inherit, and files that they name. */
const shared = {
  "schemas/category_ctr.sd": texts["category_ctr.sd"] ?? "",
  "schemas/basepage.sd": texts["basepage.sd"] ?? "",
  "constants/topic_weights.json": '{"cells": {"music": 1.5, "sport": 2}}',
};

test.each(Object.keys(texts))("%s", (name) => {
  const text = texts[name] ?? "";
  const [, schema = ""] = /^(?:schema|search) ([\w-]+)/m.exec(text) ?? [];
  const read = packageOf({ ...shared, [`schemas/${schema}.sd`]: text });
  const { profiles, problems } = checkPackage(read);
  const all = [...read.problems, ...problems].map(({ severity, code, span }) => {
    const line = span.source.text.slice(0, span.start).split("\n").length;
    return `${severity} ${code} ${span.source.name}:${line}`;
  });
  expect(all.filter((each) => each.startsWith("error"))).toEqual([]);
  // What is known of the other schemas is no profile of theirs.
  expect(profiles.length > 0 || name in { "category_ctr.sd": 0, "basepage.sd": 0 }).toBe(true);
});
