import {
  type InputValues,
  type OptimiserName,
  type Program,
  type ScheduleName,
  type Session,
  type TrainingProgress,
  type TrainOptions,
  visibleJson,
} from "../../index.js";
import { requireWritable } from "../files/files.js";
import { sessionAt, withStateFile } from "../files/state-file.js";
import type { CommonFlags } from "../options/options.js";
import { nameSet } from "../options/settings.js";
import { compileText, programText } from "../program/source-text.js";
import { exit, UsageError, writeProblems } from "../terminal/failure.js";
import { type Io, write } from "../terminal/io.js";
import { checkpointAt, writeCheckpoint } from "./checkpoint.js";
import { dataAt, dataFormatOf, validationAt } from "./data.js";
import { drawLosses } from "./losses.js";
import { printVariables, refuseLabels, writeVariables } from "./variables.js";

/** The flags of `sphex train` for a program. */
export interface TrainProgramFlags extends CommonFlags {
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

/** Trains the variables of a program, and writes them where the flags say. */
export async function trainProgram(file: string, flags: TrainProgramFlags, io: Io): Promise<number> {
  const isDry = flags.dryRun === true;
  const source = await programText(file, io, flags);
  const { data } = flags;
  const isTable = data !== undefined && dataFormatOf(data) !== undefined;
  const settings = data === undefined || isTable ? flags : { ...flags, inputs: data };
  const { program, values } = await compileText(source, settings, io);
  refuseLabels(flags.out, program);
  if (!isDry) requireWritable([flags.out, flags.svg, flags.checkpoint], io.cwd);
  if (flags.json !== true)
    await writeProblems(
      program.warnings.filter(({ severity }) => severity === "warning"),
      io,
    );
  const table = isTable ? await dataAt(data, program, io) : {};
  const names = new Set((flags.set ?? []).map(nameSet));
  const set = Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
  const options = await trainOptions({ data: { ...table, ...values }, set }, flags, program, io);
  const losses: number[] = [];
  const work = async (session: Session, save: () => void): Promise<void> => {
    for await (const progress of session.train(options)) {
      save();
      losses.push(progress.loss);
      await epochDone(progress, flags, io);
    }
    await writeLearnt(program, session, flags, io);
  };
  await withSession(program, flags, io, work);
  await drawLosses(losses, flags, io);
  return exit.fine;
}

/** Keeps where training is after an epoch, and tells of it. */
async function epochDone(progress: TrainingProgress, flags: TrainProgramFlags, io: Io): Promise<void> {
  const { checkpoint, json, dryRun } = flags;
  if (checkpoint !== undefined && dryRun !== true) writeCheckpoint(checkpoint, progress.checkpoint(), io);
  await write(io.stdout, json === true ? `${visibleJson(progress)}\n` : progressLine(progress));
}

/** Writes the variables to the file that is asked for, or prints them, where no file of tensors has them. */
async function writeLearnt(
  program: Program,
  session: Session,
  flags: TrainProgramFlags,
  io: Io,
): Promise<void> {
  const { out, state, dryRun } = flags;
  if (out !== undefined && dryRun !== true) await writeVariables(out, program, session, io);
  else if (state === undefined || dryRun === true)
    await printVariables([...program.variables.keys()], session, flags, io);
}

/** Does the work with a session whose tensors are those of `--state`, which it changes unless the run is dry. */
async function withSession(
  program: Program,
  { state, dryRun }: TrainProgramFlags,
  io: Io,
  work: (session: Session, save: () => void) => Promise<void>,
): Promise<void> {
  if (state === undefined) await work(program.session(), () => undefined);
  else if (dryRun === true) await work(sessionAt(state, program, io), () => undefined);
  else await withStateFile(state, program, io, work);
}

/** What the session is asked for: what nobody says is not there. */
async function trainOptions(
  { data, set }: { readonly data: InputValues; readonly set: InputValues },
  flags: TrainProgramFlags,
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

function progressLine({ epoch, step, loss, validation, metrics = {} }: TrainingProgress): string {
  const others = { ...(validation === undefined ? {} : { validation }), ...metrics };
  const texts = Object.entries(others).map(([name, value]) => `, ${name} ${value.toPrecision(6)}`);
  return `epoch ${epoch}, step ${step}: ${loss.toPrecision(6)}${texts.join("")}\n`;
}
