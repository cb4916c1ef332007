import { expect, test } from "vitest";
import { compile, type Prepared, parseType, SphexError, Tensor } from "../../src/index.js";
import { element } from "../../src/language/values/element.js";
import { uniform } from "../../src/program/random.js";
import { seeds } from "../chance.js";

/**
 * Tensors that go in and out of programs in any order, are views of each other, are fixed, and are disposed of while others read them
 * or were made of them: each has the cells that plain arrays say, whenever it is looked at.
 */

type Numbers = readonly number[];

/** A tensor that lives, and its cells. */
interface Living {
  readonly tensor: Tensor;
  readonly cells: Numbers;
}

/** Of a vector a, another b of its size, and a scalar s: a result that is a vector. */
interface Row {
  readonly text: string;
  readonly cells: (a: Numbers, b: Numbers, s: number) => Numbers;
}

const byCell =
  (cell: (a: number, b: number, s: number) => number): Row["cells"] =>
  (a, b, s) =>
    a.map((number, at) => cell(number, element(b, at), s));

// biome-ignore format: a table
const rows: readonly Row[] = [
  { text: "a + b",                              cells: byCell((a, b) => a + b) },
  { text: "a * s",                              cells: byCell((a, _, s) => a * s) },
  { text: "a",                                  cells: byCell((a) => a) },
  { text: "b",                                  cells: byCell((_, b) => b) },
  { text: "if(s > 0, a, b)",                    cells: byCell((a, b, s) => (s > 0 ? a : b)) },
  { text: "if(s > 0, a + b, b)",                cells: byCell((a, b, s) => (s > 0 ? a + b : b)) },
  { text: "rename(rename(a, x, y), y, x)",      cells: byCell((a) => a) },
  { text: "map_subspaces(a, f(t)(t - s))",      cells: byCell((a, _, s) => a - s) },
  { text: "merge(a, b, f(p,q)(p - q))",         cells: byCell((a, b) => a - b) },
  { text: "a + (a + b){x:0}",                   cells: (a, b) => a.map((cell) => cell + element(a, 0) + element(b, 0)) },
  { text: "max(keep(a), b) + s",                cells: byCell((a, b, s) => Math.max(a, b) + s) },
  { text: "keep(s) * a",                        cells: byCell((a, _, s) => a * s) },
];

/** Around the size up to which cells are copied, and one that asynchronous runs pause in. */
const sizes = [3, 513, 513, 600, 600, 600, 20_000];

const filling = compile("input x: tensor(x[])\nx - 1000");

/** Writes to memory that was given back. */
function fill(): void {
  for (const size of [513, 600])
    filling.run({ x: Tensor.from(parseType(`tensor(x[${size}])`), new Float64Array(size)) });
}

/** Who reads what was disposed of before is told so. */
function refusedAsDisposed(error: unknown): void {
  if (!(error instanceof SphexError) || error.problems[0]?.code !== "value/disposed") throw error;
}

function unlessDisposed(run: () => void): void {
  try {
    run();
  } catch (error) {
    refusedAsDisposed(error);
  }
}

class Life {
  private readonly living: Living[] = [];
  /** What a function of the host disposes of. */
  private victims: Living[] = [];
  private readonly fixed = new Map<string, { readonly prepared: Prepared; readonly a: Living }>();
  private readonly running: Promise<void>[] = [];

  private readonly functions = {
    keep: {
      ...{ parameters: ["tensor(x[])"], returns: "tensor(x[])", pure: true },
      call: (value: Tensor): Tensor => {
        for (const each of this.victims.splice(0)) each.tensor.dispose();
        fill();
        return value;
      },
    },
  };

  private readonly programs = rows.map(({ text, cells }) => {
    const isOfNumber = text.startsWith("keep(s)");
    const types = isOfNumber ? { parameters: ["tensor()"], returns: "tensor()" } : {};
    const functions = { keep: { ...this.functions.keep, ...types } };
    const program = compile<Record<string, unknown>>(
      `input a: tensor(x[])\ninput b: tensor(x[])\ninput s: tensor()\n${text}`,
      text.includes("keep") ? { functions } : {},
    );
    return { text, cells, program, prepared: program.prepare() };
  });

