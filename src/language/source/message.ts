/** Errors stop a program. A portability problem is a warning, and an error in dialect vespa. A hint is about what is correct as it is. */
export type Severity = "error" | "warning" | "portability" | "hint";

/** A problem in words: one plain sentence, what was found and what was expected where that helps, at most one hint. */
export interface Description {
  readonly message: string;
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
  /** What to write in place of the problem's span. Where there is no hint, this is it. */
  readonly replacement?: string | undefined;
}

/** A row of a table of messages: how bad the problem is, and its description from the values of a case. */
export interface Message<Values> {
  readonly severity: Severity;
  readonly describe: (values: Values) => Description;
}

export const error = <Values>(describe: (values: Values) => Description): Message<Values> => ({
  severity: "error",
  describe,
});
export const warning = <Values>(describe: (values: Values) => Description): Message<Values> => ({
  severity: "warning",
  describe,
});
export const portability = <Values>(describe: (values: Values) => Description): Message<Values> => ({
  severity: "portability",
  describe,
});

export const hint = <Values>(describe: (values: Values) => Description): Message<Values> => ({
  severity: "hint",
  describe,
});

/** The greatest length of a text in the values of a problem. */
export const longestText = 2000;

/**
 * The method of a value whose text may be longer: the same value with only the beginning of its text. Thousands of problems may
 * each mention the value, and a sentence with all of its text takes time in proportion to its length.
 */
export const beginning: unique symbol = Symbol("beginning");

/** A value that has this method. */
export interface LongValue {
  readonly [beginning]: () => LongValue;
}

/** The values of a message that is the same in every case. */
export type NoValues = Readonly<Record<string, never>>;

/** A name that nothing has, and the nearest one that something has. */
export interface UnknownName {
  readonly name: string;
  readonly nearest: string | undefined;
}

/** The hint of a nearest name, where there is one. */
export const didYouMean = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `did you mean ${name}?`;

/** Text of a source, or what is written like it. */
export const quoted = (text: string): string => `\`${text}\``;

/** `1 argument`, `2 arguments`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** `a, b or c`; one word as it is. */
export const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** `a, b and c`; one word as it is. */
export const enumeration = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** How many arguments a function takes. */
export interface ArgumentCount {
  readonly least: number;
  /** Infinity where there may be any number of arguments. */
  readonly most: number;
}

/** `2 arguments`, `1 or 2 arguments`, `1 to 3 arguments`, `at least 1 argument`, `no arguments`. */
export function arityText({ least, most }: ArgumentCount): string {
  if (most === 0) return "no arguments";
  if (least === most) return counted(least, "argument");
  if (most === Number.POSITIVE_INFINITY) return `at least ${counted(least, "argument")}`;
  return `${least} ${most === least + 1 ? "or" : "to"} ${counted(most, "argument")}`;
}

/** The beginning of a text, without half of a character at its end. */
export const beginningOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\ud800-\udbff]$/, "");

/** A text, or the beginning of a long one. */
export const shortened = (text: string, most = 40): string =>
  text.length > most ? `${beginningOf(text, most - 3)}…` : text;

/** A text, or the beginning and the end of a long one: of an expression its brackets are there. */
export function shortenedWithin(text: string): string {
  if (text.length <= 60) return text;
  const end = text.slice(-26).replace(/^[\udc00-\udfff]/, "");
  return `${beginningOf(text, 30)} … ${end}`;
}
