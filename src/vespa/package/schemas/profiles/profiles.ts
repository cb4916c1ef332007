import { textIn } from "../../../../language/source/span.js";
import { type LexemeKind, lexemesOf } from "../../model/lexemes.js";
import { problem } from "../../model/messages.js";
import {
  type Constant,
  type FeatureList,
  type FeatureListName,
  featureListNames,
  type Input,
  type Model,
  type Phase,
  type PhaseName,
  type Property,
  phaseNames,
  type RankFunction,
  type RankProfile,
} from "../../model/model.js";
import type { Reading } from "../../model/reading.js";
import type * as Tree from "../../syntax/tree.js";
import { settings as words } from "../../syntax/words.js";
import { reportDash } from "../fields/field-checks.js";
import { reportForeignCounts, reportSettingValues } from "../setting-values.js";
import { reportSlips } from "../slips.js";
import { readConstant, readConstants } from "./constants.js";
import { readFeatures } from "./features.js";
import { expressionIn, readFunction } from "./functions.js";
import { readInputs } from "./inputs.js";
import { readModel } from "./models.js";
import { reservedBy } from "./reserved-names.js";

/** What is gathered while a rank profile is read. */
interface ProfileDraft {
  readonly inputs: Map<string, Input>;
  readonly constants: Map<string, Constant>;
  readonly functions: Map<string, RankFunction>;
  readonly models: Map<string, Model>;
  readonly phases: Partial<Record<PhaseName, Phase>>;
  readonly features: Partial<Record<FeatureListName, FeatureList>>;
  readonly properties: Map<string, Property>;
  readonly counts: Map<string, Tree.Detail>;
  readonly settings: Tree.Detail[];
}

/** Reads one rank profile, without those that stand in it. */
export function readProfile(
  { name, inherits, items, span }: Tree.ProfileStatement,
  outer: string | undefined,
  reading: Reading,
): RankProfile {
  const draft: ProfileDraft = {
    ...{ inputs: new Map(), constants: new Map(), functions: new Map(), models: new Map() },
    ...{ phases: {}, features: {}, properties: new Map(), counts: new Map(), settings: [] },
  };
  reading.takeLost();
  for (const each of items) readItem(each, draft, reading);
  const fullName = outer === undefined ? name : { ...name, text: `${outer}.${name.text}` };
  return { name: fullName, span, inherits, ...draft, outer, lost: reading.takeLost() };
}

function readItem(item: Tree.ProfileItem, draft: ProfileDraft, reading: Reading): void {
  switch (item.kind) {
    case "inputs":
      for (const each of readInputs(item, reading)) reading.declare(draft.inputs, each.name, each, "input");
      return;
    case "constants":
      for (const each of readConstants(item, reading))
        reading.declare(draft.constants, each.name, each, "constant");
      return;
    case "constant": {
      reading.report(problem("schema/constant", item.keyword.span, { fault: "alone in profile" }));
      const constant = readConstant(item, reading);
      if (constant !== undefined) reading.declare(draft.constants, constant.name, constant, "constant");
      return;
    }
    case "function":
      return addFunction(readFunction(item, reading), draft, reading);
    case "onnx-model":
      return reading.declare(draft.models, item.name.text, readModel(item), "model");
    case "phase": {
      const name = phaseNames.find((each) => each === item.keyword.text);
      if (name !== undefined) addPhase(name, item, draft, reading);
      return;
    }
    case "features": {
      const name = featureListNames.find((each) => each === item.keyword.text);
      if (name !== undefined) draft.features[name] = both(draft.features[name], readFeatures(item, reading));
      return;
    }
    case "properties":
      for (const each of item.items) readProperty(each, draft, reading);
      return;
    case "other":
      return reportSlips([item], "a rank profile", reading);
    case "setting":
      draft.settings.push(item);
      reportSettingValues([item], "a rank profile", reading);
      return reportSlips([item], "a rank profile", reading);
    case "rank-profile":
      return;
  }
}

function addFunction(own: RankFunction, { functions }: ProfileDraft, reading: Reading): void {
  const { text: name, span } = own.name;
  for (const each of [own.name, ...own.parameters]) reportDash(each, reading);
  const by = reservedBy(own);
  if (by !== undefined) reading.report(problem("profile/reserved", span, { name, by }));
  reading.declare(functions, name, own, "function", span);
}

