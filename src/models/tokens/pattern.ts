import { SplitPreTokenizer } from "@huggingface/tokenizers";
import type { JsonReader } from "../json-reader.js";

/** The declarations of the library name its modules without an end, where nothing is found: this is what is used of it. */
declare module "@huggingface/tokenizers" {
  export class SplitPreTokenizer {
    constructor(config: {
      readonly type: "Split";
      readonly pattern: { readonly Regex: string };
      readonly behavior: string;
      readonly invert: boolean;
    });
    readonly pattern: RegExp | null;
  }
}

/** A pattern of the file: a text, or one of Oniguruma, which the library knows how to write in JavaScript. */
export function patternOf(part: JsonReader): RegExp {
  const text = part.at("String");
  if (!text.isAbsent) return textPattern(text.text);
  return oniguruma(part.at("Regex").text) ?? part.fail("text");
}

function oniguruma(written: string): RegExp | null {
  try {
    const pattern = { Regex: written };
    return new SplitPreTokenizer({ type: "Split", pattern, behavior: "Isolated", invert: false }).pattern;
  } catch {
    throw new Error(`its pattern ${written.slice(0, 100)} has something that is not read`);
  }
}

/** Finds a text as it is written. */
export const textPattern = (text: string): RegExp =>
  new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "gu");
