import { depthFirst } from "../../source/depth-first.js";
import type { Declaration, Definition, Expression } from "../../syntax/tree.js";

/**
 * An order in which to look at the names of a program so that a name mostly comes after those it uses: a program that
 * is written backwards is then no deeper a recursion than one written forwards. A guess by the words in a text is enough,
 * since a value that is still missing is found when it is needed.
 */
export function elaborationOrder(
  items: Iterable<{ readonly name: string; readonly statement: Declaration | Definition }>,
): string[] {
  const uses = new Map<string, string[]>();
  const all = [...items];
  const definedNames = new Set(all.map((each) => each.name.replace(/^\w+\(|\)$/g, "")));
  for (const { name, statement } of all) {
    const value = statement.kind === "definition" ? statement.body : statement.value;
    uses.set(
      name,
      value === undefined ? [] : wordsOf(value).filter((word) => word !== name && definedNames.has(word)),
    );
  }
  const order: string[] = [];
  for (const step of depthFirst(uses.keys(), (name) => uses.get(name) ?? []))
    if (step.kind === "finished") order.push(step.node);
  return order;
}

/** The words of an expression, by its text. */
function wordsOf({ span }: Expression): string[] {
  return [
    ...new Set(span.source.text.slice(span.start, span.end).match(/[A-Za-z0-9_@][A-Za-z0-9_@$]*/g) ?? []),
  ];
}
