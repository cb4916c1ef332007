import { describe, expect, test } from "vitest";
import { compile, SphexError, type TrainOptions } from "../../src/index.js";

/** Steps on a part of the data: every tensor with items has the same items in a step, or is refused. */

async function trained(text: string, options: TrainOptions) {
  const session = compile(text).session();
  const epochs = [];
  for await (const each of session.train(options)) epochs.push(each);
  return { session, epochs };
}

const codes = async (text: string, options: TrainOptions): Promise<readonly string[]> => {
  try {
    await trained(text, options);
    return [];
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return error.problems.map(({ code }) => code);
  }
};

const inputs = "input x: tensor(row[]); input y: tensor(row[]); variable w = 0";
const data = { x: [1, 1, 1, 1], y: [1, 100, 100, 100] };
const sgd = { optimiser: "sgd", rate: 0.01 } as const;

describe("what has items of its own", () => {
  // biome-ignore format: a table
  test.each([
    "input c: tensor(row[]) = tensor(row[4]):[1,0,0,0]",
    "input c: tensor(row[4]) = tensor(row[4]):[1,0,0,0]",
    "constant c: tensor(row[4]) = tensor(row[4]):[1,0,0,0]",
    "variable c: tensor(row[4]) = tensor(row[4]):[1,0,0,0]",
    "c = tensor(row[4]):[1,0,0,0]",
    "c = tensor(row[4])(row == 0)",
    "input z: tensor(k[4]); c = rename(z, k, row)",
  ])("meets all items in their order, and is refused in batches: %s", async (definition) => {
    const text = `${inputs}; ${definition}; loss = sum(c * (x * w - y) ^ 2); minimise loss`;
    const all = definition.includes("z:") ? { ...data, z: [1, 0, 0, 0] } : data;
    expect(await codes(text, { ...sgd, data: all, batch: 1 })).toEqual(["train/fixed"]);
    const { epochs } = await trained(text, { ...sgd, data: all, batch: 4 });
    // The first item alone counts: (0 - 1)².
    expect(epochs[0]?.loss).toBeCloseTo(1, 12);
  });

  // In a batch, the join of its items with four numbers would be cut off at their end.
  test("is refused under another name of the dimension, too", async () => {
    const text = `${inputs}; c = tensor(k[4]):[1,0,0,0]; loss = sum(c * rename((x * w - y) ^ 2, row, k)); minimise loss`;
    expect(await codes(text, { ...sgd, data, batch: 1 })).toEqual(["train/fixed"]);
    const { epochs } = await trained(text, { ...sgd, data, batch: 4 });
    expect(epochs[0]?.loss).toBeCloseTo(1, 12);
  });

  // biome-ignore format: a table
  test.each([
    ["map_subspaces(z, f(t)(tensor(row[4])(row == 0) * (t * w - y0) ^ 2))", "train/fixed"],
    ["map_subspaces(z, f(t)(tensor(k[4])(k == 0) * rename((t * w - y0) ^ 2, row, k)))", "train/fixed"],
    ["filter_subspaces((z * w - y0) ^ 2 * tensor(k[1])(1), f(t)(sum(t * tensor(row[4])(row == 0)) > 0)) * 0.25", "train/fixed"],
    ["map_subspaces(z, f(t)(rename(rename((t * w - y0) ^ 2, row, k), k, row))) * 0.25", undefined],
  ])("in a lambda on subspaces: %s", async (squares, code) => {
    const text = `input z: tensor(q{},row[]); input y0 = 1; variable w = 0; loss = sum(${squares}); minimise loss`;
    const all = { z: "tensor(q{},row[4]):{a:[1,1,1,1]}" };
    const options = { ...sgd, data: all, dimension: "row" } as const;
    expect(await codes(text, { ...options, batch: 1 })).toEqual(code === undefined ? [] : [code]);
    // The square of one item, or a quarter of those of four.
    expect((await trained(text, options)).epochs[0]?.loss).toBeCloseTo(1, 12);
  });

  test("may have been renamed, and have its name again", async () => {
    const text = (x: string): string => `${inputs}; loss = sum((${x} * w - y) ^ 2); minimise loss`;
    const lossesOf = async (x: string): Promise<readonly number[]> => {
      const { epochs } = await trained(text(x), { ...sgd, data, batch: 3, epochs: 2 });
      return epochs.map(({ loss }) => loss);
    };
    expect(await lossesOf("rename(sin(rename(x, row, k)), k, row)")).toEqual(await lossesOf("sin(x)"));
  });

  test("among the data is taken apart with them, unless its size is bound", async () => {
    const text = (type: string): string =>
      `${inputs}; input c: tensor(${type}); loss = sum(c * (x * w - y) ^ 2); minimise loss`;
    const all = { ...data, c: [1, 0, 0, 0] };
    const { session } = await trained(text("row[]"), { ...sgd, data: all, batch: 1 });
    // One step of four moves w: by 0.01 of the slope -2.
    expect(session.get("w").asNumber()).toBeCloseTo(0.02, 12);
    expect(await codes(text("row[4]"), { ...sgd, data: all, batch: 2 })).toEqual(["train/fixed"]);
  });
});

