import type { Command } from "commander";
import { type Problem, SphexError, visibleJson } from "../index.js";
import {
  Document,
  distributionOf,
  distributionsText,
  type HitToScore,
  hasFirstPhase,
  hitJson,
  idOf,
  listText,
  type MissingFeature,
  moves,
  movesText,
  type Outcome,
  ofSchema,
  type RankedDocument,
  Ranking,
  rankDocuments,
  reasonText,
  type ScoreReport,
  type Scorer,
  scoreReport,
  scoreReportJson,
  scoreReportText,
  templateOf,
} from "../vespa.js";
import { exit, failed, writeProblems } from "./failure.js";
import { type Io, write } from "./io.js";
import { engineOptions, withOptions } from "./options.js";
import { withProgress } from "./progress.js";
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
} from "./ranking-inputs.js";
import { type Hits, hitsFor, joinedHits, parentsAt, type ScoreFlags, settingsOf } from "./score-hits.js";
import { inspectHit } from "./score-inspect.js";
import { scoreJudged } from "./score-judged.js";
import { refuseJudgedOptions, withScoreOptions } from "./score-options.js";

/** `sphex score`: what a rank profile makes of documents and a query, without an engine. */
export function addScore(program: Command, io: Io, finish: (code: number) => void): void {
  withScoreOptions(withOptions(program.command("score"), [...engineOptions, "models"]))
    .addHelpText("after", example)
    .action(async (path: string, flags: ScoreFlags) => {
      try {
        finish(await (flags.judgments === undefined ? score : scoreJudged)(path, flags, io));
      } catch (error) {
        finish(await failed(error, flags, io));
      }
    });
}

