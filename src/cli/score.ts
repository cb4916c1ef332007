import { type Command, Option } from "commander";
import { SphexError } from "../index.js";
import {
  Document,
  type HitToScore,
  hitJson,
  idOf,
  listText,
  moves,
  movesText,
  type Outcome,
  type RankedDocument,
  Ranking,
  rankDocuments,
  type Scorer,
  type Sheet,
  sheetJson,
  sheetOf,
  sheetText,
  templateOf,
} from "../vespa.js";
import { exit, failed, UsageError, writeProblems } from "./failure.js";
import { type Io, write } from "./io.js";
import { collect, machinery, withOptions } from "./options.js";
import { patiently } from "./progress.js";
import {
  featuresGiven,
  loadPackage,
  loadProfile,
  mostCells,
  neighboursGiven,
  queryAt,
  timeGiven,
} from "./ranking-inputs.js";
import { type Hits, hitsFor, type ScoreGiven } from "./score-hits.js";
import { lookInside } from "./score-inspect.js";

/** `sphex score`: what a rank profile makes of documents and a query, without an engine. */
export function addScore(program: Command, io: Io, finish: (code: number) => void): void {
  withOptions(program.command("score"), machinery)
    .description("compute what a rank profile makes of documents and a query")
    .argument("[package]", "an application package, or a schema file; this folder unless given", ".")
    .addOption(new Option("--profile <name>", "the rank profile: profile, or schema.profile"))
    .addOption(new Option("--document <file>", "one document in JSON, as it is fed; - for stdin"))
    .addOption(
      new Option("--documents <file>", "a feed of documents, which are ranked; - for stdin").conflicts(
        "document",
      ),
    )
    .addOption(new Option("--query <file>", "a query request in JSON, or as the parameters of a URL"))
    .addOption(
      new Option("--features <file>", "features in a JSON object; may be repeated").argParser(collect),
    )
    .addOption(
      new Option("--feature <name=value>", "a feature: 'bm25(title)=3.2'; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(new Option("--response <file>", "a query response, whose features help where none are given"))
    .addOption(
      new Option("--compare <file>", "a query response: which of its hits move").conflicts([
        "response",
        "document",
      ]),
    )
    .addOption(
      new Option(
        "--nearest <field=input>",
        "which input a field is compared with; may be repeated",
      ).argParser(collect),
    )
    .addOption(
      new Option(
        "--now [time]",
        "the time of the query, for age and freshness: seconds, a date, or the clock's",
      ),
    )
    .addOption(
      new Option("--top <count>", "how many hits are shown; 10 at most at a terminal").argParser(count),
    )
    .addOption(
      new Option(
        "--explain [name]",
        "how a phase or function comes about, of a list for its best hit; the first phase unless named",
      ).conflicts("json"),
    )
    .addOption(
      new Option("--why <name{address}>", "which cells made a cell of a phase or function").conflicts("json"),
    )
    .addOption(new Option("--json", "write JSON; of a list a line for each hit"))
    .addHelpText("after", example)
    .action(async (path: string, given: ScoreGiven) => {
      try {
        finish(await score(path, given, io));
      } catch (error) {
        finish(await failed(error, given, io));
      }
    });
}

function count(text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--top ${text}: it must be a whole number`);
  return Number(text);
}

async function score(path: string, given: ScoreGiven, io: Io): Promise<number> {
  const query = await queryAt(given.query, io);
  const loaded = loadPackage(path, io);
  const profile = loadProfile(loaded, given.profile ?? query?.profile);
  const features = await featuresGiven(given.features, given.feature, io);
  const { hits, problems: unread, before } = await hitsFor(given, io);
  const known = new Map(hits.flatMap((hit) => [...(hit.known ?? [])]));
  const setting = {
    ...{ query, cells: mostCells },
    ...{ neighbours: neighboursGiven(given.nearest, profile), now: timeGiven(given.now) },
  };
  const hasField = (name: string): boolean =>
    hits.every(({ document }) => document.isWhole || document.has(name));
  const ranking = new Ranking({
    package: loaded.package,
    profile,
    given: features,
    known,
    setting,
    hasField,
    ...(given.backend === undefined ? {} : { options: { backend: given.backend } }),
  });
  ranking.refuseUnused(await featuresGiven([], given.feature, io));
  const problems = [...unread, ...ranking.unknownFields(hits.map(({ document }) => document))];
  if (given.document !== undefined && problems.length > 0) throw new SphexError(problems);
  await writeProblems(problems, io);
  const scorer = ranking.scorer(setting);
  const broken = problems.some((each) => each.isError) ? exit.problems : exit.fine;
  const options = { profile, query };
  const isList = given.documents !== undefined || given.compare !== undefined || hits.length > 1;
  if (!isList) {
    const [hit] = hits;
    const one = hit ?? { document: new Document(undefined, new Map(), mostCells) };
    return Math.max(broken, await single(scorer, await rankedAlone(scorer, one, options), given, io));
  }
  const ranked = await patiently((tell) => {
    const progress = async (scored: number): Promise<void> => {
      tell(`${scored} of ${hits.length} documents`);
      await new Promise((resolve) => setImmediate(resolve));
    };
    return rankDocuments(scorer, hits, { ...options, progress });
  }, io);
  const [best] = ranked;
  if (best !== undefined && (given.explain !== undefined || given.why !== undefined)) {
    await write(io.stdout, `${idOf(best)}\n${lookInside(scorer, best, given)}\n`);
    return broken;
  }
  if (given.compare !== undefined) {
    await compared(before, ranked, given, io);
    const taken = ranking.taken.filter((name) => !features.has(name));
    if (taken.length > 0) await write(io.stderr, `taken from the response: ${taken.join(", ")}\n`);
  } else await listed(scorer, ranked, given, io);
  return broken;
}

/** One document is a list of one. Where a feature of a phase is missing, all else is shown. */
async function rankedAlone(
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

async function single(
  scorer: Scorer,
  alone: Awaited<ReturnType<typeof rankedAlone>>,
  given: ScoreGiven,
  io: Io,
): Promise<number> {
  if (given.explain !== undefined || given.why !== undefined) {
    await write(io.stdout, `${lookInside(scorer, alone, given)}\n`);
    return exit.fine;
  }
  const sheet: Sheet = sheetOf(scorer, alone);
  const isWhole = alone.error === undefined;
  if (given.json === true) {
    await write(io.stdout, `${JSON.stringify(sheetJson(sheet))}\n`);
    return isWhole ? exit.fine : exit.problems;
  }
  await write(io.stdout, `${sheetText(sheet, { width: widthOf(io) })}\n`);
  if (!isWhole) await writeProblems(alone.error?.problems ?? [], io);
  if (sheet.missing.length > 0) {
    const text = `\nto give what is missing, fill in this file and hand it over with --features FILE:\n`;
    await write(io.stderr, `${text}${templateOf(sheet.missing)}\n`);
  }
  return isWhole ? exit.fine : exit.problems;
}

/** What is not read at a terminal is not shortened. */
const widthOf = (io: Io): number =>
  io.isTTY.stdout === true ? (io.columns ?? 100) : Number.POSITIVE_INFINITY;

/** A ranked list; for people its head, for programs each hit with its match features, as they are computed. */
async function listed(
  scorer: Scorer,
  ranked: readonly RankedDocument[],
  given: ScoreGiven,
  io: Io,
): Promise<void> {
  const most = given.top ?? (given.json !== true && io.isTTY.stdout === true ? 10 : Number.POSITIVE_INFINITY);
  if (given.json !== true) {
    await write(io.stdout, `${listText(ranked, most)}\n`);
    return;
  }
  const listed = scorer.program.quantities.filter(({ kind }) => kind === "match-features");
  for (const [at, each] of ranked.slice(0, most).entries()) {
    const values = scorer.values(
      listed.map(({ key }) => key),
      each.hit,
      each.list,
    );
    const named = new Map(
      listed.flatMap(({ key, name }): [string, Outcome][] => {
        const outcome = values.get(key);
        return outcome === undefined ? [] : [[name, outcome]];
      }),
    );
    await write(io.stdout, `${JSON.stringify(hitJson(each, at + 1, named))}\n`);
  }
}

async function compared(
  before: Hits["before"],
  ranked: readonly RankedDocument[],
  given: ScoreGiven,
  io: Io,
): Promise<void> {
  const moved = moves(
    before,
    ranked.map((each) => ({ id: idOf(each), score: each.score })),
  );
  if (given.json === true) await write(io.stdout, moved.map((each) => `${JSON.stringify(each)}\n`).join(""));
  else await write(io.stdout, `${movesText(moved)}\n`);
}

const example = `
Features that only an engine can compute, such as bm25(title), are given in a file, by --feature, or taken from the
matchfeatures of a response. What is missing is listed with its type, and with a file to fill in.

Examples:
  $ sphex score app --profile hybrid --document doc.json --query query.json --feature 'bm25(title)=3.2'
  $ sphex score app --profile hybrid --documents feed.jsonl --query query.json --top 5
  $ sphex score app --profile hybrid --compare response.json --feature 'query(weight)=2'`;