// Without an item, a sum over all of them is 0, and an average NaN: neither says how good the variables are.
test("data without an item are refused, also for the validation", async () => {
  const text = `${inputs}; loss = sum((x * w - y) ^ 2); minimise loss`;
  const none = { x: "tensor(row[]):{}", y: "tensor(row[]):{}" };
  expect(await codes(text, { ...sgd, data: none })).toEqual(["train/no-items"]);
  expect(await codes(text, { ...sgd, data, validation: none })).toEqual(["train/no-items"]);
  const labels =
    "input x: tensor(row{}); variable w: tensor() = 1; loss = sum((x - w) ^ 2, row); minimise loss";
  expect(await codes(labels, { ...sgd, data: { x: "tensor(row{}):{}" } })).toEqual(["train/no-items"]);
});

test("a rate or a bound of the gradient by which nothing is learned is refused", async () => {
  const text = `${inputs}; loss = sum((x * w - y) ^ 2); minimise loss`;
  for (const option of [{ rate: 0 }, { clip: 0 }])
    expect(await codes(text, { ...sgd, data, ...option })).toEqual(["option/value"]);
});

test("a dimension that the data lack, or whose size is fixed, is told apart from data that disagree", async () => {
  const text = `${inputs}; loss = sum((x * w - y) ^ 2); minimise loss`;
  await expect(trained(text, { ...sgd, data, dimension: "rows" })).rejects.toThrow(
    "no input of the data has the dimension rows",
  );
  const sized = "input x: tensor(row[4]); variable w = 1; loss = sum((x * w) ^ 2); minimise loss";
  const options = { ...sgd, data: { x: [1, 2, 3, 4] }, dimension: "row", batch: 2 };
  await expect(trained(sized, options)).rejects.toThrow(
    "row has a size, so that its items cannot be split into batches",
  );
});

// A join would leave out what only one of them has.
test("data of which one input has more items than another are refused, also for the validation", async () => {
  const text = `${inputs}; loss = sum((x * w - y) ^ 2); minimise loss`;
  const unequal = { x: [1, 2], y: [1, 2, 3] };
  expect(await codes(text, { ...sgd, data: unequal })).toEqual(["train/dimension"]);
  expect(await codes(text, { ...sgd, data, validation: unequal })).toEqual(["train/dimension"]);
  await expect(trained(text, { ...sgd, data, validation: unequal })).rejects.toThrow(
    "the validation data do not agree on the items along row: 2 of x, 3 of y",
  );
});

