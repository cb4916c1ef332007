import { machines } from "../../src/backends/engine/machine/machines.js";
import type { Machine } from "../../src/backends/engine/machine/tiered-step.js";
import { changed } from "./in-time.js";

type Watch = (machine: Machine) => Machine;

let watched: Watch = (machine) => machine;

/** Sees to it that all machines on which programs run from now on are watched. */
export function watchMachines(watch: Watch): void {
  const { named } = machines;
  watched = watch;
  machines.named = (name) => watch(named.call(machines, name));
}

/** Runs on a machine in the place of all others. */
export function onMachine<T>(machine: Machine, run: () => T, after = (): void => {}): T {
  const { named } = machines;
  machines.named = () => watched(machine);
  return changed(() => {
    machines.named = named;
    after();
  }, run);
}
