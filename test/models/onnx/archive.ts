import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** Files by path, from a folder or from a `.tar.gz`. */
export type Files = ReadonlyMap<string, () => Uint8Array>;

export function filesOf(path: string): Files {
  if (!existsSync(path)) return new Map();
  if (!statSync(path).isDirectory()) return unpacked(gunzipSync(readFileSync(path)));
  const names = readdirSync(path, { recursive: true, encoding: "utf8" }).map((each) =>
    each.replaceAll("\\", "/"),
  );
  const isFile = (name: string): boolean => statSync(join(path, name)).isFile();
  return new Map(names.filter(isFile).map((name) => [name, () => readFileSync(join(path, name))]));
}

const block = 512;

/** The files of a tar archive: headers of 512 bytes, each before a content that fills whole blocks. */
function unpacked(archive: Uint8Array): Files {
  const files = new Map<string, () => Uint8Array>();
  const text = (start: number, length: number): string =>
    new TextDecoder().decode(archive.subarray(start, start + length)).replace(/\0[\s\S]*$/, "");
  let longName: string | undefined;
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const [size, kind] = [Number.parseInt(text(at + 124, 12), 8), text(at + 156, 1)];
    const content = archive.subarray(at + block, at + block + size);
    const prefix = text(at + 345, 155);
    const name = longName ?? (prefix === "" ? text(at, 100) : `${prefix}/${text(at, 100)}`);
    longName = kind === "L" ? new TextDecoder().decode(content).replace(/\0[\s\S]*$/, "") : undefined;
    if (kind === "0" || kind === "") files.set(name, () => content);
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}
