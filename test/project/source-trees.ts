import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

/** The files of `src` as syntax trees, for rules of the house that a search in their texts would not find. */

export interface SourceFile {
  /** From the folder `src`. */
  readonly path: string;
  readonly text: string;
}

/** What all nodes of a tree have; the rest depends on the type. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [part: string]: unknown;
}

export function sourceFiles(): readonly SourceFile[] {
  const folder = new URL("../../src/", import.meta.url);
  return readdirSync(fileURLToPath(folder), { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => ({ path, text: readFileSync(new URL(path, folder), "utf8") }));
}

/** The statements of a file. */
export const statementsOf = ({ text }: SourceFile): readonly SyntaxNode[] =>
  parseAst(text, { lang: "ts" }).body as readonly object[] as readonly SyntaxNode[]; // each has its own type there

/** All nodes of a file, each before those in it. */
export const nodesOf = ({ text }: SourceFile): readonly SyntaxNode[] =>
  nodesIn(parseAst(text, { lang: "ts" }));

/** A node and all nodes in it, each before those in it. */
export function nodesIn(node: object): readonly SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const open: unknown[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || typeof next !== "object") continue;
    if (isNode(next)) nodes.push(next);
    for (const part of Object.values(next).reverse()) if (part !== undefined) open.push(part);
  }
  return nodes;
}

const isNode = (value: object): value is SyntaxNode => "type" in value && "start" in value;
