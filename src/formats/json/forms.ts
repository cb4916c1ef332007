import { keysOf } from "../../language/source/lists.js";
import type { TensorType } from "../../language/types/type.js";
import type { JsonOptions } from "./write.js";

/** The forms that a tensor may have in JSON, by name: which types have each, and how it is written. */
interface FormRow {
  /** What it looks like, in words. */
  readonly description: string;
  readonly has: (type: TensorType) => boolean;
  readonly options: JsonOptions;
}

const all = (): boolean => true;
/** Vespa writes blocks of several mapped dimensions without an object around, too, but cannot read them back. */
const isDirect = (type: TensorType): boolean => !isMixed(type) || type.mapped.length === 1;
const isMixed = (type: TensorType): boolean => !type.isDense && !type.isSparse;
const isShort = (type: TensorType): boolean => type.isSparse && type.rank === 1;
const hasHex = (type: TensorType): boolean => type.indexed.length > 0 && type.isBound;

// biome-ignore format: a table
const rows = {
  cells:          { description: "each cell with its address",             has: all,                                        options: { typed: false, form: "cells" } },
  "short-cells":  { description: "cells by label",                         has: isShort,                                    options: { typed: false } },
  values:         { description: "nested arrays",                          has: (type) => type.isDense,                     options: { typed: false } },
  "values-hex":   { description: "all cells as hexadecimal digits",        has: (type) => type.isDense && hasHex(type),     options: { typed: false, hex: true } },
  blocks:         { description: "nested arrays by label",                 has: isMixed,                                    options: { typed: false } },
  "blocks-hex":   { description: "hexadecimal digits by label",            has: (type) => isMixed(type) && hasHex(type),    options: { typed: false, hex: true } },
  direct:         { description: "the shortest, without an object around", has: isDirect,                                        options: { direct: true } },
  "direct-cells": { description: "cells without an object around",         has: all,                                        options: { direct: true, form: "cells" } },
  "direct-hex":   { description: "digits without an object around",        has: (type) => isDirect(type) && hasHex(type),                                     options: { direct: true, hex: true } },
  typed:          { description: "the shortest, with the type",            has: all,                                        options: {} },
  "typed-cells":  { description: "each cell, with the type",               has: all,                                        options: { form: "cells" } },
  "typed-hex":    { description: "digits, with the type",                  has: hasHex,                                     options: { hex: true } },
} as const satisfies Readonly<Record<string, FormRow>>;

/** The name of a form in which Vespa writes tensors as JSON. */
export type JsonForm = keyof typeof rows;

/** The names of all forms of JSON. */
export const jsonForms = keysOf(rows);

export const jsonForm = (name: JsonForm): FormRow => rows[name];

/** The forms that tensors of a type have. */
export const formsOf = (type: TensorType): JsonForm[] => jsonForms.filter((name) => rows[name].has(type));
