import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import { Code } from "../assembler/code.js";
import { type Imported, type ModuleOptions, moduleBytes } from "../assembler/module.js";
import { type CompiledModule, type ExportedFunction, webAssembly } from "../assembler/webassembly.js";
import type { Arena } from "../memory/arena.js";

/** What was written for a loop: functions, the first of them exported as `run`, and the JavaScript that they call. */
export interface KernelCode {
  readonly functions: readonly Code[];
  readonly imports: readonly ScalarName[];
}

/** Compiled kernels are cached by what they compute; beyond so many, or keys of so many characters, the oldest are dropped. */
const mostKernels = 1000;
const mostCharacters = 2_000_000;

type HostWebAssembly = NonNullable<typeof webAssembly>;

/** The compiled kernels of an arena. */
export class Modules {
  private multiplyAdd: boolean | undefined;
  private characters = 0;
  private readonly kernels = new Map<string, ExportedFunction>();
  private readonly modules = new WeakMap<ExportedFunction, CompiledModule>();

  constructor(private readonly arena: Arena) {}

  /** Whether this WebAssembly can add a product in one instruction (relaxed SIMD). */
  get hasMultiplyAdd(): boolean {
    this.multiplyAdd ??= webAssembly?.validate(moduleBytes([probe()], optionsOf(this.arena))) === true;
    return this.multiplyAdd;
  }

  /** The module that a kernel is of, if it needs nothing but the memory, so that other threads can have it as well. */
  moduleOf(kernel: ExportedFunction): CompiledModule | undefined {
    return this.modules.get(kernel);
  }

  /**
   * The kernel of a structure, written if it is new; nothing where there is no WebAssembly. Without a structure it is not
   * kept.
   */
  kernel(structure: string | undefined, write: () => KernelCode): ExportedFunction | undefined {
    const { memory } = this.arena;
    if (webAssembly === undefined || memory === undefined) return undefined;
    const cached = structure === undefined ? undefined : this.kernels.get(structure);
    if (cached !== undefined) return cached;
    const { functions, imports } = write();
    const imported = imports.map(
      (name): Imported => ({
        name,
        parameters: scalarFunctions[name].parameters.map(() => "f64"),
        results: ["f64"],
      }),
    );
    const bytes = moduleBytes(functions, { imports: imported, ...optionsOf(this.arena) });
    const f = Object.fromEntries(
      imports.map((name) => [name, scalarFunctions[name].compute as (...values: number[]) => number]),
    );
    const { run, module } = instantiate(webAssembly, bytes, { m: { memory }, f }) ?? {};
    if (run === undefined || module === undefined) return undefined;
    if (imports.length === 0) this.modules.set(run, module);
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

function optionsOf({ isShared, maximumPages }: Arena): ModuleOptions {
  return { shared: isShared, maximumPages };
}

function probe(): Code {
  const code = new Code("run", ["v128"], ["v128"]);
  return code.get(0).get(0).get(0).do("f64x2.relaxed_madd");
}

/** Nothing where V8 does not take the module: it may have grown beyond what is allowed. */
function instantiate(
  { Module, Instance }: HostWebAssembly,
  bytes: Uint8Array<ArrayBuffer>,
  imports: ConstructorParameters<HostWebAssembly["Instance"]>[1],
): { readonly run: ExportedFunction | undefined; readonly module: CompiledModule } | undefined {
  try {
    const module = new Module(bytes);
    return { run: new Instance(module, imports).exports.run, module };
  } catch {
    return undefined;
  }
}
