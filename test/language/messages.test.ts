import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { showProblem } from "../../src/language/source/show.js";
import { check } from "../../src/program/compile.js";

/**
 * What a person sees: the programs of test/cases/messages, each followed by all of its problems as text. People write and
 * judge these files; nothing rewrites them. In a program `␍` stands for a carriage return; a heading that ends in
 * `(vespa)` is about that dialect.
 */
const folder = new URL("../cases/messages/", import.meta.url);
const pattern = /^## (.+)\n+```sphex\n([\s\S]*?)\n```\n+```problems\n([\s\S]*?)\n```/gm;

for (const file of readdirSync(folder).sort()) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const cases = [...text.matchAll(pattern)];

  describe(file, () => {
    for (const [, title = "", program = "", problems = ""] of cases) {
      test(title, () => {
        const dialect = title.endsWith("(vespa)") ? "vespa" : "formalism";
        const found = check(program.replaceAll("␍", "\r"), { dialect });
        const shown = found.map((each) => showProblem(each, { width: 80 }).trimEnd());
        expect(shown.join("\n\n")).toBe(problems);
      });
    }

    test("one mistake is one problem, with one hint at most", () => {
      for (const [, title = "", , problems = ""] of cases) {
        const several = title.startsWith("Two mistakes") ? 3 : title.startsWith("Unfinished") ? 2 : 1;
        expect(problems.match(/^(?:error|warning): /gm), title).toHaveLength(several);
        expect(problems.match(/^hint: /gm)?.length ?? 0, title).toBeLessThanOrEqual(several);
      }
    });

    test("every heading has its program and its problems", () => {
      expect(cases).toHaveLength(text.match(/^## /gm)?.length ?? 0);
      expect(cases.length).toBeGreaterThan(9);
    });
  });
}
