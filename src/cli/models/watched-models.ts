import { statSync } from "node:fs";
import { type ModelReader, models } from "../../models.js";

type Model = ReturnType<ModelReader>;

/** A file as it was read, and what it was then. */
interface ReadFile {
  readonly version: string;
  readonly bytes: Uint8Array;
}

/** Models for an editor, which asks for them at each key: a file is read again when it has changed. */
export class WatchedModels {
  private readonly files = new Map<string, ReadFile>();
  /** By their bytes. What lies in files beside a model is not looked at again. */
  private readonly cache = new WeakMap<Uint8Array, Model>();

  readonly read: ModelReader = (file) => {
    const model = this.cache.get(file.bytes) ?? models(file);
    this.cache.set(file.bytes, model);
    return model;
  };

  /** The bytes of the file at a path of this machine, by `read` where they may have changed. */
  bytes(path: string, read: () => Uint8Array): Uint8Array {
    const status = statSync(path, { throwIfNoEntry: false });
    const version = `${status?.mtimeMs} ${status?.size}`;
    const before = this.files.get(path);
    if (status !== undefined && before?.version === version) return before.bytes;
    const bytes = read();
    this.files.set(path, { version, bytes });
    return bytes;
  }
}
