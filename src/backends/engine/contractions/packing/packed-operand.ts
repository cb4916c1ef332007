import { cellTypes } from "../../../../language/types/cell.js";
import { precisions } from "../../kernels/precision.js";
import type { Access, Slot } from "../../loop.js";
import { copied } from "../../memory/allocation.js";
import type { Arena } from "../../memory/arena.js";
import type { Library, Panels } from "../library.js";
import { type ProductOptions, packedDepth, tileSizes } from "../product-options.js";
import { addressOf, type Contraction } from "../step.js";

/** The right operand of a product, in panels. */
export interface PackedOperand {
  /** The bytes of one product's panels, where each of a batch has its own; otherwise 0. */
  readonly batchBytes: number;
  /** The columns that panels are made for: some more than there are. */
  readonly padded: number;
  /** Whether it lies in memory of its own, so that nothing else is read once it is packed. */
  readonly isOwn: boolean;
  readonly address: () => number;
  /** Packs it, unless that was done, before the parts from one on are computed. */
  readonly prepare: (from: number, pack: Pack) => void;
}

/** Packs cells from one address to another. */
type Pack = (cells: number, panels: number) => void;

const packedWorkspace = "packed operand";

/** More bytes are not packed; such products are left to other ways. */
const mostPacked = 2 ** 30;

/** Nothing where there is not so much memory. */
export function packedOperand(
  library: Library,
  contraction: Contraction,
  options: ProductOptions,
  isFixed: boolean,
): PackedOperand | undefined {
  const { terms, shape } = contraction;
  const { batch, columns, sum } = shape.sizes;
  const { columns: panel } = tileSizes(options);
  const padded = paddedTo(columns, panel);
  const productBytes = padded * sum * precisions[options.precision].width;
  const packings = shape.strides.right.batch === 0 ? 1 : batch;
  const bytes = packings * productBytes + 64;
  if (bytes > mostPacked) return undefined;
  const { right } = terms;
  const panels = isFixed ? panelsOf(library, right.slot, layoutOf(contraction, options), bytes) : undefined;
  if (panels === undefined && !library.reserve(packedWorkspace, bytes)) return undefined;
  const storage = panels === undefined ? shared(library, right) : own(library.arena, right, panels);
  return { ...storage, batchBytes: packings > 1 ? productBytes : 0, padded };
}

/** The least multiple that is not less than a size. */
export const paddedTo = (size: number, multiple: number): number => Math.ceil(size / multiple) * multiple;

type PanelStorage = Pick<PackedOperand, "isOwn" | "address" | "prepare">;

/** In the memory that all steps share: packed again where another step was there meanwhile. */
function shared(library: Library, right: Access): PanelStorage {
  const owner = {};
  const address = (): number => library.workspaceAddress(packedWorkspace);
  const prepare = (from: number, pack: Pack): void => {
    const wasTaken = library.claim(packedWorkspace, owner);
    if (from === 0 || wasTaken) pack(addressOf(right), address());
  };
  return { isOwn: false, address, prepare };
}

/** In panels of its own, of what is the same in all runs. */
function own(arena: Arena, right: Access, panels: Panels): PanelStorage {
  const { slot, cellType, offset } = right;
  const address = (): number => panels.block.address;
  const prepare = (_from: number, pack: Pack): void => {
    const cells = slot.constant ?? slot.block;
    if (panels.packed === cells) return;
    if (slot.unloaded === undefined) pack(addressOf(right), address());
    else {
      // The panels are all that is needed of its cells from now on.
      const block = copied(arena, slot.unloaded);
      pack(block.address + offset * cellTypes[cellType].width, address());
      arena.dispose(block);
    }
    panels.packed = cells;
  };
  return { isOwn: true, address, prepare };
}

/** The panels of a constant are the same for all steps that would pack it alike. */
function panelsOf(
  { arena, panels }: Library,
  { constant }: Slot,
  layout: string | undefined,
  bytes: number,
): Panels | undefined {
  const ofConstant = constant && (panels.get(constant) ?? new Map<string, WeakRef<Panels>>());
  const cached = layout === undefined ? undefined : ofConstant?.get(layout)?.deref();
  if (cached !== undefined) return cached;
  const block = arena.allocate("int8", bytes);
  if (block === undefined) return undefined;
  const created = { block, packed: undefined };
  if (constant !== undefined && ofConstant !== undefined && layout !== undefined) {
    panels.set(constant, ofConstant.set(layout, new WeakRef<Panels>(created)));
  }
  return created;
}

/** All that panels depend on but the cells; nothing where cells go by a table. */
function layoutOf(
  { terms: { right }, shape: { sizes, strides } }: Contraction,
  options: ProductOptions,
): string | undefined {
  const { batch, columns, sum } = strides.right;
  if ([batch, columns, sum].some((stride) => typeof stride !== "number")) return undefined;
  const { precision } = options;
  const packings = batch === 0 ? 1 : sizes.batch;
  const numbers = [right.offset, batch, columns, sum, packings, sizes.columns, sizes.sum];
  return [precision, right.cellType, packedDepth[precision], tileSizes(options).columns, ...numbers].join();
}
