import type { Store } from "../../language/limits/spend.js";
import { requireObject } from "../../language/source/arguments.js";
import { append } from "../../language/source/lists.js";
import { boolean, checkCallOptions, type OptionRules, object } from "../../language/source/option-rule.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Parsed } from "../../language/syntax/parse.js";
import { cellTypes } from "../../language/types/cell.js";
import { TensorType } from "../../language/types/type.js";
import { requireTensor } from "../../language/values/arguments.js";
import { copyCells } from "../../language/values/data/array-cells.js";
import { axisOrder } from "../../language/values/data/axis-order.js";
import { Tensor } from "../../language/values/tensor.js";
import type { BytesFile } from "../bytes.js";
import { problem, refuseTensor } from "../messages.js";
import { type NpyOptions, readNpy, readNpyCells, writeNpy, writeNpyCells } from "./npy.js";
import { unzip, unzipStored } from "./zip.js";

/**
 * NumPy's archives of named arrays: zip files of .npy files. One array is a tensor with indexed dimensions; all of them
 * together are a tensor with one mapped dimension more, whose labels are their names.
 */

export interface NpzOptions extends NpyOptions {
  /** The name of the array to read, where the type does not ask for all and there are several. */
  readonly array?: string | undefined;
  /** The most bytes that the arrays may be when they are unpacked. */
  readonly most?: number | undefined;
  /** Counts the bytes of each array before it is unpacked. */
  readonly store?: Store | undefined;
}

/** Eight bytes for each cell that a tensor may have. */
const mostBytes = 400_000_000;

export async function readNpz(file: BytesFile, options: NpzOptions = {}): Promise<Parsed<Tensor>> {
  try {
    const arrays = await unpacked(file, options);
    const { type } = options;
    if (type === undefined || type.isDense || options.array !== undefined)
      return readNpy(only(file, arrays, options), options);
    return { tree: labelled(file, arrays, type, options), problems: [] };
  } catch (error) {
    if (error instanceof SphexError) return { tree: undefined, problems: error.problems };
    throw error;
  }
}

/** One array of an archive that is not compressed, at once. */
export function readStoredArray(file: BytesFile, array: string, options: NpzOptions = {}): Parsed<Tensor> {
  const { most = mostBytes, store = () => undefined } = options;
  try {
    const names: string[] = [];
    const isRequested = (name: string): boolean => {
      names.push(name.slice(0, -".npy".length));
      return name === `${array}.npy`;
    };
    const bytes = unzipStored(file, isRequested, most, store).get(`${array}.npy`);
    if (bytes !== undefined) return readNpy({ name: `${file.name} ${array}`, bytes }, options);
    throw new SphexError([problem("bytes/array", spanIn(file.name), { array, arrays: names })]);
  } catch (error) {
    if (error instanceof SphexError) return { tree: undefined, problems: error.problems };
    throw error;
  }
}

type Arrays = ReadonlyMap<string, Uint8Array>;

/** The arrays of an archive by name. */
async function unpacked(
  file: BytesFile,
  { most = mostBytes, store = () => undefined }: NpzOptions,
): Promise<Arrays> {
  const files = await unzip(file, (name) => name.endsWith(".npy"), most, store);
  return new Map([...files].map(([name, content]) => [name.slice(0, -".npy".length), content]));
}

function spanIn(name: string) {
  return { source: { name, text: "" }, start: 0, end: 0 };
}

/** The array that is asked for, or the one that there is. */
function only({ name }: BytesFile, arrays: Arrays, { array }: NpzOptions): BytesFile {
  const [first] = arrays.keys();
  const requested = array ?? (arrays.size === 1 ? first : undefined);
  const bytes = requested === undefined ? undefined : arrays.get(requested);
  if (requested !== undefined && bytes !== undefined) return { name: `${name} ${requested}`, bytes };
  throw new SphexError([problem("bytes/array", spanIn(name), { array, arrays: [...arrays.keys()] })]);
}