describe("the best epoch", () => {
  const text =
    "input x: tensor(row[]); input flag: tensor(row[]); variable w = 1\n" +
    "loss = avg((x - w)^2) + if(sum(flag) > 0 && w > 1.3 && w < 1.6, 0/0, 0)\nminimise loss";

  test("is none whose objective is NaN", async () => {
    const { session, epochs } = await trained(text, {
      ...{ data: { x: [5], flag: [0] }, validation: { x: [1.2], flag: [1] } },
      ...{ epochs: 4, patience: 50, optimiser: "sgd", rate: 0.03 },
    });
    expect(epochs.map(({ validation }) => Number.isNaN(validation))).toEqual([false, true, false, false]);
    // After the first step: 1 - 0.03 * 2 * (1 - 5).
    expect(session.get("w").asNumber()).toBeCloseTo(1.24, 12);
  });

  test("ends a training in which NaN alone comes after it", async () => {
    const { epochs } = await trained(
      "input x: tensor(row[]); variable w = 1; loss = avg(sqrt(x - w)); minimise loss",
      { data: { x: [10] }, validation: { x: [1.5] }, epochs: 12, patience: 2, optimiser: "sgd", rate: 0.7 },
    );
    const best = epochs.findLastIndex(({ validation = Number.NaN }) => !Number.isNaN(validation));
    expect(epochs).toHaveLength(best + 1 + 2);
  });
});

describe("items that are labels", () => {
  const text = `input x: tensor(label{},row{})
input y: tensor(row{})
variable w: tensor(label{}) = tensor(label{}):{a:0,b:0,c:7}
loss = avg((sum(x * w, label) - y)^2)
minimise loss`;
  const x = "tensor(label{},row{}):{{label:a,row:r}:1,{label:b,row:s}:1}";
  const y = "tensor(row{}):{r:2,s:4}";

  test("are taken apart by them, and by the dimension that all inputs share", async () => {
    const options = { data: { x, y }, batch: 1, optimiser: "sgd", rate: 0.25 } as const;
    const { session, epochs } = await trained(text, options);
    // Of one item each the gradient is 2 (w - y): the half of what is missing.
    expect(`${session.get("w")}`).toBe("tensor(label{}):{a:1.0, b:2.0, c:7.0}");
    expect(epochs.map(({ step, loss }) => [step, loss])).toEqual([[2, (4 + 16) / 2]]);
  });

  test("all at once have the mean of their gradients", async () => {
    const { session } = await trained(text, { data: { x, y }, optimiser: "sgd", rate: 0.25 });
    expect(`${session.get("w")}`).toBe("tensor(label{}):{a:0.5, b:1.0, c:7.0}");
  });

  test("of batches have all of their rows, and each its own", async () => {
    const rows = Array.from({ length: 10 }, (_, at) => `r${at}`);
    const cells = rows.flatMap((row, at) => [
      `{label:a,row:${row}}:1`,
      `{label:l${at % 3},row:${row}}:${at}`,
    ]);
    const data = {
      x: `tensor(label{},row{}):{${cells}}`,
      y: `tensor(row{}):{${rows.map((row, at) => `${row}:${at}`)}}`,
    };
    const seen = `${text}\npersistent seen: tensor(row{}) = tensor(row{}):{}
persistent sums: tensor(label{}) = tensor(label{}):{}
assign seen = merge(seen, y, f(a,b)(a + b))
assign sums = merge(sums, sum(x, row), f(a,b)(a + b))`;
    const { session, epochs } = await trained(seen, { data, batch: 4, epochs: 2, seed: 3, rate: 1e-6 });
    expect(epochs.map(({ step }) => step)).toEqual([3, 6]);
    expect(`${session.get("seen")}`).toBe(
      `tensor(row{}):{${rows.map((row, at) => `${row}:${2 * at}.0`).join(", ")}}`,
    );
    expect(`${session.get("sums")}`).toBe("tensor(label{}):{a:20.0, l0:36.0, l1:24.0, l2:30.0}");
  });

  test("may lack in a part of the data", async () => {
    const data = { x, y: "tensor(row{}):{r:2,s:4,t:9}" };
    const { epochs } = await trained(text, {
      data,
      batch: 1,
      optimiser: "sgd",
      rate: 0.25,
      dimension: "row",
    });
    expect(epochs.map(({ step }) => step)).toEqual([3]);
    expect(await codes(text, { data, dimension: "rows" })).toEqual(["train/dimension"]);
  });
});

