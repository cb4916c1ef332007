import { entry } from "../../../language/values/element.js";
import type { Tensor } from "../../../language/values/tensor.js";
import type { Code } from "../assembler/code.js";
import { type CompiledKernels, compiled } from "../kernels/compilation.js";
import type { Arena, Block } from "../memory/arena.js";

/** Panels of an operand, in memory of their own. */
export interface Panels {
  readonly block: Block;
  /** The block whose cells they have, or the constant. */
  packed: Block | Tensor | undefined;
}

/**
 * The kernels of one arena. They are made for cell types and a shape of the innermost loop, not for sizes, so there are
 * never many; each is compiled when it is first needed. Also the memory that steps work in: as steps run one after the
 * other, they share it.
 */
export class Library {
  private readonly compiled = new Map<string, CompiledKernels>();
  private readonly workspaces = new Map<string, { block: Block; owner: unknown }>();
  /** Of constants the panels that some step has, by what they depend on. */
  readonly panels = new WeakMap<Tensor, Map<string, WeakRef<Panels>>>();

  constructor(readonly arena: Arena) {}

  /** Nothing where there is no WebAssembly. */
  kernels(key: string, codes: () => readonly Code[]): CompiledKernels | undefined {
    const cached = this.compiled.get(key);
    if (cached !== undefined) return cached;
    const entry = compiled(this.arena, codes());
    if (entry !== undefined) this.compiled.set(key, entry);
    return entry;
  }

  /** Makes sure that a shared workspace has so many bytes. */
  reserve(name: string, bytes: number): boolean {
    const current = this.workspaces.get(name);
    if (current !== undefined && current.block.length >= bytes) return true;
    const block = this.arena.allocate("int8", bytes);
    if (block === undefined) return false;
    (block.cells as Int8Array).fill(0); // of cell type int8
    if (current !== undefined) this.arena.dispose(current.block);
    this.workspaces.set(name, { block, owner: undefined });
    return true;
  }

  /** The current address of a reserved workspace. */
  workspaceAddress(name: string): number {
    return entry(this.workspaces, name).block.address;
  }

  /** Claims a workspace. @returns whether another step had it, so that its contents are not the caller's. */
  claim(name: string, owner: unknown): boolean {
    const workspace = this.workspaces.get(name);
    if (workspace === undefined || workspace.owner === owner) return false;
    workspace.owner = owner;
    return true;
  }
}
