import type { Source } from "../../index.js";
import type { Io } from "../terminal/io.js";
import { readAll, readAllBytes } from "../terminal/io.js";
import { readBytes, readNamed, textUpTo } from "./files.js";

/** Files as users name them, where `-` is stdin. */

/** The largest text that is read. */
const mostCharacters = 400_000_000;

/** The text of a file, so many characters at most, or of stdin for `-`. */
export async function sourceAt(path: string, io: Io, most = mostCharacters): Promise<Source> {
  return path === "-"
    ? { name: "stdin", text: await readAll(io.stdin) }
    : { name: path, text: readNamed(path, io, textUpTo(most)) };
}

/** The bytes of a file, so many at most, or of stdin for `-`. */
export async function bytesAt(path: string, io: Io, most?: number): Promise<Uint8Array> {
  return path === "-"
    ? await readAllBytes(io.stdin, most)
    : readNamed(path, io, (name, folder) => readBytes(name, folder, most));
}
