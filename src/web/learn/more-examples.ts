import { cell, type NotebookExample, remark } from "./example.js";

/** What people do with tensors who rank documents. */
export const moreExamples: readonly NotebookExample[] = [
  {
    id: "top-documents",
    title: "Nearest documents",
    description: "Cosine similarity with every document, and the best two",
    cells: [
      remark(`# Nearest documents

One mixed tensor holds all documents: a vector for each label. The query has no \`doc\`, so it meets every one of them.`),
      cell("q", "tensor(x[3]):[0, 3, 4]"),
      cell("docs", "tensor(doc{},x[3]):{alpha:[0, 4, 3], beta:[4, 0, 3], gamma:[0, 6, 8], delta:[5, 0, 0]}"),
      cell("similarity", "cosine_similarity(q, docs, x)"),
      cell("", "top(2, similarity)"),
    ],
  },
  {
    id: "max-sim",
    title: "MaxSim",
    description: "The score of ColBERT: every token finds its nearest",
    cells: [
      remark(`# MaxSim

Every token of the query finds the document's token that is most like it, and the likenesses are added up. Tokens are mapped
dimensions, so texts may have any number of them.`),
      cell("q", "tensor<float>(qt{},x[3]):{red:[1, 0.5, 0], car:[0, 1, 2]}"),
      cell("d", "tensor<float>(dt{},x[3]):{the:[0.5, 0, 0.5], crimson:[1, 1, 0], automobile:[0, 2, 1]}"),
      remark("The likeness of every pair:"),
      cell("pairs", "sum(q * d, x)"),
      remark("The best for each token of the query, and their sum:"),
      cell("best", "reduce(pairs, max, dt)"),
      cell("", "sum(best, qt)"),
    ],
  },
  {
    id: "packed-bits",
    title: "MaxSim with bits",
    description: "Vectors of one bit a cell, packed into bytes, and Hamming distance",
    cells: [
      remark(`# MaxSim with bits

An \`int8\` holds eight bits. \`unpack_bits\` makes eight cells of it; \`hamming\` counts the bits in which two bytes differ, and needs
no unpacking.`),
      cell("d", "tensor<int8>(dt{},x[2]):{crimson:[-64, 3], automobile:[15, -16]}"),
      cell("q", "tensor<int8>(qt{},x[2]):{red:[-64, 2], car:[31, -96]}"),
      cell("bits", "unpack_bits(d)"),
      cell("distance", "sum(hamming(q, d), x)"),
      cell("", "sum(reduce(1 / (1 + distance), max, dt), qt)"),
    ],
  },
  {
    id: "attention",
    title: "Attention",
    description: "Scaled dot-product attention, in three cells",
    cells: [
      remark(`# Attention

Each query looks at all tokens, at those most that are like it, and takes the mean of what they have to say.`),
      cell("queries", "tensor(query[2],x[4]):[[4, 0, 0, 0], [0, 1, 1, 0]]"),
      cell("keys", "tensor(token[3],x[4]):[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1]]"),
      cell("values", "tensor(token[3],y[2]):[[1, 0], [0, 1], [0, 3]]"),
      cell("scores", "sum(queries * keys, x) / sqrt(4)"),
      cell("weights", "softmax(scores, token)"),
      cell("", "sum(weights * values, token)"),
      remark("Add a dimension `head[2]` to all three inputs. Nothing else has to change."),
    ],
  },
  {
    id: "sparse-regression",
    title: "Sparse regression",
    description: "The paper's second model: a weight for each combination of three features",
    cells: [
      remark(`# Sparse regression

There could be billions of combinations of a topic, an interest and a place. The weights have a cell for those that were
learned, and the product one for those that are wanted as well.`),
      cell("topics", "tensor(topic{}):{sports:0.5, politics:1, science:0.25}"),
      cell("interests", "tensor(interest{}):{football:2, elections:1}"),
      cell("locations", "tensor(location{}):{oslo:1}"),
      cell(
        "learned",
        `tensor(topic{},interest{},location{}):{
  sports:   {football:  {oslo:0.75, trondheim:2}},
  politics: {elections: {oslo:1.5, bergen:0.5}, football:{oslo:-0.25}},
  economy:  {elections: {oslo:3}}
}`,
      ),
      cell("combinations", "topics * interests * locations * learned"),
      cell("", "sum(combinations)"),
    ],
  },
  {
    id: "page-rank",
    title: "PageRank",
    description: "A walk on a small web, by squaring a sparse matrix",
    cells: [
      remark(`# PageRank

Somebody follows links at random, and now and then jumps to any page instead. Where is that person after a long walk? Squaring
the matrix of one step gives that of two, and six times over that of 64.`),
      cell("links", "tensor(from{},to{}):{ant:{bee:1, wasp:1}, bee:{wasp:1}, wasp:{ant:1}, hornet:{wasp:1}}"),
      cell("pages", "sum(links, to) > 0"),
      cell("follow", "links / sum(links, to)"),
      cell("jump", "pages * rename(pages, from, to) / count(pages)"),
      cell("step", "merge(0.85 * follow, 0.15 * jump, f(p, q)(p + q))"),
      cell("step2", "sum(rename(step, to, via) * rename(step, from, via), via)"),
      cell("step4", "sum(rename(step2, to, via) * rename(step2, from, via), via)"),
      cell("step8", "sum(rename(step4, to, via) * rename(step4, from, via), via)"),
      cell("step16", "sum(rename(step8, to, via) * rename(step8, from, via), via)"),
      cell("step32", "sum(rename(step16, to, via) * rename(step16, from, via), via)"),
      cell("step64", "sum(rename(step32, to, via) * rename(step32, from, via), via)"),
      remark("By now it makes no difference where the walk began:"),
      cell("rank", "rename(avg(step64, from), to, page)"),
    ],
  },
  {
    id: "pictures",
    title: "Pictures",
    description: "A wave as a line, and hills as heat maps",
    pictures: { wave: "line", hill: "heat", "": "heat" },
    cells: [
      remark(`# Pictures

A vector can be looked at as a line or as bars, and a matrix as a heat map: the buttons beside a result choose.`),
      cell("wave", "tensor(t[60])(sin(t / 6) * exp(-t / 30))"),
      cell("hill", "tensor(x[24],y[24])(exp(-((x - 12)^2 + (y - 12)^2) / 40))"),
      remark("Two hills that pull each other down:"),
      cell("", "hill - 0.8 * tensor(x[24],y[24])(exp(-((x - 17)^2 + (y - 8)^2) / 25))"),
    ],
  },
];
