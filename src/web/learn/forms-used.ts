import { parseProgram } from "../../index.js";

/**
 * The functions that an expression calls, and `literal` where it writes the cells of a tensor. Nothing where it cannot be
 * read: running it will tell.
 */
export function formsUsed(expression: string): ReadonlySet<string> {
  // Within parentheses the ends of lines mean nothing, as in a cell.
  const { tree } = parseProgram({ name: "answer", text: `(${expression}\n)` });
  const found = new Set<string>();
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    if ("kind" in node && node.kind === "literal") found.add("literal");
    if (isCall(node)) found.add(node.name.text);
    if (isShape(node)) found.add(node.word.text);
    for (const [key, child] of Object.entries(node)) if (key !== "span") waiting.push(child);
  }
  return found;
}

const isCall = (node: object): node is { readonly name: { readonly text: string } } =>
  "arguments" in node &&
  node.arguments !== undefined &&
  "name" in node &&
  typeof node.name === "object" &&
  node.name !== null &&
  "text" in node.name;

/** A call whose argument is a shape, such as `diag(x[3],y[3])`. */
const isShape = (node: object): node is { readonly word: { readonly text: string } } =>
  "kind" in node && node.kind === "shape";
