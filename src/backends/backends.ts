import type { Backend } from "./backend.js";
import { closures, engine } from "./engine/backend.js";
import { reference } from "./reference/backend.js";

/** The backends that a program can be run by, each with its folder; the first is the one that runs them by default. */
export const backends = [engine, closures, reference] as const satisfies readonly Backend[];

/** The name of a backend in the list. */
export type BackendName = (typeof backends)[number]["name"];

/** The names of all backends, in the order of the list. */
export const backendNames: readonly BackendName[] = backends.map(({ name }) => name);

export const [defaultBackend] = backends;

/** The backend of this name, if there is one. */
export function backendNamed(name: string): Backend | undefined {
  return backends.find((each) => each.name === name);
}
