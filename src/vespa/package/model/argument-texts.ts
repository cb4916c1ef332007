import { quoted } from "../../../language/source/message.js";
import { type Phrase, phrases } from "../../../language/source/phrase.js";
import type { TensorType } from "../../../language/types/type.js";

/** What an argument of a rank feature must be. */
export const expectedArguments = {
  field: "the name of a field",
  input: "the name of an input",
  "field or label": "field or label",
  "parts of elementwise": "a feature, a dimension and a cell type",
  source: "attribute(…) or query(…)",
  length: "a length: a whole number",
  "feature or function": "a feature or the name of a function",
  number: "a number",
  "constant number": "a number, or a constant that is one",
  "field of vectors": "a tensor field with one mapped and one indexed dimension",
  "foreach dimension": "attributes, fields or terms",
  "foreach condition": 'true, ">0.5" or "<0.5"',
  "foreach operation": "sum, product, average, max, min or count",
};

/** What it is instead. */
const foundArguments = {
  other: "something else",
  expression: "an expression",
  text: ({ text }: { text: string }) => quoted(text),
  type: ({ type }: { type: TensorType }) => `${type}`,
};

export type FoundArgument = Phrase<typeof foundArguments>;

export const foundArgument = phrases(foundArguments);
