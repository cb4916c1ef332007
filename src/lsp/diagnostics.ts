import { pathToFileURL } from "node:url";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { Problem } from "../index.js";
import { type Answers, guarded } from "./answers.js";
import { Interrupted } from "./arrivals.js";
import type { OpenPackageFile } from "./package-requests.js";
import { isPackageDocument } from "./packages.js";
import { diagnosticOf, pathOf } from "./protocol.js";

/** So long nobody has to have typed before a text is checked, in milliseconds. */
const pause = 60;

/** Beyond so many, an editor shows a list that nobody reads. */
const mostDiagnostics = 500;

/**
 * Tells the editor what is wrong with its documents, soon after they have changed. The rank profiles of a package are checked one
 * after the other, and what is asked meanwhile is answered between them.
 */
export class Diagnostics {
  /** Of what will be checked: a package once, however many of its files change at a time. */
  private readonly timers = new Map<string, NodeJS.Timeout>();
  /** The files of each package that were last told to have problems, by the package's root. */
  private readonly troubled = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly answers: Answers,
    /** What documents that are checked together have in common. */
    private readonly keyOf: (document: TextDocument) => string,
  ) {}

  /** A document has changed. */
  ask(document: TextDocument): void {
    const key = this.keyOf(document);
    clearTimeout(this.timers.get(key));
    const work = (): void => {
      try {
        guarded(this.answers, undefined, () => this.check(document, key, work));
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        void this.answers.arrivals.allHandedOn();
        this.timers.set(key, setTimeout(work, pause));
      }
    };
    this.timers.set(key, setTimeout(work, pause));
  }

  /** Checks a part of one more rank profile of a package, and tells the problems once there is none. */
  private check(document: TextDocument, key: string, work: () => void): void {
    const file =
      this.answers.program(document) === undefined ? this.answers.packageFile(document) : undefined;
    if (file?.owner.analysis.checkMore() !== true) this.tell(document);
    else this.timers.set(key, setTimeout(work, 0));
  }

  /** A document is closed: what was changed in it and not saved is no longer so for the files of its package that are open. */
  close(document: TextDocument, open: readonly TextDocument[]): void {
    const { uri } = document;
    const key = this.keyOf(document);
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.send(uri, []);
    if (isPackageDocument(uri)) guarded(this.answers, undefined, () => this.tellOpenPackages(open));
  }

  private tellOpenPackages(open: readonly TextDocument[]): void {
    const files = new Map<string, OpenPackageFile>();
    for (const each of open) {
      const file = this.answers.packageFile(each);
      if (file !== undefined) files.set(file.owner.root, file);
    }
    for (const file of files.values()) this.tellPackage(file);
    for (const [root, names] of this.troubled) {
      if (files.has(root)) continue;
      for (const name of names) this.send(pathToFileURL(name).href, []);
      this.troubled.delete(root);
    }
  }

  end(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
  }

  private tell(document: TextDocument): void {
    const open = this.answers.program(document);
    if (open !== undefined) {
      const { name, analysis } = open.program;
      return this.send(
        document.uri,
        analysis.problems.slice(0, mostDiagnostics).map((each) => diagnosticOf(document, each, name)),
        document.version,
      );
    }
    const file = this.answers.packageFile(document);
    if (file !== undefined) this.tellPackage(file);
  }

  /** A change in one file may bring about problems in others, and end them. */
  private tellPackage({ owner: { analysis, root }, packages }: OpenPackageFile): void {
    const byFile = new Map<string, Problem[]>();
    for (const problem of analysis.problems.slice(0, mostDiagnostics)) {
      const { name } = problem.span.source;
      byFile.set(name, [...(byFile.get(name) ?? []), problem]);
    }
    for (const [name, problems] of byFile) {
      const [first] = problems;
      if (first === undefined || pathOf(pathToFileURL(name).href) !== name) continue;
      const document = packages.documentOf(first.span.source);
      this.send(
        document.uri,
        problems.map((each) => diagnosticOf(document, each, name)),
      );
    }
    for (const name of this.troubled.get(root) ?? [])
      if (!byFile.has(name)) this.send(pathToFileURL(name).href, []);
    this.troubled.set(root, new Set(byFile.keys()));
  }

  private send(uri: string, diagnostics: ReturnType<typeof diagnosticOf>[], version?: number): void {
    const { connection } = this.answers;
    void connection.sendDiagnostics({ uri, diagnostics, ...(version === undefined ? {} : { version }) });
  }
}
