import type { JsonReader } from "../json-reader.js";
import { belowAsFloat } from "./float-threshold.js";
import { type CategoryLabels, deepest, type Split, type Tree } from "./forest.js";

/** A tree as arrays with an entry for each node. */
export function savedTree(tree: JsonReader, columns: Columns, weight: number): Tree {
  const shape = tree.at("tree_param");
  if (!shape.isAbsent && shape.at("size_leaf_vector").numberOr(1) > 1)
    return tree.fail("tree with a number at each leaf");
  return new SavedTree(tree, columns, weight).node(0, 0);
}

/** The columns that trees ask about: how many there are, and the labels of those with categories. */
interface Columns {
  readonly features: number;
  readonly labels: CategoryLabels;
}

class SavedTree {
  private readonly left: readonly number[];
  private readonly right: readonly number[];
  private readonly features: readonly number[];
  private readonly defaultsLeft: readonly number[];
  /** Of a leaf its value, of another node the threshold that it asks about. */
  private readonly conditions: readonly JsonReader[];
  /** 1 for categories; empty where all nodes ask about thresholds. */
  private readonly types: readonly number[];
  private readonly categories: ReadonlyMap<number, readonly number[]>;
  private readonly built = new Set<number>();

  constructor(
    private readonly tree: JsonReader,
    private readonly columns: Columns,
    private readonly weight: number,
  ) {
    const numbers = (name: string): readonly number[] => tree.at(name).numbers;
    [this.left, this.right] = [numbers("left_children"), numbers("right_children")];
    [this.features, this.defaultsLeft] = [numbers("split_indices"), numbers("default_left")];
    this.conditions = tree.at("split_conditions").list;
    this.types = tree.at("split_type").isAbsent ? [] : numbers("split_type");
    this.categories = categoriesOf(tree);
  }

  node(at: number, depth: number): Tree {
    if (depth > deepest) return this.tree.fail("tree of fewer levels");
    if (this.built.has(at)) return this.tree.fail("node of one parent");
    this.built.add(at);
    const [left, right] = [this.entry(this.left, at), this.entry(this.right, at)];
    if (left === -1) return { kind: "leaf", value: this.entry(this.conditions, at).number * this.weight };
    const feature = this.entry(this.features, at);
    if (!(feature >= 0 && feature < this.columns.features)) return this.tree.fail("node within the tree");
    const isDefaultLeft = this.entry(this.defaultsLeft, at) !== 0;
    const [smaller, larger] = [this.node(left, depth + 1), this.node(right, depth + 1)];
    if (this.types[at] !== 1) {
      const test = belowAsFloat(this.entry(this.conditions, at).number);
      return { kind: "split", feature, test, passesMissing: isDefaultLeft, yes: smaller, no: larger };
    }
    // The categories that are listed go to the right.
    const test = this.categoryTest(feature, this.categories.get(at) ?? []);
    return { kind: "split", feature, test, passesMissing: !isDefaultLeft, yes: larger, no: smaller };
  }

  private categoryTest(feature: number, categories: readonly number[]): Split["test"] {
    const labels = this.columns.labels.get(feature);
    return labels === undefined
      ? { kind: "category", categories, truncates: false }
      : { kind: "among", labels: categories.map((code) => this.entry(labels, code)) };
  }

  private entry<T>(list: readonly T[], at: number): T {
    return list[at] ?? this.tree.fail("node within the tree");
  }
}

/** The categories of each node that asks for some. */
function categoriesOf(tree: JsonReader): ReadonlyMap<number, readonly number[]> {
  if (tree.at("categories_nodes").isAbsent) return new Map();
  const all = tree.at("categories").numbers;
  const column = (name: string): ((node: number) => number) => {
    const { numbers } = tree.at(name);
    return (node) => numbers[node] ?? tree.at(name).fail("number for each node that asks for categories");
  };
  const [startOf, sizeOf] = [column("categories_segments"), column("categories_sizes")];
  let left = all.length;
  return new Map(
    tree.at("categories_nodes").numbers.map((node, at) => {
      const start = startOf(at);
      const listed = all.slice(start, start + sizeOf(at));
      left -= listed.length;
      return [node, left < 0 ? tree.at("categories_sizes").fail("number of what there is") : listed];
    }),
  );
}
