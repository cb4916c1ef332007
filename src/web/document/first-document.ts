import { documentOf, type PageDocument } from "./page-document.js";

/** What a page shows that nobody has used yet. */
export const firstDocument: PageDocument = documentOf([
  {
    kind: "remark",
    text: `# Tensors as you type

Each cell is an expression, and may have a name. Change a number, and all that reads it is computed again; click a number
of a result to see what made it. **Learn** has examples, a tour of the paper and puzzles; **New** begins an empty document.`,
  },
  { kind: "expression", name: "query", text: "tensor(x[3]):[1, 0.5, 0]" },
  {
    kind: "expression",
    name: "items",
    text: "tensor(item{},x[3]):{ant:[1, 0, 0], bee:[0, 1, 0], wasp:[1, 1, 1]}",
  },
  { kind: "expression", name: "score", text: "sum(query * items, x)" },
  {
    kind: "expression",
    name: "",
    text: "softmax(score, item)",
    views: { "": { kind: "bars" } },
  },
]);
