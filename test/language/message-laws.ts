import { check, type Problem } from "../../src/index.js";

/** What must be true of every message, whatever the text: each law names what breaks it. */
type Law = (problem: Problem, text: string) => string | undefined;

/** A phrase without the quotes around a text in it. */
const bare = (phrase: string | undefined): string | undefined =>
  phrase?.replace(/^`([\s\S]*)`$/, "$1").trim();

const laws: Readonly<Record<string, Law>> = {
  "nothing that is wanted is what was found": ({ description: { found, expected } }) =>
    found !== undefined && bare(found) === bare(expected) ? `both are ${found}` : undefined,

  "nothing is refused and offered": ({ description: { replacement, hint }, span }, text) => {
    const written = text.slice(span.start, span.end);
    if (replacement !== undefined && replacement === written) return `${written} is to become itself`;
    return hint === `did you mean ${written}?` ? hint : undefined;
  },

  "a hint proposes nothing that fails in the same way": (
    { code, description: { replacement }, span },
    text,
  ) => {
    if (replacement === undefined) return undefined;
    const mended = text.slice(0, span.start) + replacement + text.slice(span.end);
    const again = check(mended).find(
      (each) =>
        each.code === code &&
        each.span.start === span.start &&
        each.span.end === span.start + replacement.length,
    );
    return again === undefined ? undefined : `${replacement} fails like ${text.slice(span.start, span.end)}`;
  },

  "the caret is below a sign, or where something is missing at the end of a statement": ({ span }, text) => {
    const sign = text[span.start] ?? "\n";
    const isAtEnd = /^[^\S\r\n]*(?:[\r\n;#]|\/\/|$)/.test(text.slice(span.start));
    return /[ \t]/.test(sign) && !isAtEnd
      ? JSON.stringify(text.slice(span.start, span.start + 20))
      : undefined;
  },
};

/** The laws that the messages about a text break, each with the code and the text. */
export function brokenLaws(text: string): readonly string[] {
  return check(text).flatMap((problem) =>
    Object.entries(laws).flatMap(([name, law]) => {
      const broken = law(problem, text);
      return broken === undefined ? [] : [`${name}: ${problem.code}: ${broken}`];
    }),
  );
}
