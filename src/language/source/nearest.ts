import { distance } from "fastest-levenshtein";
import { requireArgument, requireText } from "./arguments.js";

/** Longer names, and more candidates than this, are compared with nothing: a hint is not worth the time. */
const longestName = 100;
const mostCandidates = 5000;

/**
 * The candidate nearest to a mistyped name by edit distance, if one is near: case and underscores do not count, two letters that
 * changed places are one edit, and half of the longer name or more may not have to change, but for one letter of two.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  requireText("nearest", name);
  requireArgument("nearest", "names", candidates, Symbol.iterator in Object(candidates));
  if (name.length > longestName) return undefined;
  const folded = fold(name);
  let best: string | undefined;
  let fewest = Math.floor(folded.length / 2) + 1;
  let left = mostCandidates;
  for (const candidate of candidates) {
    if (left-- === 0) break;
    requireArgument("nearest", "names", candidate, typeof candidate === "string");
    if (candidate === name || candidate.length > 2 * longestName) continue;
    const other = fold(candidate);
    if (Math.abs(other.length - folded.length) >= fewest) continue;
    const edits = isSwapped(folded, other) ? 1 : distance(folded, other);
    const isNear = edits === 1 || 2 * edits < Math.max(folded.length, other.length);
    if (isNear && edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** Whether two neighbours have changed places, and nothing else. */
function isSwapped(name: string, other: string): boolean {
  if (name.length !== other.length) return false;
  let at = 0;
  while (at < name.length && name[at] === other[at]) at++;
  const isTurned = name[at] === other[at + 1] && name[at + 1] === other[at];
  return at + 1 < name.length && isTurned && name.slice(at + 2) === other.slice(at + 2);
}

/**
 * The nearest candidates of the names in one text, of which not all are looked for: a text may be wrong all over, and each
 * takes time.
 */
export class Suggestions {
  private left = 100;

  nearest(name: string, candidates: () => Iterable<string>): string | undefined {
    return this.left-- > 0 ? nearest(name, candidates()) : undefined;
  }
}

const fold = (name: string): string => name.toLowerCase().replaceAll("_", "");
