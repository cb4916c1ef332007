import type { Model } from "../../../language/check/models/models.js";
import type { Phrase } from "../../../language/source/phrase.js";
import { SphexError } from "../../../language/source/problem.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { compile } from "../../../program/compile.js";
import type { Embedder, Package } from "../../package/model/model.js";
import { bertEncoder } from "./bert-tokens.js";
import type { embeddingFaults } from "./embedding-faults.js";

/** The files that an embedder names, and the programs that run its network. */

export type Fault = Phrase<typeof embeddingFaults>;
export type Refuse = (fault: Fault) => never;

/** The tokens of a text by the tokenizer of an embedder. */
export type Encode = NonNullable<Model["encode"]>;

export interface EmbeddingNetwork {
  readonly encode: Encode;
  /** The text of a token. */
  readonly decode: (token: number) => string;
  readonly network: Model;
}

export function networkOf(embedder: Embedder, from: Package, refuse: Refuse): EmbeddingNetwork {
  const { encode: own, decode, longest } = modelIn(embedder.tokenizer, "tokenizer", from, refuse);
  if (own === undefined || decode === undefined || longest === undefined)
    return refuse({ kind: "no tokenizer", path: embedder.tokenizer ?? "" });
  const encode = embedder.type === "bert-embedder" ? bertEncoder(longest, embedder) : own;
  return { encode, decode, network: modelIn(embedder.model, "transformer", from, refuse) };
}

/** The model in a file that an embedder names. */
function modelIn(path: string | undefined, what: string, from: Package, refuse: Refuse): Model {
  if (path === undefined) return refuse({ kind: "no path", what });
  const model = from.modelIn(path);
  if (model === undefined) return refuse({ kind: "no file", path });
  if ("inputs" in model) return model;
  throw new SphexError(model);
}

/** The ids, mask and types of the tokens of a text, as many as an embedder allows. */
export function tokensOf(
  text: string,
  { mostTokens, tokenizer }: Embedder,
  encode: Encode,
  refuse: Refuse,
): Readonly<Record<"ids" | "mask" | "types", Tensor>> {
  const whole = encode(text, undefined);
  const isLong = (whole[0]?.type.dimensions[1]?.size ?? 0) > mostTokens;
  const [ids, mask, types] = isLong ? encode(text, mostTokens) : whole;
  if (ids === undefined || mask === undefined || types === undefined)
    return refuse({ kind: "no tokenizer", path: tokenizer ?? "" });
  return { ids, mask, types };
}

/** The call of a network with the tokens of a text, and one of its outputs. */
export function callOf(network: Model, embedder: Embedder, refuse: Refuse): string {
  const types = network.inputs.find(({ label }) => label === embedder.types)?.name;
  const args = [
    `${portName(network.inputs, embedder.ids, refuse)}: ids`,
    `${portName(network.inputs, embedder.mask, refuse)}: mask`,
    ...(types === undefined ? [] : [`${types}: types`]),
  ];
  return `network(${args.join(", ")}).${portName(network.outputs, embedder.output, refuse)}`;
}

/** What a program calls the input or output of a model with a label. */
export function portName(ports: Model["inputs"], label: string, refuse: Refuse): string {
  const port = ports.find((each) => each.label === label);
  return port?.name ?? refuse({ kind: "port", label, labels: ports.map((each) => each.label) });
}

/** Runs a program of statements after the declarations of inputs of tokens, each a row, and of the `network`. */
export function runNetwork(
  network: Model,
  statements: readonly string[],
  inputs: Readonly<Record<string, Tensor>>,
): Tensor {
  const declared = Object.keys(inputs).map((name) => `input ${name}: tensor<long>(d0[],d1[])`);
  const text = [...declared, 'model network = file("network.onnx")', ...statements].join("\n");
  return compile(text, { models: () => network, readBytes: () => new Uint8Array() }).run(inputs);
}
