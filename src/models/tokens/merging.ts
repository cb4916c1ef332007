import { append } from "../../language/source/lists.js";
import type { JsonReader } from "../json-reader.js";
import { tokensOfBytes } from "./characters.js";
import { LeastFirst } from "./least-first.js";
import { type TokenModel, tokensByText } from "./token-model.js";

/** Tokens of two tokens beside each other: those pairs become one first that come first in a list. */

/** The place of a pair in the list, and the token that it becomes. */
interface Merge {
  readonly rank: number;
  readonly token: number;
}

export function merging(part: JsonReader): TokenModel {
  const vocabulary = tokensByText(part.at("vocab"));
  const prefix = part.at("continuing_subword_prefix").textOr("");
  const suffix = part.at("end_of_word_suffix").textOr("");
  const size = [...vocabulary.values()].reduce((most, each) => Math.max(most, each), 0) + 1;
  const merges = mergesOf(part.at("merges"), vocabulary, size, prefix.length);
  const first = firstTokens(part, vocabulary, prefix, suffix);
  const isWhole = part.at("ignore_merges").flagOr(false);
  return {
    vocabulary,
    tokens(piece) {
      const whole = isWhole ? vocabulary.get(piece) : undefined;
      return whole !== undefined
        ? [whole]
        : merged(first(Array.from(piece)), (left, right) => merges.get(left * size + right));
    },
  };
}

/** The merges by pairs of tokens, one number each. */
function mergesOf(
  part: JsonReader,
  vocabulary: ReadonlyMap<string, number>,
  size: number,
  prefix: number,
): ReadonlyMap<number, Merge> {
  const merges = new Map<number, Merge>();
  for (const [rank, each] of part.list.entries()) {
    const [left = "", right = ""] = each.isList ? each.list.map(({ text }) => text) : each.text.split(" ");
    const ids = [left, right, left + right.slice(prefix)].map((text) => vocabulary.get(text));
    const [a, b, token] = ids;
    if (a === undefined || b === undefined || token === undefined) return each.fail("pair of tokens");
    merges.set(a * size + b, { rank, token });
  }
  return merges;
}

/** The tokens of the characters of a piece, of their bytes where they have none, or the unknown one. */
function firstTokens(
  part: JsonReader,
  vocabulary: ReadonlyMap<string, number>,
  prefix: string,
  suffix: string,
): (characters: readonly string[]) => number[] {
  const name = part.at("unk_token");
  const unknown = name.isAbsent ? undefined : vocabulary.get(name.text);
  const [hasBytes, isFused] = [part.at("byte_fallback").flagOr(false), part.at("fuse_unk").flagOr(false)];
  const bytesOf = (text: string): number[] | undefined => {
    const bytes = tokensOfBytes(text).map((each) => vocabulary.get(each));
    return bytes.every((each) => each !== undefined) ? bytes : undefined;
  };
  return (characters) => {
    const tokens: number[] = [];
    let isUnknown = false;
    for (const [at, character] of characters.entries()) {
      const text = (at > 0 ? prefix : "") + character + (at === characters.length - 1 ? suffix : "");
      const token = vocabulary.get(text);
      const found = token === undefined ? (hasBytes ? bytesOf(text) : undefined) : [token];
      if (found !== undefined) append(tokens, found);
      else if (unknown !== undefined && !(isUnknown && isFused)) tokens.push(unknown);
      isUnknown = found === undefined;
    }
    return tokens;
  };
}

/** Merges pairs until none is left, the first in the list first, of equal ones that at the left. */
function merged(
  tokens: readonly number[],
  mergeOf: (left: number, right: number) => Merge | undefined,
): number[] {
  const list: (number | undefined)[] = [...tokens];
  const none = -1;
  const next = list.map((_, at) => (at + 1 < list.length ? at + 1 : none));
  const previous = list.map((_, at) => at - 1);
  const pairs = new LeastFirst();
  const mergeAt = (at: number): Merge | undefined => {
    const [left, right] = [list[at], list[next[at] ?? none]];
    return left === undefined || right === undefined ? undefined : mergeOf(left, right);
  };
  const add = (at: number): void => {
    const merge = mergeAt(at);
    if (merge !== undefined) pairs.add(merge.rank * mostPositions + at);
  };
  for (const at of list.keys()) add(at);
  for (let pair = pairs.take(); pair !== undefined; pair = pairs.take()) {
    const at = pair % mostPositions;
    const merge = mergeAt(at);
    // One of the two may have become part of another pair.
    if (merge === undefined || merge.rank !== Math.floor(pair / mostPositions)) continue;
    const right = next[at] ?? none;
    const behind = next[right] ?? none;
    list[at] = merge.token;
    list[right] = undefined;
    next[at] = behind;
    if (behind !== none) previous[behind] = at;
    add(at);
    add(previous[at] ?? none);
  }
  return list.filter((each) => each !== undefined);
}

/** More than a piece has characters; a place in the list times this is a whole number still. */
const mostPositions = 2 ** 31;
