// Rows that come one after the other, from a file, a socket or a queue, and are scored as they come: alone, or some at a time.
// A prepared program has its weights packed, and a run only puts its inputs in their places.

import { compile, parseType, Tensor } from "sphex";

const program = compile(`
  input features: tensor<float>(f[3])
  constant weights: tensor<float>(f[3]) = tensor<float>(f[3]):[1, 2, 4]
  score = sum(features * weights)
`);

/** Stands for a source of rows: any async iterable will do, such as the lines of a file. */
async function* rows() {
  for (let row = 0; row < 5; row++) yield Float32Array.of(row, 1, 0);
}

// One at a time: the least delay.
const prepared = program.prepare();
for await (const features of rows()) console.log(prepared.run({ features }).asNumber());

// Some at a time: the most rows in a second. What the rows have in common is read once for all of them.
async function* chunks(source, size) {
  let chunk = [];
  for await (const row of source) {
    if (chunk.push(row) === size) {
      yield chunk;
      chunk = [];
    }
  }
  if (chunk.length > 0) yield chunk;
}
for await (const chunk of chunks(rows(), 2)) {
  const type = parseType(`tensor<float>(row[${chunk.length}],f[3])`);
  const features = Tensor.from(type, chunk, { axes: ["row", "f"] });
  const scores = await prepared.runBatchAsync("row", { features });
  console.log(scores.toNested().join(" "));
}

//> 2
//> 3
//> 4
//> 5
//> 6
//> 2 3
//> 4 5
//> 6
