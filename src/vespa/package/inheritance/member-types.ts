import { append } from "../../../language/source/lists.js";
import type { Field, Struct } from "../model/model.js";

/**
 * The types of attributes that members of structs and maps are: `people.name` is an array of the names of all people, and
 * `scores.key` and `scores.value` are the arrays of what a map has.
 */

export type Structs = ReadonlyMap<string, Struct>;

/** The field of a member, as an array; as it is where its type is not known. */
export function memberField(field: Field, fields: ReadonlyMap<string, Field>, structs: Structs): Field {
  const [outer = "", ...path] = field.name.text.split(".");
  const holder = fields.get(outer);
  if (path.length === 0 || field.typeText !== "" || holder === undefined) return field;
  const type = memberType(holder.typeText.trim(), path, structs);
  return type === undefined ? field : { ...field, typeText: `array<${type}>` };
}

function memberType(
  holder: string,
  [first = "", ...rest]: readonly string[],
  structs: Structs,
): string | undefined {
  const [, word, inner = ""] = /^(array|map)\s*<(.*)>$/s.exec(holder) ?? [];
  if (word === undefined) return undefined;
  const path = word === "array" ? [first, ...rest] : rest;
  const [key = ""] = inner.split(",", 1);
  if (word === "map" && first === "key") return rest.length === 0 ? key.trim() : undefined;
  if (word === "map" && first !== "value") return undefined;
  const value = word === "array" ? inner : inner.slice(key.length + 1);
  return path.reduce<string | undefined>(
    (type, name) => (type === undefined ? undefined : memberOf(type, name, structs)),
    value.trim(),
  );
}

/** The type of a member of a struct, which may inherit it. */
const memberOf = (struct: string, name: string, structs: Structs): string | undefined =>
  [...structsAbove(struct, structs)].find(({ members }) => members.has(name))?.members.get(name);

/** The types of the members of a struct, with those that it inherits, by name; nothing of what is no struct. */
export function membersOf(struct: string, structs: Structs): ReadonlyMap<string, string> | undefined {
  const all = [...structsAbove(struct, structs)];
  const isKnown =
    structs.has(struct) && all.every(({ inherits }) => inherits.every((each) => structs.has(each)));
  return isKnown ? new Map(all.toReversed().flatMap(({ members }) => [...members])) : undefined;
}

/** A struct and those that it inherits. */
function* structsAbove(struct: string, structs: Structs): Iterable<Struct> {
  const open = [struct];
  const visited = new Set<string>();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = structs.get(next);
    if (visited.has(next) || found === undefined) continue;
    visited.add(next);
    yield found;
    append(open, found.inherits);
  }
}
