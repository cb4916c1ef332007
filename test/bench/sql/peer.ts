import { spawnSync } from "node:child_process";

/** The same workloads in xarray, where a Python has it: PYTHON names one. A dense array has all cells, also those that no row has. */
const python = process.env.PYTHON ?? "python3";
const hasPeer = spawnSync(python, ["-c", "import xarray"]).status === 0;
if (!hasPeer) console.log(`xarray is left out: ${python} does not have it\n`);

const names = ["contraction", "group by", "softmax per user", "MaxSim"];

/** The least milliseconds of the processors of some rounds; nothing for what it has no arrays of, or too large ones. */
export function peerTime(name: string, cells: number, rounds: number): number | undefined {
  if (!hasPeer || !names.includes(name) || cells > 2_000_000) return undefined;
  const args = ["test/bench/sql/peer.py", name, `${cells}`, `${rounds}`];
  const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}
