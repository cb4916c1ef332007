import { type Problem, problem } from "../source/problem.js";
import type { Source } from "../source/span.js";
import type { TensorType } from "../types/type.js";

/**
 * JSON as data: its values, the path of a place in them, and what is wrong there. Whatever JSON.parse made is
 * somebody else's: members are only read as own properties, so that a label may be called `__proto__`, and depth
 * is walked without recursion.
 */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export const isList = (value: Json | undefined): value is Json[] => Array.isArray(value);

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A member of an object, by its own name. */
export function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A place in a JSON value: `$.cells[3].address.x`. Its text is only made for a message. */
export class Path {
  static readonly root = new Path(undefined, "$");

  private constructor(
    private readonly parent: Path | undefined,
    private readonly key: string | number,
  ) {}

  at(key: string | number): Path {
    return new Path(this, key);
  }

  toString(): string {
    const steps: string[] = [];
    let place: Path = this;
    for (; place.parent !== undefined; place = place.parent) steps.push(stepText(place.key));
    // Of very many levels the first and the last tell enough.
    if (steps.length > 16) steps.splice(8, steps.length - 16, "…");
    return `$${steps.reverse().join("")}`;
  }
}

function stepText(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_$][\w$]{0,39}$/.test(key) ? `.${key}` : `[${quoted(key)}]`;
}

const quoted = (text: string): string => JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** What was found, in few words. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quoted(value);
  if (isList(value)) return value.length === 0 ? "an empty array" : "an array";
  if (!isObject(value)) return `${value}`;
  const [first] = Object.keys(value);
  return first === undefined ? "an empty object" : `an object with ${quoted(first)}`;
}

/** How a message of JSON.parse ends if it says where; before that it may quote the text. */
const messagePosition = /(?: in JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** A million wrong cells need no million problems. */
const mostProblems = 20;

/** One reading of a text: the type that is wanted, and what is wrong so far. Readers go on after a complaint. */
export class Reading {
  readonly problems: Problem[] = [];

  constructor(
    readonly source: Source,
    readonly type: TensorType,
  ) {}

  get isSound(): boolean {
    return this.problems.length === 0;
  }

  /** Says that a place must be something else. */
  complain(path: Path, found: string, wanted: string): undefined {
    if (this.problems.length >= mostProblems) return;
    this.problems.push(problem("json/shape", this.span(), { path: `${path}`, found, wanted }));
  }

  /** Says that a place names another type. */
  complainOfType(path: Path, found: TensorType): undefined {
    this.problems.push(
      problem("json/type", this.span(), { path: `${path}`, found: `${found}`, wanted: `${this.type}` }),
    );
  }

  /** The value of the text, or nothing where it is no JSON. */
  parse(): Json | undefined {
    try {
      return JSON.parse(this.source.text);
    } catch (error) {
      this.problems.push(this.syntaxProblem(error));
      return undefined;
    }
  }

  private syntaxProblem(error: unknown): Problem {
    const span = this.span();
    if (!(error instanceof SyntaxError)) return problem("limit/stack", span, {});
    const [suffix = "", position] = messagePosition.exec(error.message) ?? [];
    const isAtEnd = /^unexpected end/i.test(error.message);
    const start = isAtEnd ? span.end : Math.min(Number(position ?? 0), span.end);
    const end = isAtEnd || position !== undefined ? Math.min(start + 1, span.end) : span.end;
    const reason = error.message
      .slice(0, error.message.length - suffix.length)
      .replace(/^(unexpected token '[^']+')[\s\S]*$/i, "$1")
      .replace(/^[A-Z]/, (letter) => letter.toLowerCase());
    return problem("json/syntax", { ...span, start, end }, { reason });
  }

  private span() {
    return { source: this.source, start: 0, end: this.source.text.length };
  }
}
