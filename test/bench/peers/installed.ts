import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../library.js";

/** Peers that are packages: they have a lock file of their own here, and are installed when somebody asks for them. */

const folder = join(root, "test", "bench");
const require = createRequire(join(folder, "package.json"));

export function installPeers(): void {
  if (existsSync(join(folder, "node_modules"))) return;
  console.error("installing the peers in test/bench (600 MB) …");
  // Scripts of packages are not run: what they would fetch is not needed.
  const { status } = spawnSync(
    "npm",
    ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"],
    {
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  if (status !== 0) console.error("they could not be installed: going on without them");
}

/** A peer's module; nothing where it is not installed. */
export async function loadPeer<T>(name: string): Promise<T | undefined> {
  if (!existsSync(join(folder, "node_modules", name))) return undefined;
  const { load } = await import(pathToFileURL(join(folder, "load.mjs")).href);
  return (await load(name)) as T; // the caller says what it knows of the peer
}

/** The file that a peer is loaded from. */
export const peerPath = (name: string): string => require.resolve(name);

export function peerVersion(name: string): string {
  const path = join(folder, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version; // all packages have one
}
