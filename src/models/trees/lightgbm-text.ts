import { UnexpectedJson } from "../json-reader.js";

/**
 * The text that LightGBM saves a model as, in the form of its JSON: lines of a name and a value, for the whole and then for each
 * tree, whose nodes are lists of numbers.
 */
export function lightgbmDocument(text: string): unknown {
  const [head, ...trees] = sectionsOf(text);
  if (head === undefined) throw new UnexpectedJson([], "model");
  const names = wordsIn(head, "feature_names");
  const infos = wordsIn(head, "feature_infos");
  const categorical = text.lastIndexOf("\npandas_categorical:");
  const lists = categorical < 0 ? null : JSON.parse(text.slice(text.indexOf(":", categorical) + 1).trim());
  return {
    feature_names: names,
    feature_infos: Object.fromEntries(names.flatMap((name, at) => infoOf(name, infos[at] ?? "none"))),
    num_tree_per_iteration: Number(head.get("num_tree_per_iteration") ?? 1),
    objective: head.get("objective") ?? "",
    average_output: head.has("average_output"),
    tree_info: trees.map((tree, at) => ({ tree_structure: treeOf(tree, at) })),
    pandas_categorical: lists,
  };
}

type Section = ReadonlyMap<string, string>;

/** The lines before the first tree, and those of each tree. */
function sectionsOf(text: string): Section[] {
  const sections: Map<string, string>[] = [new Map()];
  for (const line of text.split("\n")) {
    if (line.startsWith("end of trees")) break;
    if (line.startsWith("Tree=")) sections.push(new Map());
    const at = line.indexOf("=");
    const name = at < 0 ? line.trim() : line.slice(0, at);
    if (name !== "") sections.at(-1)?.set(name, at < 0 ? "" : line.slice(at + 1).trim());
  }
  return sections;
}

const wordsIn = (section: Section, name: string): string[] =>
  (section.get(name) ?? "").split(" ").filter((each) => each !== "");

/** `[-1:2]` of a number, `0:1:2` of categories; nothing of a feature that is `none`, since it always has one value. */
function infoOf(name: string, info: string): [string, object][] {
  if (info === "none") return [];
  return [[name, info.startsWith("[") ? {} : { values: info.split(":").map(Number) }]];
}

const missingTypes = ["None", "Zero", "NaN"];

/** A node comes before its children, and leaves are numbered by what is below 0. */
function treeOf(section: Section, tree: number): unknown {
  const numbers = (name: string): number[] => wordsIn(section, name).map(numberOf);
  const fail = (name: string): never => {
    throw new UnexpectedJson(["tree", tree, name], "node within the tree");
  };
  if (section.get("is_linear") === "1")
    throw new UnexpectedJson(["tree", tree], "tree with a number at each leaf");
  const leaves = numbers("leaf_value");
  const [features, thresholds] = [numbers("split_feature"), numbers("threshold")];
  const [lefts, rights, decisions] = [
    numbers("left_child"),
    numbers("right_child"),
    numbers("decision_type"),
  ];
  const [boundaries, bits] = [numbers("cat_boundaries"), numbers("cat_threshold")];
  const nodes: unknown[] = [];
  let left = bits.length;
  for (let at = features.length - 1; at >= 0; at--) {
    const child = (list: readonly number[], name: string): unknown => {
      const index = list[at] ?? fail(name);
      if (index < 0)
        return leaves[-1 - index] === undefined ? fail(name) : { leaf_value: leaves[-1 - index] };
      const node = index > at ? nodes[index] : undefined;
      nodes[index] = undefined; // a node has one parent
      return node ?? fail(name);
    };
    const decision = decisions[at] ?? fail("decision_type");
    const threshold = thresholds[at] ?? fail("threshold");
    const isCategorical = (decision & 1) !== 0;
    const [start = 0, end = 0] = isCategorical ? [boundaries[threshold], boundaries[threshold + 1]] : [];
    const set = bits.slice(start, end);
    left -= set.length;
    if (left < 0) fail("threshold"); // each node has words of its own
    nodes[at] = {
      split_feature: features[at],
      threshold: isCategorical ? categoriesIn(set).join("||") : threshold,
      decision_type: isCategorical ? "==" : "<=",
      default_left: (decision & 2) !== 0,
      missing_type: missingTypes[(decision >> 2) & 3] ?? "None",
      left_child: child(lefts, "left_child"),
      right_child: child(rights, "right_child"),
    };
  }
  return nodes[0] ?? (leaves.length === 1 ? { leaf_value: leaves[0] } : fail("leaf_value"));
}

/** How C++ writes what JavaScript calls Infinity. */
const infinities: ReadonlyMap<string, number> = new Map([
  ["inf", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
]);

const numberOf = (word: string): number => infinities.get(word) ?? Number(word);

/** The numbers of the bits that are set, 32 in each word. */
function categoriesIn(words: readonly number[]): number[] {
  return words.flatMap((word, at) =>
    Array.from({ length: 32 }, (_, bit) => bit)
      .filter((bit) => ((word >>> bit) & 1) === 1)
      .map((bit) => 32 * at + bit),
  );
}
