import { aggregatorNames } from "../../scalar/aggregators.js";
import { scalarFunctions, scalarNamed } from "../../scalar/functions.js";
import { requireText } from "../../source/arguments.js";
import { wrapped } from "../../source/columns.js";
import { append } from "../../source/lists.js";
import { nearest } from "../../source/nearest.js";
import { cellTypeNames, cellTypes } from "../../types/cell.js";
import { functionDescriptions } from "./function-descriptions.js";
import {
  formRows,
  functionRows,
  joinedRule,
  operatorRows,
  reducedRule,
  scalarRule,
  type TopicRow,
} from "./topic-rows.js";

/** What a topic of the reference is about. */
export type TopicKind = "function" | "aggregator" | "operator" | "cell type" | "form";

/** What the reference says of a word of the language. */
export interface Topic extends TopicRow {
  readonly name: string;
  readonly kind: TopicKind;
  readonly signature: string;
  readonly description: string;
}

let cached: ReadonlyMap<string, Topic> | undefined;

/** All words of the language by name: functions, aggregators, operators, forms and cell types. */
export function topics(): ReadonlyMap<string, Topic> {
  cached ??= new Map(
    [...functions(), ...operators(), ...forms(), ...cells()].map((each) => [each.name, each]),
  );
  return cached;
}

const isAggregator = (name: string): boolean => aggregatorNames.some((each) => each === name);

const functions = (): Topic[] =>
  [...functionDescriptions().values()].map(({ name, signature, description, example }) => {
    const row = functionRows[name] ?? {
      examples: example === undefined ? [] : [[example.call, example.value]],
    };
    const typeRule = row.typeRule ?? usualRule(name);
    const kind = isAggregator(name) ? "aggregator" : "function";
    return { ...row, name, kind, signature, description, ...(typeRule === undefined ? {} : { typeRule }) };
  });

function usualRule(name: string): string | undefined {
  if (isAggregator(name)) return reducedRule;
  const scalar = scalarNamed(name);
  return scalar === undefined ? undefined : scalarRule(scalarFunctions[scalar].parameters.length);
}

const operators = (): Topic[] =>
  Object.entries(operatorRows).map(([name, row]) => ({
    ...{ ...row, name, kind: "operator" },
    typeRule: name === "!" ? scalarRule(1) : joinedRule,
  }));

const forms = (): Topic[] => Object.entries(formRows).map(([name, row]) => ({ ...row, name, kind: "form" }));

const cells = (): Topic[] =>
  cellTypeNames.map((name) => {
    const { width, vespa, whole, decaysTo } = cellTypes[name];
    const what = `${whole ? "whole numbers" : "numbers"} of ${width} ${width === 1 ? "byte" : "bytes"}`;
    return {
      ...{ name, kind: "cell type", signature: `tensor<${name}>(…)`, related: ["cell_cast"], examples: [] },
      description: `Cells that are ${what}${vespa ? "" : ", which Vespa does not have"}.`,
      typeRule: `What is computed of such cells has cells of ${decaysTo}.`,
      ...(name === "bfloat16" || name === "int8" ? {} : { paper: "5.1" }),
    };
  });

/** The words whose names, sentences or signatures have all words of a query, those of the name first. */
export function searchTopics(query: string): readonly Topic[] {
  requireText("searchTopics", query);
  const words = query
    .toLowerCase()
    .split(/[^a-z0-9_%^*/+<>=!&|~-]+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const score = ({ name, signature, description, related = [] }: Topic): number => {
    const text = `${signature} ${description}`.toLowerCase();
    const found = words.map((word) => {
      if (name === word) return 4;
      if (name.includes(word)) return 3;
      return text.includes(synonyms[word] ?? word) ? 2 : related.includes(word) ? 1 : 0;
    });
    const total = found.reduce((sum: number, each) => sum + each, 0);
    return found.includes(0) && words.length < 3 && !found.some((each) => each >= 3) ? 0 : total;
  };
  const scored = [...topics().values()].map((topic) => ({ topic, points: score(topic) }));
  return scored
    .filter(({ points }) => points > 1)
    .sort((one, other) => other.points - one.points)
    .slice(0, 10)
    .map(({ topic }) => topic);
}

/** Words of newcomers, and those of our sentences. */
const synonyms: Readonly<Record<string, string>> = {
  matrix: "summed along",
  average: "mean",
  mean: "mean",
  highest: "highest",
  remainder: "remainder",
  modulo: "remainder",
  dot: "product",
  length: "how many",
  size: "how many",
  conditional: "condition",
  else: "otherwise",
  and: "neither side",
  or: "either side",
  type: "cell type",
};

/** The word that a mistyped one was meant for, which begins as it does. Most words are short: without that, any is near. */
export function nearestTopic(name: string): string | undefined {
  requireText("nearestTopic", name);
  const first = name.slice(0, 1).toLowerCase();
  const alike = [...topics().keys()].filter((each) => each.toLowerCase().startsWith(first));
  const beginnings = alike.filter((each) => name.startsWith(each));
  return nearest(name, [...beginnings, ...alike]);
}

/** A topic as text: signature, sentence, types, examples, what is related, and where the paper has it. */
export function topicText(
  { signature, description, typeRule, examples, related = [], paper }: Topic,
  width = Number.POSITIVE_INFINITY,
): string {
  const lines = [signature, `  ${description}`];
  if (typeRule !== undefined) lines.push("", `  Type: ${typeRule}`);
  if (examples.length > 0)
    append(lines, ["", ...examples.flatMap(([expression, value]) => [`  > ${expression}`, `  ${value}`])]);
  lines.push("");
  if (related.length > 0) lines.push(`  Related: ${related.join(", ")}`);
  lines.push(
    paper === undefined ? "  Not in the paper." : `  Paper: ${/^\d/.test(paper) ? "section " : ""}${paper}`,
  );
  return lines.flatMap((line) => wrapped(line, width, line.startsWith("  ") ? 2 : 0)).join("\n");
}
