import { checkMessages } from "../language/check/messages.js";
import {
  counted,
  didYouMean,
  error,
  type NoValues,
  quoted,
  type UnknownName,
} from "../language/source/message.js";
import { problemsOf } from "../language/source/problem.js";
import type { Position } from "../language/source/span.js";
import type { CellType } from "../language/types/cell.js";
import type { TensorType } from "../language/types/type.js";
import { kindText, type ValueKind } from "../language/values/messages.js";

/** Whether it could have been a tensor of a declared type. */
const needsType = (found: ValueKind): boolean => found === "array" || found === "object";

const inputsText = (inputs: readonly NamedType[]): string =>
  inputs.map(({ name, type }) => `${name}: ${type}`).join(", ");

interface NamedType {
  readonly name: string;
  readonly type: TensorType;
}

/** The message `file/unreadable`, for callers that know reasons of this kind. A host's reason is in its own words. */
export const unreadableMessage = <Reason>(reasonText: (reason: Reason) => string) =>
  error(({ path, reason }: { path: string; reason: Reason }) => ({
    message: `${path} cannot be read: ${reasonText(reason)}`,
    found: reasonText(reason),
    expected: "a readable file",
  }));

/** What can be wrong with a tensor as plain data. */
export type TransferFault = "version" | "clone" | "type" | "sizes" | "labels" | "cells";

const transferFaults: Readonly<Record<TransferFault, string>> = {
  version: "data of another version",
  clone: "a copy of a tensor by postMessage or structuredClone, which has no longer its methods",
  type: "a type that is not a text",
  sizes: "sizes that are not those of the type",
  labels: "labels that are out of order, or too few or too many for the type",
  cells: "cells of another kind or number",
};

interface TrainLabels {
  readonly name: string;
  readonly labelled: readonly string[];
  readonly nearest: string | undefined;
}

interface TrainDimension {
  readonly dimension: string | undefined;
  /** The dimensions that items may have. */
  readonly candidates: readonly string[];
  readonly nearest: string | undefined;
  /** The items of each input, in words, where the inputs disagree or none has the dimension. */
  readonly counts: readonly string[] | undefined;
  readonly isValidation: boolean;
}

function dimensionFault({ dimension, counts, isValidation }: TrainDimension): string {
  if (dimension === undefined) return "it is not clear along which dimension the data have their items";
  if (counts === undefined) return `${dimension} has a size, so that its items cannot be split into batches`;
  const data = isValidation ? "the validation data" : "the data";
  return counts.length === 0
    ? `no input of ${data} has the dimension ${dimension}`
    : `${data} do not agree on the items along ${dimension}: ${counts.join(", ")}`;
}

interface CheckpointFault {
  readonly name: string;
  readonly expected: TensorType | undefined;
  readonly found: TensorType | undefined;
}

interface ResumeFault {
  /** What differs from before. */
  readonly name: string;
  readonly found: string | number;
  /** Nothing where there was none. */
  readonly expected: string | number | undefined;
}

interface NotFiniteStep {
  readonly step: number;
  readonly epoch: number;
  /** The variable that is not finite; nothing where the objective is not. */
  readonly name: string | undefined;
  /** The expression that such a number first comes from. */
  readonly origin: string | undefined;
}

/** What can be wrong with the declaration of a function of the host, and what would be right. */
const functionFaults = {
  name: { found: "a name that is not a word", expected: "a word of letters, digits and _" },
  language: { found: "the name of a function of the language", expected: "a name of its own" },
  object: { found: "no declaration", expected: "{ parameters, returns, call }" },
  parameters: {
    found: "parameters that are not a list of types, or are more than 100",
    expected: 'parameters: ["tensor(x[2])", …]',
  },
  returns: { found: "no type of the result", expected: 'returns: "tensor(x[2])"' },
  call: { found: "no function to call", expected: "call: (a, b) => …" },
  pure: { found: "pure is neither true nor false", expected: "pure: true, or nothing" },
  description: { found: "a description that is not a text", expected: "a sentence" },
} as const;

export type HostFunctionFault = keyof typeof functionFaults;

