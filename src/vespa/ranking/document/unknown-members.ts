import type { JsonValue } from "../../../formats/json/value.js";
import { membersOf } from "../../package/inheritance/member-types.js";
import type { Profile } from "../../package/model/model.js";

/** What the structs of documents have, and their types have not: Vespa refuses it. */

/** A member that a struct of a field cannot have: `people.nmae`. */
export interface UnknownMember {
  readonly name: string;
  readonly value: JsonValue;
}

interface ValuePart {
  readonly value: JsonValue;
  readonly type: string;
  readonly name: string;
}

/** Finds such members in the values of fields. Nothing is said of structs that are not known. */
export class UnknownMembers {
  private readonly members = new Map<string, ReadonlyMap<string, string> | undefined>();
  /** Whether a type is of structs, by its text: most are not. */
  private readonly isOfStructs = new Map<string, boolean>();

  constructor(private readonly structs: Profile["structs"]) {}

  /** Those in the value of a field of this type. */
  in(value: JsonValue, field: string, typeText: string): Iterable<UnknownMember> {
    const isKnown = this.isOfStructs.get(typeText);
    const isOfStructs = isKnown ?? typeText.split(/[<>,\s]+/).some((word) => this.structs.has(word));
    if (isKnown === undefined) this.isOfStructs.set(typeText, isOfStructs);
    return isOfStructs ? this.inPart({ value, type: typeText, name: field }) : [];
  }

  private *inPart(whole: ValuePart): Iterable<UnknownMember> {
    const open = [whole];
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const [, word, inner = ""] = /^\s*(array|map|weightedset)\s*<(.*)>\s*$/s.exec(part.type) ?? [];
      const { name } = part;
      if (word === "array")
        for (const each of part.value.items()) open.push({ value: each, type: inner, name });
      else if (word === "map")
        for (const each of valuesOfMap(part.value))
          open.push({ value: each, type: inner.slice(inner.indexOf(",") + 1), name });
      else if (word === undefined) yield* this.inStruct(part, open);
    }
  }

  private *inStruct({ value, type, name: outer }: ValuePart, open: ValuePart[]): Iterable<UnknownMember> {
    const members = this.membersOf(type.trim());
    if (members === undefined || value.kind !== "object") return;
    for (const each of value.items()) {
      const name = `${outer}.${each.key}`;
      const own = members.get(`${each.key}`);
      if (own === undefined) yield { name, value: each };
      else open.push({ value: each, type: own, name });
    }
  }

  private membersOf(struct: string): ReadonlyMap<string, string> | undefined {
    if (!this.members.has(struct)) this.members.set(struct, membersOf(struct, this.structs));
    return this.members.get(struct);
  }
}

/** The values of a map: an object by key, or a list of entries. */
const valuesOfMap = (map: JsonValue): JsonValue[] =>
  [...map.items()].flatMap((each) => (map.kind === "array" ? (each.member("value") ?? []) : each));
