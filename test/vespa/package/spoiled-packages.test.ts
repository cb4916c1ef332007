import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { seeds } from "../../chance.js";
import { packageOf, type Texts } from "../../packages.js";
import { patient } from "../../patience.js";

/** Whole packages with one mistake each: it is told, and little besides. */
const folder = fileURLToPath(new URL("../whole-packages", import.meta.url));

const filesBelow = (path: string): string[] =>
  readdirSync(path).flatMap((name) => {
    const each = join(path, name);
    return statSync(each).isDirectory() ? filesBelow(each) : [each];
  });

const packages = readdirSync(folder, { withFileTypes: true })
  .filter((each) => each.isDirectory())
  .map(({ name }): [string, Texts] => {
    const path = join(folder, name);
    const files = filesBelow(path).map((each) => [relative(path, each), readFileSync(each, "utf8")]);
    return [name, Object.fromEntries(files)];
  });

const problemsOf = (texts: Texts): string[] =>
  checkPackage(packageOf(texts)).problems.map(({ severity, code }) => `${severity} ${code}`);

/** Every so many of the places at which a text can be spoiled; with TIMES more of them. */
const step = Math.max(1, Math.round(15 / seeds(1).length));

describe.each(packages)("%s", (_, texts) => {
  const schemas = Object.entries(texts).filter(([path]) => /\.(?:sd|profile)$/.test(path));

  test("without one of its braces: that is an error, and one more at most", patient, () => {
    for (const [path, text] of schemas) {
      const braces = Array.from(text.matchAll(/[{}]/g), ({ index }) => index);
      for (const at of braces.filter((_, index) => index % step === 0)) {
        const spoiled = problemsOf({ ...texts, [path]: text.slice(0, at) + text.slice(at + 1) });
        const errors = spoiled.filter((each) => each.startsWith("error"));
        expect({
          at: text.slice(0, at).split("\n").length,
          path,
          errors,
          isFew: errors.length < 3,
        }).toMatchObject({ isFew: true, errors: expect.arrayContaining([expect.anything()]) });
      }
    }
  });

  test("with a field of a type that it cannot have", patient, () => {
    const several = Object.keys(texts).filter((path) => path.endsWith(".sd")).length > 1;
    for (const [path, text] of schemas) {
      const fields = Array.from(
        text.matchAll(/(field\s+\w+\s+type\s+)([^{\n]+?)(\s*\{[^{}]*\battribute\b)/g),
      );
      for (const found of fields.filter((_, index) => index % Math.ceil(step / 5) === 0)) {
        const [, before = "", type = ""] = found;
        const at = found.index + before.length;
        for (const other of ["map<string, int>", "strnig", ...(several ? ["reference<nobody>"] : [])]) {
          const spoiled = text.slice(0, at) + other + text.slice(at + type.length);
          const errors = problemsOf({ ...texts, [path]: spoiled }).filter((each) => each.startsWith("error"));
          const isFew = errors.length < 5;
          expect({ path, field: found[0], other, errors, isFew }).toMatchObject({
            errors: expect.arrayContaining([expect.stringMatching(/field\/(?:type|attribute|indexing)/)]),
            isFew: true,
          });
        }
      }
    }
  });
});

/** The files that no other file of their package names: it is a whole package without them. */
const unnamed: Readonly<Record<string, readonly string[]>> = {
  advertisements: ["schemas/ad.sd"],
  "e-commerce": ["schemas/review.sd", "search/query-profiles/default.xml"],
  inheriting: ["schemas/book.sd", "schemas/paper.sd", "schemas/paper/weighed/thrice.profile"],
  "many-vectors": ["schemas/centroid.sd"],
  news: ["schemas/article.sd", "schemas/reader.sd", "search/query-profiles/default.xml"],
  "passage-ranking": ["schemas/passage.sd", "schemas/query.sd"],
  "query-profile-types": ["search/query-profiles/personal-1.0.xml"],
  rag: [
    "schemas/note/collect-training-data.profile",
    "search/query-profiles/deepresearch.xml",
    "search/query-profiles/rag.xml",
  ],
};

/** Other tools read `services.xml`, models are often elsewhere, and the others are data. */
const isOfPackage = (path: string): boolean =>
  /\.(?:sd|profile)$|^search\/|^constants\//.test(path) && !path.startsWith("tests/");

test.each(packages)("%s without one of its files: what names it is told", patient, (name, texts) => {
  const silent = Object.keys(texts).filter(
    (path) =>
      isOfPackage(path) &&
      problemsOf(Object.fromEntries(Object.entries(texts).filter(([each]) => each !== path))).length === 0,
  );
  expect(silent.sort()).toEqual(unnamed[name] ?? []);
});
