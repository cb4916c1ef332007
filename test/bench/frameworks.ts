import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./library.js";

/** What JAX and PyTorch take, one thread each. */
export interface FrameworkTimes {
  /** Milliseconds, the least of many, by the name of what is timed and that of the framework. */
  readonly times: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Which frameworks there are, with their versions, and which are not there. */
  readonly text: string;
}

interface Written {
  readonly times: FrameworkTimes["times"];
  readonly versions: Readonly<Record<string, string>>;
  /** What Python said of those that cannot be imported. */
  readonly absent: Readonly<Record<string, string>>;
}

/** Times the same in the frameworks that the Python has which `PYTHON` names. */
export function frameworkTimes(of: "gradients" | "epochs"): FrameworkTimes {
  const script = join(root, "test", "bench", "with_frameworks.py");
  const python = process.env.PYTHON ?? "python3";
  const { stdout, stderr, status } = spawnSync(python, [script, of], { encoding: "utf8" });
  if (status !== 0) {
    const reason = (stderr ?? "").trim().split("\n").at(-1) ?? "";
    return {
      times: {},
      text: `no frameworks: ${python} ${reason === "" ? "is not there" : `says ${reason}`}`,
    };
  }
  const { times, versions, absent } = JSON.parse(stdout) as Written; // as that script writes it
  const present = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const missing = Object.keys(absent).map((name) => `no ${name}`);
  return { times, text: `beside ${[...present, ...missing].join(", ")} in ${python}` };
}
