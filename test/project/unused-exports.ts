import { posix } from "node:path";
import { nodesIn, type SourceFile, type SyntaxNode, statementsOf } from "./source-trees.js";

/**
 * What files export though no other file has to do with it: values that no other file names, and types that besides stand
 * in nothing else which their file exports. Paths are from the root of the project.
 */
export function unusedExports(files: readonly SourceFile[], users: readonly SourceFile[]): readonly string[] {
  const used = new Set(users.flatMap(namesUsedBy));
  return files.flatMap((file) => {
    const exported = statementsOf(file).flatMap(exportsOf);
    return exported.flatMap(({ name, declaration }) => {
      const others = exported.filter((each) => each.declaration !== declaration);
      const isUsed =
        used.has(`${file.path}: ${name}`) ||
        (isType(declaration) && others.some((each) => namesIn(each.declaration).has(name)));
      return isUsed ? [] : [`${file.path}: ${name}`];
    });
  });
}

interface Export {
  readonly name: string;
  readonly declaration: SyntaxNode;
}

function exportsOf(statement: SyntaxNode): readonly Export[] {
  if (statement.type !== "ExportNamedDeclaration") return [];
  const declaration = partOf(statement, "declaration");
  if (declaration === undefined)
    return partsOf(statement, "specifiers").map((each) => ({
      name: nameOf(each, "exported"),
      declaration: each,
    }));
  if (declaration.type !== "VariableDeclaration") return [{ name: nameOf(declaration, "id"), declaration }];
  return partsOf(declaration, "declarations").flatMap((each) => {
    const elements = partsOf(partOf(each, "id") ?? each, "elements"); // of a pattern
    const names = elements.length === 0 ? [nameOf(each, "id")] : elements.map(({ name }) => String(name));
    return names.map((name) => ({ name, declaration: each }));
  });
}

const isType = ({ type }: SyntaxNode): boolean =>
  type === "TSInterfaceDeclaration" || type === "TSTypeAliasDeclaration";

/** What a file names of others and what it adds to them names of itself; of a module as a whole it names all its words. */
function namesUsedBy(file: SourceFile): readonly string[] {
  const named = (module: string, names: readonly string[]): readonly string[] => {
    const path = posix.join(posix.dirname(file.path), module.replace(/\.js$/, ".ts"));
    return names.map((name) => `${path}: ${name}`);
  };
  const inStatements = statementsOf(file).flatMap((statement) => {
    if (statement.type === "TSModuleDeclaration") {
      const words = wordsOf(file.text.slice(statement.start, statement.end));
      return [...named(moduleOf(statement, "id"), words), ...words.map((word) => `${file.path}: ${word}`)];
    }
    const specifiers = partsOf(statement, "specifiers");
    const isWhole = specifiers.some(({ type }) => type === "ImportNamespaceSpecifier");
    const side = statement.type === "ImportDeclaration" ? "imported" : "local";
    const names = isWhole ? wordsOf(file.text) : specifiers.map((each) => nameOf(each, side));
    return named(moduleOf(statement, "source"), names);
  });
  const later = [...file.text.matchAll(/\bimport\(\s*"([^"]+)"/g)];
  return [...inStatements, ...later.flatMap(([, module = ""]) => named(module, wordsOf(file.text)))];
}

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

const namesIn = (declaration: SyntaxNode): ReadonlySet<string> =>
  new Set(nodesIn(declaration).flatMap(({ name }) => (typeof name === "string" ? [name] : [])));

// Which parts a node has goes with its type.
const partOf = (node: SyntaxNode, part: string): SyntaxNode | undefined =>
  (node[part] as SyntaxNode | null | undefined) ?? undefined;
const partsOf = (node: SyntaxNode, part: string): readonly SyntaxNode[] =>
  (node[part] as readonly SyntaxNode[] | undefined) ?? [];
const nameOf = (node: SyntaxNode, part: string): string => String(partOf(node, part)?.name);
const moduleOf = (node: SyntaxNode, part: string): string => String(partOf(node, part)?.value);
