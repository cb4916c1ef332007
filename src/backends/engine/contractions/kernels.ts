import { Code } from "../assembler/code.js";
import { moduleBytes } from "../assembler/module.js";
import { webAssembly } from "../assembler/webassembly.js";
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

/** Whether this machine has relaxed SIMD: whether it takes a function that uses it. */
export function hasRelaxed(): boolean {
  const probe = new Code("probe", []);
  const zero = (): Code => probe.v128("i32x4", 0);
  zero();
  zero();
  zero().do("f64x2.relaxed_madd", "drop");
  return webAssembly?.validate(moduleBytes([probe], { shared: false, maximumPages: 1 })) ?? false;
}

export function kernelFor(capabilities: Capabilities): TileKernel {
  const row = kernels.find(({ when }) => when(capabilities));
  return row?.kernel ?? { rows: 4, vectors: 2, unroll: 1, fused: false };
}
