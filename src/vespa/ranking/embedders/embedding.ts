import type { JsonValue } from "../../../formats/json/value.js";
import type { Model } from "../../../language/check/models/models.js";
import { nearest } from "../../../language/source/nearest.js";
import { SphexError } from "../../../language/source/problem.js";
import type { TensorType } from "../../../language/types/type.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { compile } from "../../../program/compile.js";
import type { Embedder, Package } from "../../package/model/model.js";
import { emptyTensor } from "../document/document.js";
import { problem } from "../messages.js";
import { colbertEmbedding } from "./colbert-embedding.js";
import { callOf, networkOf, type Refuse, runNetwork, tokensOf } from "./embedding-network.js";
import { spladeEmbedding } from "./splade-embedding.js";

/** `embed(e5, "a text")` as the value of a query's input: the vector that an embedder of the package makes of the text. */

export const isEmbedding = ({ string }: JsonValue): boolean =>
  string?.trimStart().startsWith("embed(") === true;

/** What a query says besides its inputs: `embed(e5, @text)` names one. */
type Parameters = ReadonlyMap<string, JsonValue>;

/** @throws SphexError with why there is no such vector. */
export function embedding(value: JsonValue, type: TensorType, from: Package, parameters: Parameters): Tensor {
  const refuse: Refuse = (fault) => {
    throw new SphexError([problem("ranking/embedding", value.span, { fault })]);
  };
  if (from.embedders.problems.length > 0) throw new SphexError(from.embedders.problems);
  const { id, argument } = callIn(value.string ?? "") ?? refuse("form");
  const embedder = embedderOf(id, from, refuse);
  const name = argument.slice(1);
  const text = argument.startsWith("@")
    ? (parameters.get(name)?.string ?? refuse({ kind: "no parameter", name }))
    : unquoted(argument);
  // Vespa asks no embedder for a text without a word, which has zeros for a vector.
  if (text.trim() === "") return type.isDense ? emptyTensor(type) : refuse({ kind: "blank", type });
  const whole = embedder.prefix === "" ? text : `${embedder.prefix} ${text}`;
  return embedded(whole, embedder, type, from, refuse);
}

/** The parts of `embed(id, argument)`: an embedder may be named before a text in quotes, or before `@` and a parameter. */
function callIn(text: string): { readonly id: string | undefined; readonly argument: string } | undefined {
  const whole = text.trim();
  if (!whole.endsWith(")")) return undefined;
  const inside = whole.slice(whole.indexOf("(") + 1, -1).trim();
  const comma = inside.indexOf(",");
  const [id, rest] = [inside.slice(0, Math.max(comma, 0)).trim(), inside.slice(comma + 1).trim()];
  const isNamed = id !== "" && /^[\w@.-]{1,200}$/.test(id) && (rest.startsWith("@") || /^["']/.test(rest));
  return isNamed ? { id, argument: rest } : { id: undefined, argument: inside };
}

/** A text without the quotes around it. */
function unquoted(text: string): string {
  const isQuoted = text.length > 1 && /^["']/.test(text) && text.endsWith(text.charAt(0));
  return isQuoted ? text.slice(1, -1) : text;
}

function embedderOf(id: string | undefined, { embedders }: Package, refuse: Refuse): Embedder {
  const { all } = embedders;
  const [only, ...others] = all.values();
  const found = id === undefined ? (others.length === 0 ? only : undefined) : all.get(id);
  if (found !== undefined) return found;
  if (id === undefined && only !== undefined) return refuse({ kind: "several", ids: [...all.keys()] });
  return refuse({ kind: "no embedder", id: id ?? "", nearest: nearest(id ?? "", all.keys()) });
}

/** Embedders that make one vector of what a network says of all tokens. */
const meanEmbedders: readonly string[] = ["hugging-face-embedder", "bert-embedder"];

function embedded(text: string, embedder: Embedder, type: TensorType, from: Package, refuse: Refuse): Tensor {
  if (embedder.type === "colbert-embedder")
    return colbertEmbedding(text, embedder, type, networkOf(embedder, from, refuse), refuse);
  if (embedder.type === "splade-embedder")
    return spladeEmbedding(text, embedder, type, networkOf(embedder, from, refuse), refuse);
  if (!meanEmbedders.includes(embedder.type)) return refuse({ kind: "type", type: embedder.type });
  const [dimension, ...others] = type.dimensions;
  const size = dimension?.size;
  if (dimension === undefined || size === undefined || others.length > 0 || type.mapped.length > 0)
    return refuse({ kind: "vector", type });
  const { encode, network } = networkOf(embedder, from, refuse);
  const tokens = tokensOf(text, embedder, encode, refuse);
  const vector = runNetwork(network, statementsOf(network, embedder, refuse), tokens);
  const width = vector.type.dimensions[0]?.size ?? 0;
  const isPacked = type.cellType === "int8" && 8 * size <= width;
  if (!isPacked && size > width) return refuse({ kind: "width", type, width });
  return compile(vectorText(`${type}`, dimension.name, isPacked, embedder), {
    inputs: { vector: vector.type },
  }).run({ vector });
}

/** One vector of all that the network makes of the tokens. */
function statementsOf(network: Model, embedder: Embedder, refuse: Refuse): string[] {
  const output = network.outputs.find((each) => each.label === embedder.output);
  const states = callOf(network, embedder, refuse);
  // Some networks take the mean themselves.
  if (output?.shape.length === 2) return [`rename(${states}{d0:0}, d1, d)`];
  if (embedder.pooling === "cls") return [`rename(${states}{d0:0,d1:0}, d2, d)`];
  if (embedder.pooling !== "mean") return refuse({ kind: "pooling", pooling: embedder.pooling });
  return [
    "weights = cell_cast(mask, float)",
    `rename(sum(${states} * weights, d0, d1) / sum(weights), d2, d)`,
  ];
}

/** The first numbers of a vector, scaled to a length of 1 where that is asked for; or a bit of each, eight in a byte. */
function vectorText(type: string, name: string, isPacked: boolean, { isNormalized }: Embedder): string {
  if (!isPacked) {
    const first = `${type.replace("int8", "float")}(vector{d:(${name})})`;
    const scaled = isNormalized ? `l2_normalize(${first}, ${name})` : first;
    return type.includes("<int8>") ? `cell_cast(${scaled}, int8)` : scaled;
  }
  const bits = Array.from(
    { length: 8 },
    (_, at) => `${2 ** (7 - at)} * (vector{d:(8 * ${name} + ${at})} > 0)`,
  );
  return `${type}(${bits.join(" + ")})`;
}
