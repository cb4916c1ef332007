import { SphexError, visibleJson } from "../../index.js";
import {
  Document,
  type HitToScore,
  hasFirstPhase,
  type MissingFeature,
  type RankedDocument,
  rankDocuments,
  reasonText,
  type Scorer,
  scoreReport,
  scoreReportJson,
  scoreReportText,
  templateOf,
} from "../../vespa.js";
import { mostCells } from "../packages/ranking-inputs.js";
import { exit, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import type { ScoreFlags } from "./hits.js";
import { inspectHit } from "./inspect.js";
import type { PreparedScore } from "./preparation.js";

/** One document as a list of one. */
interface ScoredDocument extends Pick<RankedDocument, "hit" | "list"> {
  readonly score: number | undefined;
  /** What a phase lacks. */
  readonly error?: SphexError;
}

/**
 * What a profile makes of one document, or of a query without one. Where a feature of a phase is missing, all else is shown.
 * @returns the exit code.
 */
export async function writeDocument(
  scorer: Scorer,
  { profile, query, hits }: PreparedScore,
  flags: ScoreFlags,
  io: Io,
): Promise<number> {
  const [hit = { document: new Document(undefined, new Map(), mostCells) }] = hits;
  const { error: lack, ...scored } = await scoreDocument(scorer, hit, { profile, query });
  if (flags.explain !== undefined || flags.why !== undefined) {
    await write(io.stdout, `${inspectHit(scorer, scored, flags)}\n`);
    return exit.fine;
  }
  // Nobody wrote the phase by which a profile without one is ranked: what that lacks is no mistake.
  const error = hasFirstPhase(profile) ? lack : undefined;
  const exitCode = error === undefined ? exit.fine : exit.problems;
  const report = scoreReport(scorer, scored);
  if (flags.json === true) {
    await write(io.stdout, `${visibleJson(scoreReportJson(report))}\n`);
    return exitCode;
  }
  await write(io.stdout, `${scoreReportText(report, { width: widthOf(io, flags) })}\n`);
  if (error !== undefined) await writeProblems(error.problems, io);
  if (report.missing.length > 0) await writeTemplate(report.missing, io);
  return exitCode;
}

async function scoreDocument(
  scorer: Scorer,
  hit: HitToScore,
  options: Parameters<typeof rankDocuments>[2],
): Promise<ScoredDocument> {
  try {
    const [ranked] = await rankDocuments(scorer, [hit], options);
    return ranked ?? { hit, list: new Map(), score: undefined };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { hit, list: new Map(), score: undefined, error };
  }
}

async function writeTemplate(missing: readonly MissingFeature[], io: Io): Promise<void> {
  const text = "\nto give what is missing, fill in this file and hand it over with --features FILE:\n";
  await write(io.stderr, `${text}${templateOf(missing)}\n`);
}

/** What the first phase lacks for the first document, and so for all that nothing else is given for. */
export function missingInFirstPhase(
  scorer: Scorer,
  [first]: readonly HitToScore[],
): readonly MissingFeature[] {
  const outcome = first === undefined ? undefined : scorer.values(["first-phase"], first).get("first-phase");
  return outcome?.kind === "missing" ? outcome.missing : [];
}

/** Documents in the order of the feed, where the phase by which a profile without one ranks cannot be computed. */
export async function writeUnranked(
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
