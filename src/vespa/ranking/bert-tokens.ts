import type { Model } from "../../language/check/models.js";
import { indexed, TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Embedder } from "../package/model.js";
import { linguisticTokens } from "../text/words.js";

/**
 * The tokens of texts by `bert-embedder`, which is older than the tokenizers of Hugging Face and does not do what a BERT was trained
 * with: a token is the longest that a word begins with, or goes on with; where there is none, the rest of the word is left out, and
 * no unknown token stands for it. Ideographs in a row are one word.
 */
export function bertEncoder(
  vocabulary: ReadonlyMap<string, number>,
  { markers }: Pick<Embedder, "markers">,
): NonNullable<Model["encode"]> {
  const longest = Array.from(vocabulary.keys()).reduce((most, { length }) => Math.max(most, length), 0);
  const tokensOf = (text: string): number[] =>
    linguisticTokens(text).flatMap((word) => piecesOf(word, vocabulary, longest));
  return (text, length, isPlain) => {
    const own = tokensOf(text);
    const room = length === undefined ? own.length : Math.max(0, length - (isPlain === true ? 0 : 2));
    const some = own.slice(0, room);
    const ids = isPlain === true ? some : [markers.start, ...some, markers.end];
    return [ids, ids.map(() => 1), ids.map(() => 0)].map(row);
  };
}

const prefix = "##";

function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>, longest: number): number[] {
  const tokens: number[] = [];
  let rest = word;
  // A vocabulary with # itself, and without what the word goes on with, would make the rest no shorter.
  while (rest !== "" && rest !== prefix && tokens.length < word.length + 2) {
    const [length, token] = longestBeginning(rest, vocabulary, longest);
    if (token === undefined) break;
    tokens.push(token);
    rest = prefix + rest.slice(length);
  }
  return tokens;
}

/** The longest token that a text begins with: its length and number. */
function longestBeginning(
  text: string,
  vocabulary: ReadonlyMap<string, number>,
  longest: number,
): readonly [length: number, token: number | undefined] {
  for (let length = Math.min(text.length, longest); length > 0; length--) {
    const token = vocabulary.get(text.slice(0, length));
    if (token !== undefined) return [length, token];
  }
  return [0, undefined];
}

const row = (numbers: readonly number[]): Tensor =>
  Tensor.from(
    TensorType.of("long", [indexed("d0", 1), indexed("d1", numbers.length)]),
    BigInt64Array.from(numbers, BigInt),
  );
