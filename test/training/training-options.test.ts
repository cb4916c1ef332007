import { describe, expect, test } from "vitest";
import {
  compile,
  parseTensor,
  parseType,
  readTrainingTable,
  SphexError,
  type TrainingCheckpoint,
  type TrainOptions,
  uniform,
} from "../../src/index.js";
import { rateAt } from "../../src/program/training/schedules.js";

/** What training can be told besides its data: schedules, clipping, patience, checkpoints. */

const line = `input x: tensor(row[])
input y: tensor(row[])
variable w: tensor() = 0
loss = avg((w * x - y)^2)
double_loss = 2 * loss
minimise loss`;
const data = { x: [1, 2, 3, 4], y: [2, 4, 6, 8] };

async function trained(options: Partial<TrainOptions>, text = line, random?: () => number) {
  const session = compile(text, random === undefined ? {} : { random }).session();
  const progress = [];
  for await (const each of session.train({ data, ...options })) progress.push(each);
  return { session, progress };
}

const wOf = async (options: Partial<TrainOptions>, text = line): Promise<number> =>
  (await trained(options, text)).session.get("w").asNumber();

describe("rates", () => {
  const at = (name: "linear" | "cosine" | "exponential" | "constant", warmup = 0) =>
    [1, 2, 3, 4, 5].map((step) => rateAt(step, { name, rate: 8, warmup, steps: 4 }));

  test("change as their names say", () => {
    expect(at("constant").slice(0, 4)).toEqual([8, 8, 8, 8]);
    expect(at("linear")).toEqual([8, 6, 4, 2, 0]);
    for (const [name, middle] of [
      ["cosine", 4],
      ["exponential", 0.8],
    ] as const) {
      expect(at(name)[0]).toBe(8);
      expect(at(name)[2]).toBeCloseTo(middle, 12);
    }
    expect(at("constant", 3)).toEqual([2, 4, 6, 8, 8]);
    // The schedule begins where the rate is at its highest.
    expect(at("linear", 1)).toEqual([4, 8, 16 / 3, 8 / 3, 0].map((rate) => expect.closeTo(rate, 12)));
    expect(at("exponential", 1)[1]).toBe(8);
  });

  test("are those of the steps", async () => {
    // A step of rate r leaves 1 - 15 r of the distance to 2.
    const w = await wOf({ optimiser: "sgd", rate: 0.02, schedule: "linear", epochs: 2 });
    expect(w).toBeCloseTo(2 - 2 * (1 - 15 * 0.02) * (1 - 15 * 0.01), 12);
  });
});

describe("gradients", () => {
  test("are not longer than clip says, and keep their direction", async () => {
    expect(await wOf({ optimiser: "sgd", rate: 0.1, clip: 3 })).toBeCloseTo(0.3, 12); // the gradient is -30
    expect(await wOf({ optimiser: "sgd", rate: 0.01, clip: 40 })).toBeCloseTo(0.3, 12);
    const text =
      "input x: tensor(row[])\nvariable a = 0\nvariable w = 0\nloss = avg(3 * a * x + 4 * w * x)\nminimise loss";
    const { session } = await trained({ data: { x: [1] }, optimiser: "sgd", rate: 1, clip: 1 }, text);
    expect(session.get("a").asNumber()).toBeCloseTo(-0.6, 12);
    expect(session.get("w").asNumber()).toBeCloseTo(-0.8, 12);
  });

  test("draw variables to 0 by l2", async () => {
    const text = line.replace("= 0", "= 2"); // where the loss has no slope
    expect(await wOf({ optimiser: "sgd", rate: 0.1, l2: 0.5 }, text)).toBeCloseTo(2 - 0.1 * 2 * 0.5 * 2, 12);
  });
});

