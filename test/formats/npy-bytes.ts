import { readNpz } from "../../src/formats/numpy/npz.js";
import type { Problem } from "../../src/language/source/problem.js";

/** Files of NumPy, put together by hand from the description of its format. */

/** A file of version 1 or 2 with this header, filled up as NumPy does, and these bytes of cells in hexadecimal. */
export function npy(header: string, cells: string, version = 1): Uint8Array {
  const before = version === 1 ? 10 : 12;
  const length = Math.ceil((before + header.length + 1) / 64) * 64 - before;
  const hex = cells.replaceAll(" ", "").match(/../g) ?? [];
  return Buffer.concat([
    Buffer.from("\x93NUMPY", "latin1"),
    Buffer.from([version, 0, length & 255, length >> 8, ...(version === 1 ? [] : [0, 0])]),
    Buffer.from(`${header.padEnd(length - 1)}\n`, "latin1"),
    Buffer.from(hex.map((pair) => Number.parseInt(pair, 16))),
  ]);
}

export const header = (descr: string, shape: string, order = "False"): string =>
  `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`;

export const unpacked = (bytes: Uint8Array, options = {}) => readNpz({ name: "a.npz", bytes }, options);
export const one = npy(header("|i1", "(2,)"), "01 02");
export const two = npy(header("|i1", "(2,)"), "03 04");

/** What a test expects of a problem. */
export const told = ({ message, description }: Problem): [string, string | undefined] => [
  message,
  description.found,
];
