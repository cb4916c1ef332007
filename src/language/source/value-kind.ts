/** What a host passed, where it is something else than it should be. */

/** The kind of a JavaScript value. */
export type ValueKind = "array" | "null" | PrimitiveKind | `class ${string}`;
type PrimitiveKind =
  | "string"
  | "number"
  | "bigint"
  | "boolean"
  | "symbol"
  | "undefined"
  | "object"
  | "function";

/** An object is plain where its class has no other above it: also one of another window or context. */
export function kindOf(value: unknown): ValueKind {
  if (Array.isArray(value)) return "array";
  if (typeof value !== "object") return typeof value;
  if (value === null) return "null";
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return "object";
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const name = value.constructor?.name;
  // Of iterators the class is that of all objects, or none.
  return `class ${name === undefined || name === "" || name === "Object" ? tag : name}`;
}

export function kindText(kind: ValueKind): string {
  if (kind === "array") return "an array";
  if (kind.startsWith("class ")) return `an object of the ${kind}`;
  return kind === "null" ? kind : `a value of type ${kind}`;
}

/**
 * Whether a value has values by name. What has a class, and no property of its own, is refused: a Map, a promise or a signal
 * would be taken for an object that names nothing.
 */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  (kindOf(value) === "object" || Object.keys(value).length > 0);
