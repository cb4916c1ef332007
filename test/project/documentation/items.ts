import { posix } from "node:path";
import {
  isClassDeclaration,
  isExportDeclaration,
  isFunctionDeclaration,
  isIdentifier,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNamedExports,
  isNamedImports,
  isStringLiteral,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isVariableStatement,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { Project } from "../../mutation/project.js";

/** What an entry of the package exports, from the declarations as they are written. */
export interface PublicItem {
  /** The entry, and the name that it has there. */
  readonly entry: string;
  readonly name: string;
  readonly kind: "class" | "function" | "interface" | "type" | "value";
  readonly path: string;
  /** The comment before its declaration; nothing where there is none. */
  readonly documentation: string | undefined;
  /** Its declaration without bodies and private members. */
  readonly declaration: string;
  /** Types of the project that the declaration names, and no entry exports. */
  readonly unexported: readonly string[];
}

/** A declaration, and the file that it stands in. */
interface Declared {
  readonly source: SourceFile;
  readonly path: string;
  readonly name: string;
  readonly nodes: readonly Node[];
}

/** The entries of package.json, by their sources. */
export const entries = [
  "src/index.ts",
  "src/errors.ts",
  "src/models.ts",
  "src/sql.ts",
  "src/vespa.ts",
] as const;

/** All items of the entries, in their order. */
export function publicItems(root: string): readonly PublicItem[] {
  const project = new Project(root);
  try {
    const reader = new ExportReader(project);
    const all = entries.map((entry) => [entry, reader.exportsOf(entry)] as const);
    const exported = new Set(all.flatMap(([, items]) => [...items.values()].map(keyOf)));
    return all.flatMap(([entry, items]) =>
      [...items].flatMap(([name, declared]) => itemOf(entry, name, declared, reader, exported)),
    );
  } finally {
    project.close();
  }
}

const keyOf = ({ path, name }: Declared): string => `${path} ${name}`;

function itemOf(
  entry: string,
  name: string,
  declared: Declared,
  reader: ExportReader,
  exported: ReadonlySet<string>,
): readonly PublicItem[] {
  const { source, path, nodes } = declared;
  const [first] = nodes;
  if (first === undefined) return [];
  const text = nodes.map((node) => publicText(node, source)).join("\n");
  const unexported = new Set<string>();
  for (const node of nodes)
    for (const reference of typeNames(node)) {
      const target = reader.resolved(path, reference);
      if (target !== undefined && !exported.has(keyOf(target))) unexported.add(reference);
    }
  const documentation = nodes.map((node) => commentBefore(node, source)).find((each) => each !== undefined);
  const kind = kindOf(first);
  return [{ entry, name, kind, path, documentation, declaration: text, unexported: [...unexported] }];
}

function kindOf(node: Node): PublicItem["kind"] {
  if (isClassDeclaration(node)) return "class";
  if (isFunctionDeclaration(node)) return "function";
  if (isInterfaceDeclaration(node)) return "interface";
  return isTypeAliasDeclaration(node) ? "type" : "value";
}

/** Finds declarations through exports and imports of files. */
class ExportReader {
  private readonly files = new Map<string, ReadonlyMap<string, Declared>>();

  constructor(private readonly project: Project) {}

  /** What a file exports by name: its own declarations, and those of others. */
  exportsOf(path: string): ReadonlyMap<string, Declared> {
    const cached = this.files.get(path);
    if (cached !== undefined) return cached;
    const found = new Map<string, Declared>();
    this.files.set(path, found);
    const source = this.project.source(path);
    for (const statement of source.statements) {
      for (const name of declaredNames(statement)) {
        const before = found.get(name)?.nodes ?? [];
        found.set(name, { source, path, name, nodes: [...before, statement] });
      }
      if (!isExportDeclaration(statement) || statement.exportClause === undefined) continue;
      if (!isNamedExports(statement.exportClause)) continue;
      const from = pathOf(path, statement.moduleSpecifier);
      for (const { name, propertyName } of statement.exportClause.elements) {
        const original = (propertyName ?? name).text;
        const declared = from === undefined ? found.get(original) : this.exportsOf(from).get(original);
        if (declared !== undefined) found.set(name.text, declared);
      }
    }
    return found;
  }

  /** The declaration of the project that a name of a file refers to; nothing where it is of a package, or a parameter. */
  resolved(path: string, name: string): Declared | undefined {
    const own = this.exportsOf(path).get(name);
    if (own !== undefined) return own;
    for (const statement of this.project.source(path).statements) {
      if (!isImportDeclaration(statement)) continue;
      const bindings = statement.importClause?.namedBindings;
      if (bindings === undefined || !isNamedImports(bindings)) continue;
      const element = bindings.elements.find((each) => each.name.text === name);
      const from = pathOf(path, statement.moduleSpecifier);
      if (element !== undefined && from !== undefined)
        return this.exportsOf(from).get((element.propertyName ?? element.name).text);
    }
    return undefined;
  }
}

/** The names that a statement declares, exported or not. */
function declaredNames(statement: Node): readonly string[] {
  if (
    isClassDeclaration(statement) ||
    isFunctionDeclaration(statement) ||
    isInterfaceDeclaration(statement) ||
    isTypeAliasDeclaration(statement)
  )
    return statement.name === undefined ? [] : [statement.name.text];
  if (!isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) =>
    isIdentifier(name) ? [name.text] : [],
  );
}

