import { describe, expect, test } from "vitest";
import { printPlan } from "../../src/backends/engine/ir/print.js";
import { Tensor } from "../../src/language/values/tensor.js";
import { parseType } from "../../src/program/options.js";
import { evaluate } from "../engine-evaluate.js";
import { planFor } from "./plans.js";

/**
 * Loops of thousands of cells are cut where a label begins or ceases to be there, so that what lies within is read without a
 * condition. The cells are those that the labels say by themselves.
 */
const size = 3000;
const cell = (index: number): number => ((index * 7919) % 1000) + 1;
const t = Tensor.from(
  parseType(`tensor(x[${size}])`),
  Float64Array.from({ length: size }, (_, index) => cell(index)),
);

interface Row {
  readonly label: string;
  readonly index: (i: number) => number;
  readonly parts: number;
}

const rows: readonly Row[] = [
  { label: "i - 50", index: (i) => i - 50, parts: 3 },
  { label: "2 * i - 100", index: (i) => 2 * i - 100, parts: 3 },
  { label: "3100 - i", index: (i) => 3100 - i, parts: 3 },
  { label: "floor(i * 0.7) - 50", index: (i) => Math.floor(i * 0.7) - 50, parts: 3 },
  { label: "i * i % 2999 - 1", index: (i) => ((i * i) % 2999) - 1, parts: 1 },
  { label: "i - 4999", index: (i) => i - 4999, parts: 2 },
  { label: "i % 3000", index: (i) => i % 3000, parts: 1 },
];

/** What an index that is not there reads is 0. */
const cellAt = (index: number): number => (index >= 0 && index < size ? cell(index) : 0);

describe.each(rows)("the label $label", ({ label, index, parts }) => {
  const length = 5000;
  const text = `tensor(i[${length}])(t{x:(${label})})`;

  test("is read where it is", () => {
    const expected = Array.from({ length }, (_, i) => cellAt(index(i)));
    expect([...evaluate(text, { t }).data]).toEqual(expected);
  });

  test("beside another axis, in a body that goes on", () => {
    const value = evaluate(`tensor(i[${length}],j[3])(t{x:(${label})} * 2 + j)`, { t });
    const expected = Array.from(
      { length: 3 * length },
      (_, at) => cellAt(index(Math.floor(at / 3))) * 2 + (at % 3),
    );
    expect([...value.data]).toEqual(expected);
  });

  test(`makes ${parts} of one loop`, () => {
    const plan = printPlan(planFor(`input t: tensor(x[${size}]); ${text}`, { t: `${t}` }));
    expect(plan.match(/loop/g)).toHaveLength(parts);
  });
});

interface Choice {
  readonly text: string;
  readonly value: (i: number) => number;
  readonly parts: number;
}

/** Choices by what is computed of the index along one axis. */
const choices: readonly Choice[] = [
  { text: "if(i > 0, t{x:(i - 1)}, -1)", value: (i) => (i > 0 ? cell(i - 1) : -1), parts: 2 },
  {
    text: "if(i < 9 || i > 2990, i, t{x:(2999 - i)})",
    value: (i) => (i < 9 || i > 2990 ? i : cell(2999 - i)),
    parts: 3,
  },
  {
    text: "t{x:(i)} * i - if(i >= 1000, t{x:(i - 1000)} + i, 0)",
    value: (i) => cell(i) * i - (i >= 1000 ? cell(i - 1000) + i : 0),
    parts: 2,
  },
  { text: "if(i > -1, t{x:(i)}, 0)", value: cell, parts: 1 },
  { text: "if(floor(i / 2) * 2 < i, t{x:(i)}, i)", value: (i) => (i % 2 > 0 ? cell(i) : i), parts: 1 },
];

describe.each(choices)("the choice $text", ({ text, value, parts }) => {
  test("is made for each part of the axis", () => {
    const rows = Array.from({ length: size }, (_, i) => value(i));
    expect([...evaluate(`tensor(i[${size}])(${text})`, { t }).data]).toEqual(rows);
    // Of two axes, the other one is the index of a choice of its own.
    const both = evaluate(`tensor(i[${size}],j[4])(if(j > 1, ${text}, j))`, { t });
    expect([...both.data]).toEqual(rows.flatMap((row) => [0, 1, row, row]));
  });

  test(`makes ${parts} of one loop`, () => {
    const plan = printPlan(
      planFor(`input t: tensor(x[${size}]); tensor(i[${size}],k[2])(k + (${text}))`, { t: `${t}` }),
    );
    expect(plan.match(/loop/g)).toHaveLength(parts);
  });
});
