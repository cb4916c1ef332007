import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/** A file of the page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

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
    if (statSync(path).isDirectory()) continue;
    const type = types[/\.\w+$/.exec(name)?.[0] ?? ""] ?? "application/octet-stream";
    files.set(`/${name.split(sep).join("/")}`, { type, bytes: readFileSync(path) });
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}
