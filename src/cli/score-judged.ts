import { canonicalName, parseJson, SphexError, visibleJson } from "../index.js";
import {
  comparisonJson,
  comparisonText,
  type Evaluation,
  type ExplainChange,
  evaluateQueries,
  evaluationJson,
  evaluationText,
  explainingTerms,
  explanationText,
  type HitToScore,
  type Judgments,
  type Margins,
  marginsOf,
  type NamedQuery,
  ofSchema,
  overtakingIn,
  type Parents,
  type Profile,
  type RankedQuery,
  Ranking,
  rankHits,
  readJudgments,
  readQueries,
  relevanceIn,
  type SweepPoint,
  sweepText,
} from "../vespa.js";
import { exit, UsageError, writeProblems } from "./failure.js";
import { type Io, write } from "./io.js";
import { withProgress } from "./progress.js";
import {
  completed,
  featuresFrom,
  type LoadedPackage,
  loadPackage,
  loadProfile,
  mostCells,
  queryTime,
  sourceAt,
  statisticsAt,
  statisticsFor,
} from "./ranking-inputs.js";
import { hitsFor, joinedHits, parentsAt, type ScoreFlags, settingsOf } from "./score-hits.js";

/** How many hits measures look at, where nobody says. */
const usualDepth = 10;

/** `sphex score --judgments`: how good the order of a profile is, and whether it is better than another. */
export async function scoreJudged(path: string, flags: ScoreFlags, io: Io): Promise<number> {
  if (flags.documents === undefined || flags.queries === undefined)
    throw new UsageError(
      "--judgments is about many queries and documents: give --queries FILE and --documents FILE",
    );
  const judgments = await judgmentsAt(flags.judgments ?? "", io);
  const queries = await queriesAt(flags.queries, io);
  const { hits, problems } = await hitsFor(flags, io);
  await writeProblems(problems, io);
  const parents = await parentsAt(flags.parents, io);
  const depth = flags.at ?? usualDepth;
  let isTold = false;
  const judged = async (
    folder: string,
    profile: string | undefined,
    asked = queries,
  ): Promise<JudgedSide> => {
    const side = { loaded: loadPackage(folder, io, flags), profile, hits, parents, flags, isTold };
    isTold = true;
    const ranked = await rankedQueries(side, asked, io);
    return { ranked, evaluation: evaluateQueries(ranked, judgments, depth) };
  };
  if (flags.sweep !== undefined) {
    const { name, values } = sweepIn(flags.sweep);
    const points: SweepPoint[] = [];
    for (const value of values) {
      const { evaluation } = await judged(
        path,
        flags.profile,
        queries.map((each) => withInput(each, name, value)),
      );
      points.push({ value, evaluation });
    }
    const json = points.map(({ value, evaluation }) => ({
      [name]: value,
      ...evaluationJson(evaluation, flags.seed),
    }));
    await write(
      io.stdout,
      flags.json === true
        ? json.map((each) => `${visibleJson(each)}\n`).join("")
        : `${sweepText(name, points)}\n`,
    );
    return exit.fine;
  }
  const now = await judged(path, flags.profile);
  const { evaluation: after } = now;
  const against = flags.againstRevision === undefined ? flags.against : `${path}@${flags.againstRevision}`;
  if (against === undefined && flags.againstProfile === undefined) {
    const { json, seed } = flags;
    await write(
      io.stdout,
      `${json === true ? visibleJson(evaluationJson(after, seed)) : evaluationText(after, seed)}\n`,
    );
    return exit.fine;
  }
  const old = await judged(against ?? path, flags.againstProfile ?? flags.profile);
  const { json, seed } = flags;
  const { evaluation: before } = old;
  const explain = explanationsOf(old, now, judgments);
  const text =
    json === true
      ? visibleJson(comparisonJson(before, after, seed, explain))
      : comparisonText(before, after, seed, undefined, explain);
  await write(io.stdout, `${text}\n`);
  return exit.fine;
}

/** A query's order, and by how much each term of its score favours one document over another. */
interface ExplainableQuery extends RankedQuery {
  /** Nothing where a global phase makes the score of all hits. */
  readonly margins: ((one: string, other: string) => Margins) | undefined;
}

interface JudgedSide {
  readonly ranked: readonly ExplainableQuery[];
  readonly evaluation: Evaluation;
}

/** Which terms explain that a query wins or loses, by the two documents that show most of it. */
function explanationsOf(old: JudgedSide, now: JudgedSide, judgments: Judgments): ExplainChange {
  const queries = new Map(old.ranked.map((each) => [each.id, each]));
  return ({ id, difference }) => {
    const [before, after] = [queries.get(id), now.ranked.find((each) => each.id === id)];
    if (before === undefined || after === undefined || difference === 0) return undefined;
    const relevance = (document: string): number => relevanceIn(judgments, id, document) ?? 0;
    const [lower, upper] = difference > 0 ? [before, after] : [after, before];
    const found = overtakingIn({ before: lower.documents, after: upper.documents, relevance });
    if (found === undefined) return undefined;
    const shown = difference > 0 ? found : { document: found.over, over: found.document };
    const [was, is] = [before, after].map(({ margins }) => margins?.(shown.document, shown.over));
    const terms = was === undefined || is === undefined ? undefined : explainingTerms(was, is);
    return explanationText(shown, terms);
  };
}

