import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** The same in Brotli, where the build has compressed it: `main.js.br` beside `main.js`. */
  readonly brotli?: Uint8Array;
}

const compressed = ".br";

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

/** All files of a folder by the path of their address, `/index.html` also by `/`; nothing where there is no page. */
export function pageFiles(folder: string): ReadonlyMap<string, PageFile> | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (statSync(path).isDirectory() || name.endsWith(compressed)) continue;
    const type = types[/\.\w+$/.exec(name)?.[0] ?? ""] ?? "application/octet-stream";
    const file = { type, bytes: readFileSync(path) };
    const brotli = existsSync(path + compressed) ? { brotli: readFileSync(path + compressed) } : {};
    files.set(`/${name.split(sep).join("/")}`, { ...file, ...brotli });
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}
