// Ranking where the reader is: a page has the vectors of some thousand documents, and ranks them while a query is typed,
// without a server. `ranking.html` is such a page; this module knows nothing of it, so that it runs everywhere.

import { compile } from "sphex";

/** A function that finds the best documents for a query's vector. */
export function ranker(documents, size) {
  const program = compile(`
    input documents: tensor<float>(doc{},x[${size}])
    input query: tensor<float>(x[${size}])
    cosine = sum(documents * query, x) / sqrt(sum(documents * documents, x) * sum(query * query))
    top(3, cosine)
  `);
  // The documents do not change: they are packed here, and what depends on them alone is computed once.
  const prepared = program.prepare({ documents });
  return (query) =>
    [...prepared.run({ query }).cells()]
      .map(({ address, value }) => ({ title: address.doc, score: value }))
      .sort((left, right) => right.score - left.score);
}

const rank = ranker({ Bees: [3, 4, 0], Wasps: [4, 3, 0], Ships: [0, 0, 2], Spiders: [0, 1, 0] }, 3);
for (const { title, score } of rank([1, 0, 0])) console.log(title, score.toFixed(2));

//> Wasps 0.80
//> Bees 0.60
//> Ships 0.00
