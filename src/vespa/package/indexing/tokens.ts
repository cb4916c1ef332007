import type { Source, Span } from "../../../language/source/span.js";

/** A token of an indexing script. */
export interface ScriptToken {
  readonly kind: "word" | "text" | "number" | "sign" | "line" | "end" | "other";
  readonly text: string;
  readonly span: Span;
}

/** Ends of lines are tokens; blanks and remarks are not. A quote that nothing closes takes all that is left. */
const pattern =
  /[^\S\n]+|#[^\n]*|(\n\s*)|([A-Za-z_][\w-]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(0[xX][0-9a-fA-F]+[lL]?|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?[lLfF]?)|(\|\||==|!=|<=|>=|[-+*/%|.,:;<>(){}])|(["'].*|.)/suy;

/** The tokens of a part of a source, and one behind the last. */
export function scriptTokens({ source, start, end }: Span): readonly ScriptToken[] {
  const tokens: ScriptToken[] = [];
  const text = source.text.slice(start, end);
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null && found[0] !== ""; found = pattern.exec(text)) {
    const [image, line, word, quoted, number, sign, other] = found;
    const kind = kindOf({ line, word, text: quoted, number, sign, other });
    const at = start + found.index;
    if (kind !== undefined)
      tokens.push({ kind, text: image, span: { source, start: at, end: at + image.length } });
  }
  return [...tokens, endOf(source, end)];
}

const endOf = (source: Source, at: number): ScriptToken => ({
  ...{ kind: "end", text: "" },
  span: { source, start: at, end: at },
});

type Groups = Readonly<Record<Exclude<ScriptToken["kind"], "end">, string | undefined>>;

const kinds = ["line", "word", "text", "number", "sign", "other"] as const;

const kindOf = (groups: Groups): (typeof kinds)[number] | undefined =>
  kinds.find((each) => groups[each] !== undefined);
