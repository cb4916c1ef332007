import type { Code } from "../assembler/code.js";
import { type CompiledModule, type ExportedFunction, webAssembly } from "../assembler/webassembly.js";
import { compiled } from "../kernels/compilation.js";
import type { Arena } from "../memory/arena.js";

/** A function that was written and compiled for loops of a structure, and its module, for other threads to have it as well. */
export interface Kernel {
  readonly call: ExportedFunction;
  readonly module: CompiledModule;
}

/** Compiled kernels are cached by what they compute; beyond so many, or keys of so many characters, the oldest are dropped. */
const mostKernels = 1000;
const mostCharacters = 2_000_000;

/** The compiled kernels of an arena. */
export class Modules {
  private characters = 0;
  private readonly kernels = new Map<string, Kernel>();

  constructor(private readonly arena: Arena) {}

  /**
   * The kernel of a structure, written if it is new: functions, the first of them exported as `run`. Nothing where there is
   * no WebAssembly. Without a structure it is not kept.
   */
  kernel(structure: string | undefined, write: () => readonly Code[]): Kernel | undefined {
    const cached = structure === undefined ? undefined : this.kernels.get(structure);
    if (cached !== undefined) return cached;
    if (webAssembly === undefined) return undefined;
    const written = compiled(this.arena, write());
    const call = written?.functions.run;
    if (call === undefined || written === undefined) return undefined;
    const kernel = { call, module: written.module };
    if (structure === undefined) return kernel;
    this.kernels.set(structure, kernel);
    this.characters += structure.length;
    for (const oldest of this.kernels.keys()) {
      if (this.kernels.size <= mostKernels && this.characters <= mostCharacters) break;
      this.kernels.delete(oldest);
      this.characters -= oldest.length;
    }
    return kernel;
  }
}
