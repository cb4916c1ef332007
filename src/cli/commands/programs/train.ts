import { type Command, InvalidArgumentError, Option } from "commander";
import { type OptimiserName, optimiserNames, scheduleNames } from "../../../index.js";
import { collect, engineOptions, positiveWholeNumber, withOptions } from "../../options/options.js";
import { isPackage } from "../../packages/package-files.js";
import { failed, UsageError } from "../../terminal/failure.js";
import type { Io } from "../../terminal/io.js";
import {
  refuseOtherOptions,
  type TrainProfileFlags,
  trainProfile,
  withProfileOptions,
} from "../../train/profile.js";
import { type TrainProgramFlags, trainProgram } from "../../train/program.js";

/** `sphex train FILE`: changes the variables of a program so that what it minimises gets smaller. */
export function addTrain(program: Command, io: Io, finish: (code: number) => void): void {
  const command = withOptions(program.command("train"), [
    "set",
    "reading",
    "json",
    "state",
    "seed",
    ...engineOptions,
  ])
    .description("train the variables of a program on data, or the numbers of a rank profile")
    .argument(
      "<file>",
      "the program, or - for stdin, which says what to minimise; or an application package",
    );
  withProfileOptions(withTrainingOptions(command))
    .addHelpText("after", example)
    .action(async (file: string, flags: TrainProgramFlags & TrainProfileFlags) => {
      try {
        const isProfile = file !== "-" && isPackage(file, io);
        refuseOtherOptions(command, file, isProfile);
        finish(await (isProfile ? trainProfile : trainProgram)(file, flags, io));
      } catch (error) {
        finish(await failed(error, flags, io));
      }
    });
}

/** How a program is trained; some of it holds for a rank profile, too. */
const withTrainingOptions = (command: Command): Command =>
  command
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
    .option("--dry-run", "report only: write no file, and leave a package as it is");

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
