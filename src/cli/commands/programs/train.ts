import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type InputValues,
  type OptimiserName,
  optimiserNames,
  type Program,
  parseType,
  renderSvg,
  renderText,
  type ScheduleName,
  type Session,
  scheduleNames,
  Tensor,
  type TrainingProgress,
  type TrainOptions,
  visibleJson,
} from "../../../index.js";
import { requireWritable, writeFile } from "../../files/files.js";
import { sessionAt, withStateFile } from "../../files/state-file.js";
import {
  type CommonFlags,
  collect,
  engineOptions,
  positiveWholeNumber,
  withOptions,
} from "../../options/options.js";
import { nameSet } from "../../options/settings.js";
import { isPackage } from "../../packages/package-files.js";
import { compileText, programText } from "../../program/source-text.js";
import { exit, failed, isColoured, UsageError, writeProblems } from "../../terminal/failure.js";
import { type Io, write, writeStyled } from "../../terminal/io.js";
import { checkpointAt, writeCheckpoint } from "../../train/checkpoint.js";
import { dataAt, dataFormatOf, validationAt } from "../../train/data.js";
import {
  refuseOtherOptions,
  type TrainProfileFlags,
  trainProfile,
  withProfileOptions,
} from "../../train/profile.js";
import { printVariables, refuseLabels, writeVariables } from "../../train/variables.js";

interface TrainFlags extends CommonFlags {
  readonly data?: string;
  readonly dimension?: string;
  readonly batch?: number;
  readonly epochs?: number;
  readonly optimiser?: OptimiserName;
  readonly rate?: number;
  readonly schedule?: ScheduleName;
  readonly warmup?: number;
  readonly clip?: number;
  readonly l2?: number;
  readonly labels?: readonly string[];
  readonly validation?: string;
  readonly metric?: readonly string[];
  readonly patience?: number;
  readonly checkpoint?: string;
  readonly plot?: boolean;
  readonly svg?: string;
  readonly out?: string;
  readonly dryRun?: boolean;
}

/** `sphex train FILE`: changes the variables of a program so that what it minimises gets smaller. */
export function addTrain(program: Command, io: Io, finish: (code: number) => void): void {
  const command = withOptions(program.command("train"), [
    "set",
    "reading",
    "json",
    "state",
    "seed",
    ...engineOptions,
  ]);
  command
    .description("train the variables of a program on data, or the numbers of a rank profile")
    .argument("<file>", "the program, or - for stdin, which says what to minimise; or an application package")
    .option(
      "--data <file>",
      "the inputs: JSON, as --inputs of run, arrays by name in .npz, or a table in CSV or Parquet with a row for each item",
    )
    .option("--dimension <name>", "the dimension along which the data have their items")
    .option("--batch <number>", "items of a step; all of them by default", positiveWholeNumber)
    .option(
      "--epochs <number>",
      "how often each item is used; 10 by default, 300 for a rank profile",
      positiveWholeNumber,
    )
    .option("--optimiser <name>", `one of ${optimiserNames.join(", ")}; adam by default`, optimiserNamed)
    .option("--rate <number>", "how far a step goes; 0.001 by default, 0.05 for a rank profile", rate)
    .addOption(new Option("--schedule <name>", "how the rate changes").choices(scheduleNames))
    .option("--warmup <number>", "the first steps, during which the rate rises", positiveWholeNumber)
    .option("--clip <length>", "the longest that all gradients of a step together may be", rate)
    .option(
      "--l2 <number>",
      "what the square of each number that is learnt adds to what is minimised; for a rank profile that of how far it moves, in units that move scores alike",
      rate,
    )
    .option(
      "--labels <variable=expression>",
      "how labels begin that a step has and a variable does not, in place of begin; may be repeated",
      collect,
    )
    .option("--validation <file>", "inputs that nothing is learnt from, as --data: told after each epoch")
    .option("--metric <name>", "a named value that is told after each epoch; may be repeated", collect)
    .option(
      "--patience <number>",
      "end when so many epochs bring nothing better, with the best",
      positiveWholeNumber,
    )
    .option(
      "--checkpoint <file>",
      "where training is, after each epoch: it goes on from there, as it was begun, with the same bits",
    )
    .option("--plot", "draw what is minimised, epoch by epoch")
    .option("--svg <file>", "the same as a picture in a file")
    .option(
      "--out <file>",
      "where the variables are written: .npz, or JSON that --inputs reads; printed unless there is a file",
    )
    .option("--dry-run", "report only: write no file, and leave a package as it is")
    .addHelpText("after", example)
    .action(async (file: string, flags: TrainFlags & TrainProfileFlags) => {
      try {
        const isProfile = file !== "-" && isPackage(file, io);
        refuseOtherOptions(command, file, isProfile);
        finish(await (isProfile ? trainProfile : train)(file, flags, io));
      } catch (error) {
        finish(await failed(error, flags, io));
      }
    });
  withProfileOptions(command);
}

