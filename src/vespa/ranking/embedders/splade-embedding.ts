import type { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import type { Embedder } from "../../package/model/model.js";
import { callOf, type EmbeddingNetwork, type Refuse, runNetwork, tokensOf } from "./embedding-network.js";

/** A score for each term of the vocabulary that a text asks for, by `splade-embedder`; it need not stand in the text. */
export function spladeEmbedding(
  text: string,
  embedder: Embedder,
  type: TensorType,
  { encode, decode, network }: EmbeddingNetwork,
  refuse: Refuse,
): Tensor {
  const [terms, ...others] = type.dimensions;
  if (terms === undefined || others.length > 0 || terms.kind !== "mapped")
    return refuse({ kind: "terms", type });
  // The greatest score that any token gives a term.
  const scores = runNetwork(
    network,
    [`map(max(${callOf(network, embedder, refuse)}, d0, d1), f(a)(log(1 + max(a, 0))))`],
    tokensOf(text, embedder, encode, refuse),
  );
  const cells = Array.from(scores.toArray(["d2"]), Number).flatMap((score, token) =>
    score > embedder.threshold ? [[decode(token), score] as const] : [],
  );
  return Tensor.from(type, Object.fromEntries(cells));
}
