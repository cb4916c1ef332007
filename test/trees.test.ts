import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, SphexError } from "../src/index.js";
import { belowAsFloat } from "../src/models/trees/xgboost.js";
import { type ForestLibrary, type ForestProgram, readTrees } from "../src/models.js";

/** Forests that XGBoost and LightGBM have trained, with what these predict themselves: `trees/make.py` makes them anew. */
interface Case {
  readonly library: ForestLibrary;
  readonly name: string;
  readonly model: unknown;
  /** What XGBoost's `dump_model` writes of the same forest. */
  readonly dump: unknown;
  readonly rows: readonly (readonly (number | null)[])[];
  readonly predictions: readonly (readonly number[])[];
  readonly margins?: readonly (readonly number[])[];
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(new URL("trees/models.json", import.meta.url), "utf8"),
);
const features = ["age", "price per unit", "x", "colour"];

/** The predictions of a forest as a program, for rows in which null is missing. */
const predictions = (model: unknown, { library, rows }: Case): number[][] =>
  predictionsOf(readTrees({ name: "model.json", text: JSON.stringify(model) }, library), rows);

function predictionsOf({ text, inputs }: ForestProgram, rows: Case["rows"]): number[][] {
  const program = compile(text);
  return rows.map((row) => {
    const values = features.flatMap((feature, at) => {
      const input = inputs.get(feature) ?? inputs.get(feature.replaceAll(" ", "_"));
      return input === undefined ? [] : [[input, row[at] ?? Number.NaN] as const];
    });
    const result = program.run(Object.fromEntries(values));
    return Array.from(result.data, Number);
  });
}

interface FileCase extends Case {
  readonly format: "ubj" | "txt";
  /** UBJSON as base64, or the text. */
  readonly content: string;
}

const fileCases: readonly FileCase[] = JSON.parse(
  readFileSync(new URL("trees/files.json", import.meta.url), "utf8"),
);

const bytesOf = ({ format, content }: FileCase): Uint8Array =>
  format === "ubj" ? Buffer.from(content, "base64") : new TextEncoder().encode(content);

/** Rows whose prediction is another one: XGBoost adds floats, LightGBM doubles. */
function differences(
  found: readonly (readonly number[])[],
  { rows, predictions, library }: Case,
  offset = 0,
): unknown[] {
  const tolerance = library === "xgboost" ? 2e-6 : 1e-12;
  return found.flatMap((numbers, at) => {
    const expected = predictions[at] ?? [];
    const isSame =
      numbers.length === expected.length &&
      numbers.every(
        (each, index) =>
          Math.abs(each + offset - (expected[index] ?? Number.NaN)) <=
          tolerance * Math.max(1, Math.abs(each)),
      );
    return isSame ? [] : [{ row: rows[at], found: numbers, expected }];
  });
}

describe.each(
  fileCases.map((each) => [`${each.name}, as ${each.format}`, each] as const),
)("%s", (_, each) => {
  test("predicts what the library does for every row", () => {
    const found = predictionsOf(readTrees({ name: "model", bytes: bytesOf(each) }), each.rows);
    expect(differences(found, each)).toEqual([]);
  });

  test("is refused where it ends too early, and nothing else happens", () => {
    const bytes = bytesOf(each);
    for (let part = 0; part < 40; part++) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 41));
      try {
        expect(readTrees({ name: "model", bytes: cut }).text).toContain("prediction");
      } catch (error) {
        expect(error).toBeInstanceOf(SphexError);
      }
    }
  });
});

describe.each(cases.map((each) => [`${each.library}, ${each.name}`, each] as const))("%s", (_, each) => {
  test("predicts what the library does for every row", () => {
    expect(each.rows.length).toBeGreaterThan(20);
    expect(differences(predictions(each.model, each), each)).toEqual([]);
  });
});

const dumped = cases.filter(({ dump, margins }) => dump !== null && margins?.[0]?.length === 1);

test.each(
  dumped.map((each) => [each.name, each] as const),
)("a dump of XGBoost says the margin without the base score: %s", (name, each) => {
  expect(name).not.toBe("");
  const margins = each.margins ?? [];
  const found = predictions(each.dump, each);
  const base = (margins[0]?.[0] ?? Number.NaN) - (found[0]?.[0] ?? Number.NaN);
  expect(differences(found, { ...each, predictions: margins }, base)).toEqual([]);
});

test("a double is below a threshold where its float is", () => {
  for (const threshold of [0.1, 1, -1, 0, 2.5, -0.3, 1e-40, 16777216, 3.4e38]) {
    const float = Math.fround(threshold);
    const test = belowAsFloat(threshold);
    if (test.kind !== "below" && test.kind !== "at most") throw new Error("a test of a threshold");
    const middle = test.threshold;
    for (const value of [
      middle,
      middle * (1 + 2 ** -50),
      middle * (1 - 2 ** -50),
      float,
      -float,
      0,
      threshold,
    ]) {
      const passes = test.kind === "below" ? value < middle : value <= middle;
      expect([threshold, value, passes]).toEqual([threshold, value, Math.fround(value) < float]);
    }
  }
});

// biome-ignore format: a table
const broken = [
  { library: "xgboost",  text: "{",                                             code: "model/json",    words: "it is no JSON" },
  { library: "xgboost",  text: "7",                                             code: "model/content", words: "it must be a object" },
  { library: "xgboost",  text: '[{"split":"a","yes":1,"no":2,"split_condition":1,"children":[]}]', code: "model/content", words: "0.yes must be a node within the tree" },
  { library: "xgboost",  text: '[{"split":"a","yes":1,"no":2,"split_condition":"x","children":[{"nodeid":1,"leaf":0},{"nodeid":2,"leaf":0}]}]', code: "model/content", words: "0.split_condition must be a number" },
  { library: "lightgbm", text: '{"feature_names":["a"],"tree_info":[{"tree_structure":{"split_feature":3}}]}', code: "model/content", words: "tree_info.0.tree_structure.split_feature must be a node within the tree" },
  { library: "lightgbm", text: '{"feature_names":3}',                           code: "model/content", words: "feature_names must be a list" },
] as const;

test.each(broken)("$library: $text is a problem", ({ library, text, code, words }) => {
  expect(() => readTrees({ name: "m.json", text }, library)).toThrow(words);
  expect(() => readTrees({ name: "m.json", text }, library)).toThrow(code);
});
