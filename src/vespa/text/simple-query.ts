import type { NumberRange, TermPattern } from "./query-term.js";
import { type ReadTerm, type TermContext, termOf, wordsTerm } from "./term-reading.js";
import type { Annotations } from "./yql.js";

/**
 * A query as people type it: words, `field:word`, `"a phrase"`, `word!200`, `wor*`, `price:<5`, `price:[1;5]`, and `-word` for
 * what is not to be found.
 */
export function simpleTerms(text: string, index: string | undefined, context: TermContext): ReadTerm[] {
  const field = index ?? context.text("model.defaultIndex") ?? context.text("defaultIndex") ?? "default";
  const parts = text.matchAll(/([+-]?)(?:([\w.]+):)?(?:"([^"]*)"|([^\s"!()]+))(?:!(\d+))?/g);
  return Array.from(parts).flatMap(([, sign, own, phrase, word = "", weight]) => {
    if (sign === "-") return [];
    const annotations: Annotations = new Map(weight === undefined ? [] : [["weight", weight]]);
    const pattern = phrase === undefined ? patternOf(word) : undefined;
    return pattern === undefined
      ? wordsTerm(phrase ?? word, own ?? field, annotations, context)
      : termOf(pattern, own ?? field, annotations, context);
  });
}

/** What is more than a word: a part of one, or numbers. */
function patternOf(text: string): TermPattern | undefined {
  const stars = [text.startsWith("*"), text.endsWith("*")];
  const inner = text.replace(/^\*|\*$/g, "");
  if (inner !== "" && stars[0] && stars[1]) return { kind: "substring", text: inner };
  if (inner !== "" && (stars[0] || stars[1])) return { kind: stars[0] ? "suffix" : "prefix", text: inner };
  const range = rangeOf(text);
  return range === undefined ? undefined : { kind: "range", ...range };
}

const unbounded = {
  ...{ least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY },
  ...{ excludesLeast: false, excludesMost: false },
};

function rangeOf(text: string): NumberRange | undefined {
  const [, sign, bound] = /^([<>])(-?[\d.]+)$/.exec(text) ?? [];
  if (sign === "<") return { ...unbounded, most: Number(bound), excludesMost: true };
  if (sign === ">") return { ...unbounded, least: Number(bound), excludesLeast: true };
  const [, least, most] = /^\[(-?[\d.]*);(-?[\d.]*)\]$/.exec(text) ?? [];
  if (least === undefined || most === undefined) return undefined;
  return {
    ...unbounded,
    ...(least === "" ? {} : { least: Number(least) }),
    ...(most === "" ? {} : { most: Number(most) }),
  };
}
