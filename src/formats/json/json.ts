import { atOnce, type Slices, slice } from "../../language/limits/slices.js";
import type { Source } from "../../language/source/span.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { isAssignable } from "../../language/types/assignable.js";
import type { TensorType } from "../../language/types/type.js";
import type { Tensor } from "../../language/values/tensor.js";
import { readType } from "../literal.js";
import { readBlocks, readValues } from "./blocks.js";
import { readCells } from "./cells.js";
import { parseJson } from "./parse.js";
import { Reading, TensorReading } from "./reading.js";
import type { JsonValue } from "./value.js";

/**
 * Tensors as JSON. The type is known from elsewhere, and decides with the shape of the value which of
 * three forms it has: cells with addresses, the values of a dense tensor, or the blocks of a mixed one. A form is named
 * by a member (`{"cells":…}`) or is the whole value. Nobody checked the text before: all that is wrong with it is a
 * problem, which names the place by its path.
 */

export { type JsonOptions, writeJson } from "./write.js";

/** How a tensor is read, beside its type. */
export interface JsonReadOptions {
  /** The dimensions of the type in the order of an array, or of those by label, that are all of the value; canonical order by default. */
  readonly axes?: readonly string[] | undefined;
  /** Whether a whole number may be a label in an address. */
  readonly hasNumberLabels?: boolean;
  /** How many cells it may have; as many as are written, and 50,000,000 with the zeros between, unless it is there. */
  readonly cells?: number;
}

/** Reads a tensor of a type. */
export const readJson = (source: Source, type: TensorType, options?: JsonReadOptions): Parsed<Tensor> =>
  atOnce(jsonSlices(source, type, options));

/** The same in slices, each of some cells; only where the parts of the text are is found at a stretch. */
export function* jsonSlices(
  source: Source,
  type: TensorType,
  options: JsonReadOptions = {},
): Slices<Parsed<Tensor>> {
  const { tree, problems } = parseJson(source);
  return tree === undefined ? { tree, problems } : yield* jsonValueSlices(tree, type, options);
}

/**
 * Reads a tensor of a type from a value in a larger text. Vespa's forms have their cells in canonical order; an array that
 * is all of the value, or arrays by label that are, without the name of a form, have these axes.
 */
export const readJsonValue = (
  value: JsonValue,
  type: TensorType,
  options: JsonReadOptions = {},
): Parsed<Tensor> => atOnce(jsonValueSlices(value, type, options));

/** The same in slices, each of some cells. */
export function* jsonValueSlices(
  value: JsonValue,
  type: TensorType,
  options: JsonReadOptions,
): Slices<Parsed<Tensor>> {
  const outer = new Reading(type);
  const form = formOf(value, type);
  const stated = form === undefined ? type : statedType(value, outer);
  if (stated === undefined) return { tree: undefined, problems: outer.problems };
  const { axes, cells: most = Number.POSITIVE_INFINITY } = options;
  const reading = new Reading(stated, options);
  if (form !== undefined) refuseOthers(value, form.of, reading);
  const tensor = yield* form === undefined ? readDirect(value, reading, axes) : form.read(reading);
  const count = tensor?.data.length ?? 0;
  if (count > most) reading.report(value, { kind: "most cells", count: most }, { kind: "cells", count });
  return { tree: reading.isSound ? tensor?.as(type) : undefined, problems: reading.problems };
}

/** The type that a value says it has: that of an object with a member `type` beside its cells. */
export function typeInJson(value: JsonValue): Parsed<TensorType> {
  const type = formNames.some((name) => value.member(name)) ? value.member("type") : undefined;
  if (type?.string === undefined) return { tree: undefined, problems: [] };
  const { tree } = readType({ name: "type", text: type.string });
  const reading = new TensorReading();
  if (tree === undefined) reading.report(type, "type");
  return { tree, problems: reading.problems };
}

/** The members that name a form. */
export const formNames = ["cells", "values", "blocks"] as const;

/** Whether a value has a form that a member names; the members of any other are labels. */
export const hasNamedForm = (value: JsonValue, type: TensorType): boolean =>
  formOf(value, type) !== undefined;

interface Form {
  /** The member that names it. */
  readonly of: JsonValue;
  readonly read: (reading: Reading) => Slices<Tensor | undefined>;
}

/** The reader of the form that a member names, the first of three. */
function formOf(object: JsonValue, type: TensorType): Form | undefined {
  const [cells, values, blocks] = formNames.map((name) => object.member(name));
  if (cells !== undefined && !isPrimitive(cells) && !isLabelled(cells, type))
    return { of: cells, read: (reading) => readCells(cells, reading) };
  if (values !== undefined && type.isDense)
    return { of: values, read: (reading) => slice(() => readValues(values, reading)) };
  if (blocks === undefined || isLabelled(blocks, type)) return undefined;
  return { of: blocks, read: (reading) => slice(() => readBlocks(blocks, reading)) };
}

/** A tensor has one form: what other members that name one have would be lost. */
function refuseOthers(object: JsonValue, form: JsonValue, reading: Reading): void {
  for (const each of object.items())
    if (each.key !== form.key && formNames.some((name) => name === each.key))
      reading.report(each, { kind: "one form", of: form.path });
}

/** A number, or an array that begins with one: no cells, but what a label that is called `cells` has. */
function isPrimitive(value: JsonValue): boolean {
  return (value.kind === "array" ? firstOf(value) : value)?.kind === "number";
}

/** The same for all that one label can have and a form cannot be: text, null, and arrays that hold no objects. */
function isLabelled(value: JsonValue, type: TensorType): boolean {
  const isEmpty = value.kind === "array" && firstOf(value) === undefined;
  return type.mapped.length === 1 && !isEmpty && firstIn(value)?.kind !== "object";
}

function firstOf(array: JsonValue): JsonValue | undefined {
  const [first] = array.items();
  return first;
}

/** The first thing in nested arrays that is no array. */
function firstIn(value: JsonValue): JsonValue | undefined {
  let first: JsonValue | undefined = value;
  while (first?.kind === "array") first = firstOf(first);
  return first;
}

/** The whole value is the form. */
function readDirect(
  value: JsonValue,
  reading: Reading,
  axes: readonly string[] | undefined,
): Slices<Tensor | undefined> {
  const { type } = reading;
  const first = value.kind === "array" ? firstIn(value) : undefined;
  const isMixed = !type.isDense && !type.isSparse;
  // Vespa writes blocks of several mapped dimensions so, and cannot read them back.
  const isBlocks = isMixed && (first?.kind !== "object" || first.member("values") !== undefined);
  if (isBlocks) return slice(() => readBlocks(value, reading, axes));
  if (type.isDense && first?.kind !== "object") return slice(() => readValues(value, reading, axes));
  return readCells(value, reading);
}

/**
 * The type that the JSON says it has, with the declared cells; the declared type where it says none. It may only be
 * another one by cells that fit into the declared, and by sizes that are not declared.
 */
function statedType(object: JsonValue, reading: Reading): TensorType | undefined {
  const { type } = reading;
  const value = object.member("type");
  if (value === undefined) return type;
  const stated = value.string === undefined ? undefined : readType({ name: "type", text: value.string }).tree;
  if (stated === undefined) return reading.report(value, "type");
  const sameSizes = type.indexed.every(
    ({ name, size }) => size === undefined || stated.dimension(name)?.size === size,
  );
  if (!sameSizes || !isAssignable(stated, type)) return reading.reportType(value, stated);
  return stated.withCells(type.cellType);
}
