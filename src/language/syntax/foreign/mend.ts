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
    const found = mendBy(form, text, lexemes, offset, firstProblem, left);
    if (found !== undefined) return found;
  }
  return undefined;
}

function mendBy(
  form: ForeignForm,
  text: string,
  lexemes: readonly Lexeme[],
  offset: number,
  firstProblem: FirstProblem,
  left: number,
): Mend | undefined {
  const { template } = form;
  const fit = form.begins ? template.fitAtStart(lexemes, text) : template.fitAround(lexemes, offset, text);
  const [first, last] = fit === undefined ? [] : [lexemes[fit.from], lexemes[fit.to - 1]];
  if (fit === undefined || first === undefined || last === undefined) return undefined;
  const [before, behind] = [text.slice(0, first.start), text.slice(last.end)];
  if (form.applies?.(fit.captures, before) === false) return undefined;
  const { message, write } = form;
  const hint = form.hint?.(fit.captures);
  const { end } = last;
  const expression = write?.(fit.captures, behind, before);
  const isOpen = expression === undefined || form.isOpen;
  const written = isOpen ? expression : inContext(expression, before, behind);
  // A comma that a form begins with is right where it is.
  const comma = first.text === "," ? text.slice(first.start, lexemes[fit.from + 1]?.start).length : 0;
  const start = first.start + comma;
  if (write === undefined) return { message, hint, start, end, replacement: undefined };
  if (written === undefined) return undefined;
  const replacement = comma === 0 ? written : written.replace(/^,\s*/, "");
  let mend: Mend & { readonly replacement: string } = { message, hint, start, end, replacement };
  for (let more = left; more > 0; more--) {
    const mended = text.slice(0, mend.start) + mend.replacement + text.slice(mend.end);
    const next = firstProblem(mended);
    if (next === undefined || next > mend.start + mend.replacement.length) return mend;
    const inner = more > 1 ? mendAt(mended, next, firstProblem, more - 1) : undefined;
    if (inner?.replacement === undefined) return undefined;
    mend = { message, hint, ...joined(text, mended, mend, inner) };
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
