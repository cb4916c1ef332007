import { type Command, InvalidArgumentError, Option } from "commander";
import {
  type BackendName,
  backendNames,
  type Dialect,
  dialects,
  type FormatName,
  formatNames,
  type Options,
  type ProgramLimits,
  uniform,
} from "../../index.js";
import { type ModelRuntime, modelRuntimes, modelsFor } from "../models/onnx-runtime.js";

/** The options that commands share, one row each, and what they mean to the library. */
export interface CommonFlags {
  readonly set?: readonly string[];
  readonly inputs?: string;
  readonly allowRead?: readonly string[];
  readonly dialect?: Dialect;
  readonly json?: boolean;
  readonly format?: FormatName;
  readonly seed?: number;
  readonly maxCells?: number;
  readonly maxBytes?: number;
  readonly maxSteps?: number;
  readonly timeout?: number;
  readonly optimise?: boolean;
  readonly backend?: BackendName;
  readonly threads?: number;
  readonly wide?: boolean;
  readonly portable?: boolean;
  readonly state?: string;
  readonly models?: ModelRuntime;
}

const options = {
  set: () =>
    new Option(
      "--set <name=literal>",
      "the value of an input, as text or as @FILE; may be repeated: --set 'q=tensor(x[2]):[1,2]'",
    ).argParser(collect),
  inputs: () =>
    new Option(
      "--inputs <file>",
      "the values of inputs, from a JSON file with an object of names and values; - for stdin",
    ).argParser(single),
  reading: () =>
    new Option(
      "--allow-read <folder>",
      "let the program read files of this folder, beside its own; may be repeated",
    ).argParser(collect),
  dialect: () =>
    new Option(
      "--dialect <dialect>",
      "formalism, where what Vespa lacks is a note, or vespa, where it is an error",
    )
      .choices(dialects)
      .default("formalism"),
  portable: () =>
    new Option(
      "--portable",
      "show each note on what is not portable to Vespa, and not only how many there are",
    ),
  json: () => new Option("--json", "write JSON"),
  format: () =>
    new Option("--format <name>", "how tensors are written; pretty at a terminal, otherwise literal")
      .choices(formatNames)
      .conflicts("json"),
  seed: () => new Option("--seed <number>", "the seed of random numbers").argParser(wholeNumber),
  cells: () => new Option("--max-cells <number>", "the most cells of any one tensor").argParser(wholeNumber),
  bytes: () =>
    new Option(
      "--max-bytes <number>",
      "the most bytes in all, of tensors and of files that are read",
    ).argParser(wholeNumber),
  steps: () => new Option("--max-steps <number>", "the most steps of a run").argParser(wholeNumber),
  timeout: () => new Option("--timeout <ms>", "the longest time of a run").argParser(wholeNumber),
  optimise: () => new Option("--no-optimise", "run each operation as it is written"),
  backend: () =>
    new Option("--backend <name>", "what runs programs; the results are the same").choices(backendNames),
  threads: () =>
    new Option("--threads <number>", "how many threads to use where that saves time").argParser(threadCount),
  state: () => new Option("--state <file>", "keep variable and persistent tensors in a file from run to run"),
  models: () =>
    new Option(
      "--models <runtime>",
      "compute models of ONNX by ONNX Runtime, if onnxruntime-node or onnxruntime-web is installed",
    ).choices(modelRuntimes),
  wide: () => new Option("--wide", "use 256-bit vectors (experimental; Node 24 or later)"),
};

export type OptionName = keyof typeof options;

export const optionNames = Object.keys(options) as OptionName[]; // they are just these

/** The options of whatever runs a program. */
export const runOptions: readonly OptionName[] = ["dialect", "seed", "cells", "bytes", "steps", "timeout"];

/** The options of what may run long: what it runs on. */
export const engineOptions: readonly OptionName[] = ["backend", "threads", "wide"];

export function withOptions(command: Command, names: readonly OptionName[]): Command {
  for (const name of names) command.addOption(options[name]());
  return command;
}

/** An option that may be repeated. */
export function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** One that stands for more than its text, so that the last of several must not hide those before it. */
function single(text: string, before?: string): string {
  if (before === undefined) return text;
  throw new InvalidArgumentError("It is there twice.");
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

export function positiveWholeNumber(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError("It must be a whole number above 0.");
}

const mostThreads = 62;

function threadCount(text: string): number {
  const count = wholeNumber(text);
  if (count >= 1 && count <= mostThreads) return count;
  throw new InvalidArgumentError(`It must be from 1 to ${mostThreads}.`);
}

/** Fresh library options: the sequence of `random` begins anew. */
export function libraryOptions(flags: CommonFlags): Options {
  const { dialect, seed, maxCells, maxBytes, maxSteps, timeout, optimise, backend } = flags;
  const limits: ProgramLimits = {
    ...(maxCells === undefined ? {} : { cells: maxCells }),
    ...(maxBytes === undefined ? {} : { bytes: maxBytes }),
    ...(maxSteps === undefined ? {} : { steps: maxSteps }),
    ...(timeout === undefined ? {} : { time: timeout }),
  };
  return {
    dialect: dialect ?? "formalism",
    models: modelsFor(flags.models),
    limits,
    clock: () => performance.now(),
    ...(seed === undefined ? {} : { random: uniform(seed) }),
    ...(optimise === false ? { optimise } : {}),
    ...(backend === undefined ? {} : { backend }),
  };
}
