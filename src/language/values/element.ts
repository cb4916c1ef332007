/**
 * Reads that must find something: what is absent is a defect of Sphex, which must not go on as a zero. Where a loop can go over
 * entries, or a record can hold together what belongs together, nothing of this is needed.
 */

/** The element at a position of a list. @throws Error where the list has none. */
export function element<T extends NonNullable<unknown> | null>(list: readonly T[], at: number): T {
  const found = list[at];
  return found === undefined ? absent(at, list.length) : found;
}

/** The value of a key. @throws Error where the map has none. */
export function entry<K, V extends NonNullable<unknown> | null>(map: ReadonlyMap<K, V>, key: K): V {
  const found = map.get(key);
  if (found === undefined) throw new Error("a key has no value");
  return found;
}

/** The value of a key of a record. @throws Error where the record has none. */
export function property<V extends NonNullable<unknown> | null>(
  record: Readonly<Record<string, V>>,
  key: string,
): V {
  const found = record[key];
  if (found === undefined) throw new Error("a record lacks a key");
  return found;
}

// One function for each kind of array that hot loops read: compiled code of a function that meets several kinds tells
// them apart at every read, and takes a multiple of the time. A loop over more kinds has a function of its own.

/** An id, a row or an offset of a column. @throws Error where the column is shorter. */
export function intAt(column: Int32Array, at: number): number {
  const found = column[at];
  return found === undefined ? absent(at, column.length) : found;
}

/** A label, or another text of a list. @throws Error where the list has none. */
export function textAt(texts: readonly string[], at: number): string {
  const found = texts[at];
  return found === undefined ? absent(at, texts.length) : found;
}

/** @throws Error where there are fewer numbers. */
export function numberAt(numbers: Float64Array, at: number): number {
  const found = numbers[at];
  return found === undefined ? absent(at, numbers.length) : found;
}

/** @throws Error where there are fewer floats. */
export function floatAt(floats: Float32Array, at: number): number {
  const found = floats[at];
  return found === undefined ? absent(at, floats.length) : found;
}

/** @throws Error where there are fewer bytes. */
export function byteAt(bytes: Uint8Array, at: number): number {
  const found = bytes[at];
  return found === undefined ? absent(at, bytes.length) : found;
}

/** Reports that a position has nothing. */
export function absent(at: number, length: number): never {
  throw new Error(`there is no element ${at} among ${length}`);
}
