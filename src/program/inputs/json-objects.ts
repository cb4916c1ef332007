import { formNames, hasNamedForm, jsonValueSlices, typeInJson } from "../../formats/json/json.js";
import { parseJson } from "../../formats/json/parse.js";
import type { JsonValue } from "../../formats/json/value.js";
import type { Slices } from "../../language/limits/slices.js";
import { SphexError } from "../../language/source/problem.js";
import type { Source } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { numberText } from "../../language/values/text.js";
import { unwrapped } from "../options.js";

/**
 * Tensors as what `JSON.parse` makes of Vespa's forms of JSON and of `JSON.stringify(tensor)`: plain objects with `cells`,
 * `values` or `blocks`, and perhaps a `type`. They are read by the one reader of JSON, so that an object means what its
 * text does.
 */

/** A tensor of the declared type, or else of the one that the object says; nothing where the object is in no such form. */
export function* jsonObjectSlices(
  name: string,
  value: object,
  declared: TensorType | undefined,
  cells: number,
): Slices<Tensor | undefined> {
  const text = hasMembers(value) ? textOf(value) : undefined;
  const tree = text === undefined ? undefined : parseJson({ name, text }).tree;
  const type = tree && (declared ?? statedType(tree));
  if (tree === undefined || type === undefined || !hasNamedForm(tree, type) || areLabels(tree, type))
    return undefined;
  return unwrapped(yield* jsonValueSlices(tree, type, { cells }));
}

/** A tensor of the type that a text of JSON says; nothing where it says none. */
export function* typedJsonSlices(source: Source, cells: number): Slices<Parsed<Tensor> | undefined> {
  const { tree } = parseJson(source);
  const type = tree && statedType(tree);
  return tree && type && (yield* jsonValueSlices(tree, type, { cells }));
}

const memberNames: ReadonlySet<string> = new Set(["type", ...formNames]);

/** Whether a value is a plain object with a member that names a form, and none that no form has. */
function hasMembers(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false;
  const keys = Object.keys(value);
  return keys.every((key) => memberNames.has(key)) && formNames.some((name) => keys.includes(name));
}

/** The text of an object, if JSON can have all that is in it. */
function textOf(value: object): string | undefined {
  try {
    return JSON.stringify(value, written);
  } catch {
    return undefined; // it holds itself, an array of cells' bits, or more levels than the stack has
  }
}

/** A value as JSON has it: NaN, the infinities and -0 as texts, which the reader takes for numbers. */
function written(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) throw new TypeError("JSON has no typed arrays");
  const isPlain = typeof value !== "number" || (Number.isFinite(value) && !Object.is(value, -0));
  return isPlain ? value : numberText(value);
}

function statedType(tree: JsonValue): TensorType | undefined {
  const { tree: type, problems } = typeInJson(tree);
  if (problems.length > 0) throw new SphexError(problems);
  return type;
}

/** Whether members that are called as forms are labels: without a type, where several are, or hold others by label. */
function areLabels(tree: JsonValue, { mapped }: TensorType): boolean {
  if (tree.member("type")?.string !== undefined) return false;
  const [first, ...others] = tree.items();
  return others.length > 0 || (mapped.length > 1 && first?.kind === "object");
}
