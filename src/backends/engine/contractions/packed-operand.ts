import { cellTypes } from "../../../language/types/cell.js";
import type { Tensor } from "../../../language/values/tensor.js";
import { precisions } from "../kernels/precision.js";
import type { Slot } from "../loop.js";
import { type Arena, MemoryFull } from "../memory/arena.js";
import type { Library, Panels } from "./library.js";
import { type ProductOptions, packedDepth, tileSizes } from "./product-options.js";
import { addressOf, type Contraction } from "./step.js";

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
  const padded = Math.ceil(columns / panel) * panel;
  const productBytes = padded * sum * precisions[options.precision].width;
  const packings = shape.strides.right.batch === 0 ? 1 : batch;
  const bytes = packings * productBytes + 64;
  if (bytes > mostPacked) return undefined;
  const sizes = { batchBytes: packings > 1 ? productBytes : 0, padded };
  const { slot } = terms.right;
  if (!isFixed)
    return library.reserve(packedWorkspace, bytes)
      ? new SharedPanels(library, contraction, sizes)
      : undefined;
  const panels = panelsOf(library, slot, layoutOf(contraction, options), bytes);
  return panels === undefined ? undefined : new FixedPanels(library.arena, contraction, sizes, panels);
}

type Sizes = Pick<PackedOperand, "batchBytes" | "padded">;

/** In the memory that all steps share: it is packed again where another step was there meanwhile. */
class SharedPanels implements PackedOperand {
  readonly isOwn = false;
  readonly batchBytes: number;
  readonly padded: number;

  constructor(
    private readonly library: Library,
    private readonly contraction: Contraction,
    { batchBytes, padded }: Sizes,
  ) {
    this.batchBytes = batchBytes;
    this.padded = padded;
  }

  readonly address = (): number => this.library.workspaceAddress(packedWorkspace);

  prepare(from: number, pack: Pack): void {
    const wasTaken = this.library.claim(packedWorkspace, this);
    if (from === 0 || wasTaken) pack(addressOf(this.contraction.terms.right), this.address());
  }
}

/** Of what is the same in all runs. */
class FixedPanels implements PackedOperand {
  readonly isOwn = true;
  readonly batchBytes: number;
  readonly padded: number;

  constructor(
    private readonly arena: Arena,
    private readonly contraction: Contraction,
    { batchBytes, padded }: Sizes,
    private readonly panels: Panels,
  ) {
    this.batchBytes = batchBytes;
    this.padded = padded;
  }

  readonly address = (): number => this.panels.block.address;

  prepare(_from: number, pack: Pack): void {
    const { panels } = this;
    const { right } = this.contraction.terms;
    const { slot, offset } = right;
    const cells = slot.constant ?? slot.block;
    if (panels.packed === cells) return;
    if (slot.unloaded === undefined) pack(addressOf(right), this.address());
    else {
      // The panels are all that is needed of its cells from now on.
      const { unloaded } = slot;
      const block = this.arena.allocate(right.cellType, cellsOf(unloaded));
      if (block === undefined) throw new MemoryFull();
      unloaded.copyTo(block.cells);
      pack(block.address + offset * cellTypes[right.cellType].width, this.address());
      this.arena.dispose(block);
    }
    panels.packed = cells;
  }
}

const cellsOf = ({ rows, blockCells }: Tensor): number => rows * blockCells;

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
