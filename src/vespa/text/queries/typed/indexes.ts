import type { Field } from "../../../package/model/model.js";
import { isOfWholeValues } from "../../words.js";

/** What may stand before a colon. */
export interface TypedIndex {
  readonly name: string;
  /** Whether each value is one word, whatever is in it. */
  readonly isWhole: boolean;
  /** What ends such a value, where the schema says so. */
  readonly terminator: string | undefined;
}

/** The names of a schema that a query can search in; those of fieldsets too. */
export interface Indexes {
  /** Upper and lower case do not matter. */
  find(name: string): TypedIndex | undefined;
}

/** Names that every schema has. */
const common: readonly TypedIndex[] = [
  { name: "default", isWhole: false, terminator: undefined },
  { name: "sddocname", isWhole: true, terminator: undefined },
];

/** Those of the fields and fieldsets of a schema. */
export function indexesOf(
  fields: ReadonlyMap<string, Field>,
  fieldsets: ReadonlyMap<string, readonly string[]>,
): Indexes {
  const all = new Map<string, TypedIndex>();
  const add = (index: TypedIndex): void => {
    all.set(index.name.toLowerCase(), index);
  };
  common.forEach(add);
  for (const field of fields.values()) add(indexOf(field.name.text, field));
  for (const [name, [first = ""]] of fieldsets) {
    const field = fields.get(first);
    add(field === undefined ? { name, isWhole: false, terminator: undefined } : indexOf(name, field));
  }
  return { find: (name) => all.get(name.toLowerCase()) };
}

/** Types whose values are texts, alone or in collections. */
const ofTexts = /\bstring\b/;

const indexOf = (name: string, field: Field): TypedIndex => ({
  name,
  isWhole: ofTexts.test(field.typeText) && (field.isIndex || field.isAttribute) && isOfWholeValues(field),
  terminator: field.exactTerminator,
});
