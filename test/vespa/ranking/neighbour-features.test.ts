import { describe, expect, test } from "vitest";
import { attribute, scoreOf } from "./profile-score.js";

/** Features of nearest neighbour search, by the definitions of Vespa's distance metrics. */
describe("a neighbour", () => {
  const fields = attribute("v", "tensor<float>(x[2])", "| index\n attribute { distance-metric: euclidean }");
  const many = attribute(
    "v",
    "tensor<float>(k{},x[2])",
    "| index\n attribute { distance-metric: euclidean }",
  );
  const inputs = "query(q) tensor<float>(x[2])";
  const document = { v: [3, 4] };
  const yql = 'select * from doc where {targetHits:10, label:"near"}nearestNeighbor(v, q)';

  test("is found by the operator of the query, by its field or its label", async () => {
    const asked = { fields, inputs, document, query: { yql, "input.query(q)": [0, 0] } };
    expect(await scoreOf("distance(field, v)", asked)).toBe(5);
    expect(await scoreOf("distance(label, near)", asked)).toBe(5);
    expect(await scoreOf("closeness(field, v)", asked)).toBe(1 / 6);
    expect(await scoreOf("closeness(label, other)", asked)).toBe(0);
  });

  test.each<[string, number, string]>([
    ["distance(label, a)", 5, '[{"targetHits": 10, "label": "a"}]nearestNeighbor(v, q)'],
    ["distance(label, a)", 5, "{targetHits: 10, label: 'a'}(nearestNeighbor(v, q))"],
    ["distance(field, v)", 5, '{targetHits: 10}nearestNeighbor(v, "q")'],
    ["distance(field, v)", 5, "{targetHits: 10}nearestNeighbor(v, @vector)"],
    ["distance(field, v)", 5, "rank(true, {targetHits: 10}nearestNeighbor(v, q))"],
    ["distance(field, v)", Number.MAX_VALUE, "title contains 'nearestNeighbor(v, q)'"],
    ["distance(field, v)", Number.MAX_VALUE, "true and !({targetHits: 10}nearestNeighbor(v, q))"],
    ["distance(field, v)", 5, "{targetHits: 10, ranked: false}nearestNeighbor(v, q)"],
    ["distance(field, v)", 5, "what cannot be read: {targetHits: 10}nearestNeighbor(v, q)"],
  ])("%s is %d where %s", async (feature, expected, where) => {
    const query = { yql: `select * from doc where ${where}`, vector: "q", "input.query(q)": [0, 0] };
    expect(await scoreOf(feature, { fields, inputs, document, query })).toBe(expected);
  });

  // To q, [3, 4] is 5 away, [3, 5] √34; to r, 2 and 1.
  test.each<[string, number]>([
    ["distance(field, v)", 1],
    ["closeness(field, v)", 1 / 2],
    ["distance(label, far)", 5],
    ["closeness(label, far)", 1 / 6],
    ["closest(v){k:b}", 1],
    ["closest(v){k:a}", 0],
    ["closest(v, far){k:a}", 1],
    ["sum(closest(v, elsewhere))", 0],
    ["rawScore(v)", 1 / 6 + 1 / 2],
    ["itemRawScore(far)", 1 / 6],
  ])("%s is %d, of the nearest of two operators", async (feature, expected) => {
    const far = "{targetHits: 9, label: 'far'}nearestNeighbor(v, q)";
    const near = "{targetHits: 9}nearestNeighbor(v, r)";
    const other = "{targetHits: 9, label: 'elsewhere'}nearestNeighbor(w, q)";
    const two = {
      fields: `${many}\n${attribute("w", "tensor<float>(x[2])")}`,
      inputs: `${inputs}\n query(r) tensor<float>(x[2])`,
      document: { v: { a: [3, 4], b: [3, 5] }, w: [0, 0] },
    };
    for (const order of [
      [far, near, other],
      [other, near, far],
    ]) {
      const yql = `select * from doc where ${order.join(" or ")}`;
      const query = { yql, "input.query(q)": [0, 0], "input.query(r)": [3, 6] };
      expect(await scoreOf(feature, { ...two, query })).toBeCloseTo(expected, 15);
    }
  });

  // The query's numbers are truncated to int8, 7.5 to 7 and 300 by its low byte to 44, and to bfloat16 with its 8 bits of
  // precision: 1.99 to 1.984375. Those of a float are the nearest to 0.1; of a double, and in degrees, all are as they are.
  test.each<[string, string, string, number[], number[], number]>([
    ["distance", "int8", "hamming", [7.5, 1], [0, 1], 3],
    ["closeness", "int8", "euclidean", [7.5, 1], [7, 1], 1],
    ["distance", "int8", "euclidean", [300, -1.5], [44, -1], 0],
    ["distance", "int8", "angular", [1.5, 0.5], [2, 0], 0],
    ["closeness", "int8", "dotproduct", [1.5, 2.5], [10, 1], 12],
    ["distance", "int8", "prenormalized-angular", [1.5, 0.5], [0, 1], 1],
    ["distance", "bfloat16", "euclidean", [1.99, 0], [1, 0], 0.984375],
    ["distance", "bfloat16", "hamming", [1.99, 0], [1.984375, 0], 0],
    ["distance", "float", "hamming", [0.1, 0], [0.1, 0], 0],
    ["distance", "double", "hamming", [0.1, 0], [0.1, 0], 0],
    ["distance", "double", "euclidean", [7.5, 1], [7, 1], 0.5],
    ["distance", "int8", "geodegrees", [0, 0.5], [0, 0], (6371.0088 * Math.PI) / 360],
  ])("%s to a field of %s by %s from %j to %j is %d", async (feature, cell, metric, from, to, expected) => {
    const own = attribute("v", `tensor<${cell}>(x[2])`, `| index\n attribute { distance-metric: ${metric} }`);
    const asked = { fields: own, inputs: "query(q) tensor<double>(x[2])", document: { v: to } };
    const query = { yql, "input.query(q)": from };
    expect(await scoreOf(`${feature}(field, v)`, { ...asked, query })).toBeCloseTo(expected, 9);
  });

  test("is by the product itself, where the metric takes vectors for normalized", async () => {
    const normalized = attribute(
      "v",
      "tensor<float>(k{},x[2])",
      "| index\n attribute { distance-metric: prenormalized-angular }",
    );
    const asked = { fields: normalized, inputs, document: { v: { a: [1, 0], b: [3, 0] } } };
    const query = { yql, "input.query(q)": [1, 0] };
    expect(await scoreOf("closest(v){k:b}", { ...asked, query })).toBe(1);
    expect(await scoreOf("distance(field, v)", { ...asked, query })).toBe(0);
  });

  test("is the only one there can be where there is no operator", async () => {
    expect(await scoreOf("distance(field, v)", { fields, inputs, document })).toBe(5);
    const two = `${inputs}\n query(r) tensor<float>(x[2])`;
    await expect(scoreOf("distance(field, v)", { fields, inputs: two, document })).rejects.toThrow(
      /ranking\/missing/,
    );
  });

  test("is not there where the query asks for none, or the document has no vector", async () => {
    const none = { yql: "select * from doc where true" };
    expect(await scoreOf("closeness(field, v)", { fields, inputs, document, query: none })).toBe(0);
    expect(await scoreOf("distance(field, v)", { fields, inputs, document, query: none })).toBe(
      Number.MAX_VALUE,
    );
    expect(await scoreOf("closeness(field, v)", { fields, inputs })).toBe(0);
  });

  test("is the nearest of many", async () => {
    const asked = { fields: many, inputs, document: { v: { a: [3, 4], b: [0, 1] } } };
    expect(await scoreOf("distance(field, v)", asked)).toBe(1);
    expect(await scoreOf("closest(v){k:b}", asked)).toBe(1);
    expect(await scoreOf("sum(closest(v))", asked)).toBe(1);
    expect(await scoreOf("sum(closest(v))", { ...asked, document: {} })).toBe(0);
  });
});
