import { distance } from "fastest-levenshtein";

/**
 * The candidate nearest to a mistyped name by edit distance, if one is near: case and underscores do not count, and half
 * of the name or more may not have to change.
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
