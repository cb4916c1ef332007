import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, compile } from "../../src/index.js";
import { type ForestLibrary, models } from "../../src/models.js";

/** Forests whose categories have labels, as tables of pandas have them: calls take the labels. `trees/labels.py` makes them anew. */
interface Case {
  readonly library: ForestLibrary;
  readonly name: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  readonly files: readonly (readonly [format: string, base64: string])[];
  /** Of each row what the library predicts; null where the file does not tell which labels a column has. */
  readonly predictions: readonly number[] | null;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("trees/labels.json", import.meta.url), "utf8"),
);

const reading = (bytes: Uint8Array) => ({ models, readBytes: () => bytes });

describe.each(
  cases.flatMap((each) =>
    each.files.map(
      ([format, content]) => [`${each.library}, ${each.name}, as ${format}`, format, content, each] as const,
    ),
  ),
)("%s", (_, format, content, { rows, predictions, library }) => {
  const bytes = Buffer.from(content, "base64");

  test.skipIf(predictions === null)("predicts what the library does", () => {
    expect(rows.length).toBeGreaterThan(2);
    for (const [at, row] of rows.entries()) {
      const values = Object.entries(row).map(
        ([name, value]) => `${name}: ${typeof value === "string" ? JSON.stringify(value) : `(${value})`}`,
      );
      const text = `model m = file("m.${format}")\nm(${values.join(", ")})`;
      const tolerance = library === "xgboost" ? 5 : 10;
      expect(compile(text, reading(bytes)).run().asNumber()).toBeCloseTo(
        predictions?.[at] ?? Number.NaN,
        tolerance,
      );
    }
  });

  test.skipIf(predictions !== null)("is refused", () => {
    const problems = check(`model m = file("m.${format}")\nm(site: 7, kind: 1)`, reading(bytes));
    expect(problems[0]?.message).toContain(
      "pandas_categorical must be a list of labels for each feature with categories",
    );
    expect(problems[0]?.message).toContain("LightGBM");
  });
});

const leaf = (nodeid: number, value: number): object => ({ nodeid, leaf: value });
const split = (name: string, yes: object, no: object): object => ({
  ...{ nodeid: 0, split: name, split_condition: 0.5, yes: 1, no: 2, missing: 1 },
  children: [yes, no].map((each, at) => ({ ...each, nodeid: at + 1 })),
});
/** 0 and 1 where b is below a half, by whether a is; otherwise 4. */
const dump = (a: string, b: string): Buffer =>
  Buffer.from(JSON.stringify([split(b, split(a, leaf(1, 0), leaf(2, 1)), leaf(2, 4))]));

describe("a dump of XGBoost, which does not list its features", () => {
  const value = (text: string, bytes: Uint8Array): number =>
    compile(`model m = file("m.json")\n${text}`, reading(bytes)).run().asNumber();

  test("has those without names in the order of their numbers", () => {
    for (const call of ["m(0.9, 0.1)", "m(tensor(x[2]):[0.9,0.1])", "m(f0: 0.9, f1: 0.1)"])
      expect(value(call, dump("f0", "f1"))).toBe(1);
    expect(value("m(0.9, 0.1)", dump("f2", "f10"))).toBe(1);
    expect(check('model m = file("m.json")\nm(0.9, 0.1)', reading(dump("f0", "f1")))).toEqual([]);
  });

  test("has others in an order that it tells of", () => {
    const codes = (call: string): string[] =>
      check(`model m = file("m.json")\n${call}`, reading(dump("a", "b"))).map(({ code }) => code);
    expect(value("m(a: 0.9, b: 0.1)", dump("a", "b"))).toBe(1);
    expect(codes("m(a: 0.9, b: 0.1)")).toEqual([]);
    expect(codes("m(tensor(x{}):{a:0.9,b:0.1})")).toEqual([]);
    expect(codes("m(0.9, 0.1)")).toEqual(["model/unordered"]);
    expect(codes("m(tensor(x[2]):[0.9,0.1])")).toEqual(["model/unordered"]);
  });

  test("is refused where a split has no condition: 0 may be missing, or not", () => {
    const bytes = Buffer.from(
      JSON.stringify([{ nodeid: 0, split: "f0", yes: 1, no: 2, children: [leaf(1, 2), leaf(2, 7)] }]),
    );
    expect(() => value("m(1)", bytes)).toThrow("0.split_condition must be a number");
  });
});

test("NaN where nothing is to be read is no fault of a file", () => {
  const learner = {
    feature_names: ["NaN"],
    learner_model_param: { base_score: "0", num_class: "0", num_feature: "1" },
    objective: { name: "reg:squarederror" },
    gradient_booster: {
      model: {
        tree_info: [0],
        trees: [
          {
            ...{ left_children: [1, -1, -1], right_children: [2, -1, -1], split_indices: [0, 0, 0] },
            ...{ default_left: [0, 0, 0], split_type: [1, 0, 0], split_conditions: ["?", 3, 5] },
            ...{ categories: [1], categories_nodes: [0], categories_segments: [0], categories_sizes: [1] },
          },
        ],
      },
    },
  };
  const file = (written: string): Uint8Array =>
    Buffer.from(JSON.stringify({ learner }).replace('"?"', written));
  const text = 'model m = file("m.json")\nm(1) + 10 * m(0)';
  expect(
    compile(text, reading(file("NaN")))
      .run()
      .asNumber(),
  ).toBe(5 + 30);
  expect(
    compile(text, reading(file("1e-45")))
      .run()
      .asNumber(),
  ).toBe(5 + 30);
});

test("labels of categories are the texts that their bytes are", () => {
  const file = (label: Uint8Array): Uint8Array => {
    const learner = {
      feature_names: ["a"],
      learner_model_param: { base_score: "0", num_class: "0", num_feature: "1" },
      objective: { name: "reg:squarederror" },
      gradient_booster: {
        model: {
          cats: { enc: [{ offsets: [0, 1, 1 + label.length], values: [0x62, ...label] }] },
          tree_info: [0],
          trees: [
            {
              ...{ left_children: [1, -1, -1], right_children: [2, -1, -1], split_indices: [0, 0, 0] },
              ...{ default_left: [0, 0, 0], split_type: [1, 0, 0], split_conditions: [0, 3, 5] },
              ...{ categories: [1], categories_nodes: [0], categories_segments: [0], categories_sizes: [1] },
            },
          ],
        },
      },
    };
    return Buffer.from(JSON.stringify({ learner }));
  };
  const values = (bytes: Uint8Array, labels: readonly string[]): number[] =>
    labels.map((label) =>
      compile(`model m = file("m.json")\nm(${JSON.stringify(label)})`, reading(bytes))
        .run()
        .asNumber(),
    );
  // The mark of a file at the beginning of a label is a character.
  expect(values(file(Buffer.from("\ufeffc")), ["\ufeffc", "c", "b"])).toEqual([5, 3, 3]);
  expect(() => values(file(Uint8Array.of(0xe9)), ["b"])).toThrow(/values must be a text/);
});
