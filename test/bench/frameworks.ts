import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./library.js";

/** What JAX and PyTorch take for the same, by name, one thread each: `PYTHON` names the Python that has them. */
export function frameworkTimes(
  of: "gradients" | "epochs",
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const script = join(root, "test", "bench", "with_frameworks.py");
  const { stdout, status } = spawnSync(process.env.PYTHON ?? "python3", [script, of], { encoding: "utf8" });
  if (status !== 0) return {};
  return JSON.parse(stdout) as Record<string, Record<string, number>>; // as that script writes it
}
