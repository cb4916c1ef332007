import { postOrder } from "../../source/depth-first.js";
import { textIn } from "../../source/span.js";
import type { Declaration, Definition, Expression } from "../../syntax/tree.js";

/**
 * An order in which to look at the names of a program so that a name mostly comes after those it uses: a program that
 * is written backwards is then no deeper a recursion than one written forwards. A guess by the words in a text is enough,
 * since a value that is still missing is found when it is needed.
 */
export function elaborationOrder(
  items: Iterable<{ readonly name: string; readonly statement: Declaration | Definition }>,
): readonly string[] {
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
  return postOrder(uses.keys(), (name) => uses.get(name) ?? []);
}

/** The words of an expression, by its text. */
const wordsOf = ({ span }: Expression): readonly string[] => [
  ...new Set(textIn(span).match(/[A-Za-z0-9_@][A-Za-z0-9_@$]*/g) ?? []),
];
