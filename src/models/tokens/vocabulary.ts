/**
 * The vocabulary of a BERT, a token in each line, as the tokenizer that it comes from: WordPiece on words of small letters without
 * accents, between a token that begins a text and one that ends it.
 */

const unknown = "[UNK]";
const [start, end] = ["[CLS]", "[SEP]"];

/** Whether a text is such a list, and not a forest of LightGBM. */
export const isVocabulary = (text: string): boolean =>
  `\n${text}`.replaceAll("\r", "").includes(`\n${unknown}\n`);

/** The same as `tokenizer.json` of Hugging Face says it. */
export function vocabularyJson(text: string): object {
  const tokens = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (tokens.at(-1) === "") tokens.pop();
  const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
  const special = (token: string): object => ({ id: token, ids: [vocab[token]], tokens: [token] });
  const hasMarkers = start in vocab && end in vocab;
  const part = (token: string): object => ({ SpecialToken: { id: token, type_id: 0 } });
  const single = [part(start), { Sequence: { id: "A", type_id: 0 } }, part(end)];
  return {
    model: {
      ...{ type: "WordPiece", vocab, unk_token: unknown },
      ...{ continuing_subword_prefix: "##", max_input_chars_per_word: 100 },
    },
    normalizer: {
      ...{ type: "BertNormalizer", lowercase: true, strip_accents: true },
      ...{ clean_text: true, handle_chinese_chars: true },
    },
    pre_tokenizer: { type: "BertPreTokenizer" },
    post_processor: hasMarkers
      ? {
          ...{ type: "TemplateProcessing", single, pair: single },
          special_tokens: { [start]: special(start), [end]: special(end) },
        }
      : null,
  };
}
