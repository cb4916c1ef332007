import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  compile,
  type InputValues,
  type OptimiserName,
  type Options,
  type Session,
  SphexError,
  type TrainingProgress,
  type TrainOptions,
} from "../../src/index.js";
import { models } from "../../src/models.js";
import { command } from "../command.js";
import { model, node, port } from "../models/onnx/write-model.js";

/**
 * Training of programs that wait for the sizes of the inputs of a run: each batch is computed by the program for its sizes, and all of them
 * change the same variables. PyTorch has written the models, and has trained through them: torch/train.py.
 */

interface Items {
  readonly x: readonly (readonly number[])[];
  readonly t: readonly number[];
}

interface Recorded {
  readonly batch: number;
  readonly epochs: number;
  readonly seed: number;
  readonly data: Items;
  readonly validation: Items;
  readonly nets: readonly {
    readonly name: string;
    readonly model: string;
    readonly trainings: readonly {
      readonly optimiser: OptimiserName;
      readonly rate: number;
      readonly progress: readonly { readonly loss: number; readonly validation: number }[];
      readonly variables: Readonly<Record<string, number | readonly number[]>>;
    }[];
  }[];
}

const recorded: Recorded = JSON.parse(readFileSync(new URL("torch/trained.json", import.meta.url), "utf8"));
const { batch, epochs, seed, nets } = recorded;

const tensorsOf = ({ x, t }: Items) => ({
  x: `tensor<float>(row[${x.length}],i[3]):${JSON.stringify(x)}`,
  t: `tensor<float>(row[${t.length}]):${JSON.stringify(t)}`,
});
const [data, validation] = [tensorsOf(recorded.data), tensorsOf(recorded.validation)];

const text = `model net = file("net.onnx")
input x: tensor<float>(row[],i[3])
input t: tensor<float>(row[])
variable s: tensor<float>(i[3]) = tensor<float>(i[3])(1)
variable w: tensor<float>(o[2]) = tensor<float>(o[2])(0.5 - o)
variable b = 0
h = rename(net(rename(x * s, (row,i), (d0,d1))).y, (d0,d1), (row,o))
loss = avg((sum(h * w, o) + b - t)^2)
minimise loss`;

const bytesOf = (model: string): Uint8Array => Uint8Array.from(Buffer.from(model, "base64"));
const optionsOf = (model: string, backend: Options["backend"] = "engine"): Options => ({
  ...{ models, backend },
  readBytes: () => bytesOf(model),
});

async function progressOf(
  session: Session,
  options: Omit<TrainOptions, "data">,
): Promise<TrainingProgress[]> {
  const all: TrainingProgress[] = [];
  for await (const progress of session.train({ data, ...options })) all.push(progress);
  return all;
}

async function finished(session: Session, options: TrainOptions): Promise<void> {
  for await (const _ of session.train(options));
}

const variablesOf = (session: Session) =>
  Object.fromEntries([...session.types.keys()].map((name) => [name, session.get(name).toNested()]));

/** PyTorch and Sphex add floats in other orders. */
const tolerance = 1e-5;

function expectNear(found: unknown, expected: unknown): void {
  const [own, others] = [found, expected].map((each) => [each].flat(3).map(Number));
  expect(own?.length).toBe(others?.length);
  for (const [at, other] of others?.entries() ?? [])
    expect(Math.abs((own?.[at] ?? Number.NaN) - other)).toBeLessThan(tolerance);
}

const trainings = nets.flatMap(({ name, model, trainings: own }) =>
  own.map((training) => [`${name}, ${training.optimiser}`, model, training] as const),
);

