import type { Backend } from "../backend.js";
import { type SupportTable, supportTable } from "../support.js";
import { Engine } from "./engine.js";
import { inspection } from "./inspection.js";
import { type MachineName, machines, mayEmitCode } from "./machine/machines.js";

/** What the engine computes; why not all of it stands beside each operation of its planner, as `unsupported(reason)`. */
const operations: SupportTable = {
  ...supportTable("partial"),
  constant: "full",
  input: "full",
  parameter: "full",
  apply: "full",
  rename: "full",
  random: "reference",
  host: "reference",
};

type EngineBackend<Name extends string> = Backend<Name> & Required<Pick<Backend, "inspect">>;

/** The engine on a machine. */
const on = (machine: MachineName) =>
  ({
    operations,
    isOptimised: true,
    plan: (roots, options) => new Engine(roots, machines.named(machine), options),
    inspect: (roots, run, clock) =>
      inspection(
        new Engine(roots, machines.named(machine)),
        roots.map(({ node }) => node),
        run,
        clock,
      ),
  }) satisfies Partial<Backend>;

export const engine: EngineBackend<"engine"> = {
  name: "engine",
  description: "plans of fused loops, compiled to WebAssembly",
  features: { batch: true, threads: true, wide: true },
  host: { name: "WebAssembly", isRequired: false, isAvailable: mayEmitCode },
  ...on("engine"),
};

export const closures: EngineBackend<"closures"> = {
  name: "closures",
  description: "the engine without code made at run time, for hosts that forbid it",
  features: { batch: true, threads: false, wide: false },
  host: undefined,
  ...on("closures"),
};
