import type { CompiledModule, ExportedFunction } from "../assembler/webassembly.js";

/**
 * How a step can be done by several threads at once, each computing parts that no other writes to. The result of a part
 * must not depend on which thread does it, nor on which parts are done together: so results are the same for any number
 * of threads.
 */
export interface Division {
  /** Imports nothing but the memory. */
  readonly module: CompiledModule;
  /** The exported function that does parts. */
  readonly entry: string;
  /** The same function, for the thread that the step was made on. */
  readonly call: ExportedFunction;
  /** Bytes of zeroed memory that each thread needs for itself while it does parts. */
  readonly scratchBytes: number;
  /** About how many of the step's operations take a microsecond. */
  readonly pace: number;
  /** To be called before parts are done, with the first of them: makes what all parts share. */
  readonly prepare: (from: number) => void;
  /** The values that the function is called with to do these parts, with scratch memory at an address. */
  readonly values: (from: number, to: number, scratch: number) => readonly number[];
  /** From this part on, and at the end in any case, the step itself is run; otherwise all parts can be divided. */
  readonly serialFrom?: number;
}
