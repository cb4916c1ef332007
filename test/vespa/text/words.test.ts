import { describe, expect, test } from "vitest";
import { wordsOf } from "../../../src/vespa/text/words.js";
import { featureValue } from "../ranking/feature-value.js";

/** Words of texts, as the simple linguistics of Vespa 8.600 make them, with accents removed and without stemming. */
// biome-ignore format: a table
const cases: readonly (readonly [text: string, words: readonly string[]])[] = [
  ["Café, naïve Ångström",       ["cafe", "naive", "angstrom"]],
  ["cafe\u0301 A\u030a",         ["cafe", "a"]],
  ["Straße STRASSE ł ø æ",       ["straße", "strasse", "ł", "ø", "æ"]],
  ["İstanbul ı Ǆ ﬁn Ⅷ ²½",       ["istanbul", "ı", "dz", "fin", "viii", "21⁄2"]],
  ["ΟΔΥΣΣΕΥΣ μύθος",             ["οδυσσευς", "μυθος"]],
  ["don't a_b foo-bar 3.14 x2y", ["don", "t", "a", "b", "foo", "bar", "3", "14", "x2y"]],
  ["😀😀 👍🏽 ©2024 ™ 1⃣",         ["😀", "😀", "👍", "©", "2024", "tm", "1"]],
  ["日本語 カタカナ हिन्दी",       ["日本語", "カタカナ", "हिन्दी"]],
  ["한국어 が",                   ["한국어".normalize("NFD"), "か\u3099"]],
  ["a\u00adb a\u200bb +- €",     ["a", "b", "a", "b"]],
  ["\u0301 x",                   ["x"]],
];

test.each(cases)("%s", (text, words) => {
  expect(wordsOf(text)).toEqual(words);
});

describe("accents", () => {
  const asked = { where: 'f contains "Café"', document: { f: "the cafe" }, documents: 100 };

  test("are no part of a word", () => {
    expect(featureValue("fieldMatch(f).matches", asked)).toBe(1);
    expect(featureValue("fieldMatch(f).matches", { ...asked, document: { f: "le CAFÉ" } })).toBe(1);
  });

  test("are where a field is normalized without them", () => {
    const of = (text: string) =>
      featureValue("fieldMatch(accents).matches", {
        ...asked,
        where: 'accents contains "Café"',
        document: { accents: text },
      });
    expect([of("the cafe"), of("le CAFÉ")]).toEqual([0, 1]);
  });
});
