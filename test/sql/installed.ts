import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/** Engines that are too large to be a dependency: installed in a folder of their own, by `npm run test:engines` alone. */
export const enginesFolder: string = resolve(
  process.env.ENGINES_FOLDER ?? "node_modules/.cache/sphex-engines",
);

export const isAsked: boolean = process.env.ENGINES !== undefined;

/** A package, where servers are asked for. */
export const installed = (name: string): unknown => (isAsked ? loaded(name) : undefined);

/** A package that is there, or can be had; nothing where it is not, and then a line says so. */
export function loaded(name: string): unknown {
  mkdirSync(enginesFolder, { recursive: true });
  const load = createRequire(join(enginesFolder, "engines.js"));
  try {
    return load(name);
  } catch {
    console.info(`installing ${name} in ${enginesFolder}`);
    const options = { cwd: enginesFolder, encoding: "utf8", timeout: 600_000 } as const;
    spawnSync(
      "npm",
      ["install", "--prefix", enginesFolder, "--no-package-lock", "--no-audit", name],
      options,
    );
  }
  try {
    return load(name);
  } catch {
    console.info(`skipped: ${name} cannot be installed on this machine`);
    return undefined;
  }
}
