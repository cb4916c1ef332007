import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { checkPackage } from "../src/vespa.js";
import { seeds } from "./chance.js";
import { packageOf, type Texts } from "./packages.js";
import { patient } from "./patience.js";

/** Whole packages with one mistake each: it is told, and little besides. */
const folder = fileURLToPath(new URL("whole-packages", import.meta.url));

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
});
