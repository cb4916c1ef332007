import { requireArgument } from "../source/arguments.js";

/** A label for each dimension. Labels of indexed dimensions are whole numbers, or their decimal text. */
export type Address = Readonly<Record<string, string | number>>;

/**
 * The text of a label of a mapped dimension.
 * @throws SphexError where it is neither a text nor a number: callers without types may pass anything.
 */
export function labelText(label: unknown): string {
  requireArgument("address", "text", label, typeof label === "string" || typeof label === "number");
  return `${label}`;
}

/** The number that a label of an indexed dimension is; nothing where it is no whole number, or not written as one. */
export function indexIn(label: string | number | undefined): number | undefined {
  if (typeof label === "number") return Number.isInteger(label) && label >= 0 ? label : undefined;
  return label !== undefined && /^(?:0|[1-9]\d*)$/.test(label) ? Number(label) : undefined;
}

/** An address with all labels as text, as `cells()` gives it. Its keys are own properties, whatever they are called. */
export type TextAddress = Readonly<Record<string, string>>;
