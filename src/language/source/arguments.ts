import { type ExpectedKind, problem } from "./messages.js";
import { SphexError } from "./problem.js";
import { spanOfText } from "./span.js";
import { isRecord, kindOf } from "./value-kind.js";

/** Arguments of public functions, which callers without types may pass anything for. */

/** @throws SphexError that names the function, where an argument is not what it must be. */
export function requireArgument(
  name: string,
  expected: ExpectedKind,
  value: unknown,
  holds: boolean,
): asserts holds {
  if (holds) return;
  const values = { function: name, found: kindOf(value), expected };
  throw new SphexError([problem("argument/kind", spanOfText(name, name), values)]);
}

export const requireText = (name: string, value: unknown): void =>
  requireArgument(name, "text", value, typeof value === "string");

export const requireNumber = (name: string, value: unknown): void =>
  requireArgument(name, "number", value, typeof value === "number");

/** An object of options or of values by name. */
export const requireObject = (name: string, value: unknown): void =>
  requireArgument(name, "object", value, isRecord(value));

/** A text with its name. */
export function requireSource(name: string, value: unknown): void {
  const isSource =
    typeof value === "object" &&
    value !== null &&
    "text" in value &&
    typeof value.text === "string" &&
    "name" in value &&
    typeof value.name === "string";
  requireArgument(name, "source", value, isSource);
}

export const requireList = (name: string, value: unknown): void =>
  requireArgument(name, "list", value, Array.isArray(value));
