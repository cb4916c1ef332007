import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compile, parseTensor, readNpz, type TrainOptions, writeNpzOf } from "../../src/index.js";
import { command } from "../command.js";

/** What training leaves behind, what it refuses, and options that are those of another kind of training. */

const matrix = `variable w: tensor(out[2],in[2]) = tensor(out[2],in[2]):[[1,2],[3,4]]
input x: tensor(in[2],row[])
loss = avg(sum((sum(w * x, in)) ^ 2, out))
minimise loss`;

test("an archive has the axes of each declaration", async () => {
  const { folder, run } = command();
  writeFileSync(join(folder, "n.sphex"), matrix);
  writeFileSync(join(folder, "d.json"), '{"x":"tensor(in[2],row[1]):[[1],[2]]"}');
  const args = [
    "--data",
    "d.json",
    "--epochs",
    "1",
    "--rate",
    "1e-300",
    "--optimiser",
    "sgd",
    "--out",
    "n.npz",
  ];
  expect((await run(["train", "n.sphex", ...args])).code).toBe(0);
  const w = await readNpz(readFileSync(join(folder, "n.npz")), { array: "w", axes: ["out", "in"] });
  expect(w.toNested(["out", "in"])).toEqual([
    [1, 2],
    [3, 4],
  ]);
  const program = compile(matrix);
  expect(program.axes("w")).toEqual(["out", "in"]);
  expect(program.axes("x")).toEqual(["in", "row"]);
  expect(program.axes("loss")).toEqual([]);
});

test("data may be arrays by name, with the axes of the declarations", async () => {
  const { folder, run } = command();
  writeFileSync(join(folder, "n.sphex"), matrix);
  const x = "tensor(in[2],row[3]):[[1,2,3],[4,5,6]]";
  writeFileSync(join(folder, "d.json"), JSON.stringify({ x }));
  writeFileSync(
    join(folder, "d.npz"),
    await writeNpzOf({ x: parseTensor(x) }, { axes: { x: ["in", "row"] } }),
  );
  writeFileSync(join(folder, "other.npz"), await writeNpzOf({ z: parseTensor(x) }));
  const args = ["--epochs", "2", "--rate", "0.01"];
  const [json, npz] = [
    await run(["train", "n.sphex", "--data", "d.json", ...args]),
    await run(["train", "n.sphex", "--data", "d.npz", ...args]),
  ];
  expect(npz).toEqual({ ...json, code: 0 });
  const none = await run(["train", "n.sphex", "--data", "other.npz", ...args]);
  expect(none.code).not.toBe(0);
  expect(none.err).toContain("name one of z");
});

test("an array is of the input of its name, whatever that is", async () => {
  const { folder, run } = command();
  const text = "input __proto__: tensor(row[])\nvariable w = 1\nloss = avg((w * __proto__)^2)\nminimise loss";
  writeFileSync(join(folder, "n.sphex"), text);
  const arrays = Object.fromEntries([["__proto__", parseTensor("tensor(row[2]):[1,2]")]]);
  writeFileSync(join(folder, "d.npz"), await writeNpzOf(arrays));
  const { out } = await run(["train", "n.sphex", "--data", "d.npz", "--epochs", "1"]);
  expect(out).toContain("epoch 1, step 1: 2.50000\n");
});

test("a value that is set holds for the validation, too, whose items are its own", async () => {
  const { folder, run } = command();
  const inputs = "input x: tensor(row[])\ninput y: tensor(row[])\ninput scale = 1\n";
  const loss = "variable w = 0.5\nloss = avg((scale * w * x - y)^2)\nminimise loss";
  writeFileSync(join(folder, "n.sphex"), `${inputs}${loss}`);
  writeFileSync(join(folder, "d.csv"), "x,y\n1,2\n2,4\n");
  writeFileSync(join(folder, "v.json"), '{"x":"tensor(row[2]):[3,4]","y":"tensor(row[2]):[4,6]","scale":7}');
  const args = ["--set", "scale=2", "--epochs", "1", "--rate", "1e-300", "--optimiser", "sgd"];
  const validated = async (...own: string[]) => (await run(["train", "n.sphex", ...own, ...args])).out;
  // With 2 for the scale, what is predicted is x, which is 1 and 2 less than y in both files.
  expect(await validated("--data", "d.csv", "--validation", "d.csv")).toContain(
    ": 2.50000, validation 2.50000\n",
  );
  expect(await validated("--data", "d.csv", "--validation", "v.json")).toContain(
    ": 2.50000, validation 2.50000\n",
  );
  writeFileSync(join(folder, "y.csv"), "y\n2\n4\n");
  const x = ["--set", "x=tensor(row[2]):[1,2]", "--data", "y.csv", "--validation"];
  expect(await validated(...x, "v.json")).toContain(": 2.50000, validation 2.50000\n");
});

