import { nearest } from "../../language/source/nearest.js";
import type { Span } from "../../language/source/span.js";
import { problem } from "./messages.js";
import type { Reading } from "./reading.js";
import { textOf } from "./text.js";

/** The words with which a step of an indexing script may begin. */
// biome-ignore format: a table
const words: readonly string[] = [
  "attribute", "base64decode", "base64encode", "binarize", "busy_wait", "case", "chunk", "clear_state", "create_if_non_existent",
  "default", "echo", "else", "embed", "exact", "flatten", "for_each", "generate", "get_field", "get_language", "get_var", "guard",
  "hash", "hex_decode", "hex_encode", "hexdecode", "hexencode", "host_name", "hostname", "if", "index", "input", "join", "lowercase", "ngram",
  "normalize", "now", "optimize_predicate", "pack_bits", "passthrough", "put_symbol", "random", "remove_so_char", "script",
  "select_input", "set_language", "set_value", "set_var", "split", "split_foreach", "substring", "summary", "switch", "this", "to_array",
  "to_bool", "to_byte", "to_double", "to_epoch_second", "to_float", "to_int", "to_long", "to_pos", "to_string", "to_uri", "to_wset",
  "tokenize", "trim", "true", "false", "zcurve",
];

/** Shorter words are near to too many others. */
const shortest = 5;

/**
 * The indexing scripts of a field as one text, without what is quoted and without comments. A step that begins with a word that is
 * none, but near to one, is reported, and taken for that one.
 */
export function indexingScript(scripts: readonly Span[], { report }: Reading): string {
  return scripts
    .map((script) => {
      const blank = (text: string): string => " ".repeat(text.length);
      const plain = textOf(script).replace(/"[^"\n]*"|#.*/g, blank);
      return plain.replace(
        /(^\s*|[^|]\|\s*|[{;]\s*)([a-z]\w*)/g,
        (whole, before: string, word: string, at: number) => {
          if (word.length < shortest || words.includes(word)) return whole;
          const meant = nearest(word, words);
          if (meant === undefined) return whole;
          const start = script.start + at + before.length;
          const span = { source: script.source, start, end: start + word.length };
          report(
            problem("schema/keyword", span, { place: "an indexing script", keyword: word, nearest: meant }),
          );
          return before + meant;
        },
      );
    })
    .join(" ");
}
