import type { TensorType } from "../../../language/types/type.js";
import type { Trainable } from "../trainable.js";

/** The dimensions along which inputs of some types have items. */
export function dataDimensions(types: readonly TensorType[]): Pick<Trainable, "unbound" | "mapped"> {
  const unbound = types.flatMap(({ indexed }) =>
    indexed.flatMap(({ name, size }) => (size === undefined ? [name] : [])),
  );
  return { unbound: [...new Set(unbound)], mapped: mappedDimensions(types) };
}

/** The mapped dimensions of some types, and those that all types with labels have. */
function mappedDimensions(types: readonly TensorType[]): Trainable["mapped"] {
  const names = types.flatMap(({ mapped }) => (mapped.length === 0 ? [] : [mapped.map(({ name }) => name)]));
  const all = [...new Set(names.flat())];
  return { all, shared: all.filter((name) => names.every((own) => own.includes(name))) };
}
