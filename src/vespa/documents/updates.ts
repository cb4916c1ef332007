import { type Json, type JsonKind, type JsonScalar, JsonValue } from "../../formats/json/value.js";
import { SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { ComputedNumber, fedNumber, fedWhole } from "./fed-values.js";
import type { FieldChange } from "./feed.js";
import { problem } from "./messages.js";

/**
 * What updates make of the fields of documents. Before the type of a field is known, its value is JSON: arrays, weighted sets and
 * maps are changed as such. What an update makes of a tensor is found out where the type is known, so the change stays with it.
 */

/** A list or an object that an update has made, and the change itself, which means something else where the field is a tensor. */
export class UpdatedValue extends JsonValue {
  constructor(
    readonly kind: JsonKind,
    /** Nothing where no list and no object can be updated so. */
    private readonly members: readonly JsonValue[] | undefined,
    readonly change: FieldChange,
    readonly before: JsonValue | undefined,
  ) {
    super(undefined, change.value.key);
  }

  get span(): Span {
    return this.change.value.span;
  }

  get keySpan(): Span {
    return this.change.value.keySpan;
  }

  get scalar(): JsonScalar | undefined {
    return undefined;
  }

  get value(): Json {
    if (this.kind === "array") return Array.from(this.items(), (each) => each.value);
    return Object.fromEntries(Array.from(this.items(), (each) => [`${each.key}`, each.value]));
  }

  /** @throws SphexError where only a tensor can be updated so. */
  items(): readonly JsonValue[] {
    if (this.members === undefined) throw new SphexError([notComputed(this.change)]);
    return this.members;
  }
}

/** A value under another key than it is written with. */
class Keyed extends JsonValue {
  constructor(
    private readonly inner: JsonValue,
    key: string | number,
  ) {
    super(undefined, key);
  }

  get kind(): JsonKind {
    return this.inner.kind;
  }

  get span(): Span {
    return this.inner.span;
  }

  get keySpan(): Span {
    return this.inner.keySpan;
  }

  get scalar(): JsonScalar | undefined {
    return this.inner.scalar;
  }

  get value(): Json {
    return this.inner.value;
  }

  override get written(): string {
    return this.inner.written;
  }

  items(): Iterable<JsonValue> {
    return this.inner.items();
  }
}

const keyed = (value: JsonValue, key: string | number): JsonValue =>
  value instanceof ComputedNumber
    ? new ComputedNumber(value.number ?? Number.NaN, value.whole, value.span, key)
    : new Keyed(value, key);

export const notComputed = ({ operation, value }: FieldChange, part?: string) =>
  problem("feed/operation", value.span, { operation, part });

/** What a field becomes: nothing else where it has nothing to change; undefined where that is not computed here. */
export type Updated = JsonValue | "nothing" | undefined;

/** A step to a part of a field: a member of a struct or a map, or an element of an array. */
export type PartStep = { readonly member: string } | { readonly index: number };

/** The name of the field and the steps of `tags[0]`, `prices{de}`, `person.age`; nothing where it is read otherwise. */
export function partsOfName(
  name: string,
): { readonly field: string; readonly steps: readonly PartStep[] } | undefined {
  const [field = ""] = /^[^.[{]*/.exec(name) ?? [];
  const steps: PartStep[] = [];
  const step = /\[(\d+)\]|\{(?:"((?:[^"\\]|\\.)*)"|([^"{}]*))\}|\.(\w+)/y;
  step.lastIndex = field.length;
  while (step.lastIndex < name.length) {
    const [, index, quoted, key, member] = step.exec(name) ?? [];
    const text = quoted?.replace(/\\(.)/g, "$1") ?? key ?? member;
    if (index !== undefined) steps.push({ index: Number(index) });
    else if (text !== undefined) steps.push({ member: text });
    else return undefined;
  }
  return { field, steps };
}

/** What a change of a part of a field makes of the field. Struct and map members that are not there are made. */
export function updatedPart(
  before: JsonValue | undefined,
  [step, ...steps]: readonly PartStep[],
  change: FieldChange,
): Updated {
  if (step === undefined) return change.operation === "assign" ? change.value : updated(before, change);
  const isList = "index" in step;
  if (isUnset(before) && isList) return "nothing";
  if (!isUnset(before) && before.kind !== (isList ? "array" : "object")) return undefined;
  const items = [...(before?.items() ?? [])];
  const key = isList ? step.index : step.member;
  const found = isList ? items[step.index] : items.findLast((each) => each.key === key);
  if (isList && found === undefined) return "nothing";
  if (steps.length === 0 && change.operation === "remove")
    return changed(
      before,
      items.filter((each) => each !== found),
      change,
    );
  const next = updatedPart(found, steps, change);
  if (next === undefined || next === "nothing") return next;
  const part = keyed(next, key);
  const all = found === undefined ? [...items, part] : items.map((each) => (each === found ? part : each));
  return changed(before, all, change);
}

