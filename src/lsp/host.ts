import type { Options } from "../index.js";
import type { Files, PackageOptions } from "../vespa.js";

/** An application package on the disk, whose sources are named by their whole paths. */
export interface HostPackage {
  readonly files: Files;
  readonly options: PackageOptions;
}

/** What the server may read of the machine that it runs on. */
export interface EditorHost {
  /** The options of a program at a path: what it may read. Of one that is not saved there is no path. */
  readonly programOptions: (path: string | undefined) => Options;
  /** The package that a schema or profile at a path belongs to; undefined where there is none. */
  readonly packageOf: (path: string) => HostPackage | undefined;
  /** What the editor has sent since its stream was last listened to, if that can be read in the middle of other work. */
  readonly readNow?: (() => Uint8Array | undefined) | undefined;
}