describe("validation, metrics and patience", () => {
  test("are computed after each epoch", async () => {
    const options = { optimiser: "sgd", rate: 0.02, epochs: 2, metrics: ["double_loss"] } as const;
    const { progress, session } = await trained({ ...options, validation: { x: [1], y: [0] } });
    const w = session.get("w").asNumber();
    expect(progress[1]?.validation).toBeCloseTo(w * w, 12);
    expect(progress[1]?.metrics?.double_loss).toBeCloseTo(2 * w * w, 12);
    const own = await trained(options);
    expect(own.progress[1]?.metrics?.double_loss).toBeCloseTo(15 * (w - 2) ** 2, 12);
    expect(own.progress[1]?.validation).toBeUndefined();
    await expect(trained({ metrics: ["unknown"] })).rejects.toThrow(/unknown/);
  });

  test("end training with the best variables", async () => {
    // The best w of the validation is 1, which descent to 2 passes.
    const options = { optimiser: "sgd", rate: 0.01, epochs: 100, patience: 3 } as const;
    const { progress, session } = await trained({ ...options, validation: { x: [1], y: [1] } });
    const losses = progress.map(({ validation = Number.NaN }) => validation);
    const best = losses.indexOf(Math.min(...losses));
    expect(progress.length).toBe(best + 1 + 3);
    expect((session.get("w").asNumber() - 1) ** 2).toBeCloseTo(Math.min(...losses), 12);
  });

  test("end training with the variables of the best objective of the data", async () => {
    // With a momentum of 0.9 w goes from 3 to 1.2, -0.6 and -0.78: its squared distances to 1 are 4, 0.04, 2.56 and 3.1684.
    const text = "input x: tensor(row[])\nvariable w = 3\nloss = avg((w * x - 1)^2)\nminimise loss";
    const session = compile(text).session();
    const options = { optimiser: "momentum", rate: 0.45, epochs: 20, patience: 2 } as const;
    const losses: number[] = [];
    for await (const { loss } of session.train({ ...options, data: { x: [1] } })) losses.push(loss);
    expect(losses.map((each) => each.toFixed(4))).toEqual(["4.0000", "0.0400", "2.5600"]);
    expect(session.get("w").asNumber()).toBeCloseTo(1.2, 12);
  });
});

