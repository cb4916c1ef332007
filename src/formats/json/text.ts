import type { Span } from "../../language/source/span.js";
import { placeIn } from "./place.js";

/**
 * JSON as data: its values, and the path of a place in them. Whatever JSON.parse made is somebody else's: members are
 * only read as own properties, so that a label may be called `__proto__`, and depth is walked without recursion.
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

  /** The path of a value that is no part of a JSON text, such as a parameter of a URL: its name. */
  static named(name: string): Path {
    return new Path(undefined, name);
  }

  at(key: string | number): Path {
    return new Path(this, key);
  }

  private get root(): string | number {
    let place: Path = this;
    while (place.parent !== undefined) place = place.parent;
    return place.key;
  }

  /** From the outermost. */
  get keys(): (string | number)[] {
    const keys: (string | number)[] = [];
    for (let place: Path = this; place.parent !== undefined; place = place.parent) keys.push(place.key);
    return keys.reverse();
  }

  toString(): string {
    const steps = this.keys.map(stepText);
    // Of very many levels the first and the last tell enough.
    if (steps.length > 16) steps.splice(8, steps.length - 16, "…");
    return `${this.root}${steps.join("")}`;
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

/**
 * A value found in a JSON text, with its place: what readers of documents hand on to whoever knows the type that it
 * should have.
 */
export class JsonValue {
  constructor(
    readonly value: Json,
    /** The whole text, or the part of it that the path starts from. */
    readonly root: Span,
    readonly path: Path = Path.root,
  ) {}

  /** Where it is written. */
  get span(): Span {
    return placeIn(this.root, this.path.keys);
  }

  /** A member of an object by its own name. */
  member(key: string): JsonValue | undefined {
    const inner = isObject(this.value) ? member(this.value, key) : undefined;
    return inner === undefined ? undefined : new JsonValue(inner, this.root, this.path.at(key));
  }

  /** The members of an object, the elements of an array; nothing of any other. */
  *entries(): Generator<[string, JsonValue]> {
    const { value, root, path } = this;
    if (isList(value)) {
      for (const [at, each] of value.entries()) yield [`${at}`, new JsonValue(each, root, path.at(at))];
    } else if (isObject(value)) {
      for (const [key, each] of Object.entries(value)) yield [key, new JsonValue(each, root, path.at(key))];
    }
  }
}
