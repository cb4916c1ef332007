import { SphexError, visibleJson } from "../../index.js";
import {
  comparisonJson,
  comparisonText,
  type ExplainChange,
  evaluationJson,
  evaluationText,
  explainingTerms,
  explanationText,
  type Judgments,
  type NamedQuery,
  overtakingIn,
  readJudgments,
  readQueries,
  relevanceIn,
} from "../../vespa.js";
import { sourceAt } from "../files/sources.js";
import { exit, UsageError, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { hitsFor, parentsAt, type ScoreFlags } from "./hits.js";
import { type JudgedQueries, type JudgedRequest, judgeQueries, loadJudged } from "./judged-package.js";
import { writeSweep } from "./sweep.js";

/** `sphex score --judgments`: how good the order of a profile is, and whether it is better than another. */
export async function scoreJudged(path: string, flags: ScoreFlags, io: Io): Promise<number> {
  const request = await judgedRequest(flags, io);
  const against = flags.againstRevision === undefined ? flags.against : `${path}@${flags.againstRevision}`;
  if (flags.sweep !== undefined) await writeSweep(path, flags.sweep, request, io);
  else if (against === undefined && flags.againstProfile === undefined)
    await writeEvaluation(path, request, io);
  else await writeComparison(path, against ?? path, request, io);
  return exit.fine;
}

/** Reads queries, judgments and documents, and writes what is wrong with the documents. */
async function judgedRequest(flags: ScoreFlags, io: Io): Promise<JudgedRequest> {
  if (flags.documents === undefined || flags.queries === undefined)
    throw new UsageError(
      "--judgments is about many queries and documents: give --queries FILE and --documents FILE",
    );
  const judgments = await judgmentsAt(flags.judgments ?? "", io);
  const queries = await queriesAt(flags.queries, io);
  const { hits, fed, problems } = await hitsFor(flags, io);
  await writeProblems(problems, io);
  return { queries, judgments, hits, imports: { named: await parentsAt(flags.parents, io), fed }, flags };
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

/** How good the orders of one package are. */
async function writeEvaluation(path: string, request: JudgedRequest, io: Io): Promise<void> {
  const { json, seed, profile } = request.flags;
  const judged = await loadJudged({ folder: path, profile, hasReportedProblems: false }, request, io);
  const { evaluation } = await judgeQueries(judged, io);
  const text =
    json === true ? visibleJson(evaluationJson(evaluation, seed)) : evaluationText(evaluation, seed);
  await write(io.stdout, `${text}\n`);
}

/** Whether the orders of a package are better than those of another, or of another profile. */
async function writeComparison(path: string, against: string, request: JudgedRequest, io: Io): Promise<void> {
  const { json, seed, profile, againstProfile = profile } = request.flags;
  const side = { folder: path, profile, hasReportedProblems: false };
  const now = await judgeQueries(await loadJudged(side, request, io), io);
  const other = { folder: against, profile: againstProfile, hasReportedProblems: true };
  const old = await judgeQueries(await loadJudged(other, request, io), io);
  const explain = explanationsOf(old, now, request.judgments);
  const text =
    json === true
      ? visibleJson(comparisonJson(old.evaluation, now.evaluation, seed, explain))
      : comparisonText(old.evaluation, now.evaluation, seed, undefined, explain);
  await write(io.stdout, `${text}\n`);
}

/** Which terms explain that a query wins or loses, by the two documents that show most of it. */
function explanationsOf(old: JudgedQueries, now: JudgedQueries, judgments: Judgments): ExplainChange {
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
