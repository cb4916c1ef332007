import { SphexError } from "../../index.js";
import {
  type Evaluation,
  evaluateQueries,
  type HitToScore,
  hitsOfSchema,
  type Imports,
  type Judgments,
  type Margins,
  marginsOf,
  type NamedQuery,
  type ParsedQuery,
  type Profile,
  type RankedQuery,
  type RankingOptions,
  rankHits,
} from "../../vespa.js";
import {
  completed,
  featuresFrom,
  type LoadedPackage,
  loadPackage,
  loadProfile,
  mostCells,
  queryTime,
  statisticsAt,
  statisticsFor,
} from "../packages/ranking-inputs.js";
import { writeProblems } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { withProgress } from "../terminal/progress.js";
import { CompiledProfiles } from "./compiled-profiles.js";
import { type ScoreFlags, settingsOf, withImports } from "./hits.js";

/** What packages are judged by: queries, the documents that are ranked for each, and how relevant these are. */
export interface JudgedRequest {
  readonly queries: readonly NamedQuery[];
  readonly judgments: Judgments;
  readonly hits: readonly HitToScore[];
  readonly imports: Imports;
  readonly flags: ScoreFlags;
}

/** Which package is judged. */
interface JudgedSide {
  readonly folder: string;
  /** Its rank profile; where none is named, each query says which. */
  readonly profile: string | undefined;
  /** Whether problems of the documents, and what features of words are made of, were reported with another package. */
  readonly hasReportedProblems: boolean;
}

/** A package whose profiles rank the documents of a request for its queries. */
export interface JudgedPackage {
  readonly request: JudgedRequest;
  readonly loaded: LoadedPackage;
  readonly profile: string | undefined;
  /** The documents as its profiles see them. */
  readonly hits: readonly HitToScore[];
  /** What all queries have in common. */
  readonly setting: Omit<NonNullable<RankingOptions["setting"]>, "query">;
  readonly profiles: CompiledProfiles;
}

/** The order that a profile gives the documents for a query, and by how much the terms of its score favour one over another. */
interface ExplainableQuery extends RankedQuery {
  /** Nothing where a global phase makes the score of all hits. */
  readonly margins: ((one: string, other: string) => Margins) | undefined;
}

/** The orders of a package, and how good they are. */
export interface JudgedQueries {
  readonly ranked: readonly ExplainableQuery[];
  readonly evaluation: Evaluation;
}

/** Reads a package, and writes what is wrong with the documents that its profiles are to rank. */
export async function loadJudged(side: JudgedSide, request: JudgedRequest, io: Io): Promise<JudgedPackage> {
  const { flags, imports } = request;
  const { profile, hasReportedProblems } = side;
  const loaded = loadPackage(side.folder, io, flags);
  const overrides = await featuresFrom(flags.features, settingsOf(flags), io);
  const profiles = new CompiledProfiles(loaded.package, overrides);
  const shared = { cells: mostCells, now: queryTime(flags.now) };
  const [first] = completedQueries(request.queries, loaded, profile);
  if (first === undefined) return { request, loaded, profile, hits: request.hits, setting: shared, profiles };
  const ofProfile = hitsOfSchema(request.hits, first.profile);
  if (ofProfile.problems.some(({ isError }) => isError)) throw new SphexError(ofProfile.problems);
  if (!hasReportedProblems) await writeProblems(ofProfile.problems, io);
  const { hits, hasParents } = await withImports(ofProfile.hits, imports, first.profile, io);
  const documents = hits.map(({ document }) => document);
  const source = statisticsFor(flags, first.profile, overrides);
  const statistics = await statisticsAt(source, documents, first.profile, io, hasReportedProblems);
  return { request, loaded, profile, hits, setting: { ...shared, hasParents, statistics }, profiles };
}

/** How many hits measures look at, where nobody says. */
const usualDepth = 10;

/** Ranks the documents for queries, those of the request unless there are others, and judges the orders. */
export async function judgeQueries(
  judged: JudgedPackage,
  io: Io,
  queries: readonly NamedQuery[] = judged.request.queries,
): Promise<JudgedQueries> {
  const { judgments, flags } = judged.request;
  const ranked = await withProgress(async (report) => {
    const ranked: ExplainableQuery[] = [];
    for (const each of completedQueries(queries, judged.loaded, judged.profile)) {
      ranked.push(await rankQuery(judged, each));
      report(`${ranked.length} of ${queries.length} queries`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ranked;
  }, io);
  return { ranked, evaluation: evaluateQueries(ranked, judgments, flags.at ?? usualDepth) };
}

/** A query with what its package adds to it, and the profile that ranks its hits. */
interface QueryToRank {
  readonly id: string;
  readonly query: ParsedQuery["query"];
  readonly profile: Profile;
}

const completedQueries = (
  queries: readonly NamedQuery[],
  loaded: LoadedPackage,
  profile: string | undefined,
): readonly QueryToRank[] =>
  queries.map(({ id, query: request }) => {
    const query = completed(request, loaded);
    return { id, query, profile: loadProfile(loaded, profile ?? query?.profile) };
  });

async function rankQuery(
  { hits, setting: shared, profiles }: JudgedPackage,
  { id, query, profile }: QueryToRank,
): Promise<ExplainableQuery> {
  const setting = { ...shared, query };
  const ids = hits.map(({ document }, at) => document.id ?? `${at + 1}`);
  const scorer = profiles.ranking(profile, { hasTerms: false }).scorer(setting);
  const list = await rankHits(scorer, hits, { profile, query });
  const documents = list.ranked.map(({ document }) => ids[document] ?? "");
  const margins = (one: string, other: string): Margins => {
    const [left, right] = [hits[ids.indexOf(one)], hits[ids.indexOf(other)]];
    if (left === undefined || right === undefined) return new Map();
    return marginsOf(profiles.ranking(profile, { hasTerms: true }).scorer(setting), profile, left, right);
  };
  const isGlobal = profile.phases["global-phase"]?.expression !== undefined;
  return { id, documents, margins: isGlobal ? undefined : margins };
}