async function train(file: string, flags: TrainFlags, io: Io): Promise<number> {
  const source = await programText(file, io, flags);
  const { data } = flags;
  const isTable = data !== undefined && dataFormatOf(data) !== undefined;
  const settings = data === undefined || isTable ? flags : { ...flags, inputs: data };
  const { program, values } = await compileText(source, settings, io);
  refuseLabels(flags.out, program);
  if (flags.dryRun !== true) requireWritable([flags.out, flags.svg, flags.checkpoint], io.cwd);
  if (flags.json !== true)
    await writeProblems(
      program.warnings.filter(({ severity }) => severity === "warning"),
      io,
    );
  const table = isTable ? await dataAt(data, program, io) : {};
  const names = new Set((flags.set ?? []).map(nameSet));
  const set = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  const options = await trainOptions({ data: { ...table, ...values }, set }, flags, program, io);
  const isDry = flags.dryRun === true;
  const losses: number[] = [];
  const work = async (session: Session, save: () => void): Promise<void> => {
    for await (const progress of session.train(options)) {
      save();
      if (flags.checkpoint !== undefined && !isDry)
        writeCheckpoint(flags.checkpoint, progress.checkpoint(), io);
      losses.push(progress.loss);
      await write(io.stdout, flags.json === true ? `${visibleJson(progress)}\n` : progressLine(progress));
    }
    const names = [...program.variables.keys()];
    if (flags.out !== undefined && !isDry) await writeVariables(flags.out, program, session, io);
    else if (flags.state === undefined || isDry) await printVariables(names, session, flags, io);
  };
  const { state } = flags;
  if (state === undefined) await work(program.session(), () => undefined);
  else if (isDry) await work(sessionAt(state, program, io), () => undefined);
  else await withStateFile(state, program, io, work);
  await drawLosses(losses, flags, io);
  return exit.fine;
}

async function trainOptions(
  { data, set }: { readonly data: InputValues; readonly set: InputValues },
  flags: TrainFlags,
  program: Program,
  io: Io,
): Promise<TrainOptions> {
  const { dimension, batch, epochs, optimiser, rate, schedule, warmup, clip, l2, seed } = flags;
  const { validation, metric: metrics, patience, checkpoint } = flags;
  const resume = checkpoint === undefined ? undefined : checkpointAt(checkpoint, io);
  const others = {
    labels: flags.labels === undefined ? undefined : Object.fromEntries(flags.labels.map(beginningIn)),
    ...{ dimension, batch, optimiser, rate, schedule, warmup, clip, l2, metrics, patience, seed, resume },
    epochs: epochs ?? (resume === undefined ? 10 : undefined),
    validation: validation === undefined ? undefined : await validationAt(validation, program, set, io),
  };
  const own = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return { data, ...own };
}

/** The variable whose labels begin, and how. */
function beginningIn(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)];
  throw new UsageError(`--labels ${text}: write --labels variable=expression`);
}

/** A picture of what was minimised, epoch by epoch. */
async function drawLosses(losses: readonly number[], flags: TrainFlags, io: Io): Promise<void> {
  const { plot, svg, json, dryRun } = flags;
  if (losses.length === 0) return;
  const tensor = Tensor.from(parseType(`tensor(epoch[${losses.length}])`), Float64Array.from(losses));
  const title = "what is minimised, by epoch";
  if (svg !== undefined && dryRun !== true)
    writeFile(svg, renderSvg(tensor, { title, kind: "line" }), io.cwd);
  if (plot !== true || json === true) return;
  const colour = isColoured(io, "stdout");
  const picture = renderText(tensor, { title, kind: "line", width: io.columns, colour });
  await writeStyled(io.stdout, `${picture}\n`, colour);
}

function progressLine({ epoch, step, loss, validation, metrics = {} }: TrainingProgress): string {
  const others = { ...(validation === undefined ? {} : { validation }), ...metrics };
  const texts = Object.entries(others).map(([name, value]) => `, ${name} ${value.toPrecision(6)}`);
  return `epoch ${epoch}, step ${step}: ${loss.toPrecision(6)}${texts.join("")}\n`;
}

function rate(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new InvalidArgumentError("It must be a finite number above 0.");
}

function optimiserNamed(text: string): OptimiserName {
  const name = optimiserNames.find((each) => each === text);
  if (name === undefined)
    throw new UsageError(`--optimiser ${text}: it is one of ${optimiserNames.join(", ")}`);
  return name;
}

const example = `
The data of each input have one dimension more than an item has, which the program declares without a size: row[].
With --state, the variables are kept in the file after each epoch, and training goes on where it was.
Of a package, the inputs and constants that a phase uses are learnt, and written where they stand in it, unless queries that were held out get worse.

Example:
  $ printf 'input x: tensor(row[])\\nvariable w = 3\\nloss = avg((w * x - x)^2)\\nminimise loss' > line.sphex
  $ sphex train line.sphex --set 'x=tensor(row[2]):[1,2]' --epochs 2 --optimiser sgd --rate 0.1
  epoch 1, step 1: 10.0000
  epoch 2, step 2: 2.50000
  w = tensor():{1.5}`;