describe("gradients", () => {
  test.each([
    ["float", 1e18],
    ["float", 3e19],
    ["double", 3e160],
  ])("of %s are cut to the length of clip, however long: %d", async (cells, x) => {
    const text = `input x: tensor(row[]); variable w: tensor<${cells}>(i[1]) = tensor<${cells}>(i[1]):[1]; loss = sum(x) * sum(w); minimise loss`;
    const { session } = await trained(text, {
      data: { x: [x] },
      clip: 1,
      optimiser: "sgd",
      rate: 0.1,
      epochs: 3,
    });
    expect(session.get("w").at(0)).toBeCloseTo(0.7, 6);
  });

  test("of 0 stay so, however small clip is", async () => {
    const text = "input x: tensor(row[]); variable w = 3; loss = 0 * w * avg(x); minimise loss";
    const { session } = await trained(text, { data: { x: [1] }, clip: Number.MIN_VALUE });
    expect(session.get("w").asNumber()).toBe(3);
  });
});

test("a persistent tensor of the program may be infinite", async () => {
  const text =
    "input x: tensor(row[]); variable w = 3; persistent other = 1/0; assign other = other; loss = avg((x-w)^2); minimise loss";
  expect(await codes(text, { data: { x: [1] } })).toEqual([]);
});

test.each(["half", "bfloat16"])("a variable of %s is trained, and is rounded at each step", async (cells) => {
  const text = `input x: tensor(row[]); variable w: tensor<${cells}>(k{}) = tensor<${cells}>(k{}):{a:1,b:3}; loss = avg(x) * sum(w*w); minimise loss`;
  const { session, epochs } = await trained(text, { ...sgd, rate: 0.125, data: { x: [1, 3] }, epochs: 2 });
  // The gradient is 4 w: the half of w is left after each step.
  expect(epochs.map(({ loss }) => loss)).toEqual([20, 5]);
  expect(`${session.get("w")}`).toBe(`tensor<${cells}>(k{}):{a:0.25, b:0.75}`);
});

test.each([
  // The gradient is 1, and the rate is beyond the largest half.
  ["the variable", "half", { optimiser: "sgd", rate: 1e6 }],
  // 1e30 squared is no float.
  ["what the optimiser remembers", "float", { optimiser: "adagrad", rate: 1e-3, scale: "1e30" }],
] as const)("%s may not become infinite where what is minimised is not: %s", async (_, cells, options) => {
  const { scale = "1", ...others }: { scale?: string; optimiser: "sgd" | "adagrad"; rate: number } = options;
  const text = `input x: tensor(row[]); variable w: tensor<${cells}>(k{}) = tensor<${cells}>(k{}):{a:0}; loss = avg(x) * sum(w) * ${scale}; minimise loss`;
  expect(await codes(text, { data: { x: [1] }, ...others })).toEqual(["train/not-finite"]);
});

test("a decay that is too great is told as what it does to the objective", async () => {
  const text = "input x: tensor(row[]); variable w = 3; loss = avg((x-w)^2); minimise loss";
  expect(await codes(text, { data: { x: [1] }, l2: 1e308, optimiser: "sgd", rate: 1 })).toEqual([
    "train/not-finite",
  ]);
});

test("what is aborted ends as runs do", async () => {
  const text = "input x: tensor(row[]); variable w = 3; loss = avg((x-w)^2); minimise loss";
  expect(await codes(text, { data: { x: [1] }, signal: AbortSignal.abort() })).toEqual(["limit/cancelled"]);
});

test("a metric may have any name", async () => {
  const text = "input x: tensor(row[]); variable w = 3; __proto__ = w; loss = avg((x-w)^2); minimise loss";
  const { epochs } = await trained(text, {
    data: { x: [1] },
    metrics: ["__proto__"],
    optimiser: "sgd",
    rate: 1e-12,
  });
  const [name, value] = Object.entries(epochs[0]?.metrics ?? {})[0] ?? [];
  expect([name, value?.toFixed(6)]).toEqual(["__proto__", "3.000000"]);
});
