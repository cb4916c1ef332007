import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { writeCheckpoint } from "../../src/cli/train/checkpoint.js";
import {
  check,
  compile,
  optimiserNames,
  parseTensor,
  readTrainingTable,
  type Session,
  SphexError,
  type Tensor,
  type TrainingCheckpoint,
  type TrainOptions,
} from "../../src/index.js";
import { property } from "../../src/language/values/element.js";
import { command } from "../command.js";

/** Assignments of programs, and training, which is made of them. */

describe("assign", () => {
  const counting = compile(
    "input q: tensor()\npersistent n = 0\npersistent sum = 0\nassign n = n + 1\nassign sum = sum + n * q\nlog(q)",
  );

  test("takes all values of a run after it, and no new value within it", () => {
    const session = counting.session();
    session.run({ q: 10 });
    session.run({ q: 20 });
    expect([session.get("n").asNumber(), session.get("sum").asNumber()]).toEqual([2, 20]);
  });

  test("changes nothing where a run fails", () => {
    const session = counting.session();
    expect(() => session.run({ q: "tensor(x[2]):[1,2]" })).toThrow(SphexError);
    expect(() => session.runAll({ q: 1 }, { assign: { n: "unknown" } })).toThrow(SphexError);
    expect([session.get("n").asNumber(), session.get("sum").asNumber()]).toEqual([0, 0]);
  });

  test("is not made without a session", () => {
    expect(counting.run({ q: 1 }).asNumber()).toBe(0);
    expect(counting.session().get("n").asNumber()).toBe(0);
  });

  test("a variable below what waits for the sizes of a run may be reached", () => {
    const program = (value: string): string =>
      `input q: tensor(x[]); input v: tensor(x[]); variable s = 1; loss = ${value}; minimise loss`;
    const waiting = "sum(join(q, v, f(a,b)(sum(tensor(y[2])(y * a * b * s)))))";
    const codesOf = (text: string): readonly string[] => check(text).map(({ code }) => code);
    expect(codesOf(program(waiting))).not.toContain("minimise/unreached");
    expect(codesOf(program("sum(q * v)"))).toContain("minimise/unreached");
  });

  test("and minimise are names where they begin no statement of their own", () => {
    expect(compile("assign = 2; minimise = 3; assign * minimise").run().asNumber()).toBe(6);
    expect(compile("minimise(a) = 2 * a; minimise(4)").run().asNumber()).toBe(8);
  });
});

const line = `input x: tensor(row[])
input y: tensor(row[])
variable w: tensor() = 0
variable unused: tensor() = 7
persistent steps = 0
assign steps = steps + 1
loss = avg((w * x - y)^2)
minimise loss`;
const data = { x: [1, 2, 3, 4], y: [2, 4, 6, 8] };

async function trained(options: Partial<TrainOptions>, text = line) {
  const session = compile(text).session();
  const losses: number[] = [];
  for await (const { loss } of session.train({ data, ...options })) losses.push(loss);
  return { session, losses };
}

