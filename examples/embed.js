// Using the library from a program of one's own. After `npm install && npm run build`, run this with
// `node examples/embed.js`; the comments show what it prints.

import { compile, evaluate, SphexError } from "sphex";

// One expression, once. Inputs are tensors, numbers, or tensors as text.
const dot = evaluate("sum(a * b)", { a: "tensor(x[2]):[1,2]", b: "tensor(x[2]):[3,4]" });
console.log(dot.asNumber()); // 11
console.log(dot.toString()); // tensor():{11.0}
console.log(evaluate("tensor(x[3])(x / 2) > 0.5").toString()); // tensor(x[3]):[0.0, 0.0, 1.0]

// A program, many times. It is checked here, before there is any data; the host may declare its inputs.
const program = compile(
  `constant weights = tensor<float>(x[3],y[2]):[[1, 0], [0, 1], [2, 0.5]]
   relu(sum(q * weights, x) - 4)`,
  { inputs: { q: "tensor<float>(x[3])" } },
);
for (const [name, type] of program.inputs) console.log(`${name}: ${type}`); // q: tensor<float>(x[3])
console.log(`${program.run({ q: "[1,2,3]" })}`); // tensor<float>(y[2]):[3.0, 0.0]
console.log(`${program.run({ q: new Float32Array([4, 5, 6]) })}`); // tensor<float>(y[2]):[12.0, 4.0]

// What is wrong with a program, as data: all of it, each with its place in the text.
const text = "sum(query * wieghts) + rename(query, z, y)";
try {
  compile(text, { inputs: { query: "tensor(x[3])", weights: "tensor(x[3])" } });
} catch (error) {
  if (!(error instanceof SphexError)) throw error;
  for (const { message, code, span } of error.problems) {
    console.log(`${span.start} to ${span.end}, ${text.slice(span.start, span.end)}: ${message} (${code})`);
  }
}
// 12 to 19, wieghts: nothing here is called wieghts (name/unknown)
// 37 to 38, z: there is no dimension z here (type/unknown-dimension)
