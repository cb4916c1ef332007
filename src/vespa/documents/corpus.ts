import type { JsonValue } from "../../formats/json/value.js";
import type { Problem } from "../../language/source/problem.js";
import type { FeedDocument, FeedEntry, FieldChange } from "./feed.js";
import { problem } from "./messages.js";
import { arithmetic, notComputed, numberAt, partsOfName, updatedPart } from "./updates.js";

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
  const update = (name: string, change: FieldChange): void => {
    const parts = partsOfName(name);
    const before = parts && (all.get(parts.field) ?? (document === undefined ? zeroFor(change) : undefined));
    const value = parts && updatedPart(before, parts.steps, change);
    if (value === undefined) problems.push(notComputed(change, isPart(name) ? name : undefined));
    else if (value !== "nothing") all.set(parts?.field ?? name, value);
  };
  for (const [name, value] of fields) update(name, { operation: "assign", value });
  for (const [name, each] of changes) for (const change of each) update(name, change);
  return { id, fields: all };
}

/** Whether an update is of an element, an entry or a member: `tags[0]`, `prices{de}`, `person.age`. */
const isPart = (name: string): boolean => /[.[{]/.test(name);

/** What an update creates has zeros for the numbers that it changes. */
const zeroFor = ({ operation, value }: FieldChange): JsonValue | undefined =>
  Object.hasOwn(arithmetic, operation) ? numberAt(value, 0, 0) : undefined;