describe("training", () => {
  test("does by sgd what gradient descent does by hand", async () => {
    const { session, losses } = await trained({ optimiser: "sgd", rate: 0.01, epochs: 3 });
    // The loss is 7.5 (w - 2)^2, so that each step leaves 0.85 of the distance.
    for (const [at, loss] of losses.entries()) expect(loss).toBeCloseTo(30 * 0.85 ** (2 * at), 10);
    expect(session.get("w").asNumber()).toBeCloseTo(2 - 2 * 0.85 ** 3, 12);
    expect(session.get("steps").asNumber()).toBe(3);
    expect(session.get("unused").asNumber()).toBe(7);
  });

  test("does by adam what its authors write", async () => {
    const { session } = await trained({ optimiser: "adam", rate: 0.1, epochs: 2 });
    let [w, m, v] = [0, 0, 0];
    for (const n of [1, 2]) {
      const g = 15 * (w - 2);
      [m, v] = [0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g];
      w -= (0.1 * (m / (1 - 0.9 ** n))) / (Math.sqrt(v / (1 - 0.999 ** n)) + 1e-8);
    }
    expect(session.get("w").asNumber()).toBeCloseTo(w, 12);
  });

  test.each([
    "double",
    "float",
    "bfloat16",
  ])("stops where a cell of a variable of %s is infinite", async (cells) => {
    // The gradient is that of a small loss, and the step from it goes beyond the largest number of all three.
    const text = `input x: tensor(row[])
variable w: tensor<${cells}>(k[3]) = tensor<${cells}>(k[3])(k)
loss = avg(x) * w{k:1}
minimise loss`;
    const session = compile(text).session();
    const options = { data: { x: [1e30, 1e30] }, optimiser: "sgd", rate: 1e300, epochs: 2 } as const;
    const training = (async () => {
      for await (const _ of session.train(options));
    })();
    await expect(training).rejects.toThrow(SphexError);
    expect(`${session.get("w")}`).toMatch(/:\[0(\.0)?, 1(\.0)?, 2(\.0)?\]$/);
  });

  test.each(optimiserNames)("by %s makes the loss smaller", async (optimiser) => {
    const { losses } = await trained({ optimiser, rate: 0.02, epochs: 20, batch: 2 });
    expect(losses.at(-1)).toBeLessThan(losses[0] ?? 0);
  });

  test("takes the items in an order that the seed decides", async () => {
    const weights = async (seed: number) =>
      (await trained({ optimiser: "sgd", rate: 0.01, batch: 1, epochs: 3, seed })).session
        .get("w")
        .asNumber();
    expect(await weights(1)).toBe(await weights(1));
    expect(await weights(1)).not.toBe(await weights(2));
  });

  test("stops at a number that is not finite, with the variables before it", async () => {
    const text = line.replace("avg((w * x - y)^2)", "sum(sqrt(w + 1 - x))");
    const session = compile(text).session();
    const problems = async () => {
      for await (const _ of session.train({ data: { x: [1, 0], y: [0, 0] }, batch: 1, optimiser: "sgd" }));
    };
    await expect(problems()).rejects.toThrow(/infinite or NaN/);
    expect(Number.isFinite(session.get("w").asNumber())).toBe(true);
  });

  test("trains sparse variables at their labels", async () => {
    const text = `input x: tensor(k{},row[])
variable w: tensor(k{}) = tensor(k{}):{a:0, b:0, c:5}
loss = sum((sum(w * x, k) - 1)^2)
minimise loss`;
    const session = compile(text).session();
    const x = "tensor(k{},row[2]):{a:[1,0], b:[0,1]}";
    for await (const _ of session.train({ data: { x }, rate: 0.1, epochs: 200 }));
    expect([...session.get("w").cells()].map(({ value }) => Math.round(1e4 * value) / 1e4)).toEqual([
      1, 1, 5,
    ]);
  });
});