describe("a checkpoint", () => {
  // Dropout by chance, an optimiser with a memory, a schedule and a part of the data at a time.
  const text = `input x: tensor(row[])
input y: tensor(row[])
variable w: tensor(i[3]) = tensor(i[3])(sin(i))
persistent steps = 0
assign steps = steps + 1
loss = avg((sum(w * (random(i[3]) > 0.3), i) * x - y)^2)
minimise loss`;
  const options = {
    optimiser: "adam",
    rate: 0.05,
    schedule: "cosine",
    warmup: 3,
    ...{ batch: 2, seed: 7, epochs: 9, patience: 50 },
  } as const;

  test("has the tensors of its epoch when the training has gone on, however large they are", async () => {
    const size = 1000;
    const session = compile(`input x: tensor(row[])
variable w: tensor(k[${size}]) = tensor(k[${size}])(k)
loss = avg(sum((w - x) ^ 2))
minimise loss`).session();
    const [checkpoints, copies]: [TrainingCheckpoint[], string[]] = [[], []];
    for await (const { checkpoint } of session.train({
      data: { x: [1, 2, 3, 4] },
      ...{ optimiser: "adam", batch: 1, epochs: 5 },
    })) {
      checkpoints.push(checkpoint());
      copies.push(JSON.stringify(session.get("w")));
    }
    expect(checkpoints.map(({ tensors }) => JSON.stringify(tensors.w))).toEqual(copies);
    expect(new Set(checkpoints.map(({ tensors }) => JSON.stringify(tensors))).size).toBe(5);
  });

  test("goes on with the same bits", async () => {
    const whole = await trained(options, text);
    const checkpoint = whole.progress[3]?.checkpoint() as TrainingCheckpoint; // there are nine epochs
    const rest = await trained({ ...options, resume: checkpoint }, text);
    expect(rest.progress.map(({ epoch, step, loss }) => [epoch, step, loss])).toEqual(
      whole.progress.slice(4).map(({ epoch, step, loss }) => [epoch, step, loss]),
    );
    for (const name of ["w", "steps"])
      expect(rest.session.get(name).equals(whole.session.get(name)), name).toBe(true);
    expect(new Set(whole.progress.map(({ loss }) => loss)).size).toBe(9);
  });

  test("goes on with the same validation and metrics, by the same chance", async () => {
    const noisy = { ...options, validation: { x: [1, 2], y: [2, 4] }, metrics: ["loss"], patience: 3 };
    const whole = await trained(noisy, text, uniform(1));
    const told = ({ progress }: typeof whole) =>
      progress.map(({ epoch, validation, metrics }) => [epoch, validation, metrics?.loss]);
    for (const [at, each] of whole.progress.slice(0, -1).entries()) {
      const rest = await trained({ ...noisy, resume: each.checkpoint() }, text, uniform(1));
      expect(told(rest)).toEqual(told(whole).slice(at + 1));
      expect(rest.session.get("w").equals(whole.session.get("w"))).toBe(true);
    }
    expect(whole.progress.length).toBeGreaterThan(3);
  });

  test("goes on with the same bits where code was made for the steps meanwhile", async () => {
    const [rows, features] = [60, 5];
    const own = {
      text: `input x: tensor(f[${features}],row[])
input y: tensor(row[])
variable w: tensor(f[${features}]) = tensor(f[${features}])(0)
loss = avg((sum(x * w, f) - y)^2)
minimise loss`,
      data: {
        x: Array.from({ length: features }, (_, f) =>
          Array.from({ length: rows }, (_, row) => Math.sin(7 * f + row)),
        ),
        y: Array.from({ length: rows }, (_, row) => Math.cos(row)),
      },
    };
    const run = async (resume?: TrainingCheckpoint): Promise<(readonly [string, TrainingCheckpoint])[]> => {
      const session = compile(own.text, { backend: "engine" }).session();
      const epochs: [string, TrainingCheckpoint][] = [];
      const settings = { optimiser: "sgd", rate: 0.05, batch: 1, epochs: 4 } as const;
      const training = session.train({ data: own.data, ...(resume === undefined ? settings : { resume }) });
      for await (const { checkpoint } of training) epochs.push([`${session.get("w")}`, checkpoint()]);
      return epochs;
    };
    const whole = await run();
    const weights = whole.map(([w]) => w);
    expect(new Set(weights).size).toBe(4);
    for (const [at, [, resume]] of whole.slice(0, 3).entries())
      expect((await run(resume)).map(([w]) => w)).toEqual(weights.slice(at + 1));
  });

  /** A training that ended after its second epoch. */
  async function ended(own: Partial<TrainOptions> = {}): Promise<TrainingCheckpoint> {
    const { progress } = await trained({ ...options, ...own }, text);
    return progress[1]?.checkpoint() as TrainingCheckpoint; // there are more epochs
  }

  test("has its settings, which need not be said again", async () => {
    const own = { ...options, clip: 0.5, l2: 0.01 };
    const whole = await trained(own, text);
    const rest = await trained({ resume: await ended(own), patience: 50 }, text);
    expect(rest.session.get("w").equals(whole.session.get("w"))).toBe(true);
    expect(rest.progress.length).toBe(7);
  });

  test.each([
    ["batch", { batch: 3 }],
    ["seed", { seed: 8 }],
    ["rate", { rate: 0.04 }],
    ["schedule", { schedule: "linear" }],
    ["epochs", { epochs: 12 }],
    ["optimiser", { optimiser: "sgd" }],
    ["warmup", { warmup: 0 }],
    ["clip", { clip: 1 }],
    ["l2", { l2: 0.1 }],
    ["number of items", { data: { x: [1, 2, 3], y: [2, 4, 6] } }],
  ] as const)("is refused by a training with another %s", async (name, own) => {
    const resume = await ended();
    await expect(trained({ ...own, resume }, text)).rejects.toThrow(`another ${name},`);
  });

  test("of a rate that stays the same goes on for more epochs", async () => {
    const constant = { ...options, schedule: "constant", epochs: 3 } as const;
    const whole = await trained({ ...constant, epochs: 6 }, text);
    const rest = await trained({ ...constant, epochs: 6, resume: await ended(constant) }, text);
    expect(rest.session.get("w").equals(whole.session.get("w"))).toBe(true);
  });

  test("leaves the variables of the last epoch where the rest has no patience", async () => {
    // The validation gets worse from the first epoch on.
    const own = { optimiser: "sgd", rate: 0.01, epochs: 4 } as const;
    const { progress } = await trained({ ...own, patience: 9, validation: { x: [1], y: [-1] } });
    const resume = progress[1]?.checkpoint() as TrainingCheckpoint; // there are four epochs
    expect(resume.best?.epoch).toBe(1);
    const { session } = await trained({ resume });
    // A step of rate r leaves 1 - 15 r of the distance to 2.
    expect(session.get("w").asNumber()).toBeCloseTo(2 - 2 * 0.85 ** 4, 12);
  });

  test("is refused by another program", async () => {
    const { progress } = await trained(options, text);
    const resume = progress[0]?.checkpoint() as TrainingCheckpoint;
    await expect(trained({ ...options, optimiser: "sgd", resume }, text)).rejects.toThrow(/another/);
    await expect(trained({ ...options, resume })).rejects.toThrow(/another/);
  });
});

