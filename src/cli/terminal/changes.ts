import { existsSync, type FSWatcher, statSync, watch } from "node:fs";
import { dirname } from "node:path";

/**
 * Changes of files, one at a time however many there are at once. Folders are watched rather than files, since many
 * editors replace the old file by a new one. The list of files is read again after each change.
 */
export async function* changes(paths: () => readonly string[]): AsyncGenerator<void> {
  for (;;) {
    await change(paths());
    yield;
  }
}

/** Milliseconds in which nothing more happens. */
const calm = 60;

function change(paths: readonly string[]): Promise<void> {
  const before = stateOf(paths);
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    let watchers: readonly FSWatcher[] = [];
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(compare, calm);
    };
    const watchFolders = (): void => {
      for (const each of watchers) each.close();
      watchers = foldersOf(paths).map((folder) => watch(folder, wait).on("error", wait));
    };
    const compare = (): void => {
      // Folders may have come or gone: the new watchers see what happens from now on, and all before is compared.
      watchFolders();
      if (stateOf(paths) === before) return;
      for (const each of watchers) each.close();
      resolve();
    };
    watchFolders();
    wait(); // for what happened before the watching began
  });
}

/** The folders of files; of one that is not there, the nearest around it. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const nearest = (folder: string): string =>
    existsSync(folder) || folder === dirname(folder) ? folder : nearest(dirname(folder));
  return [...new Set(paths.map((path) => nearest(dirname(path))))];
}

/** The times and sizes of files, as one text. */
function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: -1 };
      return `${mtimeMs} ${size}`;
    })
    .join("\n");
}
