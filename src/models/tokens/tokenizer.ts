import { SphexError } from "../../language/source/problem.js";
import { thrownText } from "../../language/source/thrown.js";
import { expectedText, JsonReader, UnexpectedJson } from "../json-reader.js";
import { problem } from "../messages.js";
import { AddedTokens } from "./added-tokens.js";
import { patternFault } from "./backtracking.js";
import { Dictionary } from "./dictionary.js";
import { type Markers, markersOf, noMarkers } from "./markers.js";
import { type Normalizer, normalizerOf } from "./normalizers.js";
import type { ReadPart } from "./part.js";
import { type TextLimit, textLimit } from "./pattern-steps.js";
import { type PreTokenizer, preTokenizerOf } from "./pre-tokenizers.js";
import type { TokenModel } from "./token-model.js";
import { tokenModelOf } from "./token-models.js";
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

/** What a file says, in the order in which it is done to a text. */
interface TokenizerParts {
  readonly added: AddedTokens;
  readonly cut: PreTokenizer;
  readonly model: TokenModel;
  readonly markers: Markers;
}

/** Texts as numbers of tokens. */
export class Tokenizer {
  /** The texts of tokens by number, and tokens by their texts, once somebody asks for them. */
  private texts: ReadonlyMap<number, string> | undefined;
  private dictionary: Dictionary<number> | undefined;

  private constructor(
    private readonly name: string,
    private readonly parts: TokenizerParts,
    private readonly limit: TextLimit,
  ) {}

  /** How long the longest token is that a text begins with, and its number. @internal */
  longest(text: string): readonly [number, number] | undefined {
    this.dictionary ??= new Dictionary(this.vocabulary());
    return this.dictionary.longestAt(text, 0);
  }

  /** What `readTokenizerFile` returns. @internal */
  static of(name: string, parts: TokenizerParts, limit: TextLimit): Tokenizer {
    return new Tokenizer(name, parts, limit);
  }

  /**
   * The tokens of a text; cut, or filled up with 0, to a length. Plain ones are without those that begin and end a text, which others
   * keep when they are cut, as many as there is room for.
   * @throws SphexError where the text is too long for the patterns of the file.
   */
  encode(text: string, length?: number, isPlain = false): Tokens {
    const { begin, end, type } = isPlain ? noMarkers : this.parts.markers;
    const own = this.tokens(text).map((id) => ({ id, type }));
    const room = length === undefined ? own.length : Math.max(0, length - begin.length - end.length);
    const tokens = [...begin, ...own.slice(0, room), ...end];
    const size = length ?? Math.max(1, tokens.length);
    const filled = (values: readonly number[]): number[] =>
      Array.from({ length: size }, (_, at) => values[at] ?? 0);
    return {
      ids: filled(tokens.map(({ id }) => id)),
      mask: filled(tokens.map(() => 1)),
      types: filled(tokens.map((token) => token.type)),
    };
  }

  /**
   * The text of the token with a number; that of one within a word as it stands in the vocabulary.
   * @throws SphexError where the file has no such token.
   */
  decode(token: number): string {
    this.texts ??= new Map(this.vocabulary().map(([text, id]) => [id, text]));
    return this.texts.get(token) ?? refuse(this.name, `it has no token ${token}`);
  }

  private vocabulary(): (readonly [string, number])[] {
    return [...this.parts.model.vocabulary, ...this.parts.added.vocabulary];
  }

  private tokens(text: string): number[] {
    const { characters, pattern } = this.limit;
    if (text.length > characters)
      return refuse(
        this.name,
        `its pattern ${pattern.slice(0, 100)} may take too long on a text of ${text.length} characters; it is tried on ${characters} at most`,
      );
    const { added, cut, model } = this.parts;
    return added.sections(text).flatMap((section) => {
      if ("id" in section) return [section.id];
      return cut(section).flatMap((piece) => model.tokens(piece.text));
    });
  }
}

function refuse(name: string, error: unknown): never {
  const reason =
    error instanceof UnexpectedJson
      ? `${error.path.length === 0 ? "it" : error.path.join(".")} must be ${expectedText(error.expected)}`
      : thrownText(error);
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
    const file = new JsonReader(json);
    if (!isTokenizer(file)) return refuse(name, "it has no model with a vocabulary");
    // Words of a vocabulary are no patterns.
    const fault = patternFault(file.with("model", undefined).value);
    if (fault !== undefined) return refuse(name, fault);
    // What a file of the configuration says beside it matters to texts of decoded tokens only.
    const limit = textLimit(file.with("model", undefined).value);
    return Tokenizer.of(name, partsOf(file), limit);
  } catch (error) {
    if (error instanceof SphexError) throw error;
    return refuse(name, error);
  }
}

/** All parts but the model may be left out. */
function partsOf(file: JsonReader): TokenizerParts {
  const part = <T>(name: string, read: ReadPart<T>, otherwise: T): T =>
    file.at(name).isAbsent ? otherwise : read(file.at(name));
  const normalize = part<Normalizer>("normalizer", normalizerOf, (text) => text);
  return {
    added: AddedTokens.read(file.at("added_tokens"), normalize),
    cut: part<PreTokenizer>("pre_tokenizer", preTokenizerOf, (piece) => [piece]),
    model: tokenModelOf(file.at("model")),
    markers: part("post_processor", markersOf, noMarkers),
  };
}

/** Whether a file looks like one of a tokenizer. */
function isTokenizer(file: JsonReader): boolean {
  const isObject = (part: JsonReader): boolean => typeof part.value === "object" && part.value !== null;
  return isObject(file) && isObject(file.at("model")) && !file.at("model").at("vocab").isAbsent;
}
