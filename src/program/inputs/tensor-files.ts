import { Meter } from "../../backends/meter.js";
import { isBytesFormat, readAs, requireFormat, type TensorFormat } from "../../formats/interchange.js";
import { readNpz as readArchive } from "../../formats/numpy/npz.js";
import { sampleOf } from "../../formats/sample.js";
import type { Store } from "../../language/limits/spend.js";
import { requireArgument } from "../../language/source/arguments.js";
import { type OptionRules, object, text, texts } from "../../language/source/option-rule.js";
import { TensorType } from "../../language/types/type.js";
import { requireType } from "../../language/values/arguments.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { checkLimitedOptions, dialect } from "../option-rules.js";
import { emptyScalar, limitsOf, type Options, parseType, unwrapped, writtenAxes } from "../options.js";
import { tensorOf } from "./inputs.js";

/** Tensors in files, for hosts: read as a type that is passed, or as the type in the file. */

/** The name of a file, the type of its tensor, and the limits for it. */
export interface ReadOptions extends Pick<Options, "dialect" | "limits"> {
  /** The type of the tensor: required by formats without types, and otherwise what the tensor must fit. */
  readonly type?: TensorType | string;
  /**
   * Of an array, which an .npy or .npz file, a literal without a type and a JSON array are: the dimension of each axis,
   * outermost first. By default, those of a type passed as text, as they are written there, of any other type in canonical
   * order, and of .npy without a type `d0`, `d1` and so on. Vespa's JSON forms have canonical order always.
   */
  readonly axes?: readonly string[];
  /** The name of the file in messages. */
  readonly name?: string;
}

// biome-ignore format: a table
const readRules: OptionRules<ReadOptions> = {
  type:   { form: "a TensorType, or its text", holds: (value) => typeof value === "string" || value instanceof TensorType },
  axes:   texts,
  name:   text,
  limits: object,
  dialect,
};

/** How a tensor is read from an archive. */
export interface NpzReadOptions extends ReadOptions {
  /** The name of the array to read, where there are several. */
  readonly array?: string;
}

const npzRules: OptionRules<NpzReadOptions> = { ...readRules, array: text };

/**
 * Reads a tensor from a file's text or bytes.
 * @throws SphexError where it is not a tensor, or does not fit the type.
 */
export function readTensor(
  data: string | Uint8Array,
  format: TensorFormat,
  options: ReadOptions = {},
): Tensor {
  requireFormat(format);
  checkLimitedOptions("readTensor", options, readRules);
  const isData = typeof data === "string" || data instanceof Uint8Array;
  requireArgument("readTensor", isBytesFormat(format) ? "bytes" : "text", data, isData);
  const { name = format } = options;
  const request = requestOf(options);
  const { store, span } = fileMeter(name, data, options);
  const tensor = unwrapped(readAs(format, name, data, request));
  store(tensor.bytes, span);
  return request.type === undefined ? tensor : tensorOf(name, tensor, { type: request.type }, options);
}

/**
 * Reads a tensor from an archive of NumPy arrays: its one array, the one that is named, or for a type with one mapped
 * dimension all of them, by label.
 * @throws SphexError where it is not a tensor, does not fit the type, or unpacks to more than the limits of cells and bytes allow.
 */
export async function readNpz(bytes: Uint8Array, options: NpzReadOptions = {}): Promise<Tensor> {
  requireArgument("readNpz", "bytes", bytes, bytes instanceof Uint8Array);
  checkLimitedOptions("readNpz", options, npzRules);
  const { name = "npz", array } = options;
  const { type, axes, cells } = requestOf(options);
  const { store, span } = fileMeter(name, bytes, options);
  const read = { type, axes, array, most: 8 * cells, store };
  const tensor = unwrapped(await readArchive({ name, bytes }, read));
  store(tensor.bytes, span);
  return tensor;
}

/**
 * An example of a type: two labels where it is mapped, two indexes where its size is open; cells count from 1 to 99, again and again.
 * @throws SphexError where the text is no type, or a block would have more than a million cells.
 */
export function sampleTensor(type: TensorType | string): Tensor {
  requireType("sampleTensor", type);
  return sampleOf(typeof type === "string" ? parseType(type) : type);
}

/** Counts the bytes of a file, and what they become. */
export function fileMeter(name: string, data: string | Uint8Array, options: Pick<ReadOptions, "limits">) {
  const meter = new Meter(limitsOf(options));
  const span = spanOfText(name, "");
  const store: Store = (bytes, at) => meter.store(bytes, at);
  store(typeof data === "string" ? 2 * data.length : data.length, span);
  return { store, span };
}

function requestOf(options: ReadOptions) {
  const { type, axes } = options;
  const isStringInput = typeof type === "string";
  return {
    type: isStringInput ? parseType(type) : type,
    axes: axes ?? (isStringInput ? writtenAxes(type) : undefined),
    empty: emptyScalar(options.dialect),
    cells: limitsOf(options).cells,
  };
}