describe("the command", () => {
  const { folder, run } = command();
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  beforeAll(() => {
    write("line.sphex", line);
    write("data.json", JSON.stringify({ x: "tensor(row[2]):[1,2]", y: "tensor(row[2]):[3,6]" }));
  });
  const train = ["train", "line.sphex", "--data", "data.json", "--optimiser", "sgd", "--rate", "0.1"];

  test("trains, prints each epoch, and writes the variables", async () => {
    const { code, out } = await run([...train, "--epochs", "2", "--out", "w.json"]);
    expect([code, out]).toEqual([0, "epoch 1, step 1: 22.5000\nepoch 2, step 2: 5.62500\n"]);
    const written = JSON.parse(readFileSync(join(folder, "w.json"), "utf8"));
    expect(parseTensor(written.w).asNumber()).toBeCloseTo(2.25, 12);
  });

  test("tells before training that an archive holds no labels", async () => {
    write(
      "labels.sphex",
      "input x: tensor(row[]); variable w: tensor(k{}) = tensor(k{}):{a:1}; loss = avg(x) * sum(w); minimise loss",
    );
    write("labels.json", JSON.stringify({ x: "tensor(row[1]):[1]" }));
    const script = ["train", "labels.sphex", "--data", "labels.json", "--epochs", "1", "--out"];
    const { code, out, err } = await run([...script, "w.npz"]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("w.npz: an .npz file has no labels, which w has");
    expect((await run([...script, "labelled.json"])).code).toBe(0);
  });

  test("prints the variables where no file keeps them", async () => {
    const { out } = await run([...train, "--epochs", "2"]);
    expect(out.split("\n")).toEqual([
      "epoch 1, step 1: 22.5000",
      "epoch 2, step 2: 5.62500",
      "w = tensor():{2.25}",
      "unused = tensor():{7.0}",
      "",
    ]);
    const json = await run([...train, "--epochs", "1", "--json"]);
    expect(JSON.parse(json.out.trimEnd().split("\n").at(-1) ?? "")).toEqual({
      variables: { w: "tensor():{1.5}", unused: "tensor():{7.0}" },
    });
  });

  test("goes on from a file of state, which run reads too", async () => {
    await run([...train, "--epochs", "1", "--state", "state.json"]);
    const { out } = await run([...train, "--epochs", "1", "--state", "state.json", "--json"]);
    expect(JSON.parse(out).loss).toBeCloseTo(5.625, 12);
    write("seen.sphex", "persistent n = 0\nassign n = n + 1\nn");
    expect((await run(["run", "seen.sphex", "--state", "seen.json"])).out).toBe("0.0\n");
    expect((await run(["run", "seen.sphex", "--state", "seen.json"])).out).toBe("1.0\n");
    expect(existsSync(join(folder, "seen.json.lock"))).toBe(false);
  });

  test("goes on from a checkpoint as if it had never ended", async () => {
    const adam = [...train.slice(0, 4), "--optimiser", "adam", "--rate", "0.1", "--batch", "1"];
    const schedule = ["--schedule", "cosine", "--warmup", "2", "--patience", "9", "--json"];
    const whole = await run([...adam, ...schedule, "--epochs", "4"]);
    const script = [...adam, ...schedule, "--checkpoint", "at.json", "--epochs"];
    const controller = (await run([...script, "4"])).out;
    expect(controller).toBe(whole.out);
    // A checkpoint of the second of four epochs, as a process that was ended would have left it.
    const session = compile(line).session();
    const data = { x: "tensor(row[2]):[1,2]", y: "tensor(row[2]):[3,6]" };
    const options = {
      data,
      rate: 0.1,
      batch: 1,
      epochs: 4,
      schedule: "cosine",
      warmup: 2,
      patience: 9,
    } as const;
    for await (const { epoch, checkpoint } of session.train(options)) {
      if (epoch < 2) continue;
      writeCheckpoint("at.json", checkpoint(), { cwd: folder });
      break;
    }
    const rest = await run([...script, "4"]);
    expect(rest.out).toBe(whole.out.split("\n").slice(2).join("\n"));
    expect((await run([...train.slice(0, 4), "--checkpoint", "at.json", "--batch", "2"])).err).toContain(
      "began with another batch",
    );
    write("at.json", "{}");
    expect((await run([...script, "4"])).err).toContain("no checkpoint");
  });

  test("reads tables, tells of other data, and draws", async () => {
    write("line.csv", "y,x\n3,1\n6,2\n");
    write("other.csv", "x,y\n1,0\n");
    const table = ["train", "line.sphex", "--data", "line.csv", ...train.slice(4), "--epochs", "2"];
    const { out } = await run([
      ...table,
      "--validation",
      "other.csv",
      "--metric",
      "loss",
      "--plot",
      "--svg",
      "l.svg",
    ]);
    expect(out).toContain("epoch 2, step 2: 5.62500, validation 5.06250, loss 5.06250\n");
    expect(out).toContain("what is minimised, by epoch");
    expect(readFileSync(join(folder, "l.svg"), "utf8")).toContain("<svg");
    write("line.csv", "y,x\n3,1\n6,\n");
    expect((await run(table)).err).toContain("line.csv:3:3");
    // Decimal commas, and a field that is missing: what would follow is in other columns.
    write("line.csv", "y,x\n3,1\n6,5,2\n7\n");
    const { err } = await run(table);
    expect(err).toMatch(/this must be 2 fields, as in the header.*line.csv:3:1.*3 fields/s);
    expect(err).toMatch(/this must be 2 fields, as in the header.*line.csv:4:1.*1 field\n/s);
    write("line.csv", "y,x\n3,1\n6,0x10\n");
    expect((await run(table)).err).toContain("line.csv:3:3");
  });

  test("refuses a state of other types, one of another program, and one that is in use", async () => {
    write("other.sphex", "persistent n: tensor(x[2]) = tensor(x[2])(0)\nn");
    await run(["run", "seen.sphex", "--state", "types.json"]);
    const other = await run(["run", "other.sphex", "--state", "types.json"]);
    expect(other.code).toBe(1);
    expect(other.err).toContain("tensor(x[2])");
    write("text.json", "{}");
    expect((await run(["run", "seen.sphex", "--state", "text.json"])).err).toContain("no state");
    write("number.json", '{"sphex":"state","version":1,"tensors":{"seen":2}}');
    expect((await run(["run", "seen.sphex", "--state", "number.json"])).err).toContain("no state");
    write("types.json.lock", `${process.ppid}`);
    expect((await run(["run", "seen.sphex", "--state", "types.json"])).err).toContain("used by another run");
  });
});

describe("examples/learning", () => {
  const folder = new URL("../../examples/learning/", import.meta.url);
  const learned = async (name: string, options: Partial<TrainOptions>) => {
    // A program of JavaScript without types.
    const { dataOf } = (await import(new URL("data.js", folder).href)) as {
      dataOf: (name: string) => TrainOptions["data"];
    };
    const session = compile(readFileSync(new URL(`${name}.sphex`, folder), "utf8")).session();
    for await (const _ of session.train({ data: dataOf(name), ...options }));
    return { session, result: session.run(dataOf(name)).asNumber() };
  };

  test("a line through points", async () => {
    const { session } = await learned("linear-regression", { rate: 0.1, epochs: 100 });
    const [a = 0, b = 0] = session.get("weights").toArray() as Float64Array; // its cells are doubles
    expect(Math.abs(a - 2)).toBeLessThan(0.03);
    expect(Math.abs(b + 3)).toBeLessThan(0.03);
    expect(Math.abs(session.get("bias").asNumber() - 0.5)).toBeLessThan(0.03);
  });

  test("a neural network that tells spirals apart", async () => {
    expect((await learned("neural-network", { rate: 0.03, epochs: 400 })).result).toBeGreaterThanOrEqual(
      0.99,
    );
  });

  test("the species of irises that were not learnt from", async () => {
    const program = compile(readFileSync(new URL("iris.sphex", folder), "utf8"));
    const table = (name: string) =>
      readTrainingTable({ name, text: readFileSync(new URL(name, folder), "utf8") }, program.inputs);
    const session = program.session();
    const options = { epochs: 200, batch: 30, rate: 0.1, schedule: "cosine" } as const;
    for await (const _ of session.train({ data: table("iris.csv"), ...options }));
    expect(session.run(table("iris.csv")).asNumber()).toBeGreaterThanOrEqual(0.97);
    // All but one of thirty, at most.
    expect(session.run(table("iris-held-out.csv")).asNumber()).toBeGreaterThan(0.96);
  });

  test("vectors for users and films", async () => {
    expect((await learned("matrix-factorisation", { rate: 0.05, epochs: 1000 })).result).toBeLessThan(0.1);
  });
});

describe("tensors of a session in training, whose cells stay where steps left them", () => {
  const cells = 1000;
  const program = compile(
    `input q: tensor(b[])\nvariable w: tensor(x[${cells}]) = tensor(x[${cells}])(0)\nmean = avg((w - q) ^ 2, b)\nloss = sum(mean)\nminimise loss\nw`,
  );
  const settings = { data: { q: [3, 3, 3, 3] }, batch: 1, epochs: 3, optimiser: "sgd", rate: 0.1 } as const;
  /** Each step brings a cell a fifth of the rest of the way to 3. */
  const reached = (steps: number, from = 0): number => 3 + (from - 3) * 0.8 ** steps;
  const expectAll = (tensor: Tensor, expected: number): void => {
    for (let at = 0; at < cells; at++) expect(tensor.at(at)).toBeCloseTo(expected, 12);
  };

  type Progress = { readonly checkpoint: () => TrainingCheckpoint };
  // biome-ignore format: a table
  const holders = [
    { who: "who ask the session",      tensor: (session: Session) => session.get("w") },
    { who: "who run the session",      tensor: (session: Session) => session.run({ q: [3] }) },
    { who: "who write checkpoints",    tensor: (_: Session, { checkpoint }: Progress) => property(checkpoint().tensors, "w") },
  ];

  test.each(holders)("are what they were for those $who, after later steps", async ({ tensor }) => {
    const session = program.session();
    const tensors: Tensor[] = [];
    for await (const progress of session.train(settings)) tensors.push(tensor(session, progress));
    for (const [epoch, each] of tensors.entries()) expectAll(each, reached(4 * (epoch + 1)));
    expect(tensors).toHaveLength(3);
    expectAll(session.get("w"), reached(12));
  });

  test("of others, that are assigned between two epochs, stay theirs", async () => {
    const session = program.session();
    const ones = compile(`tensor(x[${cells}])(1 + 0 * x)`).prepare().run();
    for await (const { epoch } of session.train(settings)) if (epoch === 1) session.assign({ w: ones });
    expectAll(session.get("w"), reached(8, 1));
    expectAll(ones, 1);
  });
});
