import type { TensorType } from "../../../language/types/type.js";
import { Tensor } from "../../../language/values/tensor.js";
import { tokenRow } from "../../../models/tokens/token-row.js";
import type { Embedder } from "../../package/model/model.js";
import { type EmbeddingNetwork, portName, type Refuse, runNetwork } from "./embedding-network.js";

/**
 * A vector for each token of a query, by `colbert-embedder`. Between a beginning and an end stand a token that says that this is a
 * query, and those of the text; the rest are masks, which have vectors too, but are not attended to.
 */
export function colbertEmbedding(
  text: string,
  embedder: Embedder,
  type: TensorType,
  { encode, network }: EmbeddingNetwork,
  refuse: Refuse,
): Tensor {
  const [tokens, ...more] = type.mapped;
  const [dimension, ...others] = type.indexed;
  const isFitting = more.length + others.length === 0 && dimension?.size !== undefined;
  if (tokens === undefined || !isFitting || type.cellType === "int8")
    return refuse({ kind: "token vectors", type });
  const { queryTokens, markers } = embedder;
  const [plain] = encode(text, undefined, true);
  // What fills a text without a token up is none of its own.
  const own = text.trim() === "" ? [] : Array.from(plain?.data ?? [], Number);
  const attended = [markers.start, markers.query, ...own.slice(0, Math.max(0, queryTokens - 3)), markers.end];
  const ids = Array.from(
    { length: Math.max(queryTokens, attended.length) },
    (_, at) => attended[at] ?? markers.mask,
  );
  const mask = ids.map((_, at) => (at < attended.length ? 1 : 0));
  const args = [
    `${portName(network.inputs, embedder.ids, refuse)}: ids`,
    `${portName(network.inputs, embedder.mask, refuse)}: mask`,
  ];
  const output = portName(network.outputs, embedder.output, refuse);
  const vectors = runNetwork(network, [`network(${args.join(", ")}).${output}{d0:0}`], {
    ids: tokenRow(ids),
    mask: tokenRow(mask),
  });
  const width = vectors.type.dimension("d2")?.size ?? 0;
  if (width !== dimension?.size) return refuse({ kind: "width of tokens", type, width });
  const cells = Array.from(vectors.toArray(["d1", "d2"]), Number);
  const rows = ids.map((_, at) => [`${at}`, cells.slice(at * width, (at + 1) * width)] as const);
  return Tensor.from(type, Object.fromEntries(rows));
}
