import type { NumberType, TypedNames } from "../model/model.js";
import { nativeNames } from "./native-type.js";
import { isNumberType } from "./typed-values.js";
import type { XmlElement } from "./xml.js";

/** A type of query profiles, as far as requests are concerned. */
export interface QueryType {
  /** The ids of types, in the order written. */
  readonly inherits: readonly string[];
  readonly fields: ReadonlyMap<string, QueryTypeField>;
  /** Whether there are no other parameters than those that it declares. */
  readonly isStrict: boolean;
  readonly matchesPaths: boolean;
}

interface QueryTypeField {
  /** The id of the type whose fields are behind its name and a dot. */
  readonly nested: string | undefined;
  /** What numbers it takes, where it takes no others. */
  readonly number: NumberType | undefined;
  readonly isFixed: boolean;
  /** What requests may call it, too, in lower case. */
  readonly aliases: readonly string[];
}

/** The names of a list that is written with blanks between them. */
export const listed = (text: string | undefined): string[] =>
  (text ?? "").split(/\s+/).filter((each) => each !== "");

/** Versions behind the name of an id are not told apart. */
export const nameOf = (id: string): string => id.trim().replace(/:.*$/s, "");

export function queryTypeOf({ attributes, children }: XmlElement): QueryType {
  const fields = new Map<string, QueryTypeField>();
  for (const { name: element, attributes: of } of children) {
    const name = of.get("name");
    if (element !== "field" || name === undefined) continue;
    const type = of.get("type")?.trim() ?? "";
    const [kind, nested] = type.split(":");
    fields.set(name, {
      nested: kind === "query-profile" && nested !== undefined ? nested.trim() : undefined,
      number: isNumberType(type) ? type : undefined,
      isFixed: of.get("overridable") === "false",
      aliases: listed(of.get("alias")).map((each) => each.toLowerCase()),
    });
  }
  const inherits = listed(attributes.get("inherits")).map(nameOf);
  return {
    ...{ inherits, fields, isStrict: children.some(({ name }) => name === "strict") },
    // What the attribute says makes no difference.
    matchesPaths: children.some(({ name, attributes }) => name === "match" && attributes.has("path")),
  };
}

/** How deep types may lie in each other. */
const deepest = 20;

export function typedNames(id: string | undefined, types: ReadonlyMap<string, QueryType>): TypedNames {
  const fixed = new Set<string>();
  const numbers = new Map<string, NumberType>();
  const seen = new Set<string>();
  const collect = (type: QueryType | undefined, prefix: string, depth: number): void => {
    if (type === undefined || depth > deepest) return;
    for (const [name, { nested, isFixed, number }] of type.fields) {
      const full = `${prefix}${name}`;
      // The nearest type that has a field says whether a request changes it.
      if (isFixed && !seen.has(full)) fixed.add(full);
      if (number !== undefined && !seen.has(full)) numbers.set(full, number);
      seen.add(full);
      if (nested !== undefined) collect(types.get(nested), `${full}.`, depth + 1);
    }
    for (const each of type.inherits) collect(types.get(each), prefix, depth + 1);
  };
  const own = types.get(id ?? "");
  collect(own, "", 0);
  const aliases = [...(own?.fields ?? [])].flatMap(([name, field]) =>
    field.aliases.map((each) => [each, name] as const),
  );
  const matchesPaths = [...withInherited(id, types)].some((each) => types.get(each)?.matchesPaths === true);
  return { fixed, numbers, declared: declaredNames(id, types), aliases: new Map(aliases), matchesPaths };
}

/** The ids of a type and of all that it inherits. */
function withInherited(id: string | undefined, types: ReadonlyMap<string, QueryType>): ReadonlySet<string> {
  const found = new Set(id === undefined ? [] : [id]);
  for (const each of found) for (const above of types.get(each)?.inherits ?? []) found.add(above);
  return found;
}

/** The names that a strict type declares, each up to its first point; nothing of a type that takes others, or inherits what is not known. */
function declaredNames(
  id: string | undefined,
  types: ReadonlyMap<string, QueryType>,
): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  let isStrict = false;
  for (const each of withInherited(id, types)) {
    const type = types.get(each);
    if (type === undefined && each !== "native") return undefined;
    for (const name of type?.fields.keys() ?? nativeNames) names.add(name.split(".", 1)[0] ?? name);
    isStrict ||= type?.isStrict === true;
  }
  return isStrict ? names : undefined;
}
