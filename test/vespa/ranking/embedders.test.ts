import { describe, expect, test } from "vitest";
import { models } from "../../../src/models.js";
import {
  checkPackage,
  Document,
  Ranking,
  readFeatures,
  readPackage,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { floats, model, node, port, raw, weights } from "../../models/onnx/write-model.js";
import { codesOf } from "../../problem-codes.js";

/** `embed(id, "text")` as the value of a query's input: vectors that embedders of `services.xml` make of texts. */

const vocab = { "[PAD]": 0, "[UNK]": 1, warm: 2, shoes: 3, query: 4 };
const tokenizer = {
  model: {
    type: "WordPiece",
    vocab,
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
  },
  pre_tokenizer: { type: "Whitespace" },
};

/** A row of numbers for each token: nothing but a look-up. */
const rows = [
  [9, 9, 9, 9, 9, 9, 9, 9],
  [1, 1, 1, 1, 1, 1, 1, 1],
  [6, 0, -1, 0, 0, 0, 0, 2],
  [0, 8, -1, 0, 0, 0, 0, -1],
  [3, 3, 0, 0, 0, 0, 0, 0],
];
const long = 7;
const network = model(
  node("Gather", ["rows", "input_ids"], "last_hidden_state"),
  node("Mul", ["attention_mask", "attention_mask"], "unused"),
  node("Gather", ["scores of terms", "input_ids"], "scores"),
  weights("scores of terms", [5, 5], raw(floats(rows.flatMap((row) => row.slice(0, 5))))),
  weights("rows", [5, 8], raw(floats(rows.flat()))),
  port(11, "input_ids", ["batch", "length"], long),
  port(11, "attention_mask", ["batch", "length"], long),
  port(12, "last_hidden_state", ["batch", "length", 8]),
  port(12, "scores", ["batch", "length", 5]),
);

const embedder = (id: string, settings = "", type = "hugging-face-embedder"): string =>
  `<component id="${id}" type="${type}">
     <transformer-model path="models/network.onnx"/>
     <tokenizer-model path="models/tokenizer.json"/>
     ${settings}
   </component>`;

const services = (...components: readonly string[]): string =>
  `<?xml version="1.0" encoding="utf-8" ?>
   <services version="1.0"><container id="default" version="1.0">${components.join("")}</container></services>`;

function vectorOf(
  value: string,
  components: readonly string[],
  type = "tensor<float>(x[2])",
  text = "",
): unknown {
  const files: Readonly<Record<string, string | Uint8Array>> = {
    "services.xml": services(...components),
    "models/network.onnx": network,
    "models/tokenizer.json": new TextEncoder().encode(JSON.stringify(tokenizer)),
    "models/vocab.txt": new TextEncoder().encode(`${Object.keys(vocab).join("\n")}\n`),
    "schemas/doc.sd": `schema doc { document doc { }
      rank-profile asked {
        inputs { query(q) ${type} }
        function vector() { expression: query(q) }
        first-phase { expression: sum(vector) }
      } }`,
  };
  const fileAt = (path: string): string | Uint8Array => {
    const file = files[path];
    if (file === undefined) throw new Error("there is no such file");
    return file;
  };
  const read = readPackage(
    {
      list: (folder) => (folder === "schemas" ? ["schemas/doc.sd"] : []),
      read: (path) => `${fileAt(path)}`,
      readBytes: (path) => fileAt(path) as Uint8Array, // models are
    },
    { models },
  );
  const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const ranking = new Ranking({
    package: read,
    profile,
    overrides: readFeatures({ name: "f", text: "{}" }).features,
  });
  const request = JSON.stringify({ "input.query(q)": value, words: text });
  const { query } = readQuery({ name: "query", text: request });
  const scorer = ranking.scorer({ query, cells: 1000 });
  const outcome = scorer.values(["vector"], { document: new Document("id:a:doc::1", new Map(), 1000) });
  const vector = outcome.get("vector");
  return vector?.kind === "value" ? vector.value.toNested() : undefined;
}

const one = [embedder("e5")];

describe("a text of a query becomes a vector", () => {
  // "warm shoes" is the rows 2 and 3, whose mean is [3, 4, …].
  test.each([
    ["by the embedder of its name", "embed(e5, 'warm shoes')", [...one, embedder("other")]],
    ["by the only embedder", 'embed("warm shoes")', one],
    ["without quotes", "embed(warm shoes)", one],
    ["that is a parameter of the query", "embed(e5, @words)", one],
  ])("%s", (_, value, components) => {
    expect(vectorOf(value, components, undefined, "warm shoes")).toEqual([3, 4]);
  });

  test("of zeros where it has no word, whatever is put before", () => {
    const settings = "<prepend><query>query</query></prepend>";
    expect(vectorOf("embed(e5, '')", [embedder("e5", settings)])).toEqual([0, 0]);
    expect(vectorOf("embed(e5, @words)", [embedder("e5")], undefined, "  ")).toEqual([0, 0]);
  });

  test("scaled to a length of 1", () => {
    const [x, y] = vectorOf("embed(warm shoes)", [embedder("e5", "<normalize>true</normalize>")]) as number[];
    expect(x).toBeCloseTo(0.6, 6);
    expect(y).toBeCloseTo(0.8, 6);
  });

  test("by a BERT, whose vocabulary is a list", () => {
    const component = `<component id="bert" type="bert-embedder">
      <transformer-model path="models/network.onnx"/>
      <tokenizer-vocab path="models/vocab.txt"/>
      <transformer-output>last_hidden_state</transformer-output>
      <transformer-start-sequence-token>1</transformer-start-sequence-token>
      <transformer-end-sequence-token>2</transformer-end-sequence-token>
    </component>`;
    // The rows of 1, 2, 3 and 2.
    expect(vectorOf("embed(bert, 'Warm SHOES')", [component])).toEqual([13 / 4, 9 / 4]);
  });

  test("of its first token", () => {
    const first = embedder("e5", "<pooling-strategy>cls</pooling-strategy>");
    expect(vectorOf("embed(warm shoes)", [first])).toEqual([6, 0]);
  });

  test("with words that are put before queries, and no more tokens than are allowed", () => {
    const settings = "<prepend><query>query</query></prepend>";
    expect(vectorOf("embed(warm shoes)", [embedder("e5", settings)])).toEqual([3, Math.fround(11 / 3)]);
    // No token ends a text here, so that these are the rows of the first two, 4 and 2.
    const cut = embedder("e5", `${settings}<max-tokens>2</max-tokens>`);
    expect(vectorOf("embed(warm shoes)", [cut])).toEqual([4.5, 1.5]);
  });

  test("of bits, eight in a byte", () => {
    // [3, 4, -1, 0, 0, 0, 0, 0.5]
    expect(vectorOf("embed(warm shoes)", one, "tensor<int8>(x[1])")).toEqual([0b11000001 - 256]);
  });
});

describe("a text of a query becomes a vector for each token", () => {
  // The rows of these tokens: 1 begins a query here, 2 ends it, 4 is the mask, and 3 says that it is a query.
  const markers = `<transformer-output>last_hidden_state</transformer-output>
    <transformer-start-sequence-token>1</transformer-start-sequence-token>
    <transformer-end-sequence-token>2</transformer-end-sequence-token>
    <transformer-mask-token>4</transformer-mask-token><query-token-id>3</query-token-id>`;
  const colbert = (settings: string): readonly string[] => [
    embedder("c", markers + settings, "colbert-embedder"),
  ];
  const type = "tensor<float>(qt{},x[8])";
  const named = (tokens: readonly number[]): unknown =>
    Object.fromEntries(tokens.map((token, at) => [`${at}`, rows[token]]));

  test("the rest of them masks", () => {
    const few = colbert("<max-query-tokens>6</max-query-tokens>");
    // The beginning, the marker, warm, the end, and two masks.
    expect(vectorOf("embed(c, 'warm')", few, type)).toEqual(named([1, 3, 2, 2, 4, 4]));
  });

  test("as many as there may be", () => {
    const few = colbert("<max-query-tokens>5</max-query-tokens>");
    expect(vectorOf("embed(c, 'shoes warm shoes')", few, type)).toEqual(named([1, 3, 3, 2, 2]));
    expect(Object.keys(vectorOf("embed(c, 'warm')", colbert(""), type) as object).length).toBe(32);
  });

  test.each([
    "tensor<float>(x[8])",
    "tensor<float>(qt{},x[4])",
    "tensor<int8>(qt{},x[1])",
    "tensor<float>(qt{},p{},x[8])",
  ])("but no %s", (other) => {
    expect(codesOf(() => vectorOf("embed(c, 'warm')", colbert(""), other))).toEqual(["ranking/embedding"]);
  });
});

describe("a text of a query becomes scores of terms", () => {
  // "warm" has the row [6, 0, -1, 0, 0, …]: of the five terms of the vocabulary only the first has a score.
  const splade = (settings = ""): readonly string[] => [
    embedder("s", `<transformer-output>scores</transformer-output>${settings}`, "splade-embedder"),
  ];

  test("the greatest of all tokens", () => {
    const found = vectorOf("embed(s, 'warm shoes')", splade(), "tensor<double>(term{})") as Record<
      string,
      number
    >;
    expect(Object.keys(found)).toEqual(["[PAD]", "[UNK]"]);
    expect(found["[PAD]"]).toBeCloseTo(Math.log(7), 6);
    expect(found["[UNK]"]).toBeCloseTo(Math.log(9), 6);
  });

  test("without those that are too small", () => {
    const above = splade("<term-score-threshold>2</term-score-threshold>");
    const found = vectorOf("embed(s, 'warm shoes')", above, "tensor<float>(term{})") as object;
    expect(Object.keys(found)).toEqual(["[UNK]"]);
  });

  test.each(["tensor<float>(x[8])", "tensor<float>(a{},b{})"])("but no %s", (other) => {
    expect(codesOf(() => vectorOf("embed(s, 'warm')", splade(), other))).toEqual(["ranking/embedding"]);
  });
});

describe("what does not fit is told", () => {
  // biome-ignore format: a table
  test.each([
    ["an embedder that is not there",     "embed(e4, 'warm')", one,                                              "tensor<float>(x[2])"],
    ["no embedder at all",                "embed(warm)",       [],                                               "tensor<float>(x[2])"],
    ["one of several",                    "embed(warm)",       [embedder("a"), embedder("b")],                   "tensor<float>(x[2])"],
    ["a parameter that is not there",     "embed(e5, @wrods)", one,                                              "tensor<float>(x[2])"],
    ["another kind",                      "embed(warm)",       [embedder("a", "", "other-embedder")],            "tensor<float>(x[2])"],
    ["another strategy",                  "embed(warm)",       [embedder("a", "<pooling-strategy>max</pooling-strategy>")], "tensor<float>(x[2])"],
    ["an output that the model has not",  "embed(warm)",       [embedder("a", "<transformer-output>z</transformer-output>")], "tensor<float>(x[2])"],
    ["too few numbers",                   "embed(warm)",       one,                                              "tensor<float>(x[9])"],
    ["no vector",                         "embed(warm)",       one,                                              "tensor<float>(x[2],y[2])"],
    ["sparse",                            "embed(warm)",       one,                                              "tensor<float>(x{})"],
    ["no word",                           "embed(e5, ' ')",    one,                                              "tensor<float>(t{},x[2])"],
    ["no end",                            "embed(warm",        one,                                              "tensor<float>(x[2])"],
  ])("%s", (_, value, components, type) => {
    expect(codesOf(() => vectorOf(value, components, type))).toEqual(["ranking/embedding"]);
  });

  test("files that are not in the package", () => {
    const elsewhere = `<component id="a" type="hugging-face-embedder"><transformer-model url="https://example.com/a.onnx"/><tokenizer-model path="models/none.json"/></component>`;
    expect(codesOf(() => vectorOf("embed(warm)", [elsewhere]))).toEqual(["ranking/embedding"]);
  });

  test("services.xml that is none", () => {
    expect(codesOf(() => vectorOf("embed(warm)", ["</wrong>"]))).toEqual(["xml/syntax"]);
  });
});
