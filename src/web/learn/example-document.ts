import { pageCells } from "../document/page-cells.js";
import { documentOf, type PageDocument } from "../document/page-document.js";
import type { NotebookExample } from "./example.js";

/** An example as a document of the page: in dialect vespa, with the pictures that it is about. */
export function exampleDocument({ cells, pictures = {} }: NotebookExample): PageDocument {
  const shown = pageCells(cells).map((cell) => {
    const kind = cell.kind === "expression" ? pictures[cell.name] : undefined;
    return kind === undefined ? cell : { ...cell, views: { "": { kind } } };
  });
  return documentOf(shown, { dialect: "vespa" });
}
