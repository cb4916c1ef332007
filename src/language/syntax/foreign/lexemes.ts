/** A word, a number, a quoted text or a sign of a text in any language. */
export interface Lexeme {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Signs of several characters are one lexeme where the language, or another, has them as an operator. */
const lexemePattern =
  /[\w@$]+|"[^"\r\n]*"|'[^'\r\n]*'|[“”][^“”\r\n]*[“”]|[‘’][^‘’\r\n]*[‘’]|===|!==|\*\*|=>|->|:=|==|!=|<=|>=|<>|~=|&&|\|\||\+=|-=|\*=|\/=|[^\s\w@$]/g;

/** The lexemes of a text, without white space and comments. */
export function lexemesOf(text: string): Lexeme[] {
  const visible = text.replace(/#[^\r\n]*/g, (comment) => " ".repeat(comment.length));
  return Array.from(visible.matchAll(lexemePattern), ({ 0: found, index }) => ({
    text: found,
    start: index,
    end: index + found.length,
  }));
}

const closerOf: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);
const closers = new Set(closerOf.values());

export const isOpener = (lexeme: Lexeme | undefined): boolean => closerOf.has(lexeme?.text ?? "");
export const isCloser = (lexeme: Lexeme | undefined): boolean => closers.has(lexeme?.text ?? "");

/** Behind the lexeme that closes the bracket at an index; nothing where none does. */
export function behindBracket(lexemes: readonly Lexeme[], from: number): number | undefined {
  const open: string[] = [];
  for (let at = from; at < lexemes.length; at++) {
    const text = lexemes[at]?.text ?? "";
    const closer = closerOf.get(text);
    if (closer !== undefined) open.push(closer);
    else if (closers.has(text) && open.pop() !== text) return undefined;
    if (open.length === 0) return at + 1;
  }
  return undefined;
}
