import { type ForeignForm, foreignForms } from "./forms.js";
import { inContext } from "./grouping.js";
import { type Lexeme, lexemesOf } from "./lexemes.js";

/** A form of another language in a text, and what to write in its place. */
export interface Mend {
  readonly message: string;
  /** From here on, up to `end`. */
  readonly start: number;
  readonly end: number;
  /** Nothing where only the writer knows. */
  readonly replacement: string | undefined;
  readonly hint: string | undefined;
}

/** The offset of the first problem of a text, if it has one. */
export type FirstProblem = (text: string) => number | undefined;

/** A longer text is not a line that a person typed. */
const longestText = 1000;

/** One statement may be foreign in so many ways. */
const mostMends = 4;

/**
 * The form of another language around the first problem of a text. What it is replaced by was tried: with it the text is
 * right, up to the end of the replacement at least. Where a replacement has a problem of its own, that is mended too.
 */
export function mendAt(
  text: string,
  offset: number,
  firstProblem: FirstProblem,
  left = mostMends,
): Mend | undefined {
  if (text.length > longestText) return undefined;
  const lexemes = lexemesOf(text);
  const present = new Set(lexemes.map((each) => each.text));
  for (const form of foreignForms()) {
    if (!form.template.fixed.every((each) => present.has(each))) continue;
    const proposed = proposal(form, text, lexemes, offset);
    const found = proposed && tried(proposed, text, firstProblem, left);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a form would write in a text, if it is there. */
function proposal(
  form: ForeignForm,
  text: string,
  lexemes: readonly Lexeme[],
  offset: number,
): Mend | undefined {
  const { template, message, write } = form;
  const fit = form.begins ? template.fitAtStart(lexemes, text) : template.fitAround(lexemes, offset, text);
  const [first, last] = fit === undefined ? [] : [lexemes[fit.from], lexemes[fit.to - 1]];
  if (fit === undefined || first === undefined || last === undefined) return undefined;
  const [before, behind] = [text.slice(0, first.start), text.slice(last.end)];
  if (form.applies?.(fit.captures, before, behind) === false) return undefined;
  // A comma that a form begins with is right where it is.
  const comma = first.text === "," ? text.slice(first.start, lexemes[fit.from + 1]?.start).length : 0;
  const common = { message, hint: form.hint?.(fit.captures), start: first.start + comma, end: last.end };
  if (write === undefined) return { ...common, replacement: undefined };
  const expression = write(fit.captures, behind, before);
  const written =
    expression === undefined || form.isOpen ? expression : inContext(expression, before, behind);
  if (written === undefined) return undefined;
  return { ...common, replacement: comma === 0 ? written : written.replace(/^,\s*/, "") };
}

/** A mend with which a text is right past the replacement, after so many more within it; nothing where it is not. */
function tried(proposed: Mend, text: string, firstProblem: FirstProblem, left: number): Mend | undefined {
  let mend = proposed;
  for (let more = left; more > 0; more--) {
    const { start, end, replacement } = mend;
    if (replacement === undefined) return mend;
    const mended = text.slice(0, start) + replacement + text.slice(end);
    const next = firstProblem(mended);
    // A method of what was mended belongs to it: `a.abs().sum()`.
    const behind = start + replacement.length + (/^\.\w+/.exec(text.slice(end))?.[0].length ?? 0);
    if (next === undefined || next > behind) return mend;
    const inner = more > 1 ? mendAt(mended, next, firstProblem, more - 1) : undefined;
    // What follows the replacement may be a form that only its writer can mend.
    if (inner !== undefined && inner.replacement === undefined && next >= start + replacement.length)
      return mend;
    if (inner?.replacement === undefined) return undefined;
    mend = { ...mend, ...joined(text, mended, mend, inner) };
  }
  return undefined;
}

/** Two replacements, the second of a part of what the first led to, as one. */
function joined(
  text: string,
  mended: string,
  outer: { readonly start: number; readonly end: number },
  inner: Mend,
): { readonly start: number; readonly end: number; readonly replacement: string } {
  const whole = mended.slice(0, inner.start) + inner.replacement + mended.slice(inner.end);
  const start = Math.min(outer.start, inner.start);
  const behind = Math.min(text.length - outer.end, mended.length - inner.end);
  return { start, end: text.length - behind, replacement: whole.slice(start, whole.length - behind) };
}
