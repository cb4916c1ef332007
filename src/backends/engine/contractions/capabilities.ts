import type { TileKernel } from "./tile.js";

/** What the machine that kernels run on can do. */
export interface Capabilities {
  /** Whether pairs of vectors become 256-bit instructions. This cannot be detected; the host that switched it on says so. */
  readonly wide: boolean;
  /** Whether there is relaxed SIMD, with a multiplication and an addition in one instruction. */
  readonly relaxed: boolean;
}

// biome-ignore format: a table
export const kernels: readonly { readonly when: (capabilities: Capabilities) => boolean; readonly kernel: TileKernel }[] = [
  { when: ({ wide, relaxed }) => wide && relaxed, kernel: { rows: 4, vectors: 4, unroll: 1, fused: true } },
  { when: ({ relaxed }) => relaxed,               kernel: { rows: 6, vectors: 2, unroll: 1, fused: true } },
  { when: () => true,                             kernel: { rows: 4, vectors: 2, unroll: 1, fused: false } },
];

export function kernelFor(capabilities: Capabilities): TileKernel {
  const row = kernels.find(({ when }) => when(capabilities));
  return row?.kernel ?? { rows: 4, vectors: 2, unroll: 1, fused: false };
}
