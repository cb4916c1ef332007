import { expect, test } from "vitest";
import { checkPackage } from "../../../src/vespa.js";
import { packageOf } from "../../packages.js";

/** What is said of indexing scripts; Vespa 8.600 takes those that are said to be right, and refuses the others. */
/** What is told of a script of a field of the document, but that its steps make another value of that. */
const codes = (script: string): string[] => {
  const read = packageOf({
    "schemas/doc.sd": `schema doc {
      document doc {
        field body type string { indexing: summary }
        field title type string {
          ${script}
        }
      }
    }`,
  });
  const all = [...read.problems, ...checkPackage(read).problems].map(({ code }) => code);
  return all.filter((code) => code !== "indexing/modified");
};

test.each([
  "indexing: summary | index",
  "indexing: summary |\n index",
  "indexing {\n summary |\n index\n }",
  "indexing { index; summary; }",
  "indexing { # all of it\n index; summary\n }",
  "indexing: { index; summary }",
  "indexing: (index | summary)",
  'indexing: input title . " " . input body | index',
  'indexing: if (input title == "a") { index } else { summary }',
  'indexing: if (input title == "a") {\n index } else {\n summary\n }',
  'indexing: switch { case "a": index; default: summary; }',
  'indexing: tokenize max-occurrences:5 max-length:5 stem:"BEST" normalize | index',
  "indexing: to_wset remove_if_zero create_if_non_existent",
  'indexing: chunk fixed-length 1024 x "y"',
  "indexing: embed colbert body",
  "indexing: guard { index }",
  "indexing: binarize -1",
  "indexing: random 5 + 1",
  "indexing: index title",
  'indexing: "a\\"b" | echo',
  "indexing: 0x1F | echo",
  "indexing: index # all of it",
])("%j is read", (script) => expect(codes(script)).toEqual([]));

test.each([
  ["indexing: index | | summary", "indexing/unexpected"],
  ["indexing: index |", "indexing/unexpected"],
  ["indexing: | index", "indexing/unexpected"],
  ["indexing:", "indexing/unexpected"],
  ["indexing { }", "indexing/unexpected"],
  ["indexing {\n index\n | summary\n }", "indexing/unexpected"],
  ["indexing {\n index\n summary\n }", "indexing/unexpected"],
  ["indexing: index; summary", "indexing/unexpected"],
  ["indexing: index, summary", "indexing/unexpected"],
  ["indexing: index & summary", "indexing/unexpected"],
  ["indexing: lowercase()", "indexing/unexpected"],
  ["indexing: echo title", "indexing/unexpected"],
  ["indexing: ngram", "indexing/unexpected"],
  ["indexing: substring 1", "indexing/unexpected"],
  ["indexing: join a", "indexing/unexpected"],
  ["indexing: get_field", "indexing/unexpected"],
  ["indexing: guard index", "indexing/unexpected"],
  ["indexing: if (index) { index }", "indexing/unexpected"],
  ['indexing: switch { case "a": index }', "indexing/unexpected"],
  ["indexing: switch { }", "indexing/unexpected"],
  ["indexing: for_each { trim; lowercase }", "indexing/unexpected"],
  ["indexing: tokenize remove_if_zero", "indexing/unexpected"],
  ["indexing: summary index", "indexing/field"],
  ["indexing: attribute attribute", "indexing/field"],
  ["indexing: index title.x", "indexing/field"],
  ["indexing: input | index", "indexing/input"],
  ["indexing: input other | index", "feature/field"],
  ["indexing: INDEX", "schema/keyword"],
  ["indexing: put_symbol | index", "schema/unread"],
  ["indexing: atribute", "schema/keyword"],
])("%j is not: %s", (script, code) => expect(new Set(codes(script))).toContain(code));

test("scripts in scripts, without end, are read or refused", () => {
  for (const text of ["{", "(", "if (", "for_each {", "switch { case 'a': ", "a | ", ". ", '"', "'a' . "])
    expect(codes(`indexing: ${text.repeat(20_000)}`).length).toBeGreaterThan(0);
});