/** What a change makes of a whole field. */
function updated(before: JsonValue | undefined, change: FieldChange): Updated {
  switch (change.operation) {
    case "add":
      return added(before, change);
    case "remove":
      return removed(before, change);
    case "match":
      return matched(before, change);
    case "modify":
      return new UpdatedValue("object", undefined, change, before);
    default:
      return calculated(before, change);
  }
}

export const isUnset = (value: JsonValue | undefined): value is undefined =>
  value === undefined || value.kind === "null";

function changed(
  before: JsonValue | undefined,
  items: readonly JsonValue[],
  change: FieldChange,
): UpdatedValue {
  const kind = before?.kind === "array" ? "array" : "object";
  return new UpdatedValue(kind, items, change, before);
}

const isCollection = ({ kind }: JsonValue): boolean => kind === "array" || kind === "object";

/** Elements at the end of an array, or keys of a weighted set with their weights. */
function added(before: JsonValue | undefined, change: FieldChange): Updated {
  const { value } = change;
  const old = isUnset(before) ? undefined : before;
  if (!isCollection(value) || (old !== undefined && !isCollection(old))) return undefined;
  if (old !== undefined && old.kind !== value.kind) return new UpdatedValue("object", undefined, change, old);
  const [items, more] = [[...(old?.items() ?? [])], [...value.items()]];
  const keys = new Set(more.map((each) => each.key));
  const remaining = value.kind === "array" ? items : items.filter((each) => !keys.has(each.key));
  return new UpdatedValue(value.kind, [...remaining, ...more], change, old);
}

/** Keys of a weighted set, or all elements of an array that are equal to one of these. */
function removed(before: JsonValue | undefined, change: FieldChange): Updated {
  if (isUnset(before)) return "nothing";
  const { value } = change;
  const gone = [...value.items()];
  if (before.kind === "array" && value.kind === "array")
    return changed(
      before,
      [...before.items()].filter((each) => !gone.some((other) => areEqual(each, other))),
      change,
    );
  if (before.kind !== "object" || value.kind !== "object")
    return new UpdatedValue("object", undefined, change, before);
  const keys = new Set(gone.map((each) => `${each.key}`));
  return changed(
    before,
    [...before.items()].filter((each) => !keys.has(`${each.key}`)),
    change,
  );
}

const areEqual = (one: JsonValue, other: JsonValue): boolean =>
  one.label === undefined
    ? JSON.stringify(one.value) === JSON.stringify(other.value)
    : one.label === other.label;

/** `{"element": 3, "assign": 7}` of an array, and the same of a key of a weighted set or a map. */
function matched(before: JsonValue | undefined, { value }: FieldChange): Updated {
  const element = value.member("element")?.label;
  const [own, ...others] = [...value.items()].filter(({ key }) => key !== "element");
  if (element === undefined || own === undefined || others.length > 0) return undefined;
  if (isUnset(before)) return "nothing";
  const isList = before.kind === "array";
  if (isList && !/^\d+$/.test(element)) return undefined;
  if (!isList && before.member(element) === undefined) return "nothing";
  const step = isList ? { index: Number(element) } : { member: element };
  return updatedPart(before, [step], { operation: `${own.key}`, value: own });
}

/** What is done with two numbers. */
export const arithmetic: Readonly<Record<string, (value: number, by: number) => number>> = {
  increment: (value, by) => value + by,
  decrement: (value, by) => value - by,
  multiply: (value, by) => value * by,
  divide: (value, by) => value / by,
};

/** Nothing else where there is no number, as in Vespa. */
function calculated(before: JsonValue | undefined, { operation, value }: FieldChange): Updated {
  const by = fedNumber(value);
  const compute = Object.hasOwn(arithmetic, operation) ? arithmetic[operation] : undefined;
  if (compute === undefined || by === undefined) return undefined;
  const number = before === undefined ? undefined : fedNumber(before);
  if (before === undefined || number === undefined) return "nothing";
  const whole = fedWhole(before);
  const next = whole === undefined ? undefined : Math.trunc(compute(Number(whole), by));
  return numberAt(value, compute(number, by), next);
}

export const numberAt = (
  { span, key }: JsonValue,
  number: number,
  whole: number | undefined,
): ComputedNumber => new ComputedNumber(number, whole, span, key);
