import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check } from "../src/compile.js";
import { showProblem } from "../src/source/show.js";

/**
 * What a person sees: the programs of test/cases/messages, each followed by all of its problems as text. People write and
 * judge these files; nothing rewrites them.
 */
const folder = new URL("cases/messages/", import.meta.url);
const pattern = /^## (.+)\n+```sphex\n([\s\S]*?)\n```\n+```problems\n([\s\S]*?)\n```/gm;

for (const file of readdirSync(folder).sort()) {
  const text = readFileSync(new URL(file, folder), "utf8");
  const cases = [...text.matchAll(pattern)];

  describe(file, () => {
    for (const [, title = "", program = "", problems = ""] of cases) {
      test(title, () => {
        const shown = check(program).map((each) => showProblem(each, { width: 80 }).trimEnd());
        expect(shown.join("\n\n")).toBe(problems);
      });
    }

    test("every heading has its program and its problems", () => {
      expect(cases).toHaveLength(text.match(/^## /gm)?.length ?? 0);
      expect(cases.length).toBeGreaterThan(9);
    });
  });
}