  constructor(private readonly random: () => number) {}

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  private one<Value extends object | number>(values: readonly Value[]): Value {
    return element(values, this.below(values.length));
  }

  /** A tensor of a size that lives, or a new one. */
  private tensor(size: number): Living {
    const fitting = this.living.filter(({ cells }) => cells.length === size);
    if (fitting.length > 0 && this.random() < 0.85) return this.one(fitting);
    const start = this.below(50);
    const cells = Array.from({ length: size }, (_, at) => (start + at) % 50);
    const created = { tensor: Tensor.from(parseType(`tensor(x[${size}])`), cells), cells };
    this.living.push(created);
    return created;
  }

  private look({ tensor, cells }: Living, what: string): void {
    const { data } = tensor;
    if (data.length !== cells.length) throw new Error(`${what} has ${data.length} cells`);
    const at = cells.findIndex((cell, index) => Number(data[index]) !== cell);
    if (at >= 0) throw new Error(`${what} has ${data[at]} at ${at}, and not ${cells[at]}`);
  }

  /** A result that lives from now on, and is looked at, sooner or later. */
  private take(tensor: Tensor, cells: Numbers, what: string): void {
    const result = { tensor, cells };
    if (this.random() < 0.2) this.look(result, what);
    if (cells.every((cell) => Math.abs(cell) < 1e6)) this.living.push(result);
  }

  private run(): void {
    const { text, cells, program, prepared } = this.one(this.programs);
    const [a, s] = [this.tensor(this.one(sizes)), this.one([-1, 0, 0.5, 2])];
    const b = this.tensor(a.cells.length);
    const expected = cells(a.cells, b.cells, s);
    const inputs = { a: a.tensor, b: b.tensor, s };
    const isDisposing = text.includes("keep") && this.random() < 0.5;
    if (isDisposing) this.victims = this.removed([a, b]);
    // What the host disposes of may not have been read by then.
    const run = isDisposing ? unlessDisposed : (work: () => void): void => work();
    const way = this.below(6);
    if (way === 0) run(() => this.take(program.run(inputs), expected, text));
    else if (way === 1) {
      const running = prepared.runAsync(inputs);
      const taken = running.then((result) => this.take(result, expected, `${text}, asynchronous`));
      this.running.push(taken);
      if (this.random() < 0.3) for (const each of this.removed([a, b])) each.tensor.dispose();
    } else if (way === 2) {
      const known = this.fixed.get(text) ?? { prepared: program.prepare({ a: a.tensor }), a };
      this.fixed.set(text, known);
      const other = this.tensor(known.a.cells.length);
      const fixed = cells(known.a.cells, other.cells, s);
      // Where a branch reads it for the first time, it may have been disposed of.
      unlessDisposed(() =>
        this.take(known.prepared.run({ b: other.tensor, s }), fixed, `${text}, of a fixed`),
      );
      if (this.random() < 0.2) this.fixed.delete(text);
    } else if (way === 3) {
      const into = new Float64Array(expected.length);
      run(() => {
        prepared.runInto(into, inputs);
        expect(Array.from(into)).toEqual(expected);
      });
    } else run(() => this.take(prepared.run(inputs), expected, `${text}, prepared`));
    this.victims = [];
  }

  /** Some of those that live, which are disposed of, and live no more. */
  private removed(some: readonly Living[]): Living[] {
    const chosen = some.filter((each) => this.living.includes(each) && this.random() < 0.7);
    for (const each of chosen) this.living.splice(this.living.indexOf(each), 1);
    return chosen;
  }

  async live(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const choice = this.random();
      if (choice < 0.6) this.run();
      else if (choice < 0.7 && this.living.length > 0) this.look(this.one(this.living), "an earlier one");
      else if (choice < 0.95 && this.living.length > 0) {
        for (const each of this.removed([this.one(this.living)])) each.tensor.dispose();
      } else await Promise.all(this.running.splice(0));
      while (this.living.length > 30) this.living.splice(this.below(this.living.length), 1);
    }
    await Promise.all(this.running);
    for (const each of this.living) this.look(each, "one of the last");
  }
}

test.each(seeds(6))("tensors have their cells, whatever becomes of others: seed %i", async (seed) => {
  await new Life(uniform(seed)).live(2500);
});
