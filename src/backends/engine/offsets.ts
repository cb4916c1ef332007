/**
 * The offsets of the cells at all indexes of some axes, the last axis fastest. How far apart cells along an axis are is a
 * number or a table, which a plan and a machine hold in different forms: `along` reads it.
 */
export function offsetsOfAll<S>(
  axes: readonly { readonly size: number; readonly stride: S }[],
  along: (stride: S, index: number) => number,
  first = 0,
): Int32Array {
  let offsets = Int32Array.of(first);
  for (const { size, stride } of axes) {
    const next = new Int32Array(offsets.length * size);
    let at = 0;
    for (const offset of offsets)
      for (let index = 0; index < size; index++) next[at++] = offset + along(stride, index);
    offsets = next;
  }
  return offsets;
}
