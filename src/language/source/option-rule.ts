import { requireObject } from "./arguments.js";
import { type OptionForm, problem } from "./messages.js";
import { nearest } from "./nearest.js";
import { type Problem, SphexError } from "./problem.js";
import { spanOfText } from "./span.js";
import { isRecord, kindOf, kindText } from "./value-kind.js";

/** What options must be; for callers without types, for whom a slip of the pen would be an option that does nothing. */

export type OptionRules<T> = { readonly [Name in keyof Required<T>]: OptionRule };

export interface OptionRule {
  readonly form: OptionForm;
  readonly holds: (value: unknown) => boolean;
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const oneOf = (names: readonly string[]): OptionRule => ({
  form: { oneOf: names },
  holds: (value) => typeof value === "string" && names.includes(value),
});

export const boolean: OptionRule = { form: "true or false", holds: (value) => typeof value === "boolean" };
export const text: OptionRule = { form: "a text", holds: (value) => typeof value === "string" };
export const call: OptionRule = { form: "a function", holds: (value) => typeof value === "function" };
export const object: OptionRule = { form: "an object with values by name", holds: isRecord };
export const amount: OptionRule = {
  form: "a number that is not negative",
  holds: (value) => Number(value) >= 0 && typeof value === "number",
};

/** An amount with which one computes. */
export const finite: OptionRule = {
  form: "a finite number that is not negative",
  holds: (value) => Number.isFinite(value) && Number(value) >= 0,
};

export const positive: OptionRule = {
  form: "a finite number above 0",
  holds: (value) => finite.holds(value) && value !== 0,
};

export const texts: OptionRule = {
  form: "a list of texts",
  holds: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

export const whole: OptionRule = {
  form: "a whole number that is not negative",
  holds: (value) => value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= 0),
};

export const count: OptionRule = {
  form: "a whole number above 0",
  holds: (value) => whole.holds(value) && value !== 0,
};

/** Also of another window, or of a library that brings its own. */
export const abortSignal: OptionRule = {
  form: "an AbortSignal",
  holds: (value) =>
    isObject(value) && typeof value.aborted === "boolean" && typeof value.addEventListener === "function",
};

/**
 * Refuses options of a call that there are not, or that are no value of theirs.
 * @throws SphexError with all problems.
 */
export function checkCallOptions(
  name: string,
  options: object,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  requireObject(name, options);
  if (areSound(options, rules)) return;
  const problems = [...problemsIn(options, rules, "", (value) => value === undefined)];
  if (problems.length > 0) throw new SphexError(problems);
}

/** Most options are, and some calls are made for each small tensor: nothing is listed before there is a problem. */
function areSound(options: object, rules: Readonly<Record<string, OptionRule>>): boolean {
  const values = options as Readonly<Record<string, unknown>>; // whatever names it has
  for (const name in values) {
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name];
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined || !(value === undefined || rule.holds(value))) return false;
  }
  return true;
}

export function* problemsIn(
  values: object,
  rules: Readonly<Record<string, OptionRule>>,
  prefix: string,
  isAbsent: (value: unknown) => boolean,
): Generator<Problem> {
  for (const [key, value] of Object.entries(values)) {
    const name = `${prefix}${key}`;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (rule === undefined) {
      const all = Object.keys(rules);
      const found = { name, nearest: nearest(key, all), all: all.map((each) => `${prefix}${each}`) };
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
  const kind = kindOf(value);
  if (kind === "object") return "an object";
  if (typeof value === "object" && value !== null) return kindText(kind);
  return typeof value === "function" ? "a function" : `${String(value)}`;
}
