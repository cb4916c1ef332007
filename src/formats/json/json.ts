import type { Source } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { isAssignable } from "../../language/types/assignable.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { readType } from "../literal.js";
import { readBlocks, readValues } from "./blocks.js";
import { readCells } from "./cells.js";
import { JsonReading, Reading, wholeOf } from "./reading.js";
import { isList, isObject, type Json, type JsonObject, JsonValue, member, type Path, shown } from "./text.js";

/**
 * Tensors as JSON. The type is known from elsewhere, and decides with the shape of the value which of
 * three forms it has: cells with addresses, the values of a dense tensor, or the blocks of a mixed one. A form is named
 * by a member (`{"cells":…}`) or is the whole value. Nobody checked the text before: all that is wrong with it is a
 * problem, which names the place by its path.
 */

export { type JsonOptions, writeJson } from "./write.js";

/** Reads a tensor of a type. */
export function readJson(source: Source, type: TensorType): Parsed<Tensor> {
  const root = wholeOf(source);
  const outer = new JsonReading(root);
  const value = outer.parse();
  return value === undefined
    ? { tree: undefined, problems: outer.problems }
    : readJsonValue(new JsonValue(value, root), type);
}

/** Reads a tensor of a type from a value in a larger text. */
export function readJsonValue({ value, root, path }: JsonValue, type: TensorType): Parsed<Tensor> {
  const outer = new Reading(root, type);
  const form = isObject(value) ? formOf(value, type, path) : undefined;
  const stated = form !== undefined && isObject(value) ? statedType(value, path, outer) : type;
  if (stated === undefined) return { tree: undefined, problems: outer.problems };
  const reading = new Reading(root, stated);
  const tensor = form === undefined ? readDirect(value, path, reading) : form(reading);
  return { tree: reading.isSound ? tensor?.as(type) : undefined, problems: reading.problems };
}

/** The type that a value says it has: that of an object with a member `type` beside its cells. */
export function typeInJson({ value, root, path }: JsonValue): Parsed<TensorType> {
  const text =
    isObject(value) && formNames.some((name) => Object.hasOwn(value, name)) && member(value, "type");
  if (typeof text !== "string") return { tree: undefined, problems: [] };
  const { tree } = readType({ name: "type", text });
  const reading = new JsonReading(root);
  if (tree === undefined) reading.complain(path.at("type"), shown(text), typeText);
  return { tree, problems: reading.problems };
}

const typeText = "a tensor type, as text";
const formNames = ["cells", "values", "blocks"] as const;

type Form = (reading: Reading) => Tensor | undefined;

/** The reader of the form that a member names, the first of three. */
function formOf(object: JsonObject, type: TensorType, path: Path): Form | undefined {
  const [cells, values, blocks] = formNames.map((name) => member(object, name));
  if (cells !== undefined && !isPrimitive(cells) && !isLabelled(cells, type)) {
    return (reading) => readCells(cells, path.at("cells"), reading);
  }
  if (values !== undefined && type.isDense)
    return (reading) => readValues(values, path.at("values"), reading);
  if (blocks === undefined || isLabelled(blocks, type)) return undefined;
  return (reading) => readBlocks(blocks, path.at("blocks"), reading);
}

/** A number, or an array that begins with one: no cells, but what a label that is called `cells` has. */
function isPrimitive(value: Json): boolean {
  return typeof (isList(value) ? value[0] : value) === "number";
}

/** The same for all that one label can have and a form cannot be: text, null, and arrays that hold no objects. */
function isLabelled(value: Json, type: TensorType): boolean {
  const isForm = isObject(value) || (isList(value) && (value.length === 0 || isObject(firstIn(value))));
  return type.mapped.length === 1 && !isForm;
}

/** The first thing in nested arrays that is no array. */
function firstIn(list: Json[]): Json | undefined {
  let first: Json | undefined = list;
  while (isList(first)) first = first[0];
  return first;
}

/** The whole value is the form. */
function readDirect(value: Json, path: Path, reading: Reading): Tensor | undefined {
  const { type } = reading;
  const first = isList(value) ? firstIn(value) : undefined;
  const isMixed = !type.isDense && !type.isSparse;
  // Vespa writes blocks of several mapped dimensions so, and cannot read them back.
  const isBlocks = isMixed && (!isObject(first) || Object.hasOwn(first, "values"));
  if (isBlocks) return readBlocks(value, path, reading);
  if (type.isDense && !isObject(first)) return readValues(value, path, reading);
  return readCells(value, path, reading);
}

/**
 * The type that the JSON says it has, with the declared cells; the declared type where it says none. It may only be
 * another one by cells that fit into the declared, and by sizes that are not declared.
 */
function statedType(object: JsonObject, outer: Path, reading: Reading): TensorType | undefined {
  const { type } = reading;
  const text = member(object, "type");
  const path = outer.at("type");
  if (text === undefined) return type;
  const stated = typeof text === "string" ? readType({ name: "type", text }).tree : undefined;
  if (stated === undefined) return reading.complain(path, shown(text), typeText);
  const sameSizes = type.indexed.every(
    ({ name, size }) => size === undefined || stated.dimension(name)?.size === size,
  );
  if (!sameSizes || !isAssignable(stated, type)) return reading.complainOfType(path, stated);
  return stated.withCells(type.cellType);
}
