import type { TileKernel } from "./tiles/tile-kernel.js";

/** What the machine that kernels run on can do. */
export interface Capabilities {
  /** Whether pairs of vectors become 256-bit instructions. This cannot be detected; the host that switched it on says so. */
  readonly wide: boolean;
  /** Whether there is relaxed SIMD, with a multiplication and an addition in one instruction. */
  readonly relaxed: boolean;
}

// biome-ignore format: a table
const tiles = {
  wide:    { rows: 4, vectors: 4, fused: true },
  relaxed: { rows: 6, vectors: 2, fused: true },
  plain:   { rows: 4, vectors: 2, fused: false },
} as const;

export function kernelFor({ wide, relaxed }: Capabilities): TileKernel {
  if (!relaxed) return tiles.plain;
  return wide ? tiles.wide : tiles.relaxed;
}
