import type { JsonReader } from "../json-reader.js";
import { tokensOfBytes } from "./characters.js";
import { Dictionary } from "./dictionary.js";
import type { TokenModel } from "./token-model.js";

/** The likeliest of all ways to write a piece in tokens, each of which has the logarithm of a probability. */

interface ScoredToken {
  readonly id: number;
  readonly score: number;
}

/** The last token of the best way that ends at some place. */
interface BestEnd {
  readonly start: number;
  readonly score: number;
  readonly isUnknown: boolean;
}

export function unigram(part: JsonReader): TokenModel {
  const entries = part.at("vocab").list.map((each, id): readonly [string, ScoredToken] => {
    const [text, score] = each.list;
    if (text === undefined || score === undefined) return each.fail("pair of tokens");
    return [text.text, { id, score: score.number }];
  });
  const dictionary = new Dictionary(entries);
  const unknown = part.at("unk_id").isAbsent ? undefined : part.at("unk_id").count(entries.length - 1);
  const unknownScore = entries.reduce((least, [, { score }]) => Math.min(least, score), 0) - penalty;
  const hasBytes = part.at("byte_fallback").flagOr(false);

  const tokensOf = (text: string): number[] => {
    const own = dictionary.get(text)?.id;
    if (own !== undefined) return [own];
    const bytes = hasBytes ? tokensOfBytes(text).map((each) => dictionary.get(each)?.id) : [undefined];
    if (bytes.every((each) => each !== undefined)) return bytes;
    return unknown === undefined ? [] : [unknown];
  };

  return {
    vocabulary: entries.map(([text, { id }]) => [text, id]),
    tokens: (piece) => bestTexts(piece, dictionary, unknown, unknownScore).flatMap(tokensOf),
  };
}

/** So much less likely is what no token has than the least likely token. */
const penalty = 10;

/** The texts of the tokens; those of unknown characters beside each other are one. */
function bestTexts(
  piece: string,
  dictionary: Dictionary<ScoredToken>,
  unknown: number | undefined,
  unknownScore: number,
): string[] {
  const ends: (BestEnd | undefined)[] = new Array(piece.length + 1);
  const take = (end: number, other: BestEnd): void => {
    const best = ends[end];
    if (best === undefined || other.score > best.score) ends[end] = other;
  };
  let start = 0;
  for (const { length: width } of piece) {
    const before = start === 0 ? 0 : (ends[start]?.score ?? 0);
    let hasCharacter = false;
    for (const [length, { id, score }] of dictionary.at(piece, start)) {
      take(start + length, { start, score: before + score, isUnknown: id === unknown });
      hasCharacter ||= length === width;
    }
    if (!hasCharacter) take(start + width, { start, score: before + unknownScore, isUnknown: true });
    start += width;
  }
  const texts: string[] = [];
  let isJoined = false;
  for (let end = piece.length; end > 0; ) {
    const best = ends[end];
    if (best === undefined) break;
    const text = piece.slice(best.start, end);
    const behind = best.isUnknown && isJoined ? texts.pop() : undefined;
    texts.push(text + (behind ?? ""));
    isJoined = best.isUnknown;
    end = best.start;
  }
  return texts.reverse();
}
