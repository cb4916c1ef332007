import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SphexError } from "../../src/index.js";
import { mayBacktrackWithoutEnd } from "../../src/models/tokens/backtracking.js";
import { longestTextOf } from "../../src/models/tokens/pattern-steps.js";
import { readOnnx, readTokenizer, readTrees } from "../../src/models.js";
import { patient } from "../patience.js";
import { all, number, part, port, text, type Write } from "./onnx/write-model.js";

/** Small files of models that would become large programs, or work without end: each is refused. */

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    expect(error.message.length).toBeLessThan(2000);
    return error.problems[0]?.code;
  }
  return undefined;
}

describe("functions of ONNX", () => {
  const own = "own";
  const call = (operator: string, input: string, output: string, domain = own): Write =>
    all(text(1, input), text(2, output), text(4, operator), text(7, domain));
  /** A function of x that is y. */
  const body = (name: string, ...nodes: readonly Write[]): Write =>
    part(
      25,
      all(
        text(1, name),
        text(4, "x"),
        text(5, "y"),
        ...nodes.map((node) => part(7, node)),
        part(9, number(2, 17)),
        text(10, own),
      ),
    );

  function importOf(first: string, functions: readonly Write[]): string {
    const writer = new BinaryWriter();
    const graph = part(7, all(part(1, call(first, "x", "y")), port(11, "x", [2]), port(12, "y", [2])));
    all(graph, part(8, number(2, 17)), part(8, all(text(1, own), number(2, 1))), ...functions)(writer);
    return readOnnx({ name: "m.onnx", bytes: writer.finish() }).program().text;
  }

  const relu = body("F0", call("Relu", "x", "y", ""));
  const twice = (at: number): Write =>
    body(`F${at}`, call(`F${at - 1}`, "x", "a"), call(`F${at - 1}`, "a", "y"));

  test("that call others are written out", () => {
    const program = importOf("F3", [relu, twice(1), twice(2), twice(3)]);
    expect(program.match(/relu\(/g)?.length).toBe(8);
  });

  test("that call themselves are refused", () => {
    expect(codeOf(() => importOf("F", [body("F", call("F", "x", "y"))]))).toBe("model/node");
  });

  test("that call others twice, again and again, are refused", patient, () => {
    const functions = [relu, ...Array.from({ length: 40 }, (_, at) => twice(at + 1))];
    expect(codeOf(() => importOf("F40", functions))).toBe("model/node");
  });
});

describe("forests", () => {
  const levels = 60;
  const list = <T>(value: (at: number) => T): T[] => Array.from({ length: levels + 1 }, (_, at) => value(at));
  const learner = (tree: object, parameters: object = {}): string =>
    JSON.stringify({
      learner: {
        feature_names: ["a"],
        objective: { name: "reg:squarederror" },
        learner_model_param: { base_score: "0", num_class: "0", num_feature: "1", ...parameters },
        gradient_booster: { model: { trees: [tree], tree_info: [0] } },
      },
    });
  const read = (content: string, library: "xgboost" | "lightgbm") =>
    codeOf(() => readTrees({ name: "model", text: content }, library));
  const leaf = {
    ...{ left_children: [-1], right_children: [-1], split_indices: [0] },
    ...{ split_conditions: [1], default_left: [0] },
  };

  // Each node but the last has the next as both of its children: two to the power of 60 leaves.
  test("of XGBoost whose nodes have two parents", () => {
    const children = list((at) => (at === levels ? -1 : at + 1));
    const tree = {
      ...{ left_children: children, right_children: children, split_indices: list(() => 0) },
      ...{ split_conditions: list(() => 1), default_left: list(() => 0) },
    };
    expect(read(learner(tree), "xgboost")).toBe("model/content");
    expect(read(learner({ ...tree, left_children: [0], right_children: [0] }), "xgboost")).toBe(
      "model/content",
    );
    expect(read(learner(leaf), "xgboost")).toBeUndefined();
  });

  test("of XGBoost as a dump, whose answers are one node", () => {
    let dump: object = { nodeid: 1, leaf: 1 };
    for (let level = 0; level < levels; level++)
      dump = { nodeid: 1, split: "a", split_condition: 1, yes: 1, no: 1, children: [dump] };
    expect(read(JSON.stringify([dump]), "xgboost")).toBe("model/content");
  });

  test("of XGBoost whose nodes all have all categories, and that ask for more features than anybody names", () => {
    const categories = { categories_nodes: [0, 1], categories_segments: [0, 0], categories_sizes: [3, 3] };
    const tree = { ...leaf, ...categories, categories: [1, 2, 3] };
    expect(read(learner(tree), "xgboost")).toBe("model/content");
    expect(read(learner({ ...tree, categories_sizes: [2, 1] }), "xgboost")).toBeUndefined();
    expect(read(learner(leaf, { num_feature: "100000000" }), "xgboost")).toBe("model/content");
  });

  test("of LightGBM as text, whose nodes have two parents", () => {
    const children = list((at) => (at === levels ? -1 : at + 1)).join(" ");
    const own = (value: number): string => list(() => value).join(" ");
    const lines = [
      ...["tree", "feature_names=a", "", "Tree=0", "leaf_value=1 2", `split_feature=${own(0)}`],
      ...[`threshold=${own(1)}`, `decision_type=${own(2)}`, `left_child=${children}`],
      ...[`right_child=${children}`, "", "end of trees"],
    ];
    expect(read(lines.join("\n"), "lightgbm")).toBe("model/content");
    const right = lines.map((line) => (line.startsWith("right_child") ? `right_child=${own(-2)}` : line));
    expect(read(right.join("\n"), "lightgbm")).toBeUndefined();
  });

  test("in UBJSON, with lists of what takes no bytes", () => {
    const bytes = [..."{i\x01a["].map((sign) => sign.charCodeAt(0));
    for (let at = 0; at < 100_000; at++) bytes.push(0x5b, 0x24, 0x5a, 0x23, 0x6c, 0, 0x0c, 0, 0); // [$Z#l 786432
    expect(codeOf(() => readTrees({ name: "m.ubj", bytes: Uint8Array.from(bytes) }))).toBe("model/ubjson");
  });

  test("whose features become one name are named in time, and those of long names briefly", patient, () => {
    const dots = Array.from(
      { length: 30_000 },
      (_, at) => `age${".".repeat(1 + (at % 7))}${"/".repeat(at % 11)}`,
    );
    const content = JSON.stringify({ feature_names: [...dots, "b".repeat(100_000)], tree_info: [] });
    const { text: program } = readTrees({ name: "m.json", text: content }, "lightgbm");
    expect(program).toContain("input age_30000: tensor()");
    expect(program.length).toBeLessThan(1_000_000);
  });
});

describe("patterns of tokenizers", () => {
  // biome-ignore format: a list
  test.each([
    "(a+)+$", "(a|aa)+$", "(a*)*", "(?:a?){50}", "(?:\\w+\\s?)*x", "((ab)*c)+", "(?i:(x|y)+)*",
  ])("%s is refused", (pattern) => {
    expect(mayBacktrackWithoutEnd(pattern)).toBe(true);
    const json = {
      model: { type: "BPE", vocab: { a: 0 }, merges: [] },
      pre_tokenizer: { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
    };
    expect(codeOf(() => readTokenizer({ name: "t.json", text: JSON.stringify(json) }))).toBe("model/tokenizer");
  });

  test.each([
    "\u001b]0;owned\u0007",
    {},
    { regex: "a" },
    null,
    { Regex: 1 },
  ])("%j is refused, and printed nowhere", (pattern) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const json = { model: { type: "BPE", vocab: { a: 0, pattern: 1 }, merges: [] } };
    expect(codeOf(() => readTokenizer({ name: "t.json", text: JSON.stringify(json) }))).toBeUndefined();
    const normalizer = { type: "Replace", pattern, content: "" };
    const text = JSON.stringify({ ...json, normalizer });
    expect(codeOf(() => readTokenizer({ name: "t.json", text }))).toBe("model/tokenizer");
    expect(warn).not.toHaveBeenCalled();
  });

  // What well-known tokenizers have: of GPT-2, GPT-4, Llama 3, BLOOM, Falcon, DeepSeek, XLM-RoBERTa.
  // biome-ignore format: a list
  test.each([
    "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
    "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
    "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}",
    " ?[^(\\s|[.,!?…。，、।۔،])]+", "[0-9][0-9][0-9]", "[\\r\\n]", "\\s?\\p{L}+", "[一-龥ࠀ-一가-퟿]+", " {2,}", "\\n+$", "{", "a{1,", "(", "[",
  ])("%s is tried", (pattern) => {
    expect(mayBacktrackWithoutEnd(pattern)).toBe(false);
  });

  /** A tokenizer that splits by a pattern, behind what its normalizer makes of the text. */
  const splitting = (pattern: string, normalizer: object | null = null) =>
    readTokenizer({
      name: "t.json",
      text: JSON.stringify({
        model: { type: "BPE", unk_token: "a", vocab: { a: 0 }, merges: [] },
        normalizer,
        pre_tokenizer: { type: "Split", pattern: { Regex: pattern }, behavior: "Isolated", invert: false },
      }),
    });

  // Of each the power of the length that it takes at worst, at one position of a text of one letter; at all positions it is one more.
  const powers: readonly (readonly [pattern: string, power: number])[] = [
    ["a", 0],
    ["a+", 0],
    [" ?[^\\s\\p{L}]+[\\r\\n]*", 0],
    ["a*b", 1],
    ["\\s*[\\r\\n]+", 1],
    ["\\s+(?!\\S)", 1],
    ["(?=a*b)", 1],
    ["(?<!a*b)a", 1],
    ["b|(?:a{2,})$", 1],
    ["(?:ab)*c", 1],
    ["a{0,1000}b", 1],
    ["a*?b", 1],
    ["a*a*b", 2],
    ["(a*)(a*)b", 2],
    ["(?:c|a*a*)b", 2],
    ["a+(?:a*b)?c", 2],
    ["a*a*a*b", 3],
    [".*.*.*.*x", 4],
  ];
  const longest = (power: number): number => Math.min(1e8, 1e10 ** (1 / (power + 1)));

  test.each(powers)("%s is tried on texts that it reads in 10^10 steps at worst", (pattern, power) => {
    expect(mayBacktrackWithoutEnd(pattern)).toBe(false);
    // Alternatives and signs that may be left out are few, and shorten a text little.
    expect(longestTextOf(pattern)).toBeLessThanOrEqual(longest(power));
    expect(longestTextOf(pattern)).toBeGreaterThan(longest(power) / 3);
    const tokenizer = splitting(pattern);
    expect(codeOf(() => tokenizer.encode("a".repeat(100)))).toBeUndefined();
    if (power === 0) return;
    const text = "a".repeat(longest(power) + 1);
    expect(codeOf(() => tokenizer.encode(text))).toBe("model/tokenizer");
  });

  test("with many signs that may be left out are bounded too: two to the power of their number", () => {
    expect(longestTextOf(`${"a?".repeat(20)}b`)).toBeLessThan(1e10 / 2 ** 19);
    expect(codeOf(() => splitting(`${"a?".repeat(60)}b`).encode("a"))).toBe("model/tokenizer");
    expect(codeOf(() => splitting(`${"(a|a)".repeat(60)}b`).encode("a"))).toBe("model/tokenizer");
    expect(codeOf(() => splitting(`${"(".repeat(1000)}a*b`))).toBe("model/tokenizer");
  });

  test("are bounded by the text that stands in the place of what others found", () => {
    const twice = { type: "Replace", pattern: { String: "a" }, content: "aa" };
    const normalizer = { type: "Sequence", normalizers: Array.from({ length: 40 }, () => twice) };
    expect(codeOf(() => splitting("a", normalizer).encode("a"))).toBe("model/tokenizer");
    const same = { type: "Sequence", normalizers: Array(40).fill({ ...twice, content: "b" }) };
    expect(codeOf(() => splitting("a", same).encode("a".repeat(1000)))).toBeUndefined();
    const between = { type: "Replace", pattern: { Regex: "a*" }, content: "aa" };
    const all = { type: "Sequence", normalizers: Array(40).fill(between) };
    expect(codeOf(() => splitting("a", all).encode("a"))).toBe("model/tokenizer");
  });
});
