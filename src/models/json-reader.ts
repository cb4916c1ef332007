/** Reads what a file of JSON has, and says where it has something else. */
export class UnexpectedJson extends Error {
  constructor(
    /** The keys that lead there, from the outermost. */
    readonly path: readonly (string | number)[],
    readonly expected: ExpectedJson,
  ) {
    super(`expected ${expected} at ${path.join(".")}`);
  }
}

export type ExpectedJson =
  | "object"
  | "list"
  | "list with a tree"
  | "number"
  | "text"
  | "node within the tree"
  | "tree of fewer levels"
  /** A node is written out wherever it stands: one that many lead to would make a program without end of a short file. */
  | "node of one parent"
  | "text of fewer characters"
  | "tree with a number at each leaf"
  | "number of what there is"
  | "number for each tree"
  | "number for each node that asks for categories"
  | "list of labels for each feature with categories"
  | "model"
  | "true or false"
  | "map of characters"
  | "behavior of a pattern"
  | "pair of tokens"
  | "list with one text";

/** What was expected, with its article. */
export const expectedText = (expected: ExpectedJson): string =>
  expected === "true or false" ? expected : `${expected === "object" ? "an" : "a"} ${expected}`;

/** A value in a file, with the way to it. */
export class JsonReader {
  constructor(
    readonly value: unknown,
    readonly path: readonly (string | number)[] = [],
  ) {}

  fail(expected: ExpectedJson): never {
    throw new UnexpectedJson(this.path, expected);
  }

  /** What an object has under a name; something absent where it has nothing. */
  at(name: string): JsonReader {
    if (typeof this.value !== "object" || this.value === null || Array.isArray(this.value))
      return this.fail("object");
    // An object that has the name has a value of it, of which nothing more is known.
    const own = Object.hasOwn(this.value, name) ? (this.value as Record<string, unknown>)[name] : undefined;
    return new JsonReader(own, [...this.path, name]);
  }

  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  get isList(): boolean {
    return Array.isArray(this.value);
  }

  get list(): JsonReader[] {
    if (!Array.isArray(this.value)) return this.fail("list");
    return this.value.map((each: unknown, at) => new JsonReader(each, [...this.path, at]));
  }

  get names(): string[] {
    if (typeof this.value !== "object" || this.value === null) return this.fail("object");
    return Object.keys(this.value);
  }

  /** A number, or a text that is one: some writers quote them. */
  get number(): number {
    const number =
      typeof this.value === "string" && this.value.trim() !== "" ? Number(this.value) : this.value;
    return typeof number === "number" && !Number.isNaN(number) ? number : this.fail("number");
  }

  /** A whole number of things of which there are so many at most. */
  count(most: number): number {
    const { number } = this;
    return Number.isInteger(number) && number >= 0 && number <= most
      ? number
      : this.fail("number of what there is");
  }

  get text(): string {
    return typeof this.value === "string" ? this.value : this.fail("text");
  }

  get numbers(): number[] {
    return this.list.map((each) => (typeof each.value === "boolean" ? Number(each.value) : each.number));
  }

  textOr(otherwise: string): string {
    return this.isAbsent ? otherwise : this.text;
  }

  flagOr(otherwise: boolean): boolean {
    if (this.isAbsent) return otherwise;
    return typeof this.value === "boolean" ? this.value : this.fail("true or false");
  }

  /** The same object with another value under a name. */
  with(name: string, value: unknown): JsonReader {
    const values = this.names.map((each) => [each, this.at(each).value]);
    return new JsonReader(Object.fromEntries([...values, [name, value]]), this.path);
  }

  numberOr(otherwise: number): number {
    return this.isAbsent ? otherwise : this.number;
  }
}
