import { backendNames } from "../backends/backends.js";
import { dialects } from "../language/check/dialect.js";
import { requireObject } from "../language/source/arguments.js";
import {
  amount,
  boolean,
  call,
  isObject,
  type OptionRule,
  type OptionRules,
  object,
  oneOf,
  problemsIn,
  text,
} from "../language/source/option-rule.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import { problem } from "./messages.js";
import type { Options, ProgramLimits } from "./options.js";

/** What the options of programs must be. */

/** A backend may be any object that keeps its contract; one that is named must be in the list, which is looked at elsewhere. */
const backend: OptionRule = {
  form: { oneOf: backendNames },
  holds: (value) =>
    typeof value === "string" ||
    (isObject(value) && typeof value.plan === "function" && isObject(value.operations)),
};

export const dialect: OptionRule = oneOf(dialects);

// biome-ignore format: a table
const optionRules: OptionRules<Options> = {
  dialect,
  inputs:           object,
  name:             text,
  limits:           object,
  clock:            call,
  readFile:         call,
  readBytes:        call,
  functions:        object,
  models:           call,
  showFileContents: boolean,
  random:           call,
  backend,
  optimise:         boolean,
};

// biome-ignore format: a table
const limitRules: OptionRules<ProgramLimits> = {
  cells:      amount,
  bytes:      amount,
  steps:      amount,
  time:       amount,
  nesting:    amount,
  expansions: amount,
};

/**
 * Refuses options that there are not, that are no value of theirs, and a limit of time without a clock. An option that is
 * undefined is one that was left out; a limit that is undefined, or NaN, is a mistake, for it would limit nothing.
 * @throws SphexError with all problems.
 */
export function checkOptions(options: Options): void {
  requireObject("options", options);
  const problems = [...limitedProblems(options, optionRules)];
  const { limits, clock } = options;
  if (isObject(limits) && "time" in limits && clock === undefined)
    problems.push(problem("option/no-clock", spanOfText("options", "limits.time"), {}));
  if (problems.length > 0) throw new SphexError(problems);
}

/**
 * As `checkCallOptions`, where limits are among the options. Nothing is timed here: a limit of time needs no clock.
 * @throws SphexError with all problems.
 */
export function checkLimitedOptions<T extends Pick<Options, "limits">>(
  name: string,
  options: T,
  rules: OptionRules<T>,
): void {
  requireObject(name, options);
  const problems = [...limitedProblems(options, rules)];
  if (problems.length > 0) throw new SphexError(problems);
}

function* limitedProblems(
  options: Pick<Options, "limits">,
  rules: Readonly<Record<string, OptionRule>>,
): Generator<Problem> {
  yield* problemsIn(options, rules, "", (value) => value === undefined);
  if (isObject(options.limits)) yield* problemsIn(options.limits, limitRules, "limits.", () => false);
}
