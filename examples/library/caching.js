// What to keep, from the cheapest to the dearest: the value, the prepared program, the compiled program, the text. Compiling is
// most of the cost of an expression that runs once; making code is most of that of one that runs a hundred times.

import { compile } from "sphex";

/** The latest results of a function, by text: the one that was used longest ago goes first. */
function remembered(compute, most) {
  const results = new Map();
  return (key) => {
    const result = results.get(key) ?? compute(key);
    results.delete(key);
    results.set(key, result);
    if (results.size > most) results.delete(results.keys().next().value);
    return result;
  };
}

let compiled = 0;
const preparedFor = remembered((text) => {
  compiled++;
  return compile(text).prepare();
}, 100);

// A hundred requests with two texts: both are compiled once. A program is immutable, and any number of runs share it.
const texts = ["input a: tensor()\na + 1", "input a: tensor()\na * 2"];
let sum = 0;
for (let request = 0; request < 100; request++)
  sum += preparedFor(texts[request % 2])
    .run({ a: request })
    .asNumber();
console.log(compiled, sum);

// What depends on fixed inputs alone is computed once, when a program is prepared for them.
const net = compile("input w: tensor(i[2],o[2])\ninput x: tensor(i[2])\nsum(w * x, i)");
const ready = net.prepare({
  w: [
    [1, 2],
    [3, 4],
  ],
});
console.log(
  ready
    .run({ x: [1, 0] })
    .toNested()
    .join(),
  ready
    .run({ x: [0, 1] })
    .toNested()
    .join(),
);

// Results belong to who asked for them: later runs do not change them. Where that copy is too much, the caller has the array.
const into = new Float64Array(2);
ready.runInto(into, { x: [1, 1] });
console.log(into.join());

// In an inner loop, numbers go in and a number comes out: no name is looked up, and no tensor is made.
const discounted = compile("input price: tensor()\ninput share: tensor()\nprice * (1 - share)")
  .prepare()
  .toFunction();
let total = 0;
for (let item = 1; item <= 1000; item++) total += discounted(item, 0.5);
console.log(total);

//> 2 7500
//> 1,2 3,4
//> 4,6
//> 250250
