import { expect, test } from "vitest";
import { readTokenizer } from "../../src/models.js";

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

/** The tokens of a text by words, cut where pieces end. */
const words = (list: readonly string[], parts: object, text: string): readonly string[] => {
  const model = {
    type: "WordLevel",
    unk_token: "?",
    vocab: Object.fromEntries(["?", ...list].map((w, at) => [w, at])),
  };
  return tokens({ model, ...parts }, text).ids.map((id) => ["?", ...list][id] ?? "");
};

test.each([
  { parts: { pre_tokenizer: { type: "Whitespace" } }, text: "мир, дом!", list: ["мир", ",", "дом", "!"] },
  {
    parts: { pre_tokenizer: { type: "BertPreTokenizer" }, normalizer: { type: "BertNormalizer" } },
    text: "ΜΥΘΟΣ 漢字",
    list: ["μυθοσ", "漢", "字"],
  },
  {
    parts: { pre_tokenizer: { type: "Digits", individual_digits: true } },
    text: "a½٣b",
    list: ["a", "½", "٣", "b"],
  },
  {
    parts: { pre_tokenizer: { type: "Metaspace", prepend_scheme: "always" } },
    text: "a bc",
    list: ["▁a", "▁bc"],
  },
  {
    parts: { pre_tokenizer: { type: "Metaspace", add_prefix_space: false } },
    text: "a bc",
    list: ["a", "▁bc"],
  },
  {
    parts: {
      pre_tokenizer: { type: "Split", pattern: { String: "-" }, behavior: "MergedWithNext", invert: false },
    },
    text: "a--b",
    list: ["a", "-", "-b"],
  },
  {
    parts: { pre_tokenizer: { type: "Punctuation", behavior: "MergedWithPrevious" } },
    text: "a,b",
    list: ["a,", "b"],
  },
])("pieces of $text by $parts.pre_tokenizer.type", ({ parts, text, list }) => {
  expect(words(list, parts, text)).toEqual(list);
});

test("an added token that is a word is none within one, and takes the blanks beside it if it says so", () => {
  const added = { id: 3, content: "ab", single_word: true, lstrip: true, rstrip: false, normalized: false };
  const parts = { pre_tokenizer: { type: "WhitespaceSplit" }, added_tokens: [added] };
  const list = ["cab", "d", "ab"];
  expect(words(list, parts, "cab  ab d")).toEqual(["cab", "ab", "d"]);
});

test("a token that takes the place of a template's name may be several, each of its text", () => {
  const part = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const single = [part("begin", 1), { Sequence: { id: "A", type_id: 0 } }, part("end", 1)];
  const special_tokens = { begin: { ids: [7, 8] }, end: { ids: [9] } };
  const json = { ...wordPiece, post_processor: { type: "TemplateProcessing", single, special_tokens } };
  expect(tokens(json, "un a", 7)).toEqual({
    ids: [7, 8, 2, 4, 9, 0, 0],
    mask: [1, 1, 1, 1, 1, 0, 0],
    types: [1, 1, 0, 0, 1, 0, 0],
  });
});

test.each([
  {
    parts: { pre_tokenizer: { type: "UnicodeScripts" } },
    words: "its pre-tokenizer is a UnicodeScripts, which is not read",
  },
  { parts: { normalizer: { type: "toString" } }, words: "its normalizer is a toString, which is not read" },
  {
    parts: { normalizer: { type: "Precompiled", precompiled_charsmap: "AAAA" } },
    words: "normalizer.precompiled_charsmap must be a map of characters",
  },
  {
    parts: { normalizer: { type: "Precompiled", precompiled_charsmap: "%" } },
    words: "normalizer.precompiled_charsmap must be a map of characters",
  },
  {
    parts: { pre_tokenizer: { type: "Split", pattern: { Regex: "\\X" }, behavior: "Isolated" } },
    words: "its pattern \\X has something that is not read",
  },
  {
    parts: { pre_tokenizer: { type: "Punctuation", behavior: "Twice" } },
    words: "pre_tokenizer.behavior must be a behavior of a pattern",
  },
  {
    parts: { post_processor: { type: "TemplateProcessing", single: [] } },
    words: "post_processor.single must be a list with one text",
  },
  {
    parts: { added_tokens: [{ id: -1, content: "a" }] },
    words: "added_tokens.0.id must be a number of what there is",
  },
])("what is not read of a file is refused: $words", ({ parts, words: expected }) => {
  expect(() => tokens({ ...wordPiece, ...parts }, "a")).toThrow(expected);
});
