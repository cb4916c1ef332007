import { Arena } from "./arena.js";
import { contractions } from "./contractions/lowering.js";
import { fusedLoops } from "./loops/lowering.js";
import type { Machine } from "./lowering.js";

/** The ways to run loops that a host may choose between. */
export const machineNames = ["engine", "closures"] as const;
export type MachineName = (typeof machineNames)[number];

const machines = new Map<MachineName, Machine>();
let arena: Arena | undefined;

/** The machine of a name; made when it is first asked for. */
export function machineNamed(name: MachineName): Machine {
  const known = machines.get(name);
  if (known !== undefined) return known;
  arena ??= new Arena();
  const made: Machine = {
    arena,
    compiled: name === "engine" ? [contractions(arena), fusedLoops(arena)] : [],
  };
  machines.set(name, made);
  return made;
}
