import { limitMessages } from "../limits/messages.js";
import { problemsOf } from "../source/problem.js";
import { syntaxMessages } from "../syntax/messages.js";
import { type CallMessages, callMessages } from "./messages/calls.js";
import { type GradientMessages, gradientMessages } from "./messages/gradients.js";
import { type HintMessages, hintMessages } from "./messages/hints.js";
import { type ModelMessages, modelMessages } from "./messages/models.js";
import { type NameMessages, nameMessages } from "./messages/names.js";
import { type ProgramMessages, programMessages } from "./messages/programs.js";
import { type OperandMessages, operandMessages } from "./messages/types.js";

/** What can be wrong with what a program means: its names, calls, types, declarations and files. */
export const checkMessages: CheckMessages = {
  ...nameMessages,
  ...callMessages,
  ...operandMessages,
  ...gradientMessages,
  ...programMessages,
  ...modelMessages,
  ...hintMessages,
};

export type CheckMessages = NameMessages &
  CallMessages &
  OperandMessages &
  GradientMessages &
  ProgramMessages &
  ModelMessages &
  HintMessages;

declare module "../source/problem.js" {
  interface MessageTables {
    readonly "language/check": typeof checkMessages;
  }
}

export const problem = problemsOf<"language/limits" | "language/syntax" | "language/check">({
  ...limitMessages,
  ...syntaxMessages,
  ...checkMessages,
});
