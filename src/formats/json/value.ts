import { type Span, textIn } from "../../language/source/span.js";

/** Values as JSON has them, as plain data. */
export type Json = JsonScalar | Json[] | { [key: string]: Json };
/** A value of JSON without parts. */
export type JsonScalar = null | boolean | number | string;

/** What a value of JSON is. */
export type JsonKind = "object" | "array" | "string" | "number" | "boolean" | "null";

/**
 * A value as JSON has it, which knows where it is written: what readers of documents pass on to code that knows the type
 * that it should have. It is read only as far as it is used. Keys and texts are untrusted: a label may be called
 * `__proto__`, and values may nest without end.
 */
export abstract class JsonValue {
  constructor(
    private readonly parent: JsonValue | undefined,
    /** Its key in an object, its index in an array; of a whole text what messages call it. */
    readonly key: string | number,
  ) {}

  abstract readonly kind: JsonKind;
  /** Where it is written. */
  abstract readonly span: Span;
  /** Where its key is written; its own place where it has none. */
  abstract readonly keySpan: Span;
  /** All of it as plain data. Of members with one key the last counts. */
  abstract readonly value: Json;
  /** The same of a value that holds no others; nothing of any other. */
  abstract readonly scalar: JsonScalar | undefined;
  /** The elements of an array or the members of an object, as they are written: keys may come again. */
  abstract items(): Iterable<JsonValue>;

  /** What a string says; nothing of any other. */
  get string(): string | undefined {
    const { scalar } = this;
    return typeof scalar === "string" ? scalar : undefined;
  }

  /** The number that is nearest to what is written; nothing of any other. */
  get number(): number | undefined {
    const { scalar } = this;
    return typeof scalar === "number" ? scalar : undefined;
  }

  /**
   * What it is called as a label or an id: what a string says, or what is written of a number or truth value, as `007` and numbers
   * beyond those that doubles tell apart would be others; nothing of any other.
   */
  get label(): string | undefined {
    const { scalar } = this;
    return typeof scalar === "number" || typeof scalar === "boolean" ? this.written : this.string;
  }

  /** A member of an object, the last one that has this key; nothing of any other. */
  member(key: string): JsonValue | undefined {
    return this.entries().get(key);
  }

  /** The members of an object by key. Of members with one key the last counts. */
  entries(): ReadonlyMap<string, JsonValue> {
    const members = this.kind === "object" ? [...this.items()] : [];
    return new Map(members.map((each) => [`${each.key}`, each]));
  }

  /** As plain data, for `JSON.stringify`, which would write the whole text again for each value. */
  toJSON(): Json {
    return this.value;
  }

  /** Its text. */
  get written(): string {
    return textIn(this.span);
  }

  /** How to get to it: `$.cells[3].address.x`. */
  get path(): string {
    return this.pathTo();
  }

  /** How to get to what is, or would be, at these keys in it. */
  pathTo(...keys: readonly string[]): string {
    const steps = [...keys].reverse().map(stepText);
    let outer: JsonValue = this;
    for (; outer.parent !== undefined; outer = outer.parent) steps.push(stepText(outer.key));
    steps.reverse();
    // Of very many levels the first and the last tell enough.
    if (steps.length > 16) steps.splice(8, steps.length - 16, "…");
    return `${outer.key}${steps.join("")}`;
  }
}

/** A value that holds no others and stands in a text which is not JSON, such as a parameter of a URL. */
export class JsonLeaf extends JsonValue {
  constructor(
    readonly scalar: JsonScalar,
    readonly span: Span,
    key: string | number,
    parent?: JsonValue,
  ) {
    super(parent, key);
  }

  get kind(): JsonKind {
    return kindOf(this.scalar);
  }

  get keySpan(): Span {
    return this.span;
  }

  get value(): Json {
    return this.scalar;
  }

  items(): readonly JsonValue[] {
    return [];
  }
}

/** The kind of a value that holds no others. */
export function kindOf(scalar: JsonScalar): JsonKind {
  if (scalar === null) return "null";
  return typeof scalar === "number" ? "number" : typeof scalar === "boolean" ? "boolean" : "string";
}

function stepText(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return /^[A-Za-z_$][\w$]{0,39}$/.test(key) ? `.${key}` : `[${quoted(key)}]`;
}

export const quoted = (text: string): string => JSON.stringify(shortened(text));

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** What was found, in few words. */
export function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value.string !== undefined) return quoted(value.string);
  if (value.number !== undefined) return shortened(value.written);
  if (value.kind !== "array" && value.kind !== "object") return `${value.value}`;
  const [first] = value.items();
  if (value.kind === "array") return first === undefined ? "an empty array" : "an array";
  return first === undefined ? "an empty object" : `an object with ${quoted(`${first.key}`)}`;
}
