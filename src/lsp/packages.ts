import { pathToFileURL } from "node:url";
import type { TextDocuments } from "vscode-languageserver";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Source } from "../index.js";
import { PackageAnalysis } from "../service/service.js";
import type { EditorHost, HostPackage } from "./host.js";
import { pathOf } from "./protocol.js";

/** Whether a path is that of a file of an application package with rank expressions. */
export const isPackageFile = (path: string): boolean => /\.(?:sd|profile)$/.test(path);

/** Whether a document is such a file, on the disk or not: of an earlier version, beside which an editor shows what has changed. */
export const isPackageDocument = (uri: string): boolean =>
  isPackageFile(pathOf(uri) ?? uri.replace(/[?#].*$/s, ""));

const keyOf = ({ options: { root = "", schemas } }: HostPackage): string => JSON.stringify([root, schemas]);

/** A package of which files are open. */
export interface OpenPackage {
  readonly analysis: PackageAnalysis;
  /** What comes before the paths of its files. */
  readonly root: string;
}

/** The packages that open documents belong to, as their files are in the editor and, where they are not open, on the disk. */
export class OpenPackages {
  /** The last one of each package. */
  private readonly analyses = new Map<string, PackageAnalysis>();
  /** The packages in which nothing has changed since. */
  private readonly unchanged = new Set<string>();

  constructor(
    private readonly texts: TextDocuments<TextDocument>,
    private readonly host: EditorHost,
  ) {}

  /** The package of a file; checked when it is first asked for after a change. */
  of(path: string): OpenPackage | undefined {
    const found = this.host.packageOf(path);
    if (found === undefined) return undefined;
    const root = found.options.root ?? "";
    const key = keyOf(found);
    let analysis = this.analyses.get(key);
    if (analysis === undefined || !this.unchanged.has(key)) {
      analysis = new PackageAnalysis(this.withOpenTexts(found, root), found.options, analysis);
      this.analyses.set(key, analysis);
      this.unchanged.add(key);
    }
    return { analysis, root };
  }

  /** What files of one package have in common; nothing of a file that is in none. */
  key(path: string): string | undefined {
    const found = this.host.packageOf(path);
    return found && keyOf(found);
  }

  /** Something has changed: each package is checked anew. */
  forget(): void {
    this.unchanged.clear();
  }

  /** A text of a package as a document: the open one, or one of its own for the text on the disk. */
  documentOf({ name, text }: Source): TextDocument {
    const uri = pathToFileURL(name).href;
    return this.texts.get(uri) ?? TextDocument.create(uri, "schema", 0, text);
  }

  private withOpenTexts({ files }: HostPackage, root: string): HostPackage["files"] {
    const open = new Map<string, string>();
    for (const document of this.texts.all()) {
      const path = pathOf(document.uri);
      if (path !== undefined) open.set(path, document.getText());
    }
    return {
      ...files,
      // A file that was never saved is in the editor alone.
      list: (folder) => {
        const below = `${root}${folder}/`;
        const unsaved = [...open.keys()].filter((path) => path.startsWith(below) && isPackageFile(path));
        return [...new Set([...files.list(folder), ...unsaved.map((path) => path.slice(root.length))])];
      },
      read: (path) => open.get(root + path) ?? files.read(path),
    };
  }
}