async function score(path: string, flags: ScoreFlags, io: Io): Promise<number> {
  refuseJudgedOptions(flags);
  const asked = await queryAt(flags.query, io);
  const loaded = loadPackage(path, io, flags);
  const query = completed(asked, loaded);
  const profile = loadProfile(loaded, flags.profile ?? query?.profile);
  const features = await featuresFrom(flags.features, settingsOf(flags), io);
  const { hits: unjoined, problems: unread, previous } = await hitsFor(flags, io);
  const { hits: own, problems: ofTypes } = ofSchema(unjoined, profile);
  const hits = await joinedHits(own, await parentsAt(flags.parents, io), profile, io);
  const known = new Map(hits.flatMap((hit) => [...(hit.fallbacks ?? [])]));
  const documents = hits.map(({ document }) => document);
  const counted = statisticsFor(flags, profile, features);
  const setting = {
    ...{ query, cells: mostCells, statistics: await statisticsAt(counted, documents, profile, io) },
    ...{ neighbours: nearestSearches(flags.nearest, profile), now: queryTime(flags.now) },
    hasParents: flags.parents !== undefined,
  };
  const hasField = (name: string): boolean =>
    hits.every(({ document }) => document.isWhole || document.has(name));
  const ranking = new Ranking({
    package: loaded.package,
    profile,
    overrides: features,
    fallbacks: known,
    setting,
    hasField,
    ...(flags.backend === undefined ? {} : { options: { backend: flags.backend } }),
  });
  ranking.refuseUnused(await featuresFrom([], settingsOf(flags), io));
  const problems = [...unread, ...ofTypes, ...ranking.unknownFields(documents)];
  if (flags.document !== undefined && problems.length > 0) throw new SphexError(problems);
  const isJson = ({ isError }: Problem): boolean => flags.json === true && isError;
  const errors = problems.filter(isJson);
  if (errors.length > 0) await write(io.stdout, `${visibleJson({ problems: errors })}\n`);
  await writeProblems([...problems.filter((each) => !isJson(each)), ...ranking.warnings(query)], io);
  const scorer = ranking.scorer(setting);
  const exitCode = problems.some((each) => each.isError) ? exit.problems : exit.fine;
  const rankOptions = { profile, query };
  const isList = flags.documents !== undefined || flags.compare !== undefined || hits.length > 1;
  if (!isList) {
    const [hit] = hits;
    const one = hit ?? { document: new Document(undefined, new Map(), mostCells) };
    const alone = await rankAlone(scorer, one, rankOptions);
    // Nobody wrote the phase by which a profile without one is ranked: what that lacks is no mistake.
    const { error, ...shown } = alone;
    return Math.max(exitCode, await writeSingle(scorer, hasFirstPhase(profile) ? alone : shown, flags, io));
  }
  const missing = hasFirstPhase(profile) ? [] : missingInFirstPhase(scorer, hits);
  if (missing.length > 0) {
    await writeUnranked(hits, missing, flags, io);
    return exitCode;
  }
  const ranked = await withProgress((report) => {
    const progress = async (scored: number): Promise<void> => {
      report(`${scored} of ${hits.length} documents`);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return rankDocuments(scorer, hits, { ...rankOptions, progress });
  }, io);
  const [best] = ranked;
  if (best !== undefined && (flags.explain !== undefined || flags.why !== undefined)) {
    await write(io.stdout, `${idOf(best)}\n${inspectHit(scorer, best, flags)}\n`);
    return exitCode;
  }
  if (flags.distributions === true) {
    await writeDistributions(scorer, ranked, flags, io);
    return exitCode;
  }
  if (flags.compare !== undefined) {
    await writeMoves(previous, ranked, flags, io);
    const taken = ranking.taken.filter((name) => !features.has(name));
    if (taken.length > 0) await write(io.stderr, `taken from the response: ${taken.join(", ")}\n`);
  } else await writeList(scorer, ranked, flags, io);
  return exitCode;
}

/** One document is a list of one. Where a feature of a phase is missing, all else is shown. */
async function rankAlone(
  scorer: Scorer,
  hit: HitToScore,
  options: Parameters<typeof rankDocuments>[2],
): Promise<
  Pick<RankedDocument, "hit" | "list"> & { readonly score: number | undefined; readonly error?: SphexError }
> {
  try {
    const [ranked] = await rankDocuments(scorer, [hit], options);
    return ranked ?? { hit, list: new Map(), score: undefined };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { hit, list: new Map(), score: undefined, error };
  }
}

async function writeSingle(
  scorer: Scorer,
  alone: Awaited<ReturnType<typeof rankAlone>>,
  flags: ScoreFlags,
  io: Io,
): Promise<number> {
  if (flags.explain !== undefined || flags.why !== undefined) {
    await write(io.stdout, `${inspectHit(scorer, alone, flags)}\n`);
    return exit.fine;
  }
  const sheet: ScoreReport = scoreReport(scorer, alone);
  const isWhole = alone.error === undefined;
  if (flags.json === true) {
    await write(io.stdout, `${visibleJson(scoreReportJson(sheet))}\n`);
    return isWhole ? exit.fine : exit.problems;
  }
  await write(io.stdout, `${scoreReportText(sheet, { width: widthOf(io, flags) })}\n`);
  if (!isWhole) await writeProblems(alone.error?.problems ?? [], io);
  if (sheet.missing.length > 0) await writeTemplate(sheet.missing, io);
  return isWhole ? exit.fine : exit.problems;
}

async function writeTemplate(missing: readonly MissingFeature[], io: Io): Promise<void> {
  const text = "\nto give what is missing, fill in this file and hand it over with --features FILE:\n";
  await write(io.stderr, `${text}${templateOf(missing)}\n`);
}

/** What the first phase lacks for the first document, and so for all that nothing else is given for. */
function missingInFirstPhase(scorer: Scorer, [first]: readonly HitToScore[]): readonly MissingFeature[] {
  const outcome = first === undefined ? undefined : scorer.values(["first-phase"], first).get("first-phase");
  return outcome?.kind === "missing" ? outcome.missing : [];
}

/** Documents in the order of the feed, where the phase by which a profile without one ranks cannot be computed. */
async function writeUnranked(
  hits: readonly HitToScore[],
  missing: readonly MissingFeature[],
  flags: ScoreFlags,
  io: Io,
): Promise<void> {
  const documents = hits.map(({ document }, at) => document.id ?? `${at + 1}`);
  const names = missing.map(({ name }) => name);
  if (flags.json === true) {
    await write(io.stdout, documents.map((id) => `${visibleJson({ id, missing: names })}\n`).join(""));
    return;
  }
  const reasons = missing.map(({ name, reason }) => `${name}: ${reasonText(reason)}`).join("; ");
  await write(io.stdout, `${documents.map((id) => `${id}\n`).join("")}`);
  await write(io.stderr, `not ranked: the profile has no first phase, and ${reasons}\n`);
  await writeTemplate(missing, io);
}

const usualWidth = 120;

/** Long values are shortened, in pipes as well, unless somebody wants them whole. */
const widthOf = (io: Io, { full }: ScoreFlags): number =>
  full === true
    ? Number.POSITIVE_INFINITY
    : io.isTTY.stdout === true
      ? (io.columns ?? usualWidth)
      : usualWidth;

/** A ranked list: as text its head, as JSON each hit with its match features, as they are computed. */
async function writeList(
  scorer: Scorer,
  ranked: readonly RankedDocument[],
  flags: ScoreFlags,
  io: Io,
): Promise<void> {
  const most = flags.top ?? (flags.json !== true && io.isTTY.stdout === true ? 10 : Number.POSITIVE_INFINITY);
  if (flags.json !== true) {
    await write(io.stdout, `${listText(ranked, most)}\n`);
    return;
  }
  const matchFeatures = scorer.program.quantities.filter(({ kind }) => kind === "match-features");
  for (const [at, each] of ranked.slice(0, most).entries()) {
    const values = scorer.values(
      matchFeatures.map(({ key }) => key),
      each.hit,
      each.list,
    );
    const named = new Map(
      matchFeatures.flatMap(({ key, name }): [string, Outcome][] => {
        const outcome = values.get(key);
        return outcome === undefined ? [] : [[name, outcome]];
      }),
    );
    await write(io.stdout, `${visibleJson(hitJson(each, at + 1, named))}\n`);
  }
}

/** How the values of phases and functions that are numbers lie over the documents. */
async function writeDistributions(
  scorer: Scorer,
  ranked: readonly RankedDocument[],
  flags: ScoreFlags,
  io: Io,
): Promise<void> {
  // What match-features and summary-features list may be a function, or be in both.
  const names = new Map(scorer.program.quantities.toReversed().map((each) => [each.name, each]));
  const quantities = scorer.program.quantities.filter(
    (each) => each.type?.isScalar === true && names.get(each.name) === each,
  );
  const keys = quantities.map(({ key }) => key);
  const rows = ranked.map((each) => scorer.values(keys, each.hit, each.list));
  const all = quantities.map(({ key, name }) =>
    distributionOf(
      name,
      rows.flatMap((row) => {
        const outcome = row.get(key);
        return outcome?.kind === "value" ? [outcome.value.asNumber()] : [];
      }),
    ),
  );
  if (flags.json === true) await write(io.stdout, all.map((each) => `${visibleJson(each)}\n`).join(""));
  else await write(io.stdout, `${distributionsText(all)}\n`);
}

async function writeMoves(
  previous: Hits["previous"],
  ranked: readonly RankedDocument[],
  flags: ScoreFlags,
  io: Io,
): Promise<void> {
  const moved = moves(
    previous,
    ranked.map((each) => ({ id: idOf(each), score: each.score })),
  );
  if (flags.json === true) await write(io.stdout, moved.map((each) => `${visibleJson(each)}\n`).join(""));
  else await write(io.stdout, `${movesText(moved)}\n`);
}

const example = `
Features that only an engine can compute, such as bm25(title), are given in a file, by --feature, or taken from the
matchfeatures of a response. What is missing is listed with its type, and with a file to fill in.

Examples:
  $ sphex score app --profile hybrid --document doc.json --query query.json --feature 'bm25(title)=3.2'
  $ sphex score app --profile hybrid --documents feed.jsonl --query query.json --top 5
  $ sphex score app --profile hybrid --compare response.json --feature 'query(weight)=2'`;