/** A phase may be told in parts, of which one has the expression. */
function addPhase(
  name: PhaseName,
  item: Tree.PhaseStatement,
  { phases, counts }: ProfileDraft,
  reading: Reading,
): void {
  const [before, own] = [phases[name], readPhase(name, item, reading)];
  if (before?.expression !== undefined && own.expression !== undefined) {
    const related = [{ span: before.span, label: "the first" }];
    reading.report(problem("schema/duplicate", item.keyword.span, { what: "phase", name }, related));
  }
  phases[name] = { ...before, ...own };
  for (const each of item.items)
    if (each.kind === "setting" && numbers.has(each.keyword.text))
      reading.declare(counts, `${name} ${each.keyword.text}`, each, "setting", each.keyword.span);
}

/** A list may be told in parts. */
const both = (first: FeatureList | undefined, second: FeatureList): FeatureList =>
  first === undefined
    ? second
    : {
        ...second,
        inherits: [...first.inherits, ...second.inherits],
        features: [...first.features, ...second.features],
      };

const numbers = new Set<string>(words.phase);

/** Their names for how many hits get a better score, and for the score that drops a hit. */
const counts = ["rerank-count", "keep-rank-count", "total-rerank-count", "total-keep-rank-count"];
const limits = ["rank-score-drop-limit"];

function readPhase(name: PhaseName, { keyword, items, span }: Tree.PhaseStatement, reading: Reading): Phase {
  const expression = expressionIn(items, name, reading);
  reportSlips(items, "a phase", reading);
  reportSettingValues(items, "a phase", reading);
  reportForeignCounts(name, items, reading);
  const numberOf = (keywords: readonly string[]): number | undefined => {
    const settings = keywords.flatMap((each) => items.find(({ keyword }) => keyword.text === each) ?? []);
    const [value] = settings.flatMap((each) => (each.kind === "setting" ? each.details : []));
    const number = value === undefined ? Number.NaN : Number(value.keyword.text);
    return Number.isNaN(number) ? undefined : number;
  };
  const [rerankCount, scoreDropLimit] = [numberOf(counts), numberOf(limits)];
  const isEmpty = expression === undefined && rerankCount === undefined && scoreDropLimit === undefined;
  // Vespa reads over one that says nothing at all.
  if (isEmpty && items.length > 0 && !reading.isMistaken(span))
    reading.report(problem("schema/no-expression", keyword.span, { kind: "phase", name }));
  return {
    span,
    ...(expression === undefined ? {} : { expression: reading.expression(expression.text) }),
    ...(rerankCount === undefined ? {} : { rerankCount }),
    ...(scoreDropLimit === undefined ? {} : { scoreDropLimit }),
  };
}

/** `key: value`, where white space means nothing, nor do quotes around a part of it. */
function readProperty({ span }: Tree.Detail, { properties }: ProfileDraft, { report }: Reading): void {
  const text = textIn(span);
  const colon = colonIn(text);
  if (colon === undefined || colon === 0 || text.slice(colon + 1).trim() === "")
    return report(problem("schema/property", span, { text }));
  const sides = [
    { ...span, end: span.start + colon },
    { ...span, start: span.start + colon + 1 },
  ];
  const unread = sides
    .flatMap(lexemesOf)
    .find(({ kind, text }) => !inProperties.has(kind) && !/[(),.]/.test(text));
  if (unread !== undefined) report(problem("schema/property-text", unread.span, { text: unread.text }));
  const [key = "", value = ""] = [text.slice(0, colon), text.slice(colon + 1)].map((each) =>
    each.replace(/"([^"]*)"|'([^']*)'|\s+/g, "$1$2"),
  );
  // Vespa deploys all that a profile has of one key, and its engine looks up the first.
  if (!properties.has(key)) properties.set(key, { key, value, span });
}

/** What Vespa reads there, beside parentheses, points and commas. */
const inProperties = new Set<LexemeKind>([
  ...(["integer", "long", "decimal", "name", "dashed name", "word", "text", "parameter"] as const),
]);

/** Where the first colon is that no parentheses and no quotes enclose. */
function colonIn(text: string): number | undefined {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(/"[^"]*"|'[^']*'|[():]/g)) {
    if (found === "(") depth++;
    else if (found === ")") depth--;
    else if (found === ":" && depth <= 0) return index;
  }
  return undefined;
}
