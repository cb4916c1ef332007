import { backendNames } from "../backends/backends.js";
import { requireObject } from "../language/source/arguments.js";
import { append } from "../language/source/lists.js";
import { nearest } from "../language/source/nearest.js";
import { type Problem, SphexError } from "../language/source/problem.js";
import { spanOfText } from "../language/values/messages.js";
import { type OptionForm, problem } from "./messages.js";
import type { Options, ProgramLimits } from "./options.js";

/** What each option must be; for callers without types, for whom a slip of the pen would be an option that does nothing. */

type Rules<T> = { readonly [Name in keyof Required<T>]: OptionRule };

interface OptionRule {
  readonly form: OptionForm;
  readonly holds: (value: unknown) => boolean;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const oneOf = (names: readonly string[]): OptionRule => ({
  form: { oneOf: names },
  holds: (value) => typeof value === "string" && names.includes(value),
});

const boolean: OptionRule = { form: "true or false", holds: (value) => typeof value === "boolean" };
const text: OptionRule = { form: "a text", holds: (value) => typeof value === "string" };
const call: OptionRule = { form: "a function", holds: (value) => typeof value === "function" };
const object: OptionRule = { form: "an object", holds: isObject };
const amount: OptionRule = {
  form: "a number that is not negative",
  holds: (value) => Number(value) >= 0 && typeof value === "number",
};

/** A backend may be any object that keeps its contract; one that is named must be in the list, which is looked at elsewhere. */
const backend: OptionRule = {
  form: { oneOf: backendNames },
  holds: (value) =>
    typeof value === "string" ||
    (isObject(value) && typeof value.plan === "function" && isObject(value.operations)),
};

// biome-ignore format: a table
const optionRules: Rules<Options> = {
  dialect:          oneOf(["formalism", "vespa"]),
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
const limitRules: Rules<ProgramLimits> = {
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
  const problems = [...problemsIn(options, optionRules, "", (value) => value === undefined)];
  const { limits, clock } = options;
  if (isObject(limits)) {
    append(
      problems,
      problemsIn(limits, limitRules, "limits.", () => false),
    );
    if ("time" in limits && clock === undefined)
      problems.push(problem("option/no-clock", spanOfText("options", "limits.time"), {}));
  }
  if (problems.length > 0) throw new SphexError(problems);
}

function* problemsIn(
  values: object,
  rules: Readonly<Record<string, OptionRule>>,
  prefix: string,
  isAbsent: (value: unknown) => boolean,
): Generator<Problem> {
  for (const [key, value] of Object.entries(values)) {
    const name = `${prefix}${key}`;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) {
      const found = { name, nearest: nearest(key, Object.keys(rules)) };
      yield problem("option/unknown", spanOfText("options", name), found);
    } else if (!isAbsent(value) && !rule.holds(value)) {
      yield problem("option/value", spanOfText("options", name), {
        name,
        found: shown(value),
        expected: rule.form,
      });
    }
  }
}

/** A value as it may stand in a message. */
function shown(value: unknown): string {
  if (typeof value === "string") return `"${value.slice(0, 100)}"`;
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "an array" : "an object";
  return typeof value === "function" ? "a function" : `${String(value)}`;
}
