import type { JsonReader } from "../json-reader.js";

/** A text cut where a pattern matches. */

/** What becomes of the text that matches. */
export type Behavior = "removed" | "isolated" | "contiguous" | "merged_with_previous" | "merged_with_next";

/** Part of a text, and whether a pattern matches it. */
interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/** The pieces of a text without empty ones; inverted, what does not match is what is cut out. */
export const split = (text: string, pattern: RegExp, behavior: Behavior, isInverted = false): string[] =>
  behaviors[behavior](
    isInverted
      ? stretches(text, pattern).map((each) => ({ ...each, isMatch: !each.isMatch }))
      : stretches(text, pattern),
  ).filter((piece) => piece !== "");

const behaviors: Readonly<Record<Behavior, (parts: readonly Stretch[]) => string[]>> = {
  removed: (parts) => parts.flatMap(({ text, isMatch }) => (isMatch ? [] : [text])),
  isolated: (parts) => parts.map(({ text }) => text),
  contiguous: (parts) => {
    const isSame = (at: number): boolean => parts[at]?.isMatch === parts[at - 1]?.isMatch;
    return joined(parts, (at) => at > 0 && isSame(at));
  },
  merged_with_previous: (parts) =>
    joined(parts, (at) => at > 0 && parts[at]?.isMatch === true && parts[at - 1]?.isMatch === false),
  merged_with_next: (parts) =>
    joined(parts, (at) => at > 0 && parts[at - 1]?.isMatch === true && parts[at]?.isMatch === false),
};

/** Their texts, each with the one before it where they belong together. */
function joined(parts: readonly Stretch[], isWithPrevious: (at: number) => boolean): string[] {
  const pieces: string[] = [];
  for (const [at, { text }] of parts.entries()) {
    const previous = isWithPrevious(at) ? pieces.pop() : undefined;
    pieces.push((previous ?? "") + text);
  }
  return pieces;
}

/** The matches of a pattern and what is between them. */
function stretches(text: string, pattern: RegExp): Stretch[] {
  const parts: Stretch[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMatch: false });
    parts.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** How a file writes the behaviors. */
export function behaviorOf(part: JsonReader): Behavior {
  const name = part.textOr("Isolated");
  const found = Object.entries(writtenBehaviors).find(([written]) => written === name);
  return found?.[1] ?? part.fail("behavior of a pattern");
}

const writtenBehaviors: Readonly<Record<string, Behavior>> = {
  Removed: "removed",
  Isolated: "isolated",
  Contiguous: "contiguous",
  MergedWithPrevious: "merged_with_previous",
  MergedWithNext: "merged_with_next",
};
