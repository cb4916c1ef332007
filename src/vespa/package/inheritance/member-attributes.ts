import type { Report } from "../../../language/source/problem.js";
import { problem } from "../model/messages.js";
import type { Field, Schema } from "../model/model.js";
import { membersOf, type Structs } from "./member-types.js";

/** Reports attributes of members of fields that have no such: those of one struct by itself, and those that are no plain values. */
export function reportMemberAttributes(
  { fields: own }: Schema,
  fields: ReadonlyMap<string, Field>,
  structs: Structs,
  report: Report,
): void {
  for (const { name, isAttribute } of own.values()) {
    const [outer = "", ...path] = name.text.split(".");
    const holder = fields.get(outer);
    if (!isAttribute || path.length === 0 || holder === undefined || holder.where === "imported") continue;
    if (mayBeAttribute(holder.typeText.trim(), path, structs)) continue;
    report(problem("field/member-attribute", name.span, { field: name.text, type: holder.typeText }));
  }
}

const isPrimitive = (type: string): boolean => /^(?:byte|int|long|float|double|string)$/.test(type);

/** Whether a member of a field of this type may be an attribute; so may one that is not known, which is told elsewhere. */
function mayBeAttribute(holder: string, [first = "", ...rest]: readonly string[], structs: Structs): boolean {
  const [, word, inner = ""] = /^(array|map)\s*<(.*)>$/s.exec(holder) ?? [];
  if (word === undefined) return !structs.has(holder);
  if (word === "array")
    return inner.trim() === "position" || isPlainMember(inner.trim(), [first, ...rest], structs);
  const [key = ""] = inner.split(",", 1);
  const value = inner.slice(key.length + 1).trim();
  if (!isPrimitive(key.trim())) return false;
  const isSupported = isPrimitive(value) || structs.has(value) || !/[<>]|^(?:bool|position|raw)$/.test(value);
  if (first === "key") return isSupported;
  return rest.length === 0 ? isPrimitive(value) : isPlainMember(value, rest, structs);
}

/** Whether a path leads to a plain value of a struct. */
function isPlainMember(struct: string, [name = "", ...rest]: readonly string[], structs: Structs): boolean {
  const members = membersOf(struct, structs);
  if (members === undefined) return !/^(?:array|map|weightedset)\b/.test(struct);
  const type = members.get(name)?.trim();
  return type === undefined || (rest.length === 0 && isPrimitive(type));
}
