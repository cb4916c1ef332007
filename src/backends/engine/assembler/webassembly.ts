/** The part of WebAssembly that the engine uses, typed here because the library compiles without the types of a page. */
export interface Memory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/** A compiled module: opaque, and sendable to other threads. */
export interface CompiledModule {
  readonly isWebAssemblyModule?: never;
}

export type ExportedFunction = (...values: number[]) => number;

interface WebAssemblyInterface {
  readonly Memory: new (size: { initial: number; maximum: number; shared: boolean }) => Memory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => CompiledModule;
  readonly Instance: new (
    module: CompiledModule,
    imports: { m: { memory: Memory } },
  ) => { readonly exports: Readonly<Record<string, ExportedFunction>> };
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

/** Whether the collector tells what it has found: without it, blocks of a memory could never be used again. */
export const hasFinalization = typeof FinalizationRegistry !== "undefined";

/** Nothing where there is no WebAssembly, or nothing that tells when its memory is free. */
export const webAssembly = hasFinalization
  ? (globalThis as unknown as { WebAssembly?: WebAssemblyInterface }).WebAssembly
  : undefined;
