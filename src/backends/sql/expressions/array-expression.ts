import type { ArrayFunctions } from "../dialect.js";
import { callsIn, column, isStoredIn, replaced, type ScalarExpression, textOf } from "./scalar-expression.js";

/** Texts do not become longer than this: what is used often makes an array of its own each time. */
const longest = 20_000;

/**
 * The text of an array whose elements are the values of an expression: `arrays` are the columns that hold arrays, of one length,
 * and the first of them is there whether the expression uses it or not. What is used twice within becomes an array first.
 * Nothing where the text would be too long.
 */
export function arrayText(
  expression: ScalarExpression,
  arrays: readonly [string, ...string[]],
  functions: ArrayFunctions,
): string | undefined {
  const columns = new Set<string>(arrays);
  let root = expression;
  for (;;) {
    const calls = callsIn(root);
    const isStored = isStoredIn(root, calls);
    const next = calls.find((each) => isStored.get(each) === true);
    const text = transformed(next ?? root, columns, arrays[0], functions);
    if (text.length > longest) return undefined;
    if (next === undefined) return text;
    columns.add(text);
    root = replaced(root, calls, next, column(text));
  }
}

function transformed(
  root: ScalarExpression,
  arrays: ReadonlySet<string>,
  shape: string,
  { transform }: ArrayFunctions,
): string {
  if (root.kind === "column" && arrays.has(root.text)) return root.text;
  const calls = callsIn(root);
  const leaves = [root, ...calls.flatMap(({ parameters }) => parameters)];
  const used = leaves.flatMap((each) => (each.kind === "column" && arrays.has(each.text) ? [each.text] : []));
  const unique = used.length === 0 ? [shape] : [...new Set(used)];
  return transform(unique, (elements) =>
    textOf(root, calls, (text) => (arrays.has(text) ? (elements[unique.indexOf(text)] ?? text) : text)),
  );
}
