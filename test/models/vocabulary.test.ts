import { expect, test } from "vitest";
import { models, readTokenizer } from "../../src/models.js";

/** The vocabulary of a BERT as a tokenizer. */

const words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "un", "##aff", "##able", ",", "cafe", "東", "!", "e"];

// By BERT's own rules: small letters without accents, each sign by itself, and the longest part of a word that there is.
// biome-ignore format: a table
test.each([
  { text: "Unaffable, CAFÉ", ids: [2, 4, 5, 6, 7, 8, 3] },
  { text: "東東!!",           ids: [2, 9, 9, 10, 10, 3] },
  { text: "unknown e",       ids: [2, 1, 11, 3] },
  { text: "",                ids: [2, 3] },
])("$text", ({ text, ids }) => {
  for (const end of ["\n", "\r\n"]) {
    const tokenizer = readTokenizer({ name: "vocab.txt", text: words.map((word) => word + end).join("") });
    expect(tokenizer.encode(text).ids).toEqual(ids);
  }
});

test("a program reads it as it reads other tokenizers", () => {
  const bytes = new TextEncoder().encode(words.join("\n"));
  expect(models({ name: "vocab.txt", bytes }).outputs.map(({ name }) => name)).toContain("input_ids");
});
