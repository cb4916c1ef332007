import type { JsonValue } from "../../formats/json/value.js";

/** A value of an array or of a struct, which may be missing. A key of a map is a text, whatever its type. */
export type Element = JsonValue | string | undefined;

/** The field that a name says a member of: `people` of `people.name`; of another name itself. */
export const outerOf = (name: string): string => name.split(".", 1)[0] ?? name;

/** The values of a field that is a member of structs or of a map, one of each struct or entry; nothing of any other field. */
export function membersOf(
  name: string,
  json: (field: string) => JsonValue | undefined,
): Element[] | undefined {
  const outer = outerOf(name);
  return outer === name ? undefined : membersIn(json(outer), name.slice(outer.length + 1));
}

/** A member of each struct of an array, or `key`, `value` or a member of the value of each entry of a map. */
function membersIn(value: JsonValue | undefined, path: string): Element[] {
  const names = path.split(".");
  const member = (outer: JsonValue | undefined, from: number): JsonValue | undefined =>
    names.slice(from).reduce((found, name) => found?.member(name), outer);
  if (value?.kind === "array") return Array.from(value.items(), (each) => member(each, 0));
  if (value?.kind !== "object") return [];
  return Array.from(value.entries(), ([key, each]) =>
    path === "key" ? key : member(each, names[0] === "value" ? 1 : 0),
  );
}
