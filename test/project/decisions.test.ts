import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const decisions = readFileSync(join(root, "grammar/DECISIONS.md"), "utf8");
const numbers = [...decisions.matchAll(/^\| \*\*(D\d+)\*\* \|/gm)].map(([, number]) => number);

test("each decision stands once in grammar/DECISIONS.md", () => {
  const all = Array.from({ length: 27 }, (_, at) => `D${at + 1}`);
  expect([...numbers].sort()).toEqual([...all].sort());
});

test("what refers to a decision refers to one that is there", () => {
  const unknown = ["src", "test", "grammar"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:ts|md)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(root, folder, path), "utf8");
        const references = [...text.matchAll(/(?:\bdecisions? |\()(D\d+)\b/g)].map(([, number]) => number);
        return references
          .filter((each) => !numbers.includes(each))
          .map((each) => `${folder}/${path}: ${each}`);
      }),
  );
  expect(unknown).toEqual([]);
});
