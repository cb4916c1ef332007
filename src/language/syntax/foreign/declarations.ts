import { nearest } from "../../source/nearest.js";
import type { Captures } from "./template.js";

/** Declarations with slips of the pen in them, or with the types of other languages. */

const roles: ReadonlySet<string> = new Set(["input", "constant", "variable", "persistent"]);

export const isRole = ({ X = "" }: Captures): boolean => roles.has(X);

/** `varible w = 1`: the declaration with the word that was meant. */
export function respelt({ X = "", Y, V, A }: Captures): string | undefined {
  const role = roles.has(X) ? undefined : nearest(X, roles);
  return role && `${role} ${Y}${V === undefined ? "" : `: ${V}`}${A === undefined ? "" : ` = ${A}`}`;
}

export const withType = ({ X, Y }: Captures, type: string | undefined): string | undefined =>
  type && `${X} ${Y}: ${type}`;

/** What numbers are called where a type is wanted, and how numbers of this kind are declared here. */
const numberTypes: Readonly<Record<string, string>> = {
  ...{ number: "tensor()", scalar: "tensor()", double: "tensor()", real: "tensor()", f64: "tensor()" },
  ...{ float: "tensor<float>()", f32: "tensor<float>()", float32: "tensor<float>()" },
};

/** `input a: float`: the type of a number. */
export const numberType = ({ Z = "" }: Captures): string | undefined =>
  Object.hasOwn(numberTypes, Z) ? numberTypes[Z] : undefined;

const cells: ReadonlySet<string> = new Set(["double", "float", "bfloat16", "int8"]);

/** `float(x[2])` and `tensr(x[2])`: the type of a tensor. */
export function tensorType({ Z = "", S }: Captures): string | undefined {
  if (cells.has(Z)) return `tensor<${Z}>(${S})`;
  return nearest(Z, ["tensor"]) === undefined ? undefined : `tensor(${S})`;
}

/** Whether a word is a misspelt `tensor`: `tensr`, `tenzor`, `tensors`. */
export const isMistypedType = ({ X = "" }: Captures): boolean =>
  X !== "tensor" && (/^te?n?s?o?r?s?$/i.test(X) || nearest(X, ["tensor"]) !== undefined);

/** Such a type with what stands behind it: a colon, or what each cell is. */
export const respeltType = ({ Y, S, A }: Captures): string =>
  `tensor${Y === undefined ? "" : `<${Y}>`}(${S})${A === undefined ? ":" : `(${A})`}`;
