import { expect, test } from "vitest";
import { readTokenizer } from "../src/models.js";

/** Texts as tokens, by tokenizers of each kind. */

const vocab = { "[PAD]": 0, "[UNK]": 1, un: 2, "##able": 3, a: 4 };
const wordPiece = {
  model: {
    type: "WordPiece",
    vocab,
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
  },
  pre_tokenizer: { type: "Whitespace" },
};
const bpe = {
  model: { type: "BPE", vocab: { a: 0, b: 1, c: 2, ab: 3, abc: 4 }, merges: ["a b", "ab c"] },
  pre_tokenizer: { type: "WhitespaceSplit" },
};
const unigram = {
  model: {
    type: "Unigram",
    unk_id: 0,
    vocab: [
      ["<unk>", 0],
      ["a", -2],
      ["b", -2],
      ["ab", -1],
    ],
  },
  pre_tokenizer: { type: "WhitespaceSplit" },
};
const tokens = (json: object, text: string, length?: number) =>
  readTokenizer({ name: "tokenizer.json", text: JSON.stringify(json) }).encode(text, length);

test("a tokenizer of each kind has the tokens of its vocabulary", () => {
  expect(tokens(wordPiece, "unable a b").ids).toEqual([2, 3, 4, 1]);
  expect(tokens(bpe, "abc ba").ids).toEqual([4, 1, 0]);
  expect(tokens(unigram, "abb").ids).toEqual([3, 2]);
});

test("a text is cut and filled up", () => {
  expect(tokens(wordPiece, "unable a", 5)).toEqual({
    ids: [2, 3, 4, 0, 0],
    mask: [1, 1, 1, 0, 0],
    types: [0, 0, 0, 0, 0],
  });
  expect(tokens(wordPiece, "unable a", 2).ids).toEqual([2, 3]);
  expect(tokens(wordPiece, "").ids).toEqual([0]);
});

// As version 0.23 of the package `tokenizers` of Hugging Face cuts them.
test.each([
  {
    begin: [],
    end: [],
    cut: [
      [2, 3],
      [2, 3, 4],
      [2, 3, 4, 2],
    ],
  },
  {
    begin: [5],
    end: [],
    cut: [
      [5, 2],
      [5, 2, 3],
      [5, 2, 3, 4],
    ],
  },
  {
    begin: [],
    end: [6],
    cut: [
      [2, 6],
      [2, 3, 6],
      [2, 3, 4, 6],
    ],
  },
  {
    begin: [5],
    end: [6],
    cut: [
      [5, 6],
      [5, 2, 6],
      [5, 2, 3, 6],
    ],
  },
  { begin: [5], end: [6, 6], cut: [undefined, [5, 6, 6], [5, 2, 6, 6]] },
])("a text is cut between the tokens $begin that begin one and $end that end one", ({ begin, end, cut }) => {
  const part = (id: number) => ({ SpecialToken: { id: `[${id}]`, type_id: 0 } });
  const single = [...begin.map(part), { Sequence: { id: "A", type_id: 0 } }, ...end.map(part)];
  const special = (id: number) => ({ id: `[${id}]`, ids: [id], tokens: [`[${id}]`] });
  const json = {
    model: { ...wordPiece.model, vocab: { ...vocab, "[5]": 5, "[6]": 6 } },
    pre_tokenizer: wordPiece.pre_tokenizer,
    post_processor: {
      ...{ type: "TemplateProcessing", single, pair: single },
      special_tokens: { "[5]": special(5), "[6]": special(6) },
    },
  };
  for (const [at, expected] of cut.entries())
    if (expected !== undefined) expect(tokens(json, "unable a unable", at + 2).ids).toEqual(expected);
});