describe("what has a size along the items", () => {
  const inputs = `input u: tensor(row[],user{})
input y: tensor(row[])
constant weights: tensor(row[3]) = tensor(row[3]):[1,10,100]
variable t: tensor(user{}) = tensor(user{}):{}
persistent seen: tensor(row[3]) = tensor(row[3])(0)
loss = avg((sum(u * t, user) - y) ^ 2)
minimise loss
`;
  const data = {
    u: "tensor(row[3],user{}):{a:[1,0,0],b:[0,1,0],c:[0,0,1]}",
    y: "tensor(row[3]):[1,2,3]",
  };
  const trained = (statement: string, own: Partial<TrainOptions>) => async (): Promise<string> => {
    const session = compile(`${inputs}${statement}`).session();
    await session.train({ data, epochs: 1, optimiser: "sgd", rate: 1e-300, ...own }).next();
    return `${session.get("t")}`;
  };
  const begin = "begin t = max(u * weights, row)";

  test.each([
    [begin, "8:11"],
    ["begin t = max(u, row)\nassign seen = seen + y", "5:12"],
    ["begin t = max(u, row)\nassign seen = tensor(row[3])(0) + sum(y * weights)", "5:35"],
  ])("would meet the wrong ones of a batch: %s", async (statement, place) => {
    await expect(trained(statement, { batch: 1 })()).rejects.toThrow(`program:${place}`);
    await expect(trained(statement, { batch: 1 })()).rejects.toThrow("the wrong items in a batch");
  });

  test("meets all of them at once", async () => {
    expect(await trained(begin, {})()).toBe("tensor(user{}):{a:1.0, b:10.0, c:100.0}");
  });

  test("would meet the wrong ones of a validation of another length", async () => {
    const validation = { u: "tensor(row[2],user{}):{a:[1,0],b:[0,1]}", y: "tensor(row[2]):[1,2]" };
    const weighted = "begin t = max(u, row)\nweighted = sum(weights * y)";
    expect(await trained(weighted, { validation: data })()).toBe("tensor(user{}):{a:1.0, b:1.0, c:1.0}");
    await expect(trained(begin, { validation })()).rejects.toThrow("the wrong items in a batch");
  });

  test("may be in how an option lets labels begin", async () => {
    const labels = { t: "max(u * weights, row)" };
    await expect(trained("", { batch: 1, labels })()).rejects.toThrow("the wrong items in a batch");
  });
});

test.each([
  "double",
  "float",
  "bfloat16",
  "half",
])("rows of %s that a step does not touch stay as they are where others begin", async (type) => {
  const cells = type === "double" ? "" : `<${type}>`;
  const session = compile(`input u: tensor(row[],user{})
input y: tensor(row[])
variable t: tensor${cells}(user{}) = tensor${cells}(user{}):{a:1, b:2}
begin t = 0.25 * max(u, row)
loss = avg((sum(u * t, user) - y) ^ 2)
minimise loss`).session();
  const data = {
    u: "tensor(row[2],user{}):{a:[1,0],b:[0,1],c:[0,0],d:[0,0]}",
    y: "tensor(row[2]):[1,3]",
  };
  await session.train({ data, epochs: 1, optimiser: "sgd", rate: 0.5 }).next();
  expect(`${session.get("t")}`).toBe(`tensor${cells}(user{}):{a:1.0, b:2.5}`);
  const later = { u: "tensor(row[1],user{}):{b:[1],d:[1]}", y: "tensor(row[1]):[3.75]" };
  await session.train({ data: later, epochs: 1, optimiser: "sgd", rate: 0.5 }).next();
  expect(`${session.get("t")}`).toBe(`tensor${cells}(user{}):{a:1.0, b:3.5, d:1.25}`);
});

test.each([
  ["train", "n.sphex", "--only", "w"],
  ["train", "n.sphex", "--folds", "3"],
  ["train", "app", "--optimiser", "sgd"],
  ["train", "app", "--out", "w.npz"],
  ["train", "app", "--timeout", "5"],
])("an option of another kind of training is refused: %s %s %s", async (...args) => {
  const { folder, run } = command();
  mkdirSync(join(folder, "app", "schemas"), { recursive: true });
  writeFileSync(join(folder, "app", "schemas", "d.sd"), "schema d {\n  document d {\n  }\n}\n");
  writeFileSync(join(folder, "n.sphex"), matrix);
  const { code, err } = await run(args);
  expect(code).toBe(2);
  expect(err).toContain(`${args[2]}`);
});

test("files that cannot be written are told of before training", async () => {
  const { folder, run } = command();
  writeFileSync(join(folder, "n.sphex"), matrix);
  mkdirSync(join(folder, "taken"));
  const stdin = ['{"x":"tensor(in[2],row[1]):[[1],[2]]"}'];
  for (const [option, path, reason] of [
    ["--out", "none/w.json", "there is no such folder"],
    ["--out", "taken", "it is a folder"],
    ["--out", "-", "stdout has the results; ./- is a file of that name"],
    ["--svg", "none/loss.svg", "there is no such folder"],
    ["--checkpoint", "none/at.json", "there is no such folder"],
  ] as const)
    expect(await run(["train", "n.sphex", "--data", "-", option, path], { stdin })).toEqual({
      ...{ code: 2, out: "", err: `sphex: cannot write ${path}: ${reason}\n` },
    });
});
