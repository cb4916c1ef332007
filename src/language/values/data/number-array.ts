import { type CellArray, type CellType, cellTypeNames, cellTypes, readCell } from "../../types/cell.js";

/** Any typed array of numbers. */
export type NumberArray = CellArray | Uint8Array | Uint8ClampedArray | Uint32Array;

/**
 * The cell types that hold every number that an array of a class may have. Of 16 bits without a sign nobody knows whether
 * they are numbers, or the bits of cells of bfloat16 or half: they only become what they are the cells of.
 */
// biome-ignore format: a table
const holders: readonly { readonly class: { new (length: number): NumberArray }; readonly types: readonly CellType[] }[] = [
  { class: Float64Array,      types: holdersOf("double") },
  { class: Float32Array,      types: holdersOf("float") },
  { class: Int8Array,         types: holdersOf("int8") },
  { class: Int16Array,        types: holdersOf("short") },
  { class: Int32Array,        types: holdersOf("int") },
  { class: BigInt64Array,     types: ["long"] },
  { class: Uint8Array,        types: ["double", "float", "bfloat16", "half", "short", "int", "long"] },
  { class: Uint8ClampedArray, types: ["double", "float", "bfloat16", "half", "short", "int", "long"] },
  { class: Uint32Array,       types: ["double", "long"] },
];

function holdersOf(held: CellType): readonly CellType[] {
  return cellTypeNames.filter((type) => cellTypes[type].holds.includes(held));
}

/** Whether all numbers of an array can be cells of a type as they are. */
export function isHeld(array: NumberArray, type: CellType): boolean {
  if (isCellArray(array, type)) return true;
  return holders.some((row) => array instanceof row.class && row.types.includes(type));
}

/** Whether an array is of the class that has the cells of a type. */
export const isCellArray = (array: NumberArray, type: CellType): array is CellArray =>
  array.constructor === cellTypes[type].allocate(0).constructor;

/**
 * The numbers of an array among nested ones, which are stored by the rule of the cell type, or those whose bits it has: not
 * to be written to, since an array of doubles is itself; nothing where nobody knows which of these it has, or where it has numbers that no cell type holds.
 */
export function numbersIn(array: NumberArray, type: CellType): Float64Array | undefined {
  if (array.length === 0) return new Float64Array(0);
  if (array instanceof Float64Array) return array;
  const isOwn = isCellArray(array, type);
  if (isOwn && cellTypes[type].encoding !== undefined)
    return Float64Array.from({ length: array.length }, (_, at) => readCell(type, array, at));
  if (!isOwn && !holders.some((row) => array instanceof row.class)) return undefined;
  return array instanceof BigInt64Array ? Float64Array.from(array, Number) : new Float64Array(array);
}

/** Whether a value is a typed array, as which a DataView does not count. */
export const isNumberArray = (value: unknown): value is NumberArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);
