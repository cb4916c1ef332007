import { nearest } from "../../language/source/nearest.js";
import type { Span } from "../../language/source/span.js";
import { textOf } from "./blocks.js";
import { readConstant, readConstants } from "./constants.js";
import { readFeatures } from "./features.js";
import { readFunction } from "./functions.js";
import { readInputs } from "./inputs.js";
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
} from "./model.js";
import { readModel } from "./models.js";
import type { Reading } from "./reading.js";
import {
  expressionIn,
  inheriting,
  type Statement,
  statementsIn,
  unquoted,
  valueAfter,
} from "./statements.js";

/** What is gathered while a rank profile is read. */
interface Draft {
  readonly inputs: Map<string, Input>;
  readonly constants: Map<string, Constant>;
  readonly functions: Map<string, RankFunction>;
  readonly models: Map<string, Model>;
  readonly phases: Partial<Record<PhaseName, Phase>>;
  readonly features: Partial<Record<FeatureListName, FeatureList>>;
  readonly properties: Map<string, Property>;
}

type Take = (draft: Draft, statement: Statement, reading: Reading) => void;

// biome-ignore format: a table
const takes: Readonly<Record<string, Take>> = {
  "inputs":           (draft, each, reading) => addAll(draft.inputs, readInputs(each, reading), "input", reading),
  "constants":        (draft, each, reading) => addAll(draft.constants, readConstants(each, reading), "constant", reading),
  "constant":         (draft, each, reading) => addAll(draft.constants, readConstant(each, reading), "constant", reading),
  "function":         (draft, each, reading) => addAll(draft.functions, readFunction(each, reading), "function", reading),
  "macro":            (draft, each, reading) => addAll(draft.functions, readFunction(each, reading), "function", reading),
  "onnx-model":       (draft, each, reading) => addAll(draft.models, readModel(each, reading), "model", reading),
  "rank-properties":  (draft, each) => { for (const one of propertiesOf(each)) draft.properties.set(one.key, one); },
  ...Object.fromEntries(phaseNames.map((name): [string, Take] => [name, (draft, each, reading) => { draft.phases[name] = readPhase(name, each, reading); }])),
  ...Object.fromEntries(featureListNames.map((name): [string, Take] => [name, (draft, each, reading) => { draft.features[name] = readFeatures(each, reading); }])),
};

/** What else a rank profile may have; none of it holds expressions. */
const others = new Set(
  `num-threads-per-search min-hits-per-thread num-search-partitions termwise-limit ignore-default-rank-features
  rank rank-type match-phase mutate diversity strict significance post-filter-threshold approximate-threshold
  filter-first-threshold filter-first-exploration exploration-slack target-hits-max-adjustment-factor weakand
  use-model field rank-profile model filter-threshold prefetch-tensors`.split(/\s+/),
);
const known = [...Object.keys(takes), ...others];

/** Reads one rank profile; nothing where it has no name. */
export function readProfile(statement: Statement, reading: Reading): RankProfile | undefined {
  const { name, inherits } = inheriting(statement.head);
  if (name === undefined) {
    const values = { what: "rank profile", wanted: "rank-profile name { … }" };
    return void reading.report("schema/name", statement.keyword.span, values);
  }
  const draft: Draft = {
    ...{ inputs: new Map(), constants: new Map(), functions: new Map(), models: new Map() },
    ...{ phases: {}, features: {}, properties: new Map() },
  };
  reading.takeLost();
  for (const each of statement.body === undefined ? [] : statementsIn(statement.body)) {
    const keyword = each.keyword.text;
    if (Object.hasOwn(takes, keyword)) takes[keyword]?.(draft, each, reading);
    else if (!others.has(keyword)) doubt(each, reading);
  }
  return { name, span: statement.span, inherits, ...draft, lost: reading.takeLost() };
}

/** What nobody knows is passed over, but a slip of the pen must not be. */
function doubt({ keyword }: Statement, { report }: Reading): void {
  const meant = nearest(keyword.text, known);
  const isSlip = meant !== undefined && keyword.text.length > 4;
  if (isSlip) report("schema/keyword", keyword.span, { keyword: keyword.text, nearest: meant });
}

/** Adds what was read under its name, which must be new. */
function addAll<T extends { readonly span: Span }>(
  to: Map<string, T>,
  found: ReadonlyMap<string, T>,
  what: string,
  { report }: Reading,
): void {
  for (const [name, each] of found) {
    const first = to.get(name);
    if (first === undefined) to.set(name, each);
    else report("schema/duplicate", each.span, { what, name }, [{ span: first.span, says: "the first" }]);
  }
}

/** Their names for how many hits get a better score, and for the score that drops a hit. */
const counts = ["rerank-count", "keep-rank-count", "total-rerank-count", "total-keep-rank-count"];
const limits = ["rank-score-drop-limit"];

function readPhase(name: PhaseName, { keyword, body, span }: Statement, reading: Reading): Phase {
  const statements = body === undefined ? [] : statementsIn(body);
  const expression = expressionIn(statements);
  const numberOf = (names: readonly string[]): number | undefined => {
    const value = names.map((each) => valueAfter(statements, each)).find((each) => each !== undefined);
    const number = value === undefined ? Number.NaN : Number(textOf(value));
    return Number.isNaN(number) ? undefined : number;
  };
  const [rerankCount, scoreDropLimit] = [numberOf(counts), numberOf(limits)];
  if (expression === undefined && rerankCount === undefined && scoreDropLimit === undefined)
    reading.report("schema/no-expression", keyword.span, { what: name });
  return {
    span,
    ...(expression === undefined ? {} : { expression: reading.expression(expression) }),
    ...(rerankCount === undefined ? {} : { rerankCount }),
    ...(scoreDropLimit === undefined ? {} : { scoreDropLimit }),
  };
}

function propertiesOf({ body }: Statement): Property[] {
  const statements = body === undefined ? [] : statementsIn(body);
  return statements.flatMap(({ keyword, head, value, span }) => {
    if (value === undefined) return [];
    const isWhole = head.end > head.start;
    const key = isWhole ? textOf({ ...head, start: keyword.span.start }) : keyword.text;
    return [{ key, value: unquoted(value), span }];
  });
}
