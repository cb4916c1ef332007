import { describe, expect, test } from "vitest";
import { models } from "../../../src/models.js";
import {
  checkPackage,
  Document,
  Ranking,
  readFeatures,
  readFeed,
  readPackage,
  readQuery,
  soundProfile,
} from "../../../src/vespa.js";
import { floats, model, node, port, raw, weights } from "../../models/onnx/write-model.js";

/** Models in rank profiles: their outputs are computed, and what is bound to their inputs is looked at. */

const cells = 1_000_000;
const nowhere = { source: { name: "test", text: "" }, start: 0, end: 0 };

/** relu(document · query W), with W = [[1, 2], [3, 4]]. */
const dot = model(
  node("MatMul", ["the query", "W"], "turned"),
  node("Mul", ["turned", "document/embedding"], "products"),
  node("ReduceSum", ["products"], "score"),
  node("Relu", ["products"], "hidden:0"),
  weights("W", [2, 2], raw(floats([1, 2, 3, 4]))),
  port(11, "the query", ["batch", 2]),
  port(11, "document/embedding", ["batch", 2]),
  port(12, "score", [1, 1]),
  port(12, "hidden:0", ["batch", 2]),
);

const trees = JSON.stringify([
  {
    nodeid: 0,
    split: "attribute(price)",
    split_condition: 10,
    yes: 1,
    no: 2,
    missing: 1,
    children: [
      { nodeid: 1, leaf: 0.25 },
      {
        nodeid: 2,
        split: "fieldMatch(title)",
        split_condition: 0.5,
        yes: 3,
        no: 4,
        missing: 3,
        children: [
          { nodeid: 3, leaf: 1 },
          { nodeid: 4, leaf: 2 },
        ],
      },
    ],
  },
]);

const boosted = JSON.stringify({
  feature_names: ["attribute(price)"],
  num_tree_per_iteration: 1,
  objective: "regression",
  tree_info: [
    {
      tree_structure: {
        split_feature: 0,
        threshold: 10,
        decision_type: "<=",
        default_left: true,
        missing_type: "None",
        left_child: { leaf_value: 3 },
        right_child: { leaf_value: 4 },
      },
    },
  ],
});

const files: Readonly<Record<string, Uint8Array>> = {
  "files/dot.onnx": dot,
  "models/dot.onnx": dot,
  "models/trees.json": new TextEncoder().encode(trees),
  "models/boosted.json": new TextEncoder().encode(boosted),
  "files/strange.onnx": model(node("Strange", ["x"], "y"), port(11, "x", [1, 2]), port(12, "y", [1, 2])),
};

const schema = (expression: string, onnx: string): string => `schema doc {
  document doc {
    field title type string { indexing: index | summary }
    field price type int { indexing: attribute }
    field embedding type tensor<float>(x[2]) { indexing: attribute }
  }
  onnx-model ranker {
    ${onnx}
  }
  rank-profile asked {
    inputs {
      query(q) tensor<float>(x[2])
    }
    function the_query() { expression: query(q) }
    function document_embedding() { expression: attribute(embedding) * 1 }
    function wide() { expression: tensor<float>(x[3])(x) }
    first-phase { expression: ${expression} }
  }
}
`;

const bound = `file: files/dot.onnx
    input "the query": query(q)
    input "document/embedding": attribute(embedding)
    output "score": points
    output "hidden:0": hidden`;

const packageOf = (expression: string, onnx = bound, reader = true) =>
  readPackage(
    {
      list: (folder) => (folder === "schemas" ? ["schemas/doc.sd"] : []),
      read: () => schema(expression, onnx),
      readBytes: (path) => {
        const bytes = files[path];
        if (bytes === undefined) throw new Error("there is no such file");
        return bytes;
      },
    },
    reader ? { models } : {},
  );

const codes = (expression: string, onnx = bound): string[] =>
  checkPackage(packageOf(expression, onnx)).problems.map(({ code }) => code);

const documentOf = (fields: object): Document => {
  const [entry] = readFeed({ name: "feed", text: JSON.stringify({ put: "id:a:doc::1", fields }) });
  return new Document("id:a:doc::1", entry?.document?.fields ?? new Map(), cells);
};

function score(expression: string, onnx = bound, features: object = {}): number | undefined {
  const read = packageOf(expression, onnx);
  const profile = soundProfile(read, checkPackage(read), "asked", nowhere);
  const overrides = readFeatures({ name: "features", text: JSON.stringify(features) }).features;
  const ranking = new Ranking({ package: read, profile, overrides });
  ranking.refuseUnused(overrides);
  const query = readQuery({ name: "query", text: JSON.stringify({ "input.query(q)": [1, 1] }) }).query;
  const document = documentOf({ embedding: { values: [10, -1] }, price: 12, title: "a" });
  const outcome = ranking.scorer({ query, cells }).values(["first-phase"], { document }).get("first-phase");
  return outcome?.kind === "value" ? outcome.value.asNumber() : undefined;
}

