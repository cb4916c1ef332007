import { numberText, readNpz, readTensor, SphexError, type Tensor, tensorFormatOf } from "../../index.js";
import type { NewCell } from "../document/page-document.js";
import type { DroppedFile } from "./import-request.js";
import { labelLiteral } from "./label-literal.js";

/** The most characters of a cell that is made of a file: what is longer belongs in a file that a program reads. */
export const mostCharacters = 1_000_000;

const limits = { cells: 2_000_000, bytes: 2 ** 28 } as const;

/** A tensor in a file as a cell, whose name is that of the file. */
export function tensorCell({ name, bytes }: DroppedFile): NewCell {
  return cellOf(name, name, readTensor(bytes, tensorFormatOf(name) ?? "literal", { name, limits }));
}

/** The arrays of an archive as a cell each: one alone has the name of the file, several have their own. */
export async function arrayCells({ name, bytes }: DroppedFile): Promise<readonly NewCell[]> {
  try {
    return [cellOf(name, name, await readNpz(bytes, { name, limits }))];
  } catch (error) {
    const [problem] = error instanceof SphexError ? error.problems : [];
    if (problem?.code !== "bytes/array") throw error;
    const cells: NewCell[] = [];
    for (const array of problem.values.arrays)
      cells.push(cellOf(name, array, await readNpz(bytes, { name, limits, array })));
    return cells;
  }
}

function cellOf(file: string, name: string, tensor: Tensor): NewCell {
  const text = literalOf(tensor);
  if (text.length <= mostCharacters) return { kind: "expression", name: valueName(name), text };
  const [found, most] = [text.length, mostCharacters].map((each) => each.toLocaleString("en"));
  const base = JSON.stringify(file.split("/").at(-1));
  const [line, command] = [`constant ${valueName(name)}: ${tensor.type} = file(${base})`, "sphex run"];
  throw new Error(
    `as an expression it would have ${found} characters, and a cell has at most ${most}. Drop a part of it; or read it in a program beside the file, which ${command} runs: ${line}`,
  );
}

/** The value as an expression. */
export const literalOf = (tensor: Tensor): string => inLines(expressionOf(tensor));

/** So long a line of a literal is at least before it ends: an editor draws a line as a whole, with each key in it. */
const lineLength = 100;

function inLines(text: string): string {
  let start = 0;
  return text.replace(betweenCells, (found, at: number) => {
    if (found !== ", " || at - start < lineLength) return found;
    start = at + found.length;
    return ",\n";
  });
}

/** What stands between cells; and labels, in which the same may stand. */
const betweenCells = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|'[^'\\]*(?:\\[\s\S][^'\\]*)*'?|, /g;

/**
 * Numbers that no literal has are written as quotients, which stand in the long form, each cell with its address; so do the cells of
 * types that have no sizes.
 */
function expressionOf(tensor: Tensor): string {
  if (tensor.type.isScalar) return numberOf(tensor.asNumber());
  const isBound = tensor.type.indexed.every(({ size }) => size !== undefined);
  if (isBound && [...tensor.cells()].every(({ value }) => Number.isFinite(value))) return `${tensor}`;
  const kinds = new Map(tensor.type.dimensions.map(({ name, kind }) => [name, kind]));
  const cells = Array.from(tensor.cells(), ({ address, value }) => {
    const labels = Object.entries(address).map(
      ([name, label]) => `${name}:${kinds.get(name) === "mapped" ? labelLiteral(label) : label}`,
    );
    return `{${labels.join(",")}}:${numberOf(value)}`;
  });
  return `${boundType(tensor)}:{${cells.join(", ")}}`;
}

/** The type with the sizes of the value: an expression has no others. */
const boundType = ({ type, sizes }: Tensor): string =>
  `${type}`.replace(/\b(\w+)\[\]/g, (_, name: string) => {
    const size = sizes[type.indexed.findIndex((each) => each.name === name)];
    return `${name}[${size}]`;
  });

function numberOf(value: number): string {
  if (Number.isFinite(value)) return numberText(value);
  return Number.isNaN(value) ? "0/0" : `${value < 0 ? "-" : ""}1/0`;
}

/** The name of a file as that of a value. */
function valueName(file: string): string {
  const base = file.split("/").at(-1)?.split(".")[0] ?? "";
  const words = base.split(/\W+/).filter((word) => word !== "");
  const name = words.join("_");
  if (name === "") return "value";
  return /^\d|^(?:true|false)$/.test(name) ? `value_${name}` : name;
}
