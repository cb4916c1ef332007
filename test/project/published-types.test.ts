import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The declarations of the package, as `npm run build` writes them. */

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

const manifest: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const imports = /(?:^(?:import|export) [^"\n]*from |\bimport\()"(?<specifier>[^"\n]+)"/gm;

/** What a declaration and all that it imports name of other packages, each with the file that does. */
function* foreignImports(file: string, visited: Set<string>): Generator<string> {
  if (visited.has(file)) return;
  visited.add(file);
  for (const { groups } of readFileSync(file, "utf8").matchAll(imports)) {
    const { specifier = "" } = groups ?? {};
    if (specifier.startsWith(".")) {
      const imported = specifier.replace(/\.js$/, ".d.ts");
      yield* foreignImports(join(dirname(file), imported), visited);
    } else if (!isInstalled(specifier)) yield `${specifier} in ${file.slice(root.length + 1)}`;
  }
}

const isInstalled = (specifier: string): boolean =>
  Object.keys(manifest.dependencies).some((name) => `${specifier}/`.startsWith(`${name}/`));

test("they name no package that is not installed with this one: without it they would be any", () => {
  const entries = Object.values(manifest.exports).flatMap((each) =>
    typeof each === "string" ? [] : [join(root, each.types)],
  );
  const visited = new Set<string>();
  expect(entries.flatMap((entry) => [...foreignImports(entry, visited)])).toEqual([]);
  expect(visited.size).toBeGreaterThan(entries.length);
});