/** The path of a module of the project, from its root. */
function pathOf(path: string, specifier: Node | undefined): string | undefined {
  if (specifier === undefined || !isStringLiteral(specifier) || !specifier.text.startsWith("."))
    return undefined;
  return posix.join(posix.dirname(path), specifier.text).replace(/\.js$/, ".ts");
}

const isHidden = (node: Node, source: SourceFile): boolean =>
  /^(?:private|protected|#)/.test(source.text.slice(node.getStart(), node.end)) ||
  source.text.slice(node.pos, node.getStart()).includes("@internal");

/** The parts of a declaration that its users see: no bodies, and no private members. */
function visibleParts(node: Node, source: SourceFile): readonly Node[] {
  const parts: Node[] = [];
  node.forEachChild((child) => {
    parts.push(child);
  });
  const { body } = node as { readonly body?: Node }; // of functions and methods
  const { initializer } = node as { readonly initializer?: Node }; // of properties and constants
  const isConstructor = source.text.slice(node.getStart(), node.end).startsWith("constructor(");
  return isConstructor
    ? []
    : parts.filter((part) => part !== body && part !== initializer && !isHidden(part, source));
}

/** The names of types in what is visible of a declaration. */
function typeNames(root: Node): ReadonlySet<string> {
  const found = new Set<string>();
  const source = root.getSourceFile() as SourceFile; // of a node that was read from a file
  const visit = (node: Node): void => {
    if (isTypeReferenceNode(node) && isIdentifier(node.typeName)) found.add(node.typeName.text);
    for (const part of visibleParts(node, source)) visit(part);
  };
  visit(root);
  return found;
}

/** The text of a declaration as a declaration: what is not visible is left out. */
function publicText(root: Node, source: SourceFile): string {
  const cut: (readonly [number, number])[] = [];
  const visit = (node: Node): void => {
    const parts = new Set(visibleParts(node, source));
    node.forEachChild((child) => {
      const { body } = node as { readonly body?: Node };
      if (!parts.has(child) && (child === body || isHidden(child, source))) cut.push([child.pos, child.end]);
      else if (parts.has(child)) visit(child);
    });
  };
  visit(root);
  let [text, from] = ["", root.getStart()];
  for (const [start, end] of cut.sort(([a], [b]) => a - b)) {
    if (start < from) continue;
    text += source.text.slice(from, start);
    from = end;
  }
  return (text + source.text.slice(from, root.end)).replace(/\n(?:\s*\n)+/g, "\n");
}

/** The sentences of the comment before a declaration. */
function commentBefore(node: Node, source: SourceFile): string | undefined {
  const before = source.text.slice(node.pos, node.getStart());
  const comment = /\/\*\*((?:(?!\/\*\*)[\s\S])*?)\*\/\s*$/.exec(before.replace(/\/\/ .*\n/g, ""))?.[1];
  return comment
    ?.split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trim())
    .join("\n")
    .trim();
}
