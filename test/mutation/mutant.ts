import {
  isArrowFunction,
  isBlock,
  isCaseClause,
  isClassDeclaration,
  isConstructorDeclaration,
  isFunctionDeclaration,
  isGetAccessorDeclaration,
  isMethodDeclaration,
  isPropertyAssignment,
  isPropertyDeclaration,
  isSourceFile,
  isStatement,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { isExempt } from "./exempt.js";
import { bodyOf, keyOf } from "./instrumented.js";
import type { Edit } from "./mutators/mutator.js";
import { mutators } from "./mutators/mutators.js";

/** A file with one mistake. */
export interface Mutant {
  /** From the root of the project. */
  readonly file: string;
  readonly line: number;
  readonly mutator: string;
  /** The classes and functions that it lies in. */
  readonly enclosing: string;
  /** The statement around it, in one line, with `[original → mutated]` at its place. */
  readonly change: string;
  readonly edit: Edit;
  /** The key of the innermost function around it; nothing on the level of a module. */
  readonly inFunction: string | undefined;
}

/** The text of a file with the mistake in it. */
export const mutatedText = (text: string, { edit }: Mutant): string =>
  text.slice(0, edit.start) + edit.text + text.slice(edit.end);

/** All mistakes that the mutators can make in a file. */
export function mutantsOf(file: string, source: SourceFile): readonly Mutant[] {
  const mutants: Mutant[] = [];
  const visit = (node: Node, names: readonly string[], inFunction: string | undefined): void => {
    if (isExempt(node)) return;
    const name = nameOf(node);
    const inner = name === undefined ? names : [...names, name];
    const enclosing = inner.join(".");
    const body = bodyOf(node);
    const functionAt = (position: number): string | undefined =>
      body !== undefined && position >= body.getStart() ? keyOf(file, body) : inFunction;
    for (const { name: mutator, edits } of mutators)
      for (const edit of edits(node)) {
        const line = source.getLineAndCharacterOfPosition(edit.start).line + 1;
        const change = changeOf(node, edit, source.text);
        mutants.push({ file, line, mutator, enclosing, change, edit, inFunction: functionAt(edit.start) });
      }
    node.forEachChild((child) => visit(child, inner, functionAt(child.getStart())));
  };
  source.forEachChild((node) => visit(node, [], undefined));
  return mutants;
}

/** The name of a class, a function or a method. */
function nameOf(node: Node): string | undefined {
  if (isConstructorDeclaration(node)) return "constructor";
  if (isClassDeclaration(node) || isFunctionDeclaration(node)) return node.name?.getText();
  if (isMethodDeclaration(node) || isGetAccessorDeclaration(node)) return node.name.getText();
  if (!isVariableDeclaration(node) && !isPropertyDeclaration(node)) return undefined;
  const { initializer } = node;
  return initializer !== undefined && isArrowFunction(initializer) ? node.name.getText() : undefined;
}

/** How much of a statement is shown on either side. */
const context = 50;

function changeOf(node: Node, edit: Edit, text: string): string {
  let around = node;
  while (!isUnit(around) && !isSourceFile(around.parent)) around = around.parent;
  const original = text.slice(edit.start, edit.end);
  const before = oneLine(text.slice(around.getStart(), edit.start));
  const after = oneLine(text.slice(edit.end, Math.max(headEnd(around, edit), edit.end)));
  const head = before.length > context ? `…${before.slice(-context)}` : before;
  const tail = after.length > context ? `${after.slice(0, context)}…` : after;
  return `${head}[${oneLine(original)} → ${oneLine(edit.text)}]${tail}`.trim();
}

/** What is shown with a mistake in it. */
const isUnit = (node: Node): boolean =>
  (isStatement(node) && !isBlock(node)) || isPropertyAssignment(node) || isCaseClause(node);

/** Where a statement ends, or the first block in it that lies behind the mistake. */
function headEnd(node: Node, edit: Edit): number {
  let { end } = node;
  const visit = (child: Node): void => {
    if (isBlock(child) && child.getStart() >= edit.end) end = Math.min(end, child.getStart());
    else child.forEachChild(visit);
  };
  node.forEachChild(visit);
  return end;
}

const oneLine = (text: string): string => text.replace(/\s*\/\/.*/g, "").replace(/\s+/g, " ");
