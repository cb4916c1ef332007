import type { JsonReader } from "../json-reader.js";
import { belowAsFloat } from "./float-threshold.js";
import { deepest, type Forest, type SplitTest, type Tree } from "./forest.js";

/**
 * A dump has neither the base score nor the objective: its sum is what the trees say. Nor does it list the features: where data had no names
 * for them, these are numbers, and otherwise nobody knows their order.
 */
export function dumpedForest(json: JsonReader): Forest {
  if (json.list.length === 0) return json.fail("list with a tree");
  const found = new Set<string>();
  for (const tree of json.list) addFeatures(tree, found, 0);
  const areNumbered = [...found].every((name) => numbered.test(name));
  const features = areNumbered
    ? [...found].sort((one, other) => numberOf(one) - numberOf(other))
    : [...found];
  const positions = new Map(features.map((name, at) => [name, at]));
  const trees = json.list.map((tree) => dumpedTree(tree, positions));
  return {
    features,
    isUnordered: !areNumbered,
    classes: [trees],
    bases: [0],
    divisor: 1,
    transform: { kind: "none" },
  };
}

/** What XGBoost calls a feature without a name. */
const numbered = /^f\d+$/;

const numberOf = (name: string): number => Number(name.slice(1));

/** The features that a tree asks for, which has no more levels than trees may have. */
function addFeatures(node: JsonReader, found: Set<string>, depth: number): void {
  if (depth > deepest) return node.fail("tree of fewer levels");
  if (!node.at("leaf").isAbsent) return;
  found.add(node.at("split").text);
  for (const child of node.at("children").list) addFeatures(child, found, depth + 1);
}

function dumpedTree(node: JsonReader, positions: ReadonlyMap<string, number>): Tree {
  const leaf = node.at("leaf");
  if (!leaf.isAbsent) return { kind: "leaf", value: leaf.number };
  const children = node.at("children").list;
  const child = (name: string): JsonReader => {
    const id = node.at(name).number;
    return (
      children.find((each) => each.at("nodeid").number === id) ?? node.at(name).fail("node within the tree")
    );
  };
  const [yes, no] = [child("yes"), child("no")];
  if (yes === no) return node.at("no").fail("node of one parent");
  // Of a feature that is there or not no condition is written, and not which of 0 and a missing value stood for the latter.
  const condition = node.at("split_condition");
  const test: SplitTest = condition.isList
    ? { kind: "category", categories: condition.numbers, truncates: false }
    : belowAsFloat(condition.number);
  const missing = node.at("missing");
  return {
    kind: "split",
    feature: positions.get(node.at("split").text) ?? node.at("split").fail("node within the tree"),
    test,
    passesMissing: !missing.isAbsent && missing.number === node.at("yes").number,
    yes: dumpedTree(yes, positions),
    no: dumpedTree(no, positions),
  };
}
