import { describe, expect, test } from "vitest";
import { compile, type OptimiserName, type TrainOptions } from "../../src/index.js";
import { uniform } from "../../src/program/random.js";
import { shuffled } from "../../src/program/training/data/batches.js";

/** Variables with labels, of which a step changes the rows that its data meet: against a plain loop, and against variables without labels. */

const [items, labels, each] = [4, 70, 40];
const labelOf = (label: number): string => `l${`${label}`.padStart(2, "0")}`;
/** An item has 40 labels that follow each other, so that each two share some, and none has the last ones. */
const has = (item: number, label: number): boolean => label >= item * 8 && label < item * 8 + each;
const x = (item: number, label: number): number =>
  has(item, label) ? ((label * 5 + item) % 7) / 7 - 0.4 : 0;
const y = (item: number): number => item - 1.5;
const start = (label: number): number => ((label * 3) % 11) / 11;
const indexes = (length: number): number[] => Array.from({ length }, (_, at) => at);

const rowsOfData = indexes(items).flatMap((item) =>
  indexes(labels).flatMap((label) =>
    has(item, label) ? [`{label:${labelOf(label)},row:r${item}}:${x(item, label)}`] : [],
  ),
);
const sparseData = {
  x: `tensor(label{},row{}):{${rowsOfData}}`,
  y: `tensor(row{}):{${indexes(items).map((item) => `r${item}:${y(item)}`)}}`,
};
const sparse = (loss: string): string => `input x: tensor(label{},row{})
input y: tensor(row{})
variable w: tensor(label{}) = tensor(label{}):{${indexes(labels).map((label) => `${labelOf(label)}:${start(label)}`)}}
loss = ${loss}
minimise loss`;
const squares = "avg((sum(w * x, label) - y)^2)";

async function weights(text: string, options: TrainOptions): Promise<readonly number[]> {
  const session = compile(text).session();
  for await (const _ of session.train(options));
  return [...session.get("w").data].map(Number);
}

/** A step of one cell: the variable and what is remembered of it, of a gradient, by the published rules. */
type CellStep = (cell: { w: number; m: number; v: number }, g: number, rate: number, n: number) => void;

const adam: CellStep = (cell, g, rate, n) => {
  cell.m = 0.9 * cell.m + 0.1 * g;
  cell.v = 0.999 * cell.v + 0.001 * g * g;
  cell.w -= (rate * (cell.m / (1 - 0.9 ** n))) / (Math.sqrt(cell.v / (1 - 0.999 ** n)) + 1e-8);
};

const steps: Readonly<Record<OptimiserName, CellStep>> = {
  sgd: (cell, g, rate) => {
    cell.w -= rate * g;
  },
  momentum: (cell, g, rate) => {
    cell.m = 0.9 * cell.m + g;
    cell.w -= rate * cell.m;
  },
  adagrad: (cell, g, rate) => {
    cell.v += g * g;
    cell.w -= (rate * g) / (Math.sqrt(cell.v) + 1e-8);
  },
  rmsprop: (cell, g, rate) => {
    cell.v = 0.99 * cell.v + 0.01 * g * g;
    cell.w -= (rate * g) / (Math.sqrt(cell.v) + 1e-8);
  },
  adam,
  adamw: (cell, g, rate, n) => {
    cell.w -= 0.01 * rate * cell.w;
    adam(cell, g, rate, n);
  },
};

/** The variable after training, each cell by itself: only those change whose gradient is not 0. */
function trainedByHand(
  optimiser: OptimiserName,
  epochs: number,
  batch: number,
  rate: number,
  decay: number,
): number[] {
  const cells = indexes(labels).map((label) => ({ w: start(label), m: 0, v: 0 }));
  const random = uniform(0);
  let n = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffled(items, random);
    for (let first = 0; first < items; first += batch) {
      const chosen = order.slice(first, first + batch);
      n++;
      const errors = chosen.map((item) => {
        const predicted = cells.reduce((sum, { w }, label) => sum + w * x(item, label), 0);
        return (2 / chosen.length) * (predicted - y(item));
      });
      for (const [label, cell] of cells.entries()) {
        const g =
          errors.reduce((sum, error, at) => sum + error * x(chosen[at] ?? 0, label), 0) + 2 * decay * cell.w;
        if (g !== 0) steps[optimiser](cell, g, rate, n);
      }
    }
  }
  return cells.map(({ w }) => w);
}

const near = (got: readonly number[], expected: readonly number[]): void => {
  expect(got.length).toBe(expected.length);
  for (const [at, value] of got.entries())
    expect(value, labelOf(at)).toBeCloseTo(expected[at] ?? Number.NaN, 9);
};

describe("a step changes the rows that it touches, as each cell by itself would", () => {
  test.each(Object.keys(steps) as OptimiserName[])("by %s", async (optimiser) => {
    for (const batch of [1, 3]) {
      const options = {
        data: sparseData,
        dimension: "row",
        optimiser,
        rate: 0.05,
        epochs: 3,
        batch,
        seed: 0,
      };
      near(await weights(sparse(squares), options), trainedByHand(optimiser, 3, batch, 0.05, 0));
    }
  });

  test("and all rows, where the objective has all of them", async () => {
    const options = { data: sparseData, dimension: "row", rate: 0.05, epochs: 2, batch: 2, seed: 0 } as const;
    const loss = `${squares} + 0.01 * sum(w^2)`;
    near(
      await weights(sparse(loss), { ...options, optimiser: "adam" }),
      trainedByHand("adam", 2, 2, 0.05, 0.01),
    );
  });
});

// What each of these does with the variable decides which of its rows meet the data. A cell that is 0 adds as much as one that is not there.
test.each([
  "avg((sum(w * x, label) - y)^2)",
  "avg((sum(x * w, label) - y)^2 + sum(w * w * x, label))",
  "avg((sum((w + 1) * x, label) - y)^2)",
  "avg((sum(join(w, x, f(a,b)(a * a * b)), label) - sum(w) / 10)^2)",
  "avg((sum(w * sum(x, row) * x, label) - y)^2)",
  "avg((sum(w * x, label) - y)^2) + max(w)",
  "avg((sum(rename(w, label, other) * rename(x, label, other), other) - y)^2)",
  "avg((sum(w * (x * w), label) - y)^2) + sum(w{l69} * x)",
])("a variable with labels is learnt as one with indexes: %s", async (loss) => {
  const cells = indexes(labels).flatMap((label) => indexes(items).map((item) => x(item, label)));
  const dense = {
    x: `tensor(label[${labels}],row[${items}]):[${cells}]`,
    y: `tensor(row[${items}]):[${indexes(items).map(y)}]`,
  };
  const text = sparse(loss)
    .replace("tensor(label{},row{})", `tensor(label[${labels}],row[])`)
    .replace("tensor(row{})", "tensor(row[])")
    .replace(
      /tensor\(label\{\}\) = .*/,
      `tensor(label[${labels}]) = tensor(label[${labels}]):[${indexes(labels).map(start)}]`,
    )
    .replace("w{l69}", "w{label:69}");
  // What these two optimisers remember is not forgotten where a gradient is 0.
  for (const optimiser of ["sgd", "adagrad"] as const)
    for (const batch of [1, 2]) {
      const options = { optimiser, dimension: "row", rate: 0.01, epochs: 2, batch, seed: 3 };
      const own = await weights(sparse(loss), { ...options, data: sparseData });
      near(own, await weights(text, { ...options, data: dense }));
    }
});
