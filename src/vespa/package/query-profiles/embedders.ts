import { isProblem } from "../../../language/source/problem.js";
import type { Embedder, Embedders } from "../model/model.js";
import type { Reading } from "../model/reading.js";
import { readXml, type XmlElement } from "./xml.js";

const file = "services.xml";

/** What the output of a model is called, where an embedder does not say it. */
const outputs: ReadonlyMap<string, string> = new Map([
  ["bert-embedder", "output_0"],
  ["colbert-embedder", "contextual"],
  ["splade-embedder", "logits"],
]);

export function readEmbedders({ files }: Reading): Embedders {
  const source = files.load(file, { source: { name: files.nameOf(file), text: "" }, start: 0, end: 0 });
  if (isProblem(source)) return { all: new Map(), problems: [] };
  const { root, problems } = readXml(source);
  if (root === undefined) return { all: new Map(), problems };
  const found = components(root).flatMap((each) => embedderOf(each) ?? []);
  return { all: new Map(found.map((each) => [each.id, each])), problems: [] };
}

/** The components of all containers. */
function components(root: XmlElement): XmlElement[] {
  const inside = root.name === "container" || root.name === "jdisc" ? [root] : root.children;
  return inside.flatMap(({ children }) => children).filter(({ name }) => name === "component");
}

function embedderOf(element: XmlElement): Embedder | undefined {
  const { attributes, span } = element;
  const [id, type = ""] = [attributes.get("id"), attributes.get("type")];
  if (id === undefined || !type.endsWith("-embedder")) return undefined;
  const child = (name: string): XmlElement | undefined => element.children.find((each) => each.name === name);
  const text = (name: string, otherwise: string): string => child(name)?.text ?? otherwise;
  const whole = (name: string, otherwise: number): number => {
    const number = Number(text(name, `${otherwise}`));
    return Number.isSafeInteger(number) && number > 0 ? number : otherwise;
  };
  return {
    ...{ id, type, span },
    model: child("transformer-model")?.attributes.get("path"),
    tokenizer: (child("tokenizer-model") ?? child("tokenizer-vocab"))?.attributes.get("path"),
    mostTokens: whole("max-tokens", type === "bert-embedder" ? 384 : 512),
    ids: text("transformer-input-ids", "input_ids"),
    mask: text("transformer-attention-mask", "attention_mask"),
    types: text("transformer-token-type-ids", "token_type_ids"),
    output: text("transformer-output", outputs.get(type) ?? "last_hidden_state"),
    pooling: text("pooling-strategy", "mean"),
    isNormalized: text("normalize", "false") === "true",
    prefix: child("prepend")?.children.find(({ name }) => name === "query")?.text ?? "",
    threshold: Number(text("term-score-threshold", "0")) || 0,
    queryTokens: whole("max-query-tokens", 32),
    markers: {
      start: whole("transformer-start-sequence-token", 101),
      end: whole("transformer-end-sequence-token", 102),
      mask: whole("transformer-mask-token", 103),
      query: whole("query-token-id", 1),
    },
  };
}