describe("a table", () => {
  const inputs = new Map(
    Object.entries({
      y: "tensor(row[])",
      x: "tensor(row[],z[2])",
      a: "tensor(f[2],row[])",
      k: "tensor(k{},row[])",
    }).map(([name, type]) => [name, parseType(type)] as const),
  );
  const read = (text: string) => readTrainingTable({ name: "table.csv", text }, inputs);

  test("has all columns of an input with several numbers an item, and no others that are called so", () => {
    const expected = "csv/shape: this must be each of x[0] to x[1] and no more";
    expect(() => read("y,x[0]\n1,2\n")).toThrow(`table.csv:1:1: ${expected}`);
    expect(() => read("y,x[0],x[1],x[2]\n1,2,3,4\n")).toThrow(`table.csv:1:13: ${expected}`);
    // These are no columns of x, and y has one alone.
    expect(Object.keys(read("y,xs[0],x,x[a],y[0]\n1,2,3,4,5\n"))).toEqual(["y"]);
  });

  // What writes tables leaves a field empty where it has no value; of a text without characters careful ones write the quotes.
  test("has a label in each line, which may be one without characters", () => {
    expect(`${read('k,y\n"",1\na,2\n').k}`).toBe("tensor(k{},row[2]):{'':[1.0, 0.0], a:[0.0, 1.0]}");
    expect(() => read("y,k\n1,a\n2,\n3,b\n")).toThrow(
      'table.csv:3:3: csv/shape: this must be a label, which is "" where it has no characters',
    );
  });

  test("without a line below its header is refused", () => {
    expect(() => read("x[0],y,x[1]\n")).toThrow(
      "table.csv:1:1: csv/shape: this must be a header with a line below it",
    );
  });

  test("of two columns with one name have neither", () => {
    const only = new Map([["x", parseType("tensor(row[])")]]);
    expect(() => readTrainingTable({ name: "table.csv", text: "x,y, x\n1,2,3\n" }, only)).toThrow(
      "table.csv:1:5: csv/shape: this must be one column x",
    );
    const { x } = readTrainingTable({ name: "table.csv", text: "x,y,y\n1,2,3\n" }, only);
    expect(`${x}`).toBe("tensor(row[1]):[1.0]");
  });

  test.each([
    "float",
    "half",
    "bfloat16",
    "int8",
    "short",
    "int",
    "long",
  ] as const)("has numbers for cells of %s", (cells) => {
    const only = new Map([
      ["y", parseType(`tensor<${cells}>(row[])`)],
      ["x", parseType(`tensor<${cells}>(row[],z[2])`)],
    ]);
    const { x, y } = readTrainingTable({ name: "table.csv", text: "y,x[0],x[1]\n1,2,3\n-4,5,6\n" }, only);
    expect(y?.equals(parseTensor(`tensor<${cells}>(row[2]):[1, -4]`))).toBe(true);
    expect(x?.equals(parseTensor(`tensor<${cells}>(row[2],z[2]):[[2, 3], [5, 6]]`))).toBe(true);
  });

  test("has a column for each number of an item, and one for its label", () => {
    const tensors = read("x[0],x[1],a[0],a[1],k,y\n1,2,3,4,q,9\n5,6,7,8,p,-1\n");
    expect(Object.fromEntries(Object.entries(tensors).map(([name, tensor]) => [name, `${tensor}`]))).toEqual({
      y: "tensor(row[2]):[9.0, -1.0]",
      x: "tensor(row[2],z[2]):[[1.0, 2.0], [5.0, 6.0]]",
      a: "tensor(f[2],row[2]):[[3.0, 7.0], [4.0, 8.0]]",
      k: "tensor(k{},row[2]):{p:[0.0, 1.0], q:[1.0, 0.0]}",
    });
  });

  test("need not be about all inputs, and says where it has no number", () => {
    expect(Object.keys(read("y,other\n1,2\n"))).toEqual(["y"]);
    expect(() => read('y\n1\n""\nx\n')).toThrow(/number/);
  });

  test("about no input is refused where its header stands", () => {
    const expected =
      "csv/shape: this must be a header with a column of an input, such as y, x[0], x[1], a[0], a[1]";
    const hintOf = (text: string): string | undefined => {
      try {
        return `${Object.keys(read(text))}`;
      } catch (error) {
        if (!(error instanceof SphexError)) throw error;
        expect(error.message).toContain(text === "" ? expected : `table.csv:1:1: ${expected}`);
        return error.problems[0]?.description.hint;
      }
    };
    expect(hintOf("y;k\n1;a\n")).toBe("columns stand between commas");
    expect(hintOf("Y,K\n1,a\n")).toBeUndefined();
    expect(hintOf("")).toBeUndefined();
    // Others than columns of tables are no matter of the table.
    const fixed = new Map([["m", parseType("tensor(f[2])")]]);
    expect(readTrainingTable({ name: "table.csv", text: "y\n1\n" }, fixed)).toEqual({});
  });
});

