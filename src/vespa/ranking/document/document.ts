import type { JsonValue } from "../../../formats/json/value.js";
import { SphexError } from "../../../language/source/problem.js";
import type { Span } from "../../../language/source/span.js";
import type { TensorType } from "../../../language/types/type.js";
import { Rows } from "../../../language/values/data/rows.js";
import { Tensor } from "../../../language/values/tensor.js";
import { type Element, membersOf, outerOf } from "../../documents/members.js";
import { fedTensor } from "../../documents/tensor-updates.js";
import type { Field } from "../../package/model/model.js";
import { type FieldExpectation, problem } from "../messages.js";
import { weights } from "./collection-values.js";
import { misfitOf } from "./field-values.js";
import { type StoredType, seen, storedField, storedValue } from "./stored-values.js";
import type { UnknownMembers } from "./unknown-members.js";

/**
 * A document as ranking sees it: its fields by the types of the schema. A field that the document does not have is
 * unset, which is NaN for a number, the hash of no text for a text, and for a tensor no cells but those it must have.
 */
export class Document {
  private readonly tensors = new Map<string, Tensor>();
  /** The fields whose values are of their types. */
  private readonly sound = new Set<string>();

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

  /** The fields that are not among those of a schema, and members of structs that these have not; and where they are written. */
  unknown(fields: ReadonlyMap<string, Field>, members: UnknownMembers): [string, () => Span][] {
    const unknown: [string, () => Span][] = [];
    for (const [name, value] of this.values) {
      const field = fields.get(name);
      if (field?.where === "document")
        for (const each of members.in(value, name, field.typeText))
          unknown.push([each.name, () => each.value.span]);
      // What names a document need not be a field of it.
      else if (field === undefined && !(name === "id" && value.string === this.id))
        unknown.push([name, () => value.span]);
    }
    return unknown;
  }

  /** Whether it says the value of a field, or of that which a field is a member of. */
  has(name: string): boolean {
    return this.values.has(name) || this.values.has(outerOf(name));
  }

  /** @throws SphexError where the value of a field is none of its type. */
  check(field: Field): void {
    const name = field.name.text;
    if (this.sound.has(name)) return;
    const value = this.values.get(name);
    const misfit = value === undefined ? undefined : misfitOf(value, field.typeText);
    if (misfit !== undefined) throw this.unfit(field, misfit.found, misfit.expected);
    this.sound.add(name);
  }

  /** `attribute(f)` of a tensor field; nothing where it is unset. */
  tensor(field: Field, type: TensorType): Tensor | undefined {
    const name = field.name.text;
    const cached = this.tensors.get(name);
    if (cached !== undefined) return cached;
    const options = { empty: 0, cells: this.cells, hasNumberLabels: true } as const;
    const read = fedTensor(this.values.get(name), type, options);
    if (read !== undefined) this.tensors.set(name, read);
    return read;
  }

  /** `attribute(f)` of a single value: NaN where it is unset, or is the number that stands for that. */
  number(field: Field): number {
    const { collection, type } = storedField(field);
    if (collection !== "single") return 0;
    return seen(this.storedElement(this.json(field.name.text), field, type), type, true);
  }

  /** What an attribute has stored for a single value: a number where it is unset, too. */
  stored(field: Field): number {
    const { collection, type } = storedField(field);
    return collection === "single" ? this.storedElement(this.json(field.name.text), field, type) : 0;
  }

  /** `attribute(f,n)`: an element of an array, 0 where there is none. */
  element(field: Field, index: number): number {
    const elements = this.elements(field.name.text);
    const { type } = storedField(field);
    return index < elements.length ? seen(this.storedElement(elements[index], field, type), type, false) : 0;
  }

  /** What an attribute has stored for each value of an array, and where a struct lacks a member. */
  storedElements(field: Field): readonly number[] {
    const { type } = storedField(field);
    return this.elements(field.name.text).map((each) => this.storedElement(each, field, type));
  }

  /** The values of an array; of a member of structs, or of a map, that of each struct or entry. */
  elements(name: string): readonly Element[] {
    const value = this.json(name);
    if (value !== undefined) return value.kind === "array" ? [...value.items()] : [];
    return membersOf(name, (each) => this.json(each)) ?? [];
  }

  /** `attribute(f).count` of a collection. */
  count(name: string): number {
    const value = this.json(name);
    return value?.kind === "object" ? value.entries().size : this.elements(name).length;
  }

  /** The weights of a weighted set. Whole numbers are keys without a sign or zeros before them. */
  weights(field: Field): ReadonlyMap<string, number> {
    const found = weights(this.json(field.name.text));
    if (storedField(field).type?.kind !== "whole") return found;
    return new Map([...found].map(([key, weight]) => [wholeKey(key), weight]));
  }

  private storedElement(element: Element, field: Field, type: StoredType | undefined): number {
    const stored = storedValue(element, type);
    // What is not there, and a key of a map, is stored in any case.
    if (stored !== undefined || typeof element !== "object") return stored ?? Number.NaN;
    throw this.unfit(field, element, type?.expected ?? "number");
  }

  private unfit(field: Field, found: JsonValue, expected: FieldExpectation): SphexError {
    const values = { field: field.name.text, type: field.typeText, found, expected };
    return new SphexError([problem("ranking/field", found.span, values)]);
  }
}

const wholeKey = (key: string): string => (/^[+-]?\d+$/.test(key) ? `${BigInt(key.replace("+", ""))}` : key);

/** The value of a tensor that was not given: zeros where a cell must be, otherwise no cells. */
export function emptyTensor(type: TensorType): Tensor {
  const sizes = type.declaredSizes;
  return Tensor.ofRows(new Rows(type, sizes));
}
