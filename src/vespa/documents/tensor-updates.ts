import { readTypedValue, type TypedValueOptions } from "../../formats/json/typed-value.js";
import type { JsonValue } from "../../formats/json/value.js";
import { SphexError } from "../../language/source/problem.js";
import { TensorType } from "../../language/types/type.js";
import { Tensor } from "../../language/values/tensor.js";
import { isUnset, notComputed, UpdatedValue } from "./updates.js";

/** What updates make of tensors: cells that are added, removed by their labels, or changed. */

type Address = Readonly<Record<string, string | number>>;

interface OneCell {
  readonly address: Address;
  readonly value: number;
}

/**
 * The tensor that a field has, with all updates of it; nothing where it is unset.
 * @throws SphexError where it is none of the type, or where no tensor is updated so.
 */
export function fedTensor(
  value: JsonValue | undefined,
  type: TensorType,
  options: TypedValueOptions,
): Tensor | undefined {
  if (isUnset(value)) return undefined;
  if (!(value instanceof UpdatedValue)) return read(value, type, options);
  const { change, before } = value;
  const old = fedTensor(before, type, options);
  switch (change.operation) {
    case "add":
      return added(old, value, type, options);
    case "remove":
      return old && removed(old, value);
    case "modify":
      return modified(old, value, type, options);
    default:
      throw new SphexError([notComputed(change)]);
  }
}

function read(value: JsonValue, type: TensorType, options: TypedValueOptions): Tensor {
  const { tree, problems } = readTypedValue(value, type, options);
  if (tree === undefined) throw new SphexError(problems);
  return tree;
}

const cellsOf = (tensor: Tensor | undefined): Iterable<OneCell> => tensor?.cells() ?? [];

/** Cells by their addresses, those that come later in the place of others. */
function byAddress(...all: readonly Iterable<OneCell>[]): Map<string, OneCell> {
  const found = new Map<string, OneCell>();
  for (const cells of all) for (const cell of cells) found.set(keyOf(cell.address), cell);
  return found;
}

const keyOf = (address: Address): string =>
  JSON.stringify(
    Object.entries(address)
      .map(([name, label]) => [name, `${label}`])
      .sort(),
  );

function added(
  old: Tensor | undefined,
  { change }: UpdatedValue,
  type: TensorType,
  options: TypedValueOptions,
): Tensor {
  if (type.mapped.length === 0) throw new SphexError([notComputed(change)]);
  const own = read(change.value, type, options);
  return Tensor.from(type, [...byAddress(cellsOf(old), cellsOf(own)).values()]);
}

/** `{"addresses": [{"x": "a"}]}`: all cells that have these labels. */
function removed(old: Tensor, { change }: UpdatedValue): Tensor {
  const addresses = change.value.member("addresses");
  if (addresses?.kind !== "array" || old.type.mapped.length === 0)
    throw new SphexError([notComputed(change)]);
  const gone = Array.from(addresses.items(), (each) => [...each.entries()]);
  const isGone = ({ address }: OneCell): boolean =>
    gone.some((labels) => labels.every(([name, label]) => `${address[name]}` === label.label));
  return Tensor.from(
    old.type,
    [...cellsOf(old)].filter((each) => !isGone(each)),
  );
}

// biome-ignore format: a table
const changes: Readonly<Record<string, { readonly begin: number; readonly of: (old: number, own: number) => number }>> = {
  replace:  { begin: 0, of: (_, own) => own },
  add:      { begin: 0, of: (old, own) => old + own },
  multiply: { begin: 1, of: (old, own) => old * own },
};

/** Cells that are there are changed, and with `create` others as well, from 0, or 1 for a product. */
function modified(
  old: Tensor | undefined,
  { change }: UpdatedValue,
  type: TensorType,
  options: TypedValueOptions,
): Tensor | undefined {
  const { value } = change;
  const operation = changes[value.member("operation")?.string ?? ""];
  if (operation === undefined) throw new SphexError([notComputed(change)]);
  const creates = value.member("create")?.value === true;
  if (old === undefined && !creates) return undefined;
  const own = [...value.items()].filter(({ key }) => key !== "operation" && key !== "create");
  // Of a dense dimension, too, only some indexes may be changed.
  const sparse = TensorType.of(
    type.cellType,
    type.dimensions.map(({ name }) => ({ name, kind: "mapped" as const })),
  );
  const written = new UpdatedValue("object", own, change, undefined);
  const isCells = value.member("cells") !== undefined;
  const cells = byAddress(cellsOf(old));
  for (const { address, value: by } of read(written, isCells ? sparse : type, options).cells()) {
    const key = keyOf(address);
    const before = cells.get(key)?.value ?? (creates ? operation.begin : undefined);
    if (before !== undefined) cells.set(key, { address, value: operation.of(before, by) });
  }
  return Tensor.from(type, [...cells.values()]);
}