function labelled(file: BytesFile, arrays: Arrays, type: TensorType, { axes }: NpzOptions): Tensor {
  if (type.mapped.length > 1) return refuseTensor("npz", type, "one mapped");
  axisOrder(type, axes); // refuses axes that are not the type's
  const { cellType } = type;
  const block = TensorType.of(cellType, type.indexed);
  const inner = axes?.filter((name) => block.dimension(name) !== undefined) ?? block.names;
  const sorted = [...arrays].sort(([left], [right]) => (left < right ? -1 : 1));
  const problems: Problem[] = [];
  // The first array says how far open dimensions reach; without any, nothing does.
  let sizes: readonly number[] | undefined;
  let data = cellTypes[cellType].allocate(0);
  for (const [row, [label, bytes]] of sorted.entries()) {
    const entry = { name: `${file.name} ${label}`, bytes };
    const { tree: read, problems: own } = readNpyCells(entry, block, inner, cellType, sizes);
    append(problems, own);
    if (read === undefined) continue;
    if (sizes === undefined) data = cellTypes[cellType].allocate(sorted.length * read.cells.length);
    sizes = read.sizes;
    copyCells(read.cells, data, row * read.cells.length);
  }
  if (problems.length > 0) throw new SphexError(problems);
  sizes ??= block.indexed.map(({ size = 0 }) => size);
  const labels = sorted.map(([label]) => [label]);
  return Tensor.of(type, sizes, labels, data);
}

/** The directory of an archive counts its files, and the bytes of their names, in 16 bits. */
const mostFiles = 65_534;
const longestName = 65_000;

const byteLength = (text: string): number => new TextEncoder().encode(text).length;

/** The name of the array of a tensor without labels. */
const plainName = "tensor";

/** How an archive is written. */
export interface NpzWriteOptions {
  /** Whether its arrays are stored as they are; they are compressed unless this is true. */
  readonly isStored?: boolean;
  /** The order of the axes of arrays, by name; that of the type, which is alphabetical, for all others. */
  readonly axes?: Readonly<Record<string, readonly string[]>>;
}

const writeRules: OptionRules<NpzWriteOptions> = { isStored: boolean, axes: object };

/**
 * Tensors as an archive, an array for each under its name; one that is only stored can be read at once, as by `file(…)`.
 * @throws SphexError where one of them has mapped dimensions, or axes are not those of its tensor.
 */
export async function writeNpzOf(
  tensors: Readonly<Record<string, Tensor>>,
  options: NpzWriteOptions = {},
): Promise<Uint8Array> {
  requireObject("writeNpzOf", tensors);
  checkCallOptions("writeNpzOf", options, writeRules);
  const { isStored = false, axes = {} } = options;
  for (const tensor of Object.values(tensors)) requireTensor("writeNpzOf", tensor);
  const { zipSync } = await import("./deflate.js");
  const arrays = Object.entries(tensors).map(([name, tensor]) => {
    const own = Object.hasOwn(axes, name) ? axes[name] : undefined;
    return [`${name}.npy`, writeNpy(tensor, own)] as const;
  });
  const level = isStored ? { level: 0 as const } : {};
  return zipSync(Object.fromEntries(arrays), { mtime: "1980-01-01T00:00:00", ...level });
}

/**
 * A tensor as an archive: one array, or one for each label of a mapped dimension.
 * @throws SphexError where there are several mapped dimensions.
 */
export async function writeNpz(tensor: Tensor, axes?: readonly string[]): Promise<Uint8Array> {
  requireTensor("writeNpz", tensor);
  const { type, sizes, blockCells, data } = tensor;
  if (type.mapped.length > 1) return refuseTensor("npz", type, "one mapped");
  if (tensor.labels.length > mostFiles) refuseTensor("npz", type, "labels of an archive");
  const { indexed: order } = axisOrder(type, axes);
  const { zipSync } = await import("./deflate.js");
  const arrays = tensor.labels.map(([label = plainName], row): [string, Uint8Array] => {
    if (/\p{Cs}/u.test(label)) refuseTensor("npz", type, "whole characters");
    // To the library of Python a name ends there.
    const hasEnd = label.includes("\0");
    if (hasEnd || (3 * label.length > longestName && byteLength(label) > longestName))
      refuseTensor("npz", type, "labels of an archive");
    const cells = data.slice(row * blockCells, (row + 1) * blockCells);
    return [`${label}.npy`, writeNpyCells(type.cellType, sizes, order, cells)];
  });
  // A fixed time, so that the same tensor makes the same bytes.
  return zipSync(Object.fromEntries(arrays), { mtime: "1980-01-01T00:00:00" });
}
