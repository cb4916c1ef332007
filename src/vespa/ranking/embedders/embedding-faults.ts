import { quoted } from "../../../language/source/message.js";
import { phrases } from "../../../language/source/phrase.js";
import type { TensorType } from "../../../language/types/type.js";

/** Why a text does not become a vector. */
export const embeddingFaults = {
  form: 'this is not of the form embed(id, "text")',
  several: ({ ids }: { ids: readonly string[] }) =>
    `there are several embedders, ${ids.join(", ")}: name one`,
  "no embedder": ({ id, nearest }: { id: string; nearest: string | undefined }) =>
    nearest === undefined
      ? `services.xml has no embedder ${quoted(id)}`
      : `services.xml has no embedder ${quoted(id)}, but ${quoted(nearest)}`,
  "no parameter": ({ name }: { name: string }) => `the query has no parameter ${quoted(name)}`,
  type: ({ type }: { type: string }) => `an embedder of type ${type} is not computed here`,
  pooling: ({ pooling }: { pooling: string }) => `the pooling strategy ${quoted(pooling)} is not known here`,
  vector: ({ type }: { type: TensorType }) => `${type} is not a vector with a size`,
  width: ({ type, width }: { type: TensorType; width: number }) =>
    `the embedder makes ${width} numbers, which are too few for ${type}`,
  terms: ({ type }: { type: TensorType }) => `${type} has dimensions other than a mapped one for terms`,
  "token vectors": ({ type }: { type: TensorType }) =>
    `${type} does not have a mapped dimension for tokens and one with a size, with cells that are not int8`,
  "width of tokens": ({ type, width }: { type: TensorType; width: number }) =>
    `the embedder makes ${width} numbers of each token, which is not the number that ${type} has`,
  blank: ({ type }: { type: TensorType }) => `Vespa makes no ${type} from a text without words`,
  "no path": ({ what }: { what: string }) => `the ${what} of the embedder lies outside of the package`,
  "no file": ({ path }: { path: string }) =>
    `the package has no model ${quoted(path)}, or this host reads none`,
  "no tokenizer": ({ path }: { path: string }) => `${quoted(path)} is not a tokenizer`,
  port: ({ label, labels }: { label: string; labels: readonly string[] }) =>
    `the model has no ${quoted(label)}, but ${labels.map(quoted).join(", ")}`,
};

export const embeddingFault = phrases(embeddingFaults);
