import { counted, error, type NoValues } from "../source/message.js";
import { problemsOf } from "../source/problem.js";

/** How many cells a tensor has, and how many it may have. */
interface CellCount {
  readonly cells: number;
  readonly limit: number;
  /** Whether there may be more, since counting stopped at the limit. */
  readonly isLeast?: boolean;
}

/** How many bytes something takes, beside those that are taken. */
interface ByteCount {
  readonly bytes: number;
  readonly before: number;
  readonly limit: number;
  /** Whether it is what a text becomes when it is read. */
  readonly isText?: boolean;
}

/** What can be too much for the limits of a run, or for the machine. */
export const limitMessages = {
  "limit/cells": error(({ cells, limit, isLeast = false }: CellCount) => ({
    message: "this makes a tensor of more cells than are allowed",
    found: `${isLeast ? "at least " : ""}${counted(cells, "cell")}`,
    expected: `at most ${limit}`,
    hint: "reduce earlier, or raise the limit on cells",
  })),
  "limit/bytes": error(({ bytes, before, limit, isText = false }: ByteCount) => ({
    message: isText
      ? "to read this text takes more bytes than are allowed"
      : "this takes more bytes than are allowed",
    found: `${counted(bytes, "byte")} in addition to the ${before} before`,
    expected: `at most ${limit} in all`,
    hint: isText
      ? 'keep cells in a file, as in constant t: tensor(x[9]) = file("t.npy"), or raise the limit on bytes'
      : "reduce earlier, or raise the limit on bytes",
  })),
  "limit/stack": error((_: NoValues) => ({
    message: "this is nested too deeply for the stack of this machine",
    found: "too many levels",
    expected: "fewer levels of brackets, or of choices each of which needs the one before",
    hint: "give what stands in brackets a name of its own; choose between numbers, and compute tensors from these",
  })),
  "limit/memory": error((_: NoValues) => ({
    message: "this takes more memory than is available",
    found: "no memory left",
    expected: "smaller tensors",
    hint: "reduce earlier",
  })),
};

declare module "../source/problem.js" {
  interface MessageTables {
    readonly "language/limits": typeof limitMessages;
  }
}

export const problem = problemsOf<"language/limits">(limitMessages);
