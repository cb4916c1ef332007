import { escapeHidden } from "./hidden-characters.js";

/** Backslash escapes in quoted text, read and written. */

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  '"': '"',
  "'": "'",
  "\\": "\\",
};

const pattern = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g;

/** The text between the quotes, and its unknown escapes, by their offset in `quoted`. */
export function unquote(quoted: string): { text: string; unknown: { offset: number; sequence: string }[] } {
  const unknown: { offset: number; sequence: string }[] = [];
  const inner = quoted.slice(1, -1);
  if (!inner.includes("\\")) return { text: inner, unknown };
  const text = inner.replace(
    pattern,
    (sequence, unicode?: string, byte?: string, letter?: string, offset = 0) => {
      const code = unicode ?? byte;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      const replacement = letter === undefined ? undefined : escapes[letter];
      if (replacement === undefined) unknown.push({ offset: offset + 1, sequence });
      return replacement ?? "";
    },
  );
  return { text, unknown };
}

const bare = /^[-_@A-Za-z0-9][_@$A-Za-z0-9]*$/;

/** A label as it is printed: bare where that can be read back, otherwise quoted, with its hidden characters as escapes. */
export const labelText = (label: string): string => escapeHidden(quotedLabel(label));

/** The same for texts with columns, where hidden characters become visible in another way. */
export function quotedLabel(label: string): string {
  if (bare.test(label)) return label;
  const quote = label.includes("'") && !label.includes('"') ? '"' : "'";
  const escaped = label.replace(quote === "'" ? /['\\]/g : /["\\]/g, "\\$&");
  return quote + escaped.replace(/[\n\r\t\f]/g, escapeOf) + quote;
}

function escapeOf(character: string): string {
  return `\\${Object.keys(escapes).find((letter) => escapes[letter] === character) ?? character}`;
}
