import { readdirSync } from "node:fs";
import { posix } from "node:path";
import type { SourceFile } from "typescript/unstable/ast";
import { API, type Program } from "typescript/unstable/sync";

/** Names that nothing uses any more are no mistake in a program that has one already. */
const unused: ReadonlySet<number> = new Set([6133, 6138, 6192, 6196, 6198]);

/** The project as the compiler sees it, in which the text of a file may be another for a while. */
export class Project {
  private readonly api: API;
  private readonly texts = new Map<string, string>();
  private readonly configuration: string;
  private readonly original: Program;
  /** The file that the compiler read last with another text. */
  private stale: string | undefined;

  constructor(readonly root: string) {
    this.configuration = posix.join(root, "tsconfig.json");
    this.api = new API({ cwd: root, fs: { readFile: (path) => this.texts.get(path) } });
    this.original = this.program();
  }

  /** The paths, from the root of the project, of the sources in a folder. */
  filesIn(folder: string): readonly string[] {
    return readdirSync(posix.join(this.root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => posix.join(folder, name.replaceAll("\\", "/")))
      .filter((path) => path.endsWith(".ts"))
      .sort();
  }

  source(path: string): SourceFile {
    const source = this.original.getSourceFile(posix.join(this.root, path));
    if (source === undefined) throw new Error(`${path} is no file of the project`);
    return source;
  }

  /** A file as the compiler reads it with another text. */
  sourceWith(path: string, text: string): SourceFile {
    return this.with(path, text, (program, file) => {
      const source = program.getSourceFile(file);
      if (source === undefined) throw new Error(`${path} is no file of the project`);
      return source;
    });
  }

  /** Whether the compiler accepts a file with another text. */
  accepts(path: string, text: string): boolean {
    return this.with(path, text, (program, file) =>
      [program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file)]
        .flat()
        .every(({ code }) => unused.has(code)),
    );
  }

  private with<T>(path: string, text: string, ask: (program: Program, file: string) => T): T {
    const file = posix.join(this.root, path);
    this.texts.set(file, text);
    const answer = ask(this.program(file), file);
    this.texts.delete(file);
    this.stale = file;
    return answer;
  }

  close(): void {
    this.api.close();
  }

  /** The project as it is now, if these files are read again. */
  private program(...changed: readonly string[]): Program {
    const files = this.stale === undefined ? [...changed] : [...changed, this.stale];
    const snapshot = this.api.updateSnapshot({
      openProjects: [this.configuration],
      ...(files.length === 0 ? {} : { fileChanges: { changed: files } }),
    });
    const project = snapshot.getProject(this.configuration);
    if (project === undefined) throw new Error("the compiler finds no project");
    return project.program;
  }
}
