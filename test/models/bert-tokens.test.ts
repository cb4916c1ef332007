import { expect, test } from "vitest";
import { Dictionary } from "../../src/models/tokens/dictionary.js";
import { bertEncoder } from "../../src/vespa/ranking/embedders/bert-tokens.js";

/** Tokens of `bert-embedder`: those of texts are what the WordPieceEmbedder of Vespa 8.600 makes with this vocabulary. */
const words = ["[PAD]", "[UNK]", "warm", "shoes", "query", "w", "##a", "#", "日", "##本", "!", "fine", "##r"];
const dictionary = new Dictionary(words.map((word, id) => [word, id]));
const markers = { start: 101, end: 102, mask: 103, query: 1 };
const encode = bertEncoder((text) => dictionary.longestAt(text, 0), { markers });
const numbers = (text: string, length?: number, isPlain?: boolean): number[][] =>
  encode(text, length, isPlain).map(({ data }) => Array.from(data, Number));

// biome-ignore format: a table
test.each<[text: string, tokens: readonly number[]]>([
  ["Warm SHOES!", [2, 3, 10]],
  ["waxy war",    [5, 6, 7, 7, 7, 7, 5, 6, 12]],
  ["日本 語",      [8, 9]],
  ["ﬁne wár",     [11, 5, 6, 12]],
  ["[UNK] #",     [7]],
  ["xyz",         []],
  ["w#a",         [5, 7]],
  ["warmx",       [2, 7, 7, 7, 7, 7, 7]],
])("%s", (text, tokens) => {
  expect(numbers(text, undefined, true)[0]).toEqual(tokens);
});

test("stand between the numbers that the embedder says, which stay when a text is cut", () => {
  expect(numbers("warm shoes")).toEqual([
    [101, 2, 3, 102],
    [1, 1, 1, 1],
    [0, 0, 0, 0],
  ]);
  expect(numbers("warm shoes query", 4)[0]).toEqual([101, 2, 3, 102]);
});
