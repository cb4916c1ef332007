import type { JsonReader } from "../json-reader.js";
import { merging } from "./merging.js";
import { readerOf } from "./part.js";
import type { TokenModel } from "./token-model.js";
import { unigram } from "./unigram.js";
import { wordLevel, wordPiece } from "./word-piece.js";

const modelOf = readerOf<TokenModel>("model", {
  BPE: merging,
  Unigram: unigram,
  WordLevel: wordLevel,
  WordPiece: wordPiece,
});

/** @throws where there is no model of its kind; older files do not say which it is. */
export const tokenModelOf = (part: JsonReader): TokenModel =>
  modelOf(part.at("type").isAbsent ? part.with("type", unwrittenKind(part)) : part);

function unwrittenKind(part: JsonReader): string {
  if (part.at("vocab").isList) return "Unigram";
  if (!part.at("merges").isAbsent) return "BPE";
  return part.at("continuing_subword_prefix").isAbsent ? "WordLevel" : "WordPiece";
}
