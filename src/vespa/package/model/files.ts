import type { Problem } from "../../../language/source/problem.js";
import type { Source, Span } from "../../../language/source/span.js";
import { thrownText } from "../../../language/source/thrown.js";
import { type FileFault, problem } from "./messages.js";

/** The files of a package, as a host hands them in. Paths are told from the root of the package: `schemas/doc.sd`. */
export interface Files {
  /** The paths of all files in a folder and in those below it; none where there is no such folder. */
  readonly list: (folder: string) => readonly string[];
  /** The text of a file. @throws Error whose message is the reason in plain words. */
  readonly read: (path: string) => string;
  /** The bytes of a file that is no text, such as a model; throws as `read` does. Without it, models are not looked at. */
  readonly readBytes?: (path: string) => Uint8Array;
}

/** How long a file may be by default, in characters. */
export const defaultFileLimit = 10_000_000;

/** Reads each file once, refuses what lies outside the package or is too long, and says at which place it was wanted. */
export class PackageFiles {
  private readonly sources = new Map<string, Source | { readonly reason: FileFault }>();

  constructor(
    private readonly files: Files,
    private readonly limit: number,
    /** What comes before each path in messages. */
    private readonly root: string,
  ) {}

  /** What a file of the package is called in messages. */
  nameOf(path: string): string {
    return this.root + path;
  }

  /** The path of a source in the package. */
  pathOf({ name }: Source): string {
    return name.startsWith(this.root) ? name.slice(this.root.length) : name;
  }

  list(folder: string): readonly string[] {
    return [...this.files.list(folder)].filter((path) => normal(path) === path).sort();
  }

  /** The text of a file, or the reason why there is none, which is told at the place that names it. */
  load(path: string, span: Span): Source | Problem {
    const inside = normal(path);
    if (inside === undefined) return problem("package/outside", span, { path });
    const loaded = this.sources.get(inside) ?? this.read(inside);
    this.sources.set(inside, loaded);
    return "reason" in loaded
      ? problem("file/unreadable", span, { path: inside, reason: loaded.reason })
      : loaded;
  }

  /** The bytes of a file of the package; nothing where there is none. */
  bytes(path: string): Uint8Array | undefined {
    const inside = normal(path);
    if (inside === undefined) return undefined;
    try {
      return this.files.readBytes?.(inside);
    } catch {
      return undefined;
    }
  }

  private read(path: string): Source | { readonly reason: FileFault } {
    try {
      const text = this.files.read(path);
      if (text.length <= this.limit) return { name: this.nameOf(path), text };
      return { reason: { kind: "too long", limit: this.limit } };
    } catch (error) {
      return { reason: { kind: "host", reason: thrownText(error) } };
    }
  }
}

/** A path from the root of the package in its plainest form; nothing if it leads out of the package. */
export function normal(path: string): string | undefined {
  if (/^(?:[/\\]|[A-Za-z]:)|\0/.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join("/");
}
