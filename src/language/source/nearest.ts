import { distance } from "fastest-levenshtein";

/**
 * The known name that a mistyped one was probably meant to be, or nothing: case and underscores do not
 * count, and a name that would have to change by half or more is no guess worth making.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const folded = fold(name);
  let best: string | undefined;
  let fewest = Math.floor(folded.length / 2) + 1;
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(fold(candidate).length - folded.length) >= fewest) continue;
    const edits = distance(folded, fold(candidate));
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

const fold = (name: string): string => name.toLowerCase().replaceAll("_", "");