describe("through a model of open batch size", () => {
  describe.each(trainings)("%s", (_, model, { optimiser, rate, progress, variables }) => {
    const options = { batch, epochs, seed, optimiser, rate };

    test.each(["engine", "reference"] as const)("is what PyTorch makes of it: by the %s", async (backend) => {
      const session = compile(text, optionsOf(model, backend)).session();
      const found = await progressOf(session, { ...options, validation });
      expectNear(
        found.map((each) => [each.loss, each.validation]),
        progress.map((each) => [each.loss, each.validation]),
      );
      for (const [name, value] of Object.entries(variables)) expectNear(variablesOf(session)[name], value);
    });

    test("goes on from a checkpoint with the same bits", async () => {
      const whole = compile(text, optionsOf(model)).session();
      const [, second] = await progressOf(whole, options);
      const rest = compile(text, optionsOf(model)).session();
      await progressOf(rest, { ...options, ...(second && { resume: second.checkpoint() }) });
      expect(variablesOf(rest)).toEqual(variablesOf(whole));
    });

    test("by the command", async () => {
      const { folder, run } = command();
      const files = { "n.sphex": text, "d.json": JSON.stringify(data), "v.json": JSON.stringify(validation) };
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
      writeFileSync(join(folder, "net.onnx"), bytesOf(model));
      const settings = Object.entries({ ...options, data: "d.json", validation: "v.json" });
      const flags = settings.flatMap(([name, value]) => [`--${name}`, `${value}`]);
      const { code, out } = await run(["train", "n.sphex", "--json", ...flags]);
      expect(code).toBe(0);
      const lines = out.trim().split("\n");
      expect(lines.length).toBe(epochs + 1);
      const last: TrainingProgress = JSON.parse(lines[epochs - 1] ?? "");
      expectNear([last.loss, last.validation], [progress.at(-1)?.loss, progress.at(-1)?.validation]);
    });
  });
});

test("variables with labels are learnt as with a mapped item each, for which the model has sizes", async () => {
  const [net] = nets;
  const { x, t } = recorded.data;
  const users = t.map((_, at) => "abc"[at % 3] ?? "");
  const head = (item: string): string => `model net = file("net.onnx")
input x: tensor<float>(${item},d1[3])\ninput t: tensor<float>(${item})\ninput u: tensor<float>(user{},${item})
variable w: tensor<float>(user{},d1[2]) = tensor<float>(user{},d1[2]):{a:[1,0],b:[0,1],c:[1,1]}`;
  const loss = "loss = avg((sum(h * sum(w * u, user), d1) - t)^2)\nminimise loss";
  const one = "net(tensor<float>(d0[1],d1[3])(v{d1:(d1)})).y";
  const learnt = async (program: string, options: TrainOptions): Promise<readonly number[]> => {
    const session = compile(program, optionsOf(net?.model ?? "")).session();
    await finished(session, { batch: 3, epochs: 2, rate: 0.1, seed, ...options });
    return [...session.get("w").data].map(Number);
  };
  const indicators = ["a", "b", "c"].map((user) => `${user}:[${users.map((own) => Number(own === user))}]`);
  const open = await learnt(`${head("d0[]")}\nh = net(x).y\n${loss}`, {
    data: {
      x: `tensor<float>(d0[7],d1[3]):${JSON.stringify(x)}`,
      t: `tensor<float>(d0[7]):${JSON.stringify(t)}`,
      u: `tensor<float>(user{},d0[7]):{${indicators}}`,
    },
  });
  const mapped = await learnt(`${head("row{}")}\nh = map_subspaces(x, f(v)(sum(${one}, d0)))\n${loss}`, {
    dimension: "row",
    data: {
      x: `tensor<float>(row{},d1[3]):{${x.map((each, row) => `${row}:${JSON.stringify(each)}`)}}`,
      t: `tensor<float>(row{}):{${t.map((each, row) => `${row}:${each}`)}}`,
      u: `tensor<float>(row{},user{}):{${users.map((user, row) => `{row:${row},user:${user}}:1`)}}`,
    },
  });
  expectNear(open, mapped);
});

test("what has other items than the batch is refused, also where a model or a new name stands between", async () => {
  const [net] = nets;
  const codesOf = async (statements: string, values: InputValues): Promise<readonly unknown[]> => {
    const program = `model net = file("net.onnx")\ninput x: tensor<float>(row[],d1[3])\n${statements}
variable w: tensor<float>(d1[2]) = tensor<float>(d1[2])(0.5)
loss = avg((sum(net(rename(x, row, d0)).y * w, d1) - t)^2)
minimise loss`;
    const session = compile(program, optionsOf(net?.model ?? "")).session();
    const inputs = { x: data.x.replace("i[", "d1["), ...values };
    try {
      await finished(session, { data: inputs, dimension: "row", batch: 3 });
      return [];
    } catch (error) {
      return error instanceof SphexError ? error.problems.map(({ code }) => code) : [error];
    }
  };
  const others = data.t.replace("row", "d0");
  expect(await codesOf("input t: tensor<float>(d0[])", { t: others })).toEqual(["train/fixed"]);
  expect(await codesOf(`constant t: tensor<float>(d0[7]) = ${others}`, {})).toEqual(["train/fixed"]);
  expect(await codesOf("input u: tensor<float>(row[])\nt = rename(u, row, d0)", { u: data.t })).toEqual([]);
});

