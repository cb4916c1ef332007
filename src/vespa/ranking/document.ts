import { readTypedValue } from "../../formats/json/typed-value.js";
import type { JsonValue } from "../../formats/json/value.js";
import { textAsNumber } from "../../language/scalar/hash.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import { Rows } from "../../language/values/rows.js";
import { Tensor } from "../../language/values/tensor.js";
import type { Field } from "../package/model.js";
import { weights } from "./collections.js";
import { problem } from "./messages.js";

/**
 * A document as ranking sees it: its fields by the types of the schema. A field that the document does not have is
 * unset, which is NaN for a number, the hash of no text for a text, and for a tensor no cells but those it must have.
 */
export class Document {
  private readonly tensors = new Map<string, Tensor>();

  constructor(
    readonly id: string | undefined,
    private readonly values: ReadonlyMap<string, JsonValue>,
    private readonly cells: number,
    /** Whether a field that it lacks is unset; otherwise its value is unknown, as in a document of a response. */
    readonly isWhole = true,
  ) {}

  /** The same document with more fields. */
  with(fields: readonly (readonly [string, JsonValue])[]): Document {
    if (fields.length === 0) return this;
    return new Document(this.id, new Map([...this.values, ...fields]), this.cells, this.isWhole);
  }

  json(name: string): JsonValue | undefined {
    return this.values.get(name);
  }

  /** The fields that are not among those of a schema, and where they are written. */
  unknown(fields: ReadonlyMap<string, Field>): [string, () => Span][] {
    const unknown: [string, () => Span][] = [];
    // What names a document need not be a field of it.
    for (const [name, value] of this.values)
      if (!fields.has(name) && !(name === "id" && value.string === this.id))
        unknown.push([name, () => value.span]);
    return unknown;
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  /** `attribute(f)` of a tensor field; nothing where it is unset. */
  tensor(field: Field, type: TensorType): Tensor | undefined {
    const name = field.name.text;
    const cached = this.tensors.get(name);
    const value = this.values.get(name);
    if (cached !== undefined || value === undefined || value.kind === "null") return cached;
    const read = readTypedValue(value, type, { empty: 0, cells: this.cells, hasNumberLabels: true });
    if (read.tree === undefined) throw new SphexError(read.problems);
    this.tensors.set(name, read.tree);
    return read.tree;
  }

  /** `attribute(f)` of any other field. */
  number(field: Field): number {
    const value = this.values.get(field.name.text);
    const scalar = scalarOf(field.typeText);
    if (scalar === "collection") return 0;
    if (value === undefined || value.kind === "null") return unset[scalar];
    const { string, number, kind } = value;
    if (kind === "boolean" && scalar === "bool") return Number(value.value);
    if (string !== undefined && scalar === "string") return textAsNumber(string);
    if (number !== undefined && scalar === "float") return Math.fround(number);
    if (number !== undefined && scalar === "number") return number;
    const values = { field: field.name.text, type: field.typeText, found: value, expected: expected[scalar] };
    throw new SphexError([problem("ranking/field", value.span, values)]);
  }

  /** `attribute(f).count`: the elements of a collection; 1 for a single value that is set. */
  count(name: string): number {
    const value = this.json(name);
    if (value?.kind === "object") return value.entries().size;
    if (value?.kind === "array") return [...value.items()].length;
    return value === undefined || value.kind === "null" ? 0 : 1;
  }

  /** `attribute(f,n)`: an element of an array, 0 where there is none. */
  element(name: string, index: number): number {
    const value = this.json(name);
    const element = value?.kind === "array" ? [...value.items()][index] : undefined;
    if (element?.string !== undefined) return textAsNumber(element.string);
    return element?.kind === "number" || element?.kind === "boolean" ? Number(element.value) : 0;
  }

  /** `attribute(f,key).weight`; nothing where the weighted set does not have the key. */
  weight(name: string, key: string): number | undefined {
    return weights(this.json(name)).get(key);
  }
}

type Scalar = "number" | "float" | "bool" | "string";

const unset: Readonly<Record<Scalar, number>> = {
  number: Number.NaN,
  float: Number.NaN,
  bool: 0,
  string: textAsNumber(""),
};

/** What JSON has for each. */
const expected = { number: "number", float: "number", bool: "boolean", string: "text" } as const;

/** What the values of a field are, by the text of its type. */
function scalarOf(typeText: string): Scalar | "collection" {
  const type = typeText.trim().toLowerCase();
  if (type === "float") return "float";
  if (["int", "long", "double", "byte", "float16", "timestamp"].includes(type)) return "number";
  if (type === "bool") return "bool";
  return type === "string" || type === "uri" || type === "tag" ? "string" : "collection";
}

/** The value of a tensor that was not given: zeros where a cell must be, otherwise no cells. */
export function emptyTensor(type: TensorType): Tensor {
  const sizes = type.indexed.map(({ size }) => size ?? 0);
  return Tensor.ofRows(new Rows(type, sizes));
}
