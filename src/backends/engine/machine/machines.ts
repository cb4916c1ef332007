import { webAssembly } from "../assembler/webassembly.js";
import { contractions } from "../contractions/lowering.js";
import { skippingZeros } from "../contractions/skipping.js";
import type { Slot } from "../loop.js";
import { fusedLoops } from "../loops/lowering.js";
import { segmentLoops } from "../loops/segments.js";
import { Arena } from "../memory/arena.js";
import { divided } from "../threads/divided-step.js";
import { Pool } from "../threads/pool.js";
import type { Lowerings, Machine } from "./tiered-step.js";

/** The machines that a backend may choose between. */
export type MachineName = "engine" | "closures";

/** Which of them make code at run time, where they may. */
const compiles: Readonly<Record<MachineName, boolean>> = { engine: true, closures: false };

const interpreting: Lowerings = { compiled: [] };

/** A slot that no run writes to: what is packed of it is retained. */
const isFixed = (slot: Slot): boolean => "isFixed" in slot && slot.isFixed === true;

/** Whether code may be generated: a page may forbid it, and some runtimes have no WebAssembly. */
export function mayEmitCode(): boolean {
  const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
  try {
    return webAssembly !== undefined && new webAssembly.Module(empty) !== undefined;
  } catch {
    return false;
  }
}

/** The machines that engines work on, made when they are first asked for. All of them share one memory. */
class Machines {
  private readonly created = new Map<string, Machine>();
  private shared: Arena | undefined;
  /** Threads that long steps are divided among. */
  readonly pool = new Pool();
  /** Whether V8 was told to make 256-bit instructions of pairs of vectors. */
  isWide = false;

  /** The memory of all machines. */
  get arena(): Arena {
    this.shared ??= new Arena();
    return this.shared;
  }

  named(name: MachineName): Machine {
    const key = `${name} ${this.isWide}`;
    const cached = this.created.get(key);
    if (cached !== undefined) return cached;
    const emitsCode = compiles[name] && mayEmitCode();
    const { arena } = this;
    const machine = { arena, ...(emitsCode ? this.compiling(arena) : interpreting) };
    this.created.set(key, machine);
    return machine;
  }

  private compiling(arena: Arena): Lowerings {
    const wide = this.isWide;
    const products = divided(contractions(arena, { wide, isFixed }), this.pool);
    return {
      compiled: [skippingZeros(products, arena), divided(fusedLoops(arena), this.pool)],
      segments: divided(segmentLoops(arena), this.pool),
    };
  }
}

export const machines = new Machines();
