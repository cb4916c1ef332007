import { type Problem, SphexError, visibleJson } from "../../index.js";
import {
  type HitToScore,
  hitsOfSchema,
  type InjectedFeatures,
  type ParsedQuery,
  type Profile,
  Ranking,
  type RankingOptions,
} from "../../vespa.js";
import {
  completed,
  featuresFrom,
  loadPackage,
  loadProfile,
  mostCells,
  nearestSearches,
  queryAt,
  queryTime,
  statisticsAt,
  statisticsFor,
} from "../packages/ranking-inputs.js";
import { exit, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { type Hits, hitsFor, parentsAt, type ScoreFlags, settingsOf, withImports } from "./hits.js";

/** A rank profile that is compiled, and what it is to score. */
export interface PreparedScore {
  readonly ranking: Ranking;
  readonly profile: Profile;
  readonly query: ParsedQuery["query"];
  readonly setting: NonNullable<RankingOptions["setting"]>;
  readonly hits: readonly HitToScore[];
  /** The features of the command line and of its files. */
  readonly features: InjectedFeatures;
  /** What is wrong with the documents. */
  readonly problems: readonly Problem[];
  /** The order of the response that is compared. */
  readonly previous: Hits["previous"];
}

/** Reads all that `sphex score` is about, and compiles the profile. */
export async function prepareScore(path: string, flags: ScoreFlags, io: Io): Promise<PreparedScore> {
  const request = await queryAt(flags.query, io);
  const loaded = loadPackage(path, io, flags);
  const query = completed(request, loaded);
  const profile = loadProfile(loaded, flags.profile ?? query?.profile);
  const features = await featuresFrom(flags.features, settingsOf(flags), io);
  const read = await hitsFor(flags, io);
  const ofProfile = hitsOfSchema(read.hits, profile);
  const imports = { named: await parentsAt(flags.parents, io), fed: read.fed };
  const { hits, hasParents } = await withImports(ofProfile.hits, imports, profile, io);
  const documents = hits.map(({ document }) => document);
  const statistics = await statisticsAt(statisticsFor(flags, profile, features), documents, profile, io);
  const setting = {
    ...{ query, cells: mostCells, statistics },
    ...{ neighbours: nearestSearches(flags.nearest, profile), now: queryTime(flags.now) },
    hasParents,
  };
  const ranking = new Ranking({
    ...{ package: loaded.package, profile, setting },
    overrides: features,
    fallbacks: new Map(hits.flatMap((hit) => [...(hit.fallbacks ?? [])])),
    hasField: (name) => documents.every((document) => document.isWhole || document.has(name)),
    ...(flags.backend === undefined ? {} : { options: { backend: flags.backend } }),
  });
  ranking.refuseUnused(await featuresFrom([], settingsOf(flags), io));
  const problems = [...read.problems, ...ofProfile.problems, ...ranking.unknownFields(documents)];
  return { ranking, profile, query, setting, hits, features, problems, previous: read.previous };
}

/**
 * Writes what is wrong with the documents and odd in the query: errors to stdout where that is JSON.
 * @returns the exit code that they come to.
 * @throws SphexError where the only document has problems.
 */
export async function reportScoreProblems(
  { problems, ranking, query }: PreparedScore,
  flags: ScoreFlags,
  io: Io,
): Promise<number> {
  if (flags.document !== undefined && problems.length > 0) throw new SphexError(problems);
  const isJson = ({ isError }: Problem): boolean => flags.json === true && isError;
  const errors = problems.filter(isJson);
  if (errors.length > 0) await write(io.stdout, `${visibleJson({ problems: errors })}\n`);
  await writeProblems([...problems.filter((each) => !isJson(each)), ...ranking.warnings(query)], io);
  return problems.some((each) => each.isError) ? exit.problems : exit.fine;
}
