import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readTokenizer } from "../../src/models.js";

/**
 * Tokens of the texts of tokens/recorded.jsonl, as the package `tokenizers` of Hugging Face makes them. More of them are tried by
 * `python test/models/tokens/record.py SEED COUNT > FILE` and the name of that file as TOKENS.
 */

/** What one tokenizer makes of some texts; the maps of characters in its normalizers are those of the first line. */
interface Recorded {
  readonly model: string;
  readonly change: object;
  readonly added_tokens: readonly object[];
  readonly normalizer: object | null;
  readonly pre_tokenizer: object | null;
  readonly post_processor: object | null;
  readonly texts: readonly {
    readonly text: string;
    readonly ids: readonly number[];
    readonly types: readonly number[];
    readonly plain: readonly number[];
  }[];
}

const path = process.env.TOKENS ?? new URL("tokens/recorded.jsonl", import.meta.url);
const [first = "", ...lines] = readFileSync(path, "utf8").trim().split("\n");
const { charsmap, models }: { charsmap: string; models: Record<string, object> } = JSON.parse(first);
const recorded: Recorded[] = lines.map((line) =>
  JSON.parse(line.replaceAll('"precompiled_charsmap":""', `"precompiled_charsmap":"${charsmap}"`)),
);

/** What differs from the record; of no tokens one to fill up is made. */
function differences({ model, change, texts, ...parts }: Recorded): object[] {
  const json = { ...parts, model: { ...models[model], ...change } };
  const tokenizer = readTokenizer({ name: "tokenizer.json", text: JSON.stringify(json) });
  const filled = (list: readonly number[]): readonly number[] => (list.length === 0 ? [0] : list);
  return texts.flatMap(({ text, ids, types, plain }) => {
    const expected = [ids, types, plain].map(filled);
    const made = tokenizer.encode(text);
    const found = [made.ids, made.types, tokenizer.encode(text, undefined, true).ids];
    return JSON.stringify(found) === JSON.stringify(expected) ? [] : [{ text, found, expected }];
  });
}

test.each(
  recorded.map((each, at) => [at + 2, each] as const),
)("line %i has the tokens of the package of Hugging Face", (_, each) =>
  expect(differences(each)).toEqual([]));
