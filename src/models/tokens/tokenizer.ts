import { Tokenizer as Library } from "@huggingface/tokenizers";
import { SphexError } from "../../language/source/problem.js";
import { thrownText } from "../../language/source/thrown.js";
import { problem } from "../messages.js";
import { type TextLimit, textLimit } from "./pattern-steps.js";
import { patternFault } from "./patterns.js";
import { isVocabulary, vocabularyJson } from "./vocabulary.js";

/** What a tokenizer makes of a text, with the tokens that begin and end one. */
export interface Tokens {
  readonly ids: readonly number[];
  /** 1 for each token of the text, 0 for those that only fill it up. */
  readonly mask: readonly number[];
  /** Which of two texts a token is of; 0 for one text. */
  readonly types: readonly number[];
}

/** The file of a tokenizer: `tokenizer.json` of Hugging Face, or `vocab.txt` of a BERT. */
export interface TokenizerFile {
  /** For messages. */
  readonly name: string;
  readonly text: string;
}

/** Texts as numbers of tokens. */
export class Tokenizer {
  private constructor(
    private readonly name: string,
    private readonly library: Library,
    private readonly limit: TextLimit,
  ) {}

  /** What `readTokenizerFile` returns. @internal */
  static of(name: string, library: Library, limit: TextLimit): Tokenizer {
    return new Tokenizer(name, library, limit);
  }

  /**
   * The tokens of a text; cut, or filled up with 0, to a length. Plain ones are without those that begin and end a text.
   * @throws SphexError where the file has no tokens for it, or the text is too long for its patterns.
   */
  encode(text: string, length?: number, isPlain = false): Tokens {
    const { ids, attention_mask: mask } = this.encoded(text, isPlain);
    const size = length ?? Math.max(1, ids.length);
    const cut = ids.length <= size || isPlain ? ids.slice(0, size) : this.cut(text, ids, size);
    const filled = (list: readonly number[]): number[] =>
      Array.from({ length: size }, (_, at) => list[at] ?? 0);
    return { ids: filled(cut), mask: filled(mask), types: filled([]) };
  }

  /** The tokens of a text that is cut: those that begin and end a text do so still, as many as there is room for. */
  private cut(text: string, ids: readonly number[], size: number): readonly number[] {
    const own = this.encoded(text, true).ids;
    const added = ids.length - own.length;
    const begin = Array.from({ length: added + 1 }, (_, at) => at).find((at) =>
      own.every((id, index) => id === ids[at + index]),
    );
    if (begin === undefined || added > size) return ids.slice(0, size);
    const end = ids.slice(begin + own.length);
    return [...ids.slice(0, size - end.length), ...end];
  }

  /**
   * The text of the token with a number; that of one within a word as it stands in the vocabulary.
   * @throws SphexError where the file has no such token.
   */
  decode(token: number): string {
    return this.library.id_to_token(token) ?? refuse(this.name, `it has no token ${token}`);
  }

  private encoded(
    text: string,
    isPlain: boolean,
  ): { readonly ids: number[]; readonly attention_mask: number[] } {
    const { characters, pattern } = this.limit;
    if (text.length > characters)
      return refuse(
        this.name,
        `its pattern ${pattern.slice(0, 100)} may take too long on a text of ${text.length} characters; it is tried on ${characters} at most`,
      );
    try {
      const settings = { return_token_type_ids: false, add_special_tokens: !isPlain };
      return this.library.encode(text, settings);
    } catch (error) {
      return refuse(this.name, error);
    }
  }
}

function refuse(name: string, error: unknown): never {
  const reason = thrownText(error);
  const span = { source: { name, text: "" }, start: 0, end: 0 };
  throw new SphexError([problem("model/tokenizer", span, { reason })]);
}

/**
 * Reads a tokenizer of the kinds WordPiece, BPE and Unigram, or the vocabulary of a BERT.
 * @throws SphexError where the file is none.
 */
export function readTokenizerFile({ name, text }: TokenizerFile): Tokenizer {
  try {
    const json: unknown = isVocabulary(text) ? vocabularyJson(text) : JSON.parse(text);
    if (!isTokenizer(json)) return refuse(name, "it has no model with a vocabulary");
    // Words of a vocabulary are no patterns.
    const fault = patternFault({ ...json, model: undefined });
    if (fault !== undefined) return refuse(name, fault);
    // What a file of the configuration says beside it matters to texts of decoded tokens only.
    const limit = textLimit({ ...json, model: undefined });
    return Tokenizer.of(name, new Library({ ...defaults, ...json }, {}), limit);
  } catch (error) {
    if (error instanceof SphexError) throw error;
    return refuse(name, error);
  }
}

/** The parts of a file, which may all be left out. */
const defaults = {
  added_tokens: [],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
};

/** Whether a file looks like one of a tokenizer. */
function isTokenizer(json: unknown): json is object {
  if (typeof json !== "object" || json === null || !("model" in json)) return false;
  const { model } = json;
  return typeof model === "object" && model !== null && "vocab" in model;
}