describe("labels", () => {
  const text = `input x: tensor(k{},row[])
variable w: tensor(f[2],k{}) = tensor(f[2],k{}):{a:[0,0], b:[1,1]}
loss = avg((sum(sum(w * x, k), f) - 1)^2)
minimise loss`;
  const session = compile(text).session();
  const block = (label: string): number[] =>
    [...session.get("w").cells()].flatMap(({ address, value }) => (address.k === label ? [value] : []));

  test.each([
    "adam",
    "adamw",
    "momentum",
    "adagrad",
    "rmsprop",
    "sgd",
  ] as const)("that a step does not touch stay as they are, by %s", async (optimiser) => {
    session.reset();
    const items = `tensor(k{},row[4]):{a:[1,0,1,0], b:[0,0,0,0]}`;
    for await (const _ of session.train({ data: { x: items }, optimiser, rate: 0.1, batch: 1, epochs: 3 }));
    expect(block("b")).toEqual([1, 1]);
    expect(block("a")[0]).not.toBe(0);
  });

  test("have a memory of their own", async () => {
    // Between two steps on a there are some on b alone, of which the moments of a know nothing.
    const wOfA = async (labels: readonly string[]) => {
      session.reset();
      const cells = (label: string) => labels.map((each) => Number(each === label));
      const data = { x: `tensor(k{},row[${labels.length}]):{a:[${cells("a")}], b:[${cells("b")}]}` };
      for await (const _ of session.train({ data, optimiser: "momentum", rate: 0.01, batch: 1 }));
      return block("a");
    };
    const [first = 0, second] = await wOfA(["a", "a", "b", "b", "b"]);
    const [alone = 1] = await wOfA(["a", "a"]);
    expect(first).toBeCloseTo(alone, 12);
    expect(second).toBe(first);
  });
});
