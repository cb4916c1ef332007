import { SphexError } from "../../language/source/problem.js";
import { uniform } from "../../program/random.js";
import { type Evaluation, evaluateQueries } from "../judging/evaluation.js";
import { type Judgments, judgedId } from "../judging/judgments.js";
import { type Package, type PhaseName, type Profile, phaseNames } from "../package/model/model.js";
import { Ranking } from "../ranking/compile.js";
import type { InjectedFeatures } from "../ranking/features/injected-features.js";
import { ranking } from "../ranking/program/normalizers.js";
import { distinctRows } from "./distinct-rows.js";
import { type FitOptions, fitNumbers } from "./fit.js";
import { commonInputs, inputOverrides } from "./input-overrides.js";
import type { LabelledRow } from "./labelled-rows.js";
import { byQuery } from "./lists.js";
import { problem } from "./messages.js";
import { type Parameter, type ParameterOptions, parametersOf } from "./parameters.js";
import { type Numbers, RowScorer } from "./scored-rows.js";

/** How the numbers of a profile are learnt. */
export interface LearnOptions extends ParameterOptions, Omit<FitOptions, "progress"> {
  readonly package: Package;
  readonly profile: Profile;
  /** The id of the query profile that has the numbers of inputs, in place of the schema. */
  readonly queryProfile?: string | undefined;
  /** By default the last one whose score depends on one document at a time. */
  readonly phase?: PhaseName | undefined;
  /** Beside the labels of rows: a relevant document that no row has is one that the order lacks. */
  readonly judgments?: Judgments | undefined;
  /** How many hits measures look at. */
  readonly depth: number;
  /** How many parts the queries are divided into, each of which is judged by what the others teach; below 2, as of one query, none is. */
  readonly folds: number;
  /** Which queries these parts have. */
  readonly seed: number;
  readonly progress?: ((done: number, all: number) => Promise<void>) | undefined;
}

/** What a phase has learnt. */
export interface Learnt {
  readonly phase: PhaseName;
  readonly parameters: readonly Parameter[];
  readonly numbers: Numbers;
  readonly loss: { readonly before: number; readonly after: number };
  /** With the numbers that the profile has. */
  readonly before: Evaluation;
  /** With the learnt ones, on the queries that they were learnt from. */
  readonly after: Evaluation;
  /** Each query with what the queries of other parts have taught. */
  readonly heldOut: Evaluation | undefined;
  readonly rows: number;
  /** Rows that were left out, since an earlier one has their document. */
  readonly repeated: number;
  /** Queries whose documents are all alike, which teach nothing. */
  readonly alike: number;
}

/**
 * Learns the numbers of a phase from labelled rows.
 * @throws SphexError where the phase has none, a row lacks a feature, or there is nothing to learn from.
 */
export async function learn(all: readonly LabelledRow[], options: LearnOptions): Promise<Learnt> {
  const lists = distinctRows(all);
  const distinct = [...lists.values()].reduce((count, { length }) => count + length, 0);
  const informative = [...lists].filter(([, rows]) =>
    rows.some(({ relevance }) => relevance !== rows[0]?.relevance),
  );
  if (informative.length === 0)
    throw new SphexError([problem("learning/lists", nowhere("features"), { queries: lists.size })]);
  const rows = informative.flatMap(([, own]) => own);
  const { phase, scorer } = scorerFor(rows, options);
  const parts = Math.min(options.folds, informative.length);
  const folds = parts < 2 ? 0 : parts;
  const runs = folds + 1;
  const fitted = async (own: readonly LabelledRow[], run: number) =>
    await fitNumbers(scorer, own, {
      ...options,
      progress: async (epoch) =>
        await options.progress?.(run * options.epochs + epoch, runs * options.epochs),
    });
  const queries = informative.map(([query]) => query);
  const whole = await fitted(rows, 0);
  const heldOut = new Map<string, readonly string[]>();
  for (const [at, part] of partsOf(queries, folds, uniform(options.seed)).entries()) {
    const [inside, outside] = partitioned(rows, ({ query }) => part.has(query));
    const { numbers } = await fitted(outside, at + 1);
    for (const [query, order] of orders(scorer, inside, numbers)) heldOut.set(query, order);
  }
  const judged = (order: Orders): Evaluation =>
    evaluateQueries(
      queries.map((id) => ({ id, documents: order.get(id) ?? [] })),
      judgmentsOf(rows, options.judgments),
      options.depth,
    );
  return {
    ...{ phase, parameters: scorer.parameters, numbers: whole.numbers },
    loss: { before: whole.before, after: whole.after },
    before: judged(orders(scorer, rows, scorer.initial)),
    after: judged(orders(scorer, rows, whole.numbers)),
    heldOut: folds === 0 ? undefined : judged(heldOut),
    ...{ rows: rows.length, repeated: all.length - distinct, alike: lists.size - informative.length },
  };
}

