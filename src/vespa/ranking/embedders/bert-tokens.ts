import type { Model } from "../../../language/check/models/models.js";
import { tokenRow } from "../../../models/tokens/token-row.js";
import type { Embedder } from "../../package/model/model.js";
import { linguisticTokens } from "../../text/words.js";

type Longest = NonNullable<Model["longest"]>;

/**
 * The tokens of texts by `bert-embedder`, which is older than the tokenizers of Hugging Face and does not do what a BERT was trained
 * with: a token is the longest that a word begins with, or goes on with; where there is none, the rest of the word is left out, and
 * no unknown token stands for it. Ideographs in a row are one word.
 */
export function bertEncoder(
  longest: Longest,
  { markers }: Pick<Embedder, "markers">,
): NonNullable<Model["encode"]> {
  return (text, length, isPlain) => {
    const own = linguisticTokens(text).flatMap((word) => piecesOf(word, longest));
    const room = length === undefined ? own.length : Math.max(0, length - (isPlain === true ? 0 : 2));
    const some = own.slice(0, room);
    const ids = isPlain === true ? some : [markers.start, ...some, markers.end];
    return [ids, ids.map(() => 1), ids.map(() => 0)].map(tokenRow);
  };
}

const prefix = "##";

function piecesOf(word: string, longest: Longest): number[] {
  const tokens: number[] = [];
  let rest = word;
  // A vocabulary with # itself, and without what the word goes on with, would make the rest no shorter.
  while (rest !== "" && rest !== prefix && tokens.length < word.length + 2) {
    const found = longest(rest);
    if (found === undefined) break;
    const [length, token] = found;
    tokens.push(token);
    rest = prefix + rest.slice(length);
  }
  return tokens;
}
