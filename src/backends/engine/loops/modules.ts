import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import type { Code } from "../assembler/code.js";
import { type CompiledModule, type ExportedFunction, webAssembly } from "../assembler/webassembly.js";
import { compiled, type HostFunction } from "../kernels/compilation.js";
import type { Arena } from "../memory/arena.js";

/** What was written for a loop: functions, the first of them exported as `run`, and the JavaScript that they call. */
export interface KernelCode {
  readonly functions: readonly Code[];
  readonly imports: readonly ScalarName[];
}

/** Compiled kernels are cached by what they compute; beyond so many, or keys of so many characters, the oldest are dropped. */
const mostKernels = 1000;
const mostCharacters = 2_000_000;

/** The compiled kernels of an arena. */
export class Modules {
  private characters = 0;
  private readonly kernels = new Map<string, ExportedFunction>();
  private readonly modules = new WeakMap<ExportedFunction, CompiledModule>();

  constructor(private readonly arena: Arena) {}

  /** The module that a kernel is of, if it needs nothing but the memory, so that other threads can have it as well. */
  moduleOf(kernel: ExportedFunction): CompiledModule | undefined {
    return this.modules.get(kernel);
  }

  /**
   * The kernel of a structure, written if it is new; nothing where there is no WebAssembly. Without a structure it is not
   * kept.
   */
  kernel(structure: string | undefined, write: () => KernelCode): ExportedFunction | undefined {
    const cached = structure === undefined ? undefined : this.kernels.get(structure);
    if (cached !== undefined) return cached;
    if (webAssembly === undefined) return undefined;
    const { functions, imports } = write();
    const kernels = compiled(this.arena, functions, imports.map(hostFunction));
    const run = kernels?.functions.run;
    if (run === undefined || kernels === undefined) return undefined;
    if (imports.length === 0) this.modules.set(run, kernels.module);
    if (structure === undefined) return run;
    this.kernels.set(structure, run);
    this.characters += structure.length;
    for (const oldest of this.kernels.keys()) {
      if (this.kernels.size <= mostKernels && this.characters <= mostCharacters) break;
      this.kernels.delete(oldest);
      this.characters -= oldest.length;
    }
    return run;
  }
}

function hostFunction(name: ScalarName): HostFunction {
  const { parameters, compute } = scalarFunctions[name];
  return {
    name,
    parameters: parameters.map(() => "f64"),
    results: ["f64"],
    compute: compute as HostFunction["compute"], // of so many numbers
  };
}
