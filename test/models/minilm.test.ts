import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, type Options } from "../../src/index.js";
import { models, readTokenizer } from "../../src/models.js";
import { patient } from "../patience.js";

/**
 * A real sentence transformer with its tokenizer, from texts to embeddings, compared with ONNX Runtime. It is too large to lie
 * here: `models/minilm.py` makes it of a package, and MINILM names its folder.
 */
const folder = process.env.MINILM ?? "";
const isThere = folder !== "" && existsSync(join(folder, "sentences.json"));

interface Sentence {
  readonly text: string;
  readonly ids: readonly number[];
  readonly embedding: readonly number[];
}

describe.skipIf(!isThere)("the sentence transformer", () => {
  const sentences: readonly Sentence[] = isThere
    ? JSON.parse(readFileSync(join(folder, "sentences.json"), "utf8"))
    : [];
  const options: Options = { models, readBytes: (path) => readFileSync(join(folder, path)) };

  test("has the tokens that its own tokenizer makes", () => {
    const text = readFileSync(join(folder, "tokenizer.json"), "utf8");
    const tokenizer = readTokenizer({ name: "tokenizer.json", text });
    expect(sentences.map((each) => tokenizer.encode(each.text).ids)).toEqual(sentences.map(({ ids }) => ids));
  });

  test("embeds 20 sentences as ONNX Runtime does, filled up to one length", patient, () => {
    const most = Math.max(...sentences.map(({ ids }) => ids.length));
    const program = compile(
      `input ids: tensor<long>(d0[],d1[])
      model transformer = file("model.onnx")
      transformer(ids, ids > 0, ids * 0).sentence_embedding`,
      options,
    );
    const differences = sentences.flatMap(({ text, ids, embedding }) => {
      const filled = Array.from({ length: most }, (_, at) => ids[at] ?? 0);
      const found = program.run({ ids: [filled] }).data;
      const largest = Math.max(...embedding.map((each, at) => Math.abs(each - Number(found[at]))));
      return found.length === embedding.length && largest <= 1e-4 ? [] : [{ text, largest }];
    });
    expect(differences).toEqual([]);
    expect(sentences.length).toBe(20);
  });

  test("also from a text of the program", patient, () => {
    const [first] = sentences;
    const program = compile(
      `model tokens = file("tokenizer.json")
      model transformer = file("model.onnx")
      embed(text) = transformer(tokens(text).input_ids, tokens(text).attention_mask, tokens(text).token_type_ids).sentence_embedding
      embed("${first?.text}")`,
      options,
    );
    const found = program.run();
    expect(`${found.type}`).toBe("tensor<float>(d0[1],d1[384])");
    for (const [at, each] of (first?.embedding ?? []).entries())
      expect(Number(found.at(at))).toBeCloseTo(each, 4);
  });
});
