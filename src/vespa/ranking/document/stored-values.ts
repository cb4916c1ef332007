import type { JsonValue } from "../../../formats/json/value.js";
import { textAsNumber } from "../../../language/scalar/hash.js";
import { fedBoolean, fedNumber, fedText, fedWhole } from "../../documents/fed-values.js";
import type { Element } from "../../documents/members.js";
import type { Field } from "../../package/model/model.js";
import type { FieldExpectation } from "../messages.js";

/**
 * What attributes store for the values of documents, by the types of fields, and how features see it. Where a document has
 * no value, or a struct no such member, a number is stored that stands for none: the least one of a whole type.
 */

export interface StoredType {
  readonly expected: FieldExpectation;
  readonly kind: "whole" | "float" | "bool" | "text";
  /** What is stored where there is no value. */
  readonly unset: number;
  /** Whether that is NaN in each element of an array too; alone it is NaN of any whole type. */
  readonly isUnsetInArrays: boolean;
  /** Nothing where the value is of another type, or does not fit this one. */
  readonly read: (value: JsonValue) => number | undefined;
}

function whole(bits: number, expected: FieldExpectation, isUnsetInArrays = false): StoredType {
  const least = -(2 ** (bits - 1));
  const read = (value: JsonValue): number | undefined => {
    const written = fedWhole(value);
    if (written === undefined) return undefined;
    const number = Number(written);
    const exact = Number.isSafeInteger(number) ? number : BigInt(written.replace("+", ""));
    // There is no whole number -0.
    return exact >= least && exact < -least ? number + 0 : undefined;
  };
  return { expected, kind: "whole", unset: least, isUnsetInArrays, read };
}

const real = (read: (number: number) => number): StoredType => ({
  ...{ expected: "number", kind: "float", unset: Number.NaN, isUnsetInArrays: false },
  read: (value) => {
    const number = fedNumber(value);
    return number === undefined ? undefined : read(number);
  },
});

const text: StoredType = {
  ...{ expected: "text", kind: "text", unset: textAsNumber(""), isUnsetInArrays: false },
  read: (value) => {
    const written = fedText(value);
    return written === undefined ? undefined : textAsNumber(written);
  },
};

const bool: StoredType = {
  ...{ expected: "boolean", kind: "bool", unset: 0, isUnsetInArrays: false },
  read: (value) => {
    const isTrue = fedBoolean(value);
    return isTrue === undefined ? undefined : Number(isTrue);
  },
};

const double = real((number) => number);

const storedTypes: Readonly<Record<string, StoredType | undefined>> = {
  byte: whole(8, "whole number from -128 to 127", true),
  int: whole(32, "whole number from -2147483648 to 2147483647"),
  long: whole(64, "whole number from -9223372036854775808 to 9223372036854775807"),
  float: real(Math.fround),
  ...{ double, float16: double, timestamp: double },
  ...{ bool, string: text, uri: text, tag: text },
};

/** What single values of a type are stored as; nothing of a type that has no such values. */
export const storedType = (typeText: string): StoredType | undefined =>
  storedTypes[typeText.trim().toLowerCase()];

/** Whether a field has one value, the elements of an array, or keys with weights; and what each is stored as, where that is known. */
export interface StoredField {
  readonly collection: "single" | "array" | "set" | "unknown";
  readonly type: StoredType | undefined;
}

const storedFields = new WeakMap<object, StoredField>();

export function storedField(field: Pick<Field, "typeText">): StoredField {
  const cached = storedFields.get(field);
  if (cached !== undefined) return cached;
  const { typeText } = field;
  const [, word, inner] = /^\s*(array|weightedset)\s*<(.*)>/s.exec(typeText) ?? [];
  const type = storedType(inner ?? typeText);
  const single = type === undefined ? "unknown" : "single";
  const collection = word === undefined ? single : word === "array" ? "array" : "set";
  const found: StoredField = { collection, type };
  storedFields.set(field, found);
  return found;
}

/** What is stored for a value that is there; nothing where it is of another type. Without a type, what it is by itself. */
export function storedValue(written: Element, type: StoredType | undefined): number | undefined {
  const element = present(written);
  if (element === undefined) return type?.unset ?? Number.NaN;
  if (typeof element === "string")
    return type === undefined || type.kind === "text" ? textAsNumber(element) : Number(element);
  if (type !== undefined) return type.read(element);
  return element.string !== undefined ? textAsNumber(element.string) : Number(element.scalar ?? 0);
}

/** A stored value as it is seen alone, or in an array: NaN where it stands for none. */
export function seen(stored: number, type: StoredType | undefined, isAlone: boolean): number {
  const hides = type?.kind === "whole" && (isAlone || type.isUnsetInArrays);
  return hides && stored === type.unset ? Number.NaN : stored;
}

/** A value that is there; `null` is none. */
export const present = (element: Element): Element =>
  typeof element === "object" && element.kind === "null" ? undefined : element;
