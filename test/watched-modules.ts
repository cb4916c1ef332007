import { webAssembly } from "../src/backends/engine/assembler/webassembly.js";

/** What the engine made that is no WebAssembly: it does without it, and is right but slow. */
let invalid: string | undefined;
let isWatching = false;

/** Sees all modules that are compiled from now on. */
export function watchModules(): void {
  if (webAssembly === undefined || isWatching) return;
  isWatching = true;
  const watched = new Proxy(webAssembly.Module, {
    construct: (Module, [bytes]: [Uint8Array<ArrayBuffer>]) => {
      try {
        return new Module(bytes);
      } catch (error) {
        invalid = `${error}`;
        throw error;
      }
    },
  });
  Reflect.set(webAssembly, "Module", watched);
}

/** What was wrong with a module since this was asked before; nothing where all were well. */
export function invalidModule(): string | undefined {
  const message = invalid;
  invalid = undefined;
  return message;
}
