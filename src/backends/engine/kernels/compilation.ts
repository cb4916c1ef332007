import { Code } from "../assembler/code.js";
import { moduleBytes } from "../assembler/module.js";
import { type CompiledModule, type ExportedFunction, webAssembly } from "../assembler/webassembly.js";
import type { Arena } from "../memory/arena.js";

/** Functions that are compiled, on the memory of an arena. */
export interface CompiledKernels {
  readonly module: CompiledModule;
  readonly functions: Readonly<Record<string, ExportedFunction>>;
}

/**
 * Compiles functions as a module of their own; nothing where there is no WebAssembly, or where it does not take the
 * module, which may have grown beyond what is allowed.
 */
export function compiled(
  { memory, isShared, maximumPages }: Arena,
  codes: readonly Code[],
): CompiledKernels | undefined {
  if (webAssembly === undefined || memory === undefined) return undefined;
  const bytes = moduleBytes(codes, { shared: isShared, maximumPages });
  try {
    const module = new webAssembly.Module(bytes);
    return { module, functions: new webAssembly.Instance(module, { m: { memory } }).exports };
  } catch {
    return undefined;
  }
}

/** Functions that are compiled for an arena where they are first asked for, and serve all plans of it. */
export function compiledPerArena(
  codes: () => readonly Code[],
): (arena: Arena) => CompiledKernels | undefined {
  const ofArenas = new WeakMap<Arena, CompiledKernels | undefined>();
  return (arena) => {
    if (!ofArenas.has(arena)) ofArenas.set(arena, compiled(arena, codes()));
    return ofArenas.get(arena);
  };
}

let multipliesAndAdds: boolean | undefined;

/** Whether this WebAssembly adds a product in one instruction (relaxed SIMD): whether it takes a function that does. */
export function hasMultiplyAdd(): boolean {
  multipliesAndAdds ??= webAssembly?.validate(moduleBytes([probe()], { shared: false, maximumPages: 1 }));
  return multipliesAndAdds ?? false;
}

function probe(): Code {
  const code = new Code("run", ["v128"], ["v128"]);
  return code.get(0).get(0).get(0).do("f64x2.relaxed_madd");
}