// By hand: [1, 1] W = [4, 6], times [10, -1] is [40, -6].
describe("an output of a model is computed", () => {
  test("from what is bound to its inputs, by its names for the outputs", () => {
    expect(score("sum(onnx(ranker).points)")).toBe(34);
    expect(score("sum(onnx(ranker).hidden)")).toBe(40);
    expect(score("sum(onnxModel(ranker).hidden) + 1")).toBe(41);
  });

  test("by default the first, from functions that are called as its inputs are", () => {
    expect(score("sum(onnx(ranker))", "file: files/dot.onnx")).toBe(34);
    expect(score("sum(onnx(ranker).hidden_0)", "file: files/dot.onnx")).toBe(40);
    expect(score('sum(onnx("dot.onnx").score)')).toBe(34);
  });

  test("unless a value of it is injected", () => {
    expect(score("sum(onnx(ranker).points)", bound, { "onnx(ranker).points": [[5]] })).toBe(5);
  });

  test("and has a type before there are values", () => {
    expect(codes("onnx(ranker).hidden")).toEqual(["phase/not-scalar"]);
    expect(codes("onnx(ranker).hidden{d0:0,d1:0}")).toEqual([]);
  });
});

describe("a forest", () => {
  test("is computed from the rank features that it names", () => {
    expect(score('lightgbm("boosted.json")')).toBe(4);
    expect(score('xgboost("trees.json") + 1', bound, { "fieldMatch(title)": 0.75 })).toBe(3);
    expect(score('xgboost("trees.json") + 1', bound, { 'xgboost("trees.json")': 10 })).toBe(11);
  });
});

describe("tokens for a model", () => {
  // The document has [10, -1], which ends before the -1; the query has [1, 1].
  const cells = (expression: string): unknown[] =>
    [0, 1, 2, 3, 4, 5, 6].map((at) => score(`(${expression}){d0:0,d1:${at}}`));

  test("are those of its parts, between the ones that begin and separate", () => {
    expect(cells("tokenInputIds(7, query(q), attribute(embedding))")).toEqual([101, 1, 1, 102, 10, 102, 0]);
    expect(cells("customTokenInputIds(8, 9, 7, query(q))")).toEqual([8, 1, 1, 9, 0, 0, 0]);
    expect(cells("tokenTypeIds(7, query(q), attribute(embedding))")).toEqual([0, 0, 0, 0, 1, 1, 0]);
    expect(cells("tokenAttentionMask(7, query(q), attribute(embedding))")).toEqual([1, 1, 1, 1, 1, 1, 0]);
  });

  test("are cut at the length", () => {
    expect(score("sum(tokenInputIds(3, query(q), attribute(embedding)))")).toBe(103);
  });
});

describe("what does not fit is told", () => {
  // biome-ignore format: a table
  test.each([
    ["an input that the model has not",  "sum(onnx(ranker))",         'file: files/dot.onnx\n    input "the qery": query(q)',   "model/unknown-port"],
    ["an output that the model has not", "sum(onnx(ranker))",         'file: files/dot.onnx\n    output "scor": points',        "model/unknown-port"],
    ["an output of no name",             "sum(onnx(ranker).pionts)",  bound,                                                   "model/unknown-port"],
    ["an input of other sizes",          "sum(onnx(ranker))",         'file: files/dot.onnx\n    input "the query": wide',      "model/type"],
    ["a node that is no expression",     "sum(onnx(ranker))",         "file: files/strange.onnx\n    input x: query(q)",        "model/unread"],
  ])("%s", (_, expression, onnx, expected) => {
    expect(codes(expression, onnx).join(" ")).toBe(expected);
  });

  test("with the nearest name", () => {
    const read = packageOf("sum(onnx(ranker))", 'file: files/dot.onnx\n    input "the qery": query(q)');
    expect(checkPackage(read).problems[0]?.description.hint).toBe("did you mean the query?");
  });
});

test("a model whose file is not there stays a feature to give", () => {
  expect(codes("sum(onnx(ranker).points)", "file: files/none.onnx")).toEqual([]);
  expect(score("sum(onnx(ranker).points)", "file: files/none.onnx")).toBeUndefined();
  expect(score("sum(onnx(ranker).points)", "file: files/none.onnx", { "onnx(ranker).points": 5 })).toBe(5);
  expect(checkPackage(packageOf("sum(onnx(ranker).points)", bound, false)).problems).toEqual([]);
});
