import type { JsonReader } from "../json-reader.js";
import { Dictionary } from "./dictionary.js";
import { type TokenModel, tokensByText } from "./token-model.js";

/** Words that are one token each, or the longest tokens that a word begins with and goes on with. */

export function wordLevel(part: JsonReader): TokenModel {
  const vocabulary = tokensByText(part.at("vocab"));
  const unknown = vocabulary.get(part.at("unk_token").textOr("<unk>"));
  const listOf = (token: number | undefined): number[] => (token === undefined ? [] : [token]);
  return { vocabulary, tokens: (piece) => listOf(vocabulary.get(piece) ?? unknown) };
}

export function wordPiece(part: JsonReader): TokenModel {
  const vocabulary = tokensByText(part.at("vocab"));
  const unknown = vocabulary.get(part.at("unk_token").textOr("[UNK]"));
  const prefix = part.at("continuing_subword_prefix").textOr("##");
  const longest = part.at("max_input_chars_per_word").numberOr(100);
  const begins = new Dictionary(vocabulary);
  const goesOn = new Dictionary(
    Array.from(vocabulary).flatMap(([text, id]): [string, number][] =>
      text.startsWith(prefix) ? [[text.slice(prefix.length), id]] : [],
    ),
  );
  return {
    vocabulary,
    tokens(piece) {
      const tokens: number[] = [];
      const isTooLong = piece.length > longest && Array.from(piece).length > longest;
      for (let at = 0; at < piece.length; ) {
        const found = isTooLong ? undefined : (at === 0 ? begins : goesOn).longestAt(piece, at);
        if (found === undefined) return unknown === undefined ? [] : [unknown];
        const [length, token] = found;
        tokens.push(token);
        at += length;
      }
      return tokens;
    },
  };
}
