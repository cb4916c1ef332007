import type { Command } from "commander";
import { hasFirstPhase, type RankedDocument, rankDocuments, type Scorer } from "../../../vespa.js";
import { engineOptions, withOptions } from "../../options/options.js";
import { missingInFirstPhase, writeDocument, writeUnranked } from "../../score/document.js";
import type { ScoreFlags } from "../../score/hits.js";
import { scoreJudged } from "../../score/judged.js";
import { writeRanked } from "../../score/list.js";
import { refuseJudgedOptions, withScoreOptions } from "../../score/options.js";
import { type PreparedScore, prepareScore, reportScoreProblems } from "../../score/preparation.js";
import { failed } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import { withProgress } from "../../terminal/progress.js";

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
  const prepared = await prepareScore(path, flags, io);
  const exitCode = await reportScoreProblems(prepared, flags, io);
  const { ranking, profile, hits, setting } = prepared;
  const scorer = ranking.scorer(setting);
  const isList = flags.documents !== undefined || flags.compare !== undefined || hits.length > 1;
  if (!isList) return Math.max(exitCode, await writeDocument(scorer, prepared, flags, io));
  const missing = hasFirstPhase(profile) ? [] : missingInFirstPhase(scorer, hits);
  if (missing.length > 0) await writeUnranked(hits, missing, flags, io);
  else await writeRanked({ prepared, scorer, ranked: await rankedHits(scorer, prepared, io), flags }, io);
  return exitCode;
}

const rankedHits = (
  scorer: Scorer,
  { profile, query, hits }: PreparedScore,
  io: Io,
): Promise<readonly RankedDocument[]> =>
  withProgress((report) => {
    const progress = async (scored: number): Promise<void> => {
      report(`${scored} of ${hits.length} documents`);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return rankDocuments(scorer, hits, { profile, query, progress });
  }, io);

const example = `
Features that only an engine can compute, such as bm25(title), are given in a file, by --feature, or taken from the
matchfeatures of a response. What is missing is listed with its type, and with a file to fill in.

Examples:
  $ sphex score app --profile hybrid --document doc.json --query query.json --feature 'bm25(title)=3.2'
  $ sphex score app --profile hybrid --documents feed.jsonl --query query.json --top 5
  $ sphex score app --profile hybrid --compare response.json --feature 'query(weight)=2'`;
