import type { JsonReader } from "../json-reader.js";

/** What makes tokens of a piece of a text, by a vocabulary. */
export interface TokenModel {
  /** Their numbers. */
  tokens(piece: string): number[];
  /** Each text with its number. */
  readonly vocabulary: Iterable<readonly [string, number]>;
}

/** The numbers of the tokens of a vocabulary. */
export const tokensByText = (part: JsonReader): ReadonlyMap<string, number> =>
  new Map(part.names.map((text) => [text, part.at(text).count(Number.MAX_SAFE_INTEGER)]));
