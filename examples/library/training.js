// The host of a training loop: the program says what to minimise, the host has the data, looks at each epoch, and decides when
// it is enough. Epochs let other work go on, and a signal ends them.

import { compile, SphexError } from "sphex";

const text = `
  input x: tensor(row[])
  input y: tensor(row[])
  variable slope = 0
  variable offset = 0
  line = x * slope + offset
  loss = avg((line - y) * (line - y))
  minimise loss
`;
const data = { x: [0, 1, 2, 3], y: [1, 3, 5, 7] };

const session = compile(text).session();
const enough = 1e-6;
let reached;
for await (const { epoch, loss } of session.train({ data, epochs: 2000, optimiser: "adam", rate: 0.1 })) {
  reached = { epoch, loss };
  if (loss < enough) break; // what was learnt so far stays
}
console.log(reached.loss < enough, reached.epoch < 2000);
console.log(session.get("slope").asNumber().toFixed(2), session.get("offset").asNumber().toFixed(2));

// What was learnt is plain data, for a file or another session.
const saved = JSON.stringify({ slope: session.get("slope"), offset: session.get("offset") });
const other = compile(text).session();
other.assign(
  Object.fromEntries(Object.entries(JSON.parse(saved)).map(([name, value]) => [name, JSON.stringify(value)])),
);
console.log(other.get("slope").equals(session.get("slope")));

// A rate that is too high is a problem that says so, and the variables are those before it.
try {
  for await (const _ of compile(text).session().train({ data, epochs: 1000, optimiser: "sgd", rate: 10 }));
} catch (error) {
  if (!(error instanceof SphexError)) throw error;
  console.log(error.problems[0].code);
}

//> true true
//> 2.00 1.00
//> true
//> train/not-finite
