import { refuse } from "./refusal.js";

/** A word of the text; marks stand for themselves. */
export interface Token {
  readonly kind: "name" | "number" | "string" | "mark" | "end";
  /** As it is written; of a string, what it says. */
  readonly text: string;
}

/** What may be written between tokens. */
const space = /(?:\s|#[^\n]*|\/\/[^\n]*)*/y;
/** Numbers before names: `1a` is a name and `1e3` a number, since a number ends where no name goes on. */
const number = /(?:\d+\.\d*(?:[eE][+-]?\d+)?[fFdD]?|\d+(?:[eE][+-]?\d+)?)(?![\w@$])/y;
const name = /[\w@][\w@$]*/y;
const string = /"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'/y;
const mark = /\|\||&&|>=|<=|!=|==|~=|[()[\]{},:.!+\-*/%^<>=;]/y;

const kinds = { number, name, string, mark };

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = spaceAt(text, 0); at < text.length; ) {
    const token = tokenAt(text, at);
    tokens.push(token.kind === "string" ? { kind: "string", text: unquoted(token.text) } : token);
    at += token.text.length;
    at += spaceAt(text, at);
  }
  return [...tokens, { kind: "end", text: "" }];
}

const spaceAt = (text: string, at: number): number => found(space, text, at)?.length ?? 0;

function tokenAt(text: string, at: number): Token {
  for (const [kind, pattern] of Object.entries(kinds)) {
    const word = found(pattern, text, at);
    if (word !== undefined) return { kind: kind as keyof typeof kinds, text: word }; // its keys are these
  }
  return refuse(`no token begins with ${text[at]}`);
}

function found(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f" };

/** What a string says: escapes are those of either of Vespa's languages. */
const unquoted = (written: string): string =>
  written
    .slice(1, -1)
    .replace(
      /\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g,
      (_, long?: string, short?: string, sign?: string) => {
        const code = long ?? short;
        if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
        return sign === undefined ? "" : (escapes[sign] ?? sign);
      },
    );
