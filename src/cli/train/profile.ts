import { type Command, Option } from "commander";
import { SphexError, visibleJson } from "../../index.js";
import {
  editedFiles,
  isRankingWorse,
  type Judgments,
  type LabelledRow,
  learn,
  learningJson,
  learningText,
  type ParsedRows,
  type PhaseName,
  phaseNames,
  type RankingLossName,
  rankingLossNames,
  readJudgments,
  readLabelledRows,
} from "../../vespa.js";
import { readNamed, readText, writeFiles } from "../files/files.js";
import { sourceAt } from "../files/sources.js";
import { collect, positiveWholeNumber } from "../options/options.js";
import { loadPackage, loadProfile } from "../packages/ranking-inputs.js";
import { exit, UsageError } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { withProgress } from "../terminal/progress.js";

export interface TrainProfileFlags {
  readonly profile?: string;
  readonly features?: readonly string[];
  readonly judgments?: string;
  readonly phase?: PhaseName;
  readonly only?: readonly string[];
  readonly loss: RankingLossName;
  readonly folds: number;
  readonly at: number;
  readonly queryProfile?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly epochs?: number;
  readonly rate?: number;
  readonly l2?: number;
  readonly seed?: number;
}

const heading = "Options of rank profiles:";

/** What `sphex train` takes for a package. */
export function withProfileOptions(command: Command): Command {
  const option = (flags: string, description: string): Option =>
    new Option(flags, description).helpGroup(heading);
  return command
    .addOption(option("--profile <name>", "the rank profile: profile, or schema.profile"))
    .addOption(
      option(
        "--features <file>",
        "labelled features: CSV or JSON of pyvespa's collector, rows, or responses; may be repeated",
      ).argParser(collect),
    )
    .addOption(option("--judgments <file>", "how relevant documents are, where rows have no labels"))
    .addOption(
      option("--phase <name>", "the phase whose order gets better; the last unless given").choices(
        phaseNames,
      ),
    )
    .addOption(
      option("--only <name>", "an input or constant to learn; all unless given; may be repeated").argParser(
        collect,
      ),
    )
    .addOption(option("--loss <name>", "what is made smaller").choices(rankingLossNames).default("pairwise"))
    .addOption(
      option("--folds <number>", "parts of the queries, for cross-validation; 1 for none")
        .argParser(positiveWholeNumber)
        .default(5),
    )
    .addOption(
      option("--at <count>", "how many hits NDCG looks at").argParser(positiveWholeNumber).default(10),
    )
    .addOption(
      option(
        "--query-profile <id>",
        "the query profile that has the numbers of inputs; default, if there is one, unless given",
      ),
    );
}

/** What a rank profile takes of the options that programs have. */
const shared: ReadonlySet<string> = new Set(["epochs", "rate", "l2", "seed", "dryRun", "json"]);

/** An option that would do nothing is a mistake of the call. */
export function refuseOtherOptions(command: Command, file: string, isProfile: boolean): void {
  for (const each of command.options) {
    const name = each.attributeName();
    const isOfProfiles = each.helpGroupHeading === heading;
    const isTaken = isProfile ? isOfProfiles || shared.has(name) : !isOfProfiles;
    if (isTaken || command.getOptionValueSource(name) !== "cli") continue;
    const [own, other] = isProfile ? ["a package", "programs"] : ["a program", "rank profiles"];
    throw new UsageError(`${each.long}: this is an option for ${other}, and ${file} is ${own}`);
  }
}

/** How long descent takes, where nobody says. */
const usual = { epochs: 300, rate: 0.05, seed: 0 };

/** `sphex train DIR`: the numbers of a rank profile, learnt from labelled features and written where they stand. */
export async function trainProfile(path: string, flags: TrainProfileFlags, io: Io): Promise<number> {
  const { features = [], json, seed, dryRun, folds, loss, phase, only, queryProfile } = flags;
  if (features.length === 0)
    throw new UsageError(`${path} is a package: give --features FILE, with labelled features`);
  const loaded = loadPackage(path, io);
  const profile = loadProfile(loaded, flags.profile);
  const { rows, judgments } = await rowsAt(features, flags.judgments, io);
  const learnt = await withProgress(
    async (report) =>
      await learn(rows, {
        ...{ package: loaded.package, profile, phase, only, queryProfile, loss, folds },
        ...{ judgments, depth: flags.at },
        epochs: flags.epochs ?? usual.epochs,
        rate: flags.rate ?? usual.rate,
        decay: flags.l2 ?? 0,
        seed: seed ?? usual.seed,
        progress: async (done, all) => {
          report(`${done} of ${all} epochs`);
          await new Promise((resolve) => setImmediate(resolve));
        },
      }),
    io,
  );
  const isRefused = isRankingWorse(learnt);
  const files = editedFiles(learnt);
  const isWritten = dryRun !== true && !isRefused;
  if (isWritten) replace(files, io);
  const names = files.map(({ source }) => source.name).join(", ");
  if (json === true)
    await write(
      io.stdout,
      `${visibleJson({ ...learningJson(learnt), written: isWritten ? names : null })}\n`,
    );
  else await write(io.stdout, `${learningText(learnt)}\n\n${outcome(isWritten, isRefused, names)}\n`);
  return isRefused ? exit.problems : exit.fine;
}

const outcome = (isWritten: boolean, isRefused: boolean, names: string): string => {
  if (isWritten) return `written to ${names}`;
  return isRefused
    ? "nothing written: on queries that it has not seen, the order gets worse"
    : `nothing written: without --dry-run, to ${names}`;
};

/** The new texts of files, unless somebody has changed one of them meanwhile. */
function replace(files: ReturnType<typeof editedFiles>, io: Io): void {
  for (const { source } of files)
    if (readNamed(source.name, io, readText) !== source.text)
      throw new UsageError(`cannot write ${source.name}: it has changed since it was read`);
  writeFiles(
    files.map(({ source, text }) => [source.name, text]),
    io.cwd,
  );
}

async function rowsAt(
  paths: readonly string[],
  judgmentsPath: string | undefined,
  io: Io,
): Promise<{ readonly rows: readonly LabelledRow[]; readonly judgments: Judgments | undefined }> {
  const read = judgmentsPath === undefined ? undefined : readJudgments(await sourceAt(judgmentsPath, io));
  const parsed: ParsedRows[] = [];
  for (const path of paths) parsed.push(readLabelledRows(await sourceAt(path, io), read?.judgments));
  const problems = [read?.problems ?? [], ...parsed.map((each) => each.problems)].flat();
  if (problems.length > 0) throw new SphexError(problems);
  return { rows: parsed.flatMap(({ rows }) => rows), judgments: read?.judgments };
}
