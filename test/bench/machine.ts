import os from "node:os";
import type { Field } from "./outcomes.js";

/** What it was measured on. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory: string;
  readonly system: string;
  readonly versions: Readonly<Record<string, string>>;
  /** How busy the machine was when the bench began: processes that wanted a core. */
  readonly load: number;
}

export function machineOf({ python, companion }: Field): Machine {
  const versions: Record<string, string> = { node: process.versions.node };
  for (const [name, version] of Object.entries({ ...python?.versions, ...companion.versions }))
    if (version !== null) versions[name] = version;
  return {
    processor: os.cpus()[0]?.model.trim() ?? "unknown",
    cores: os.cpus().length,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GiB`,
    system: `${os.type()} ${os.arch()}`,
    versions,
    load: os.loadavg()[0] ?? 0,
  };
}

export function machineText({ processor, cores, memory, system, versions }: Machine): string {
  const names = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${processor}, ${cores} cores, ${memory}, ${system}; ${names.join(", ")}`;
}