const nowhere = (name: string) => ({ source: { name, text: "" }, start: 0, end: 0 });

/** The phase as a program on these rows, with the derivatives in what it learns. */
function scorerFor(
  rows: readonly LabelledRow[],
  options: LearnOptions,
): { readonly phase: PhaseName; readonly scorer: RowScorer } {
  const { package: from, profile } = options;
  const fallbacks: InjectedFeatures = new Map(rows.flatMap(({ features }) => [...features]));
  const of = { package: from, profile, fallbacks, hasField: () => false };
  const plain = new Ranking(of);
  const { program } = plain;
  const normalized = new Set(program.normalizers.map(({ name }) => name));
  const phases = phaseNames.filter((name) => {
    const inputs = program.inputsOf(name);
    return inputs !== undefined && !inputs.some((each) => normalized.has(each));
  });
  const phase = options.phase ?? phases.at(-1);
  if (phase === undefined || !phases.includes(phase))
    throw new SphexError([
      problem("learning/phase", profile.lineage[0]?.span ?? nowhere("profile"), {
        phase: options.phase,
        phases,
      }),
    ]);
  const used = (program.inputsOf(phase) ?? []).filter((name) => /^(?:query|constant)\(/.test(name));
  const overrideOf = inputOverrides(profile, options.queryProfile, from);
  const parameters = parametersOf(profile, from, used, overrideOf, options);
  const span = profile.phases[phase]?.span ?? nowhere(phase);
  if (parameters.length === 0) throw new SphexError([problem("learning/no-parameter", span, { phase })]);
  const derivatives = parameters.map(({ name }) => ({ of: phase, in: name }));
  const differentiated = new Ranking({ ...of, derivatives });
  const common = new Map([...commonInputs(profile, used, overrideOf), ...plain.constants]);
  const scorer = new RowScorer(phase, differentiated.program, parameters, common);
  return { phase, scorer };
}

/** The documents of each query, best first. */
type Orders = ReadonlyMap<string, readonly string[]>;

/** Rows of which something holds, and the others. */
const partitioned = (
  rows: readonly LabelledRow[],
  holds: (row: LabelledRow) => boolean,
): readonly [LabelledRow[], LabelledRow[]] => [rows.filter(holds), rows.filter((row) => !holds(row))];

/** The queries in so many parts, as even as can be, by chance. */
function partsOf(queries: readonly string[], count: number, random: () => number): ReadonlySet<string>[] {
  const drawn = queries.map((query) => ({ query, at: random() })).sort((one, other) => one.at - other.at);
  return Array.from(
    { length: count },
    (_, part) => new Set(drawn.flatMap(({ query }, at) => (at % count === part ? [query] : []))),
  );
}

/** The documents of each query, best first; of equal scores those first whose names come first. */
function orders(scorer: RowScorer, rows: readonly LabelledRow[], numbers: Numbers): Orders {
  const sorted = [...rows].sort((one, other) => (one.document < other.document ? -1 : 1));
  const { scores } = scorer.scored(scorer.features(sorted), numbers);
  const lists = new Map<string, string[]>();
  for (const at of ranking([...scores])) {
    const row = sorted[at];
    if (row === undefined) continue;
    const own = lists.get(row.query) ?? [];
    own.push(row.document);
    lists.set(row.query, own);
  }
  return lists;
}

/** The labels of rows, and what else was judged of their queries. */
function judgmentsOf(rows: readonly LabelledRow[], others: Judgments = new Map()): Judgments {
  const lists = [...byQuery(rows)].map(([query, list]) => {
    const judged = new Map(others.get(query));
    for (const { document, relevance } of list) judged.set(judgedId(judged, document), relevance);
    return [query, judged] as const;
  });
  return new Map(lists);
}