/** What can be wrong when a program is given its inputs, run, or asked for what it keeps. */
export const runMessages = {
  "input/missing": error(({ name, type }: { name: string; type: TensorType | undefined }) => ({
    message: `the input ${name} has no value`,
    found: "nothing",
    expected: type && `${type}`,
  })),
  "train/no-objective": error((_: NoValues) => ({
    message: "this program does not say what to minimise",
    found: "no minimise statement",
    expected: "minimise and the name of a scalar",
  })),
  "train/no-variable": error((_: NoValues) => ({
    message: "what is minimised depends on no variable",
    found: "a value of inputs and constants",
    expected: "a value that depends on a variable",
  })),
  "train/whole": error(({ name, cells }: { name: string; cells: CellType }) => ({
    message: `${name} has whole numbers, which training cannot change little by little`,
    found: `cells of ${cells}`,
    expected: "cells of double, float, bfloat16 or half",
  })),
  "train/unbound": error((values: { name: string; type: TensorType; optimiser: string }) => ({
    message: `${values.optimiser} cannot train ${values.name}, which has a dimension without a size`,
    found: `${values.type}`,
    expected: "a size for each indexed dimension, or sgd, which remembers nothing",
  })),
  "train/dimension": error((values: TrainDimension) => ({
    message: dimensionFault(values),
    found: values.candidates.length === 0 ? "no unbound or mapped dimension" : values.candidates.join(", "),
    expected: "an unbound or mapped dimension of the inputs, such as row[] or row{}, in which all data agree",
    hint: didYouMean(values.nearest),
  })),
  "train/no-items": error(({ dimension, isValidation }: { dimension: string; isValidation: boolean }) => ({
    message: `the ${isValidation ? "validation" : "training"} data have no items along ${dimension}`,
    found: "no item",
    expected: "an item or more",
  })),
  "train/fixed": error(({ dimension }: { dimension: string }) => ({
    message: `this has the dimension ${dimension}, along which the data are split, and would be combined with the wrong items in a batch or in the validation`,
    found: `items along ${dimension} that are the same for each batch`,
    expected: `an input among the data whose size along ${dimension} is not bound`,
    hint: "alternatively, train on all items at once, with the same number of items for validation",
  })),
  "train/function": error(({ name }: { name: string }) => ({
    message: `training calls ${name}, which this program defines as something else`,
    found: `a function ${name} of the program`,
    expected: "another name",
  })),
  "train/assigned": error(({ name }: { name: string }) => ({
    message: `training assigns to ${name}, and so does this program`,
    found: "an assignment to a variable that is trained",
    expected: "assignments to other variables, or to persistent tensors",
  })),
  "train/labels": error(({ name, labelled, nearest }: TrainLabels) => ({
    message: `${name} is not a trained variable with labels`,
    found: quoted(name),
    expected: labelled.length === 0 ? "a variable with a mapped dimension" : labelled.join(", "),
    hint: didYouMean(nearest),
  })),
  "train/checkpoint": error(({ name, expected, found }: CheckpointFault) => ({
    message: "this checkpoint belongs to another program, or to another optimiser",
    found: found === undefined ? `no ${name}` : `${name}: ${found}`,
    expected: expected === undefined ? `no ${name}` : `${name}: ${expected}`,
  })),
  "train/resume": error(({ name, found, expected }: ResumeFault) => ({
    message: `the training of this checkpoint began with another ${name}, and its next steps would not continue that training`,
    found: `${found}`,
    expected: expected === undefined ? `no ${name}` : `${expected}`,
    hint: "options that are not given stay as before; without the checkpoint a new training begins",
  })),
  "train/not-finite": error(({ step, epoch, name, origin }: NotFiniteStep) => ({
    message: `step ${step}, in epoch ${epoch}, makes ${name ?? "what is minimised"} infinite or NaN; the variables keep their values from before it`,
    found: origin === undefined ? "a number that is not finite" : `the first such number in ${origin}`,
    expected: "finite numbers",
    hint: "a lower rate often helps",
  })),
  "input/count": error(({ names, found }: { names: readonly string[]; found: number }) => ({
    message: `this function takes ${counted(names.length, "value")}`,
    found: `${found}`,
    expected: names.length === 0 ? "none" : `those of ${names.join(", ")}`,
  })),
  "input/unknown": error(({ name, nearest }: UnknownName) => ({
    message: `the program has no input called ${name}`,
    found: quoted(name),
    expected: "a name that the program declares as input",
    hint: didYouMean(nearest),
  })),
  "input/repeated": error(({ name, written }: { name: string; written: string }) => ({
    message: `the input ${name} has two values`,
    found: written === name ? quoted(name) : `${quoted(written)}, which is also ${name}`,
    expected: "one value for each input",
  })),
  "input/value": error(({ name, found }: { name: string; found: ValueKind }) => ({
    message: `this is not a valid value for ${name}`,
    found: `${kindText(found)}${needsType(found) ? " without a declared type" : ""}`,
    expected: needsType(found)
      ? "a declared type, or a value that says its own: a tensor, a text of the literal form, or JSON with its type"
      : "a tensor, a number, a text of the literal form, a typed array, or nested arrays",
  })),
  "input/transferred": error(({ name, reason }: { name: string; reason: TransferFault }) => ({
    message: `the data for ${name} do not come from a tensor`,
    found: transferFaults[reason],
    expected: "what tensor.toTransferable() returned, unchanged",
  })),
  "role/unknown": error(({ name, nearest }: UnknownName) => ({
    message: `the program has no variable or persistent tensor called ${name}`,
    found: quoted(name),
    expected: "a name that the program declares as variable or persistent",
    hint: didYouMean(nearest),
  })),
  "session/busy": error(({ names }: { names: readonly string[] }) => ({
    message: "a run of this session is in progress, and its assignments would undo this one",
    found: `an assignment to ${names.join(", ")} meanwhile`,
    expected: "an assignment before that run, or after it",
    hint: "await the run first; asynchronous runs wait for each other",
  })),
  "program/no-result": error((_: NoValues) => ({
    message: "the program has no result",
    found: "no expression and no named value",
    expected: "at least one",
  })),
  "program/unsized": error((values: { missing: readonly string[]; empty: readonly string[] }) => ({
    message: "the sizes of inputs decide what this program computes",
    found:
      values.empty.length > 0
        ? `no elements of ${values.empty.join(", ")}`
        : values.missing.length > 0
          ? `no sizes of ${values.missing.join(", ")}`
          : "sizes that no input decides",
    expected: "inputs with all their sizes",
    hint: "declare what has none with its sizes, such as x[16]",
  })),
  "file/unreadable": unreadableMessage((reason: string) => reason),
  "file/content": error((values: { path: string; position: Position; code: string; type: TensorType }) => ({
    message: `${values.path}:${values.position.line}:${values.position.column} is wrong for a tensor of this type`,
    found: `the problem ${values.code}`,
    expected: `${values.type}`,
    hint: "the text of a file that only a program names is not shown: to see it, read the file by itself, as sphex convert does",
  })),
  "batch/dimension": error((values: { dimension: string; inputs: readonly NamedType[] }) => ({
    message: `no input has ${values.dimension}, or the program or a type has it already`,
    found: inputsText(values.inputs),
    expected: `an indexed dimension ${values.dimension} on at least one input, of the same size on all of them, and without another meaning`,
  })),
  "option/function": error(({ name, fault }: { name: string; fault: HostFunctionFault }) => ({
    message: `the function ${name} of the host is not declared correctly`,
    ...functionFaults[fault],
  })),
  "function/failed": error(({ name, reason }: { name: string; reason: string }) => ({
    message: `${name} failed: ${reason}`,
    found: "an error of the host",
    expected: "a value",
  })),
  "function/result": error(({ name, reason, type }: { name: string; reason: string; type: TensorType }) => ({
    message: `${name} returned a value that is not of the type that it declares`,
    found: reason,
    expected: `${type}`,
  })),
  "option/no-clock": error((_: NoValues) => ({
    message: "a time limit needs a clock",
    found: "limits.time, and no clock",
    expected: "a function that returns milliseconds",
    hint: "write clock: () => performance.now()",
  })),
  "backend/unknown": error(({ name, nearest, backends }: UnknownName & { backends: readonly string[] }) => ({
    message: `there is no backend called ${name}`,
    found: quoted(name),
    expected: backends.join(", "),
    hint: didYouMean(nearest),
  })),
  "backend/unavailable": error(({ backend, feature }: { backend: string; feature: string }) => ({
    message: `the backend ${backend} needs ${feature}, which is not available`,
    found: `a runtime without ${feature}`,
    expected: `${feature}, or another backend`,
  })),
  "backend/batch": error(({ backend }: { backend: string }) => ({
    message: `the backend ${backend} cannot compute many runs at once`,
    found: "a batch",
    expected: "one run after another",
    hint: "run the program for each of them, or with another backend",
  })),
  "threads/silent": error((values: { silent: number; started: number; timeout: number }) => ({
    message: `${values.silent} of ${values.started} workers that were started did not answer`,
    found: `nothing for ${values.timeout} ms`,
    expected: "an answer, or the end of the worker",
    hint: "a worker's script must be sphex/thread, or call serveThread",
  })),
  "limit/cancelled": error((_: NoValues) => ({
    message: "the run was cancelled",
    found: "an abort signal",
    expected: "time to finish",
  })),
};

declare module "../language/source/problem.js" {
  interface MessageTables {
    readonly program: typeof runMessages;
  }
}

export const problem = problemsOf<"language/check" | "program">({ ...checkMessages, ...runMessages });
