import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The files of the page as it was built, and what is loaded before it is painted. */
export const pageFolder = join(process.cwd(), "dist", "web", "/");

/** Without those that the build has compressed. */
export const pageFiles = (): readonly string[] =>
  readdirSync(pageFolder).filter((name) => !name.endsWith(".br"));

/** The bytes of a file as a server sends it that compresses by Brotli. */
export const brotliSize = (name: string): number => statSync(join(pageFolder, `${name}.br`)).size;

/** The document, its style sheets, and the scripts that its first one needs before it runs. */
export const neededForPaint = (): readonly string[] => [
  "index.html",
  ...pageFiles().filter((name) => name.endsWith(".css")),
  ...staticImports("main.js"),
];

function staticImports(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(name)) return found;
  found.add(name);
  const text = readFileSync(join(pageFolder, name), "utf8");
  for (const [, imported = ""] of text.matchAll(/(?:from|import)"\.\/([\w.-]+\.js)"/g))
    staticImports(imported, found);
  return found;
}
