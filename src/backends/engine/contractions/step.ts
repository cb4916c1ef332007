import { cellTypes } from "../../../language/types/cell.js";
import type { Access } from "../loop.js";
import type { Block } from "../memory/arena.js";
import type { RoleStride, Shape } from "./axes.js";
import { descriptorLength, type Field, fieldAt, roles, sides } from "./descriptor.js";
import type { Library } from "./library.js";
import type { Terms } from "./recognise.js";

/** A contraction that is ready to be lowered. */
export interface Contraction {
  readonly terms: Terms;
  readonly shape: Shape;
}

/** About how many operations of a contraction take a microsecond, where the processor does the least of it at once. */
export const pace = 10_000;

/** The address of an access's first cell, in this run. */
export const addressOf = ({ slot, cellType, offset }: Access): number =>
  slot.block.address + offset * cellTypes[cellType].width;

/** Writes a descriptor, and the tables it names; nothing where memory is at its end. The caller must keep the blocks alive. */
export function writeDescriptor(
  { arena }: Library,
  { terms, shape }: Contraction,
  extraFields: Readonly<Partial<Record<Field, number>>>,
): readonly [Block, ...Block[]] | undefined {
  const numbers = new Int32Array(descriptorLength);
  const tables: Block[] = [];
  const set = (name: Field, value: number): void => {
    numbers[fieldAt[name]] = value;
  };
  for (const role of roles) {
    set(role, shape.sizes[role]);
    for (const side of sides) {
      const stride = shape.strides[side][role];
      const block = tableBlock(stride);
      if (block === "missing") return undefined;
      if (block !== undefined) {
        tables.push(block);
        set(`${side}.${role}.table`, block.address);
      } else if (typeof stride === "number")
        set(`${side}.${role}.stride`, stride * cellTypes[terms[side].cellType].width);
    }
  }
  set("roundsTerms", terms.roundsTerms ? 1 : 0);
  for (const [name, value] of Object.entries(extraFields)) set(name as Field, value); // the keys are fields
  const block = arena.allocate("int", descriptorLength);
  if (block === undefined) return undefined;
  (block.cells as Int32Array).set(numbers); // of cell type int
  return [block, ...tables];

  function tableBlock(stride: RoleStride): Block | "missing" | undefined {
    if (typeof stride === "number") return undefined;
    if (stride.tableBlock !== undefined) return stride.tableBlock.block;
    const allocated = arena.allocate("int", stride.table.length);
    (allocated?.cells as Int32Array | undefined)?.set(stride.table); // of cell type int
    return allocated ?? "missing";
  }
}

/** Whether all of it is one sum, or one for each of a batch. */
export const isDot = ({ shape }: Contraction): boolean => shape.sizes.rows === 1 && shape.sizes.columns === 1;

const termNames = { product: "product", distance: "squared distance", hamming: "hamming distance" } as const;

/** What it is, for a person: "matrix product 128×64×32, float". */
export function descriptionOf(contraction: Contraction): string {
  const { batch, rows, columns, sum } = contraction.shape.sizes;
  const { term, precision } = contraction.terms;
  const times = batch > 1 ? `${batch} times ` : "";
  const name = `${termNames[term]}${isDot(contraction) ? "" : "s"}`;
  const what = term !== "product" ? name : isDot(contraction) ? "dot product" : "matrix product";
  return `${what} ${times}${isDot(contraction) ? sum : `${rows}×${sum}×${columns}`}, ${precision}`;
}
