import { expect, test } from "vitest";
import { backendNames, compile, parseType, Tensor } from "../../src/index.js";

/**
 * Cells of a border last from run to run, as do those of an input that is the same in all runs: only what lies within is
 * computed again. Where the next run takes the other branch of a choice, or has other inputs, they are those of that run.
 */
const declarations =
  "input c: tensor(x[5000])\ninput v: tensor(x[5000])\ninput s: tensor()\ninput e: tensor(x[])\n";
const padded = "padded = tensor(x[15000])(v{x:(x-5000)})\n";

/** The results are those of c = 1, v = -3 in each cell, e without cells. */
// biome-ignore format: a table
const programs = [
  { what: "a border",                              text: "padded + s",                                                                                                            one: 0,      nil: -15000, many: 15000  },
  { what: "a border in a branch",                  text: "if(s > 0, concat(padded, e, x), concat(v + 1, e, x))",                                                                  one: -15000, nil: -10000, many: -15000 },
  { what: "a border in the other branch",          text: "if(s > 0, concat(v + 1, e, x), concat(padded, e, x))",                                                                  one: -10000, nil: -15000, many: -10000 },
  { what: "what a border leaves of a fixed input", text: "if(s > 0, concat(tensor(x[5000])(c{x:(x)} + padded{x:(x)}), e, x), v)",                                                 one: 5000,   nil: -15000, many: 5000   },
  { what: "the same in the other branch",          text: "if(s > 0, v, concat(tensor(x[5000])(c{x:(x)} + padded{x:(x)}), e, x))",                                                 one: -15000, nil: 5000,   many: -15000 },
  { what: "what lies in the border, in both",      text: "if(s > 0, concat(tensor(x[5000])(c{x:(x)} + padded{x:(x)}), e, x), concat(tensor(x[5000])(padded{x:(x+5000)}), e, x))", one: 5000,   nil: -15000, many: 5000   },
  { what: "a choice within a choice",              text: "if(s > 0, if(s > 1, concat(tensor(x[5000])(c{x:(x)} + padded{x:(x)}), e, x), v), v * 2)",                               one: -15000, nil: -30000, many: 5000   },
];

test.each(programs)("$what: sum($text)", ({ text, one, nil, many }) => {
  const source = `${declarations}${padded}sum(${text})`;
  const c = Tensor.from(parseType("tensor(x[5000])"), new Float64Array(5000).fill(1));
  const v = Tensor.from(parseType("tensor(x[5000])"), new Float64Array(5000).fill(-3));
  const e = Tensor.from(parseType("tensor(x[])"), []);
  const results = new Map([
    [1, one],
    [0, nil],
    [2, many],
  ]);
  for (const backend of backendNames) {
    const prepared = compile(source, { backend }).prepare({ c, e });
    for (const s of [1, 0, 1, 1, 0, 2, 0, 2, 1]) {
      expect(prepared.run({ v, s }).asNumber(), `${backend}, s = ${s}`).toBe(results.get(s));
    }
  }
});
