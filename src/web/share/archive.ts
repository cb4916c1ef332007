import type { DroppedFile } from "./import-request.js";

/** The most files of an archive, and the most bytes that they may have in all: a small archive can hold a large text. */
const most = { files: 2_000, bytes: 50_000_000 } as const;

/** The files of a zip archive that are wanted. @throws Error whose message is the reason. */
export async function filesInArchive(
  { bytes }: DroppedFile,
  isRequired: (name: string) => boolean,
): Promise<readonly DroppedFile[]> {
  const { unzipSync } = await import("./unzip.js");
  let [count, size] = [0, 0];
  const filter = ({
    name,
    originalSize,
  }: {
    readonly name: string;
    readonly originalSize: number;
  }): boolean => {
    if (name.endsWith("/") || isOfSystem(name) || !isRequired(name)) return false;
    count++;
    size += originalSize;
    if (count > most.files) throw new Error(`it has more than ${most.files} files`);
    if (size > most.bytes) throw new Error(`its files have more than ${most.bytes} bytes`);
    return true;
  };
  const entries = Object.entries(unzipSync(bytes, { filter }));
  if (entries.length === 0) throw new Error("it has no files that can be read");
  return entries.map(([name, content]) => ({ name, bytes: content }));
}

/** What the Finder of macOS adds for each file. */
const isOfSystem = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\._)/.test(name);
