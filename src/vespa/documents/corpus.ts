import type { JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import { ComputedNumber, fedNumber, fedWhole } from "./fed-values.js";
import type { FeedDocument, FeedEntry, FieldChange } from "./feed.js";
import { problem } from "./messages.js";

/** A document with all its fields. */
export type WholeDocument = Pick<FeedDocument, "id" | "fields">;

/** The documents that there are after a feed, and what is wrong with it. */
export interface Corpus {
  /** In the order in which they were put first. */
  readonly documents: readonly WholeDocument[];
  readonly problems: readonly Problem[];
}

/**
 * What operations leave behind, one after the other: a put replaces the document of its id, an update changes it, a remove
 * takes it away. Documents without an id are all different ones. An update of a document that is not there changes nothing,
 * unless it says `create`. What has a condition is left out, and told.
 */
export function corpusOf(operations: Iterable<FeedEntry>): Corpus {
  const documents = new Map<string | symbol, WholeDocument>();
  const problems: Problem[] = [];
  for (const { document: operation, problems: own } of operations) {
    for (const each of own) problems.push(each);
    if (operation === undefined) continue;
    const { kind, id, fields, whole } = operation;
    const condition = whole.member(kind) === undefined ? undefined : whole.member("condition");
    if (condition !== undefined) {
      problems.push(problem("feed/condition", condition.span, { condition: condition.written }));
      continue;
    }
    const key = id ?? Symbol("without an id");
    if (kind === "remove") documents.delete(key);
    else if (kind === "put") documents.set(key, { id, fields });
    else {
      const updated = updatedBy(operation, documents.get(key), problems);
      if (updated !== undefined) documents.set(key, updated);
    }
  }
  return { documents: [...documents.values()], problems };
}

function updatedBy(
  { id, fields, changes, whole }: FeedDocument,
  document: WholeDocument | undefined,
  problems: Problem[],
): WholeDocument | undefined {
  const creates = whole.member("create")?.value === true;
  if (document === undefined && !creates) {
    const { span } = whole.member("update") ?? whole;
    problems.push(problem("feed/no-document", span, { id: id ?? "" }));
    return undefined;
  }
  const all = new Map(document?.fields);
  for (const [name, value] of fields)
    if (isPart(name)) problems.push(notComputed(name, { operation: "assign", value }));
    else all.set(name, value);
  for (const [name, each] of changes)
    for (const change of each) {
      // What an update creates has zeros for the numbers that it changes.
      const before = all.get(name) ?? (document === undefined ? numberAt(change.value, 0, 0) : undefined);
      const value = isPart(name) ? undefined : computed(before, change);
      if (value === undefined) problems.push(notComputed(name, change));
      else if (value !== "nothing") all.set(name, value);
    }
  return { id, fields: all };
}

/** Whether an update is of an element, an entry or a member: `tags[0]`, `prices{de}`, `person.age`. */
const isPart = (name: string): boolean => /[.[{]/.test(name);

const notComputed = (name: string, { operation, value }: FieldChange): Problem =>
  problem("feed/operation", value.span, { operation, part: isPart(name) ? name : undefined });

const numberAt = ({ span, key }: JsonValue, number: number, whole: number | undefined): ComputedNumber =>
  new ComputedNumber(number, whole, span, key);

const arithmetic: Readonly<Record<string, (value: number, by: number) => number>> = {
  increment: (value, by) => value + by,
  decrement: (value, by) => value - by,
  multiply: (value, by) => value * by,
  divide: (value, by) => value / by,
};

/** What a field becomes: nothing else where it has no number, as in Vespa; undefined where that is not computed here. */
function computed(
  before: JsonValue | undefined,
  { operation, value }: FieldChange,
): JsonValue | "nothing" | undefined {
  const by = fedNumber(value);
  const compute = Object.hasOwn(arithmetic, operation) ? arithmetic[operation] : undefined;
  if (compute === undefined || by === undefined) return undefined;
  const number = before === undefined ? undefined : fedNumber(before);
  if (before === undefined || number === undefined) return "nothing";
  const whole = fedWhole(before);
  const next = whole === undefined ? undefined : Math.trunc(compute(Number(whole), by));
  return numberAt(value, compute(number, by), next);
}
