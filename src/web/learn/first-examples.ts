import { cell, type NotebookExample, remark } from "./example.js";

/** The seven things that the playground of Vespa's documentation shows, in our own words and numbers. */
export const firstExamples: readonly NotebookExample[] = [
  {
    id: "dense-dot-product",
    title: "Dot product",
    description: "Two vectors become one number",
    cells: [
      remark(`# Dot product

Two vectors along \`x\`. A cell of \`a\` meets the cell of \`b\` with the same index.`),
      cell("a", "tensor(x[4]):[1, 2, 3, 4]"),
      cell("b", "tensor(x[4]):[2, 0, 1, -1]"),
      remark("Their product, cell by cell, and the sum of all products:"),
      cell("products", "a * b"),
      cell("", "sum(products)"),
    ],
  },
  {
    id: "sparse-dot-product",
    title: "Sparse dot product",
    description: "Weighted words: only what both have is multiplied",
    cells: [
      remark(`# Sparse dot product

A *mapped* dimension has labels. What is not written is not there, so a vector over all the words of a language costs
no more than the words in it.`),
      cell("query(words)", "tensor(word{}):{tensor:2, engine:1}"),
      cell("attribute(words)", "tensor(word{}):{tensor:0.5, sparse:1, engine:3, search:1}"),
      remark(
        "The same expression as for dense vectors. The product has a cell for each word that is in both:",
      ),
      cell("shared", "query(words) * attribute(words)"),
      cell("", "sum(shared)"),
    ],
  },
  {
    id: "vector-times-matrix",
    title: "Vector times matrix",
    description: "A sum along the dimension that both share",
    cells: [
      remark(`# Vector times matrix

The vector has \`x\`, the matrix \`x\` and \`y\`. In the product each row of the matrix is multiplied by its cell of the vector;
the sum along \`x\` leaves \`y\`.`),
      cell("vector", "tensor(x[3]):[1, 2, 3]"),
      cell("matrix", "tensor(x[3],y[2]):[[1, 0], [0, 1], [1, 1]]"),
      cell("product", "vector * matrix"),
      cell("", "sum(product, x)"),
      remark("Sum along the other dimension instead, and see what becomes of the type."),
    ],
  },
  {
    id: "matrix-product",
    title: "Matrix product",
    description: "A join and a sum, which is all that matmul is",
    cells: [
      remark(`# Matrix product

Which rows meet which columns is said by names: the two matrices share \`y\`, so that is what is multiplied and added up.`),
      cell("a", "tensor(x[2],y[3]):[[1, 2, 3], [4, 5, 6]]"),
      cell("b", "tensor(y[3],z[2]):[[1, 0], [0, 1], [2, 2]]"),
      cell("", "sum(a * b, y)"),
      remark(
        "`matmul` is a name for the same thing. The sides may change places, since no dimension has a position:",
      ),
      cell("", "matmul(b, a, y)"),
    ],
  },
  {
    id: "generate-rename-concat",
    title: "Generate, rename, concat",
    description: "Making tensors, and putting them together",
    cells: [
      remark(`# Generate, rename, concat

In \`tensor(x[3],y[3])(…)\` the names of the dimensions are the indexes of the cell that is computed.`),
      cell("table", "tensor(x[3],y[3])((x + 1) * (y + 1))"),
      cell("row", "tensor(i[3])(10 * i)"),
      remark(
        "`row` lies along `i`. Under the name `y` it can be put behind the table, as one more row along `x`:",
      ),
      cell("named", "rename(row, i, y)"),
      cell("", "concat(table, named, x)"),
    ],
  },
  {
    id: "jaccard",
    title: "Jaccard similarity",
    description: "Sets: a join is their intersection, a merge their union",
    cells: [
      remark(`# Jaccard similarity

A set is a tensor of ones. How alike are two sets? The size of what they share, divided by the size of both together.`),
      cell("mine", "tensor(tag{}):{jazz:1, folk:1, blues:1}"),
      cell("yours", "tensor(tag{}):{jazz:1, blues:1, rock:1, soul:1}"),
      remark("A join keeps the labels in both, a merge those in either:"),
      cell("shared", "mine * yours"),
      cell("either", "merge(mine, yours, f(a, b)(max(a, b)))"),
      cell("", "sum(shared) / sum(either)"),
    ],
  },
  {
    id: "neural-network",
    title: "Neural network",
    description: "Two layers that tell whether exactly one of two inputs is set",
    cells: [
      remark(`# Neural network

Each layer is a product with weights, a bias, and a function of each cell. These weights were chosen by hand: the network
computes *exclusive or*, which no single layer can.`),
      cell("inputs", "tensor(case{},in[2]):{none:[0, 0], first:[1, 0], second:[0, 1], both:[1, 1]}"),
      cell("hidden_weights", "tensor(in[2],hidden[2]):[[1, 1], [1, 1]]"),
      cell("hidden_bias", "tensor(hidden[2]):[0, -1]"),
      cell("hidden", "relu(sum(inputs * hidden_weights, in) + hidden_bias)"),
      remark("All four cases pass at once: `case` is mentioned nowhere, and comes through."),
      cell("final_weights", "tensor(hidden[2],out[1]):[[10], [-20]]"),
      cell("", "sigmoid(sum(hidden * final_weights, hidden) - 5)"),
    ],
  },
];
