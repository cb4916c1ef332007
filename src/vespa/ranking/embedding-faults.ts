import { quoted } from "../../language/source/message.js";
import { phrases } from "../../language/source/phrase.js";
import type { TensorType } from "../../language/types/type.js";

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
  vector: ({ type }: { type: TensorType }) => `${type} is no vector of a size`,
  width: ({ type, width }: { type: TensorType; width: number }) =>
    `the embedder makes ${width} numbers, which are too few for ${type}`,
  terms: ({ type }: { type: TensorType }) => `${type} has other dimensions than a mapped one for terms`,
  "token vectors": ({ type }: { type: TensorType }) =>
    `${type} has no mapped dimension for tokens beside one of a size, of cells that are not int8`,
  "width of tokens": ({ type, width }: { type: TensorType; width: number }) =>
    `the embedder makes ${width} numbers of each token, which are not as many as ${type} has`,
  blank: ({ type }: { type: TensorType }) => `of a text without a word Vespa makes no ${type}`,
  "no path": ({ what }: { what: string }) => `the ${what} of the embedder lies outside of the package`,
  "no file": ({ path }: { path: string }) =>
    `the package has no model ${quoted(path)}, or this host reads none`,
  "no tokenizer": ({ path }: { path: string }) => `${quoted(path)} is no tokenizer`,
  port: ({ label, labels }: { label: string; labels: readonly string[] }) =>
    `the model has no ${quoted(label)}, but ${labels.map(quoted).join(", ")}`,
};

export const embeddingFault = phrases(embeddingFaults);
