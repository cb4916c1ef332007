import { isBlock, isFunctionLikeDeclaration, type Node, type SourceFile } from "typescript/unstable/ast";

/** The global function that instrumented code calls with the key of each function that begins. */
export const reporter = "reachedFunction";

/** The text of a file each of whose functions reports that it is called. */
export function instrumented(file: string, source: SourceFile): string {
  const inserts: { readonly at: number; readonly text: string }[] = [];
  const visit = (node: Node): void => {
    const body = bodyOf(node);
    if (body !== undefined) {
      const call = `globalThis.${reporter}?.(${JSON.stringify(keyOf(file, body))})`;
      if (isBlock(body)) inserts.push({ at: body.getStart() + 1, text: `${call};` });
      else inserts.push({ at: body.getStart(), text: `(${call}, ` }, { at: body.end, text: ")" });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  // Of two at one position, the later one is of an inner function: what it inserts stands inside.
  let text = "";
  let from = 0;
  for (const insert of inserts.sort((one, other) => one.at - other.at)) {
    text += source.text.slice(from, insert.at) + insert.text;
    from = insert.at;
  }
  return text + source.text.slice(from);
}

/** The body of a function. */
export const bodyOf = (node: Node): Node | undefined =>
  isFunctionLikeDeclaration(node) && "body" in node ? (node.body ?? undefined) : undefined;

/** The key of a function, by its file and where its body starts. */
export const keyOf = (file: string, body: Node): string => `${file}:${body.getStart()}`;