async function judgmentsAt(path: string, io: Io): Promise<Judgments> {
  const { judgments, problems } = readJudgments(await sourceAt(path, io));
  if (problems.length > 0) throw new SphexError(problems);
  return judgments;
}

async function queriesAt(path: string, io: Io): Promise<readonly NamedQuery[]> {
  const { queries, problems } = readQueries(await sourceAt(path, io));
  if (problems.length > 0) throw new SphexError(problems);
  return queries;
}

/** A package that is judged. */
interface Side {
  readonly loaded: LoadedPackage;
  readonly profile: string | undefined;
  readonly hits: readonly HitToScore[];
  readonly parents: Parents | undefined;
  readonly flags: ScoreFlags;
  /** Whether it was said what features of words are made of. */
  readonly isTold: boolean;
}

/** What each query finds; a profile is compiled once. */
async function rankedQueries(
  side: Side,
  queries: readonly NamedQuery[],
  io: Io,
): Promise<ExplainableQuery[]> {
  const { loaded, flags } = side;
  const overrides = await featuresFrom(flags.features, settingsOf(flags), io);
  const rankings = new Map<Profile, Ranking>();
  const profiles = queries.map(({ query }) =>
    loadProfile(loaded, side.profile ?? completed(query, loaded)?.profile),
  );
  const [first] = profiles;
  const { hits: own, problems } =
    first === undefined ? { hits: side.hits, problems: [] } : ofSchema(side.hits, first);
  if (problems.some(({ isError }) => isError)) throw new SphexError(problems);
  if (!side.isTold) await writeProblems(problems, io);
  const hits = first === undefined ? own : await joinedHits(own, side.parents, first, io);
  const documents = hits.map(({ document }) => document);
  const ids = documents.map(({ id }, at) => id ?? `${at + 1}`);
  const statistics =
    first === undefined
      ? undefined
      : await statisticsAt(statisticsFor(flags, first, overrides), documents, first, io, side.isTold);
  return await withProgress(async (report) => {
    const ranked: ExplainableQuery[] = [];
    for (const [at, { id, query: asked }] of queries.entries()) {
      const query = completed(asked, loaded);
      const profile = profiles[at];
      if (profile === undefined) continue;
      const ranking = rankings.get(profile) ?? new Ranking({ package: loaded.package, profile, overrides });
      rankings.set(profile, ranking);
      const setting = {
        ...{ query, cells: mostCells, statistics, now: queryTime(flags.now) },
        hasParents: side.parents !== undefined,
      };
      const scorer = ranking.scorer(setting, overrides);
      const margins = (one: string, other: string): Margins => {
        const [left, right] = [hits[ids.indexOf(one)], hits[ids.indexOf(other)]];
        const explaining = new Ranking({ package: loaded.package, profile, overrides, hasTerms: true });
        if (left === undefined || right === undefined) return new Map();
        return marginsOf(explaining.scorer(setting, overrides), profile, left, right);
      };
      const list = await rankHits(scorer, hits, { profile, query });
      const isGlobal = profile.phases["global-phase"]?.expression !== undefined;
      const documents = list.ranked.map(({ document }) => ids[document] ?? "");
      ranked.push({ id, documents, margins: isGlobal ? undefined : margins });
      report(`${at + 1} of ${queries.length} queries`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ranked;
  }, io);
}

/** `query(w)=0..5:0.5` */
function sweepIn(text: string): { readonly name: string; readonly values: readonly number[] } {
  const [, name = "", from, to, step = "1"] =
    /^(.+)=(-?[\d.]+)\.\.(-?[\d.]+)(?::([\d.]+))?$/.exec(text.trim()) ?? [];
  const [least, most, width] = [Number(from), Number(to), Number(step)];
  const count = Math.floor((most - least) / width + 1e-9) + 1;
  if (from === undefined || !(width > 0) || !(count >= 1) || count > 1000)
    throw new UsageError(`--sweep ${text}: write --sweep 'query(w)=0..5:0.5', with 1000 values at most`);
  // Sums of a step that is no power of two would drift.
  const values = Array.from({ length: count }, (_, at) => Number((least + at * width).toPrecision(12)));
  return { name: canonicalName(name.trim()), values };
}

function withInput({ id, query }: NamedQuery, name: string, value: number): NamedQuery {
  const { tree } = parseJson({ name: "--sweep", text: `${value}` });
  const inputs = new Map(query.inputs);
  if (tree !== undefined) inputs.set(name, tree);
  return { id, query: { ...query, inputs } };
}
