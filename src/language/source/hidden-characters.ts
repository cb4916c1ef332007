import { requireArgument, requireText } from "./arguments.js";
import { jsonText } from "./json-text.js";

/**
 * What a text must not do to a terminal, nor to who reads it: control characters, which a terminal obeys; signs that change
 * the direction of writing; and what has no width or no shape of its own. They are written as `\u001b`, as quoted texts of
 * the language and of JSON have them, so that both mean what they meant before. Line breaks stay, and so do the joiners
 * within an emoji.
 */

const emoji = String.raw`\p{Extended_Pictographic}(?:[\ufe0f\p{Emoji_Modifier}]|\u200d(?=\p{Extended_Pictographic}))*`;
const hidden = String.raw`[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;
const hiddenPattern = new RegExp(`(${emoji})|${hidden}`, "gu");

/** The text with each of its hidden characters replaced. Most texts have none, which is quickly seen. */
export function replaceHidden(text: string, replacement: (character: string) => string): string {
  requireText("escapeHidden", text);
  if (/^[\n -~]*$/.test(text)) return text;
  return text.replace(hiddenPattern, (found, sequence?: string) => sequence ?? replacement(found));
}

/** The text with its hidden characters as escapes. */
export const escapeHidden = (text: string): string => replaceHidden(text, escapesOf);

/** A character as one escape, or two where it is beyond those of 16 bits. */
const escapesOf = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
  ).join("");

/**
 * What our own texts send to terminals: colours, clearing the screen or the line, and the start of the line for the
 * spinner of progress.
 */
const colours = String.raw`\x1b\[(?:0|1|2|22|31|32|34|36|39|1;31|1;33|38;5;\d{1,3})m`;
const motions = String.raw`\x1b\[H\x1b\[2J|\x1b\[K|\r(?=\x1b\[K|(?:\x1b\[2m)?[\u2800-\u28ff])`;
const own = new RegExp(`(${colours}|${motions})`);

/**
 * A text that has terminal sequences of ours, and otherwise only what was made visible already: where something was
 * forgotten, all but exactly those sequences is escaped.
 */
export function escapeForeign(text: string): string {
  requireText("escapeForeign", text);
  const parts = text.split(own);
  return parts.map((part, at) => (at % 2 === 1 ? part : escapeHidden(part))).join("");
}

/** A value as JSON in ASCII's printable characters and what is as harmless. */
export function visibleJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  let text: string | undefined;
  try {
    text = jsonText(value, replacer);
  } catch (error) {
    // What has a circle, or a bigint; anything else is an error of the value's own.
    if (!(error instanceof TypeError)) throw error;
  }
  requireArgument("visibleJson", "json", value, text !== undefined);
  return escapeHidden(text);
}