// y is tanh(x), of as many items as the file has a name of its own for.
test("items whose number the file of a model has another name for", async () => {
  const bytes = model(node("Tanh", ["x"], "y"), port(11, "x", ["n", 3]), port(12, "y", ["m", "k"]));
  const program = (y: string): string => `model net = file("net.onnx")\ninput x: tensor<float>(d0[],d1[3])
variable w: tensor<float>(d1[3]) = tensor<float>(d1[3])(1)\nloss = avg(sum(w * ${y}, d1)^2)\nminimise loss`;
  const learnt = async (y: string): Promise<readonly number[]> => {
    const session = compile(program(y), { models, readBytes: () => bytes }).session();
    const x = data.x.replace("row", "d0").replace("i[", "d1[");
    await finished(session, { data: { x }, batch: 3, epochs: 2, rate: 0.1, optimiser: "sgd" });
    return [...session.get("w").data].map(Number);
  };
  expectNear(await learnt("net(x).y"), await learnt("tanh(x)"));
});

describe("with a lambda that needs sizes", () => {
  const head = "input q: tensor(x[])\ninput v: tensor(x[])\nvariable s = 1\n";
  const waiting = `${head}loss = avg(join(q, v, f(a,b)(sum(tensor(y[2])(y * a * b * s - y))))^2)\nminimise loss`;
  const written = `${head}loss = avg((q * v * s - 1)^2)\nminimise loss`;
  const inputs = { q: "tensor(x[5]):[1,2,3,4,5]", v: "tensor(x[5]):[1,1,2,1,1]" };
  const trained = async (program: string, options: Partial<TrainOptions>) => {
    const session = compile(program).session();
    const losses: number[] = [];
    for await (const { loss } of session.train({ data: inputs, optimiser: "sgd", rate: 0.001, ...options }))
      losses.push(loss);
    return { losses, s: session.get("s").asNumber() };
  };

  test.each([1, 2, 3, 5])("in batches of %i it is what it is without", async (size) => {
    const options = { batch: size, epochs: 3 };
    expect(await trained(waiting, options)).toEqual(await trained(written, options));
  });

  test("a derivative of what waits waits, too", async () => {
    const squared = (program: string): string =>
      program.replace("minimise loss", "variable c = 2\nslope = c^2 * gradient(loss, s)^2\nminimise slope");
    const options = { batch: 2, epochs: 2, rate: 1e-6 };
    const [found, expected] = [
      await trained(squared(waiting), options),
      await trained(squared(written), options),
    ];
    expectNear(found.losses, expected.losses);
    expectNear(found.s, expected.s);
    expect(found.s).not.toBe(1);
  });

  test("a variable whose own size is open does not decide it", async () => {
    const program = `input v: tensor(x[])\nvariable s = 1\nvariable q: tensor(x[]) = tensor(x[5])(1)
      loss = avg(join(q, v, f(a,b)(sum(tensor(y[2])(y * a * b * s)))))\nminimise loss`;
    const session = compile(program).session();
    const steps = session.train({ data: { v: inputs.v }, optimiser: "sgd" });
    await expect(steps.next()).rejects.toMatchObject({
      problems: [{ code: "program/unsized", span: { start: program.indexOf("join") } }],
    });
  });
});

test("a session of such a program keeps its tensors from sizes to others", () => {
  const program = `input q: tensor(x[])\npersistent total = 0
    assign total = total + sum(map(q, f(a)(sum(tensor(y[2])(y * a * total + a / 2)))))\ntotal`;
  const session = compile(program).session();
  // By hand: total + sum(q) * (total + 1), since y is 0 and 1.
  for (const [q, before] of [
    ["tensor(x[2]):[1,2]", 0],
    ["tensor(x[3]):[1,0,1]", 3],
    ["tensor(x[1]):[1]", 11],
  ] as const)
    expect(session.run({ q }).asNumber()).toBe(before);
  expect(session.get("total").asNumber()).toBe(23);
});
