import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseTensor, writeNpz, writeNpzOf, writeTensor } from "../../src/index.js";
import { command } from "../command.js";

/** Archives of arrays that `--set` names, as what a program declares; the values of arrays are written by hand. */

const { folder, run } = command();
const write = (name: string, content: string | Uint8Array): void =>
  writeFileSync(join(folder, name), content);
const matrix = parseTensor("tensor(x[2],y[3]):[[1,2,3],[4,5,6]]");

test("the one array of an archive has the axes of the declaration", async () => {
  write("one.npz", await writeNpz(matrix, ["y", "x"]));
  write("w.sphex", "input w: tensor(y[3],x[2])\nw{x:1}\n");
  for (const stored of [true, false]) {
    write("kept.npz", await writeNpzOf({ other: matrix }, { isStored: stored, axes: { other: ["y", "x"] } }));
    for (const file of ["one.npz", "kept.npz"])
      expect(await run(["run", "w.sphex", "--set", `w=@${file}`])).toEqual({
        code: 0,
        out: "tensor(y[3]):[4.0, 5.0, 6.0]\n",
        err: "",
      });
  }
});

test.each([
  "n = 3\ninput w: tensor(y[n],x[2])",
  "constant n = 3; size = n\ninput w: tensor( # rows\n  y[size], x[2])",
])("a declaration may name its sizes: %j", async (declared) => {
  write("one.npz", await writeNpz(matrix, ["y", "x"]));
  write("one.npy", writeTensor(matrix, "npy", { axes: ["y", "x"] }));
  write("one.csv", writeTensor(matrix, "csv"));
  write("w.sphex", `${declared}\nw{x:1}\n`);
  for (const file of ["one.npz", "one.npy", "one.csv"])
    expect(await run(["run", "w.sphex", "--set", `w=@${file}`])).toEqual({
      code: 0,
      out: "tensor(y[3]):[4.0, 5.0, 6.0]\n",
      err: "",
    });
});

test("of several arrays it is the one that is called as the input is", async () => {
  const [w, other] = [parseTensor("tensor(x[2]):[1,2]"), parseTensor("tensor(x[2]):[3,4]")];
  write("two.npz", await writeNpzOf({ other, w }));
  write("w.sphex", "input w: tensor(x[2])\nw\n");
  expect(await run(["run", "w.sphex", "--set", "w=@two.npz"])).toMatchObject({
    code: 0,
    out: "tensor(x[2]):[1.0, 2.0]\n",
  });
  write("v.sphex", "input v: tensor(x[2])\nv\n");
  expect(await run(["run", "v.sphex", "--set", "v=@two.npz"])).toEqual({
    code: 2,
    out: "",
    err: "sphex: two.npz has neither a single array nor one called v: make another file of one with sphex convert --array\n",
  });
});

test("an input with labels has all arrays, by their names", async () => {
  write("k.npz", await writeNpz(parseTensor("tensor(k{},x[2]):{a:[1,2],k:[3,4]}")));
  write("k.sphex", "input k: tensor(k{},x[2])\nk\n");
  expect(await run(["run", "k.sphex", "--set", "k=@k.npz"])).toMatchObject({
    code: 0,
    out: "tensor(k{},x[2]):{a:[1.0, 2.0], k:[3.0, 4.0]}\n",
  });
});

test("an array of another shape is refused at its place, and one without a declaration is told what to write", async () => {
  write("one.npz", await writeNpz(matrix));
  write("w.sphex", "input w: tensor(x[3],y[2])\nw\n");
  const refused = await run(["run", "w.sphex", "--set", "w=@one.npz"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("one.npz tensor");
  expect(refused.err).toContain("the shape (3, 2)");
  for (const name of ["one.npz", "one.npy"])
    expect(await run(["eval", "sum(w)", "--set", `w=@${name}`])).toEqual({
      code: 2,
      out: "",
      err: `sphex: ${name} does not name its dimensions: declare them in a program, input w: tensor(…), or make another file with sphex convert --type\n`,
    });
});

test("an example of an input that has no value has the sizes that the program names", async () => {
  write("named.sphex", "n = 2\ninput b: tensor(y[n])\ninput c: tensor(x[3])\nsum(b) + sum(c)\n");
  const { code, err } = await run(["run", "named.sphex", "--set", "c=[1,2,3]"]);
  expect(code).toBe(1);
  expect(err).toContain("\n  --set 'b=tensor(y[2]):[1.0, 2.0]'\n");
});

test("a program that names an archive alone is told how its arrays are named", async () => {
  write("kept.npz", await writeNpzOf({ m: matrix }, { isStored: true, axes: { m: ["y", "x"] } }));
  write("m.sphex", 'constant w: tensor(y[3],x[2]) = file("kept.npz").m\nw{x:1}\n');
  expect((await run(["run", "m.sphex"])).out).toBe("tensor(y[3]):[4.0, 5.0, 6.0]\n");
  write("m.sphex", 'constant w: tensor(y[3],x[2]) = file("kept.npz")\nw{x:1}\n');
  const { code, err } = await run(["run", "m.sphex"]);
  expect(code).toBe(1);
  expect(err).toContain('it is an archive of arrays: name one of them behind it, file("kept.npz").name');
});

test("stdin may have cases of conformance", async () => {
  const args = ["conformance", "--on", "duckdb", "--cases", "-"];
  expect(await run(args, { stdin: ['{"vars":{}}\n'] })).toMatchObject({
    code: 2,
    err: "sphex: stdin:1 has no expr\n",
  });
  expect(await run(args, { stdin: [Uint8Array.of(0x1f, 0x8b, 8, 0)] })).toMatchObject({
    code: 2,
    err: "sphex: cannot read stdin: unexpected end of file\n",
  });
});

test("stdin is a file, called -, of one thing", async () => {
  const json = ['{"w":[[1,2],[3,4],[5,6]]}'];
  const five = { code: 0, out: "5.0\n", err: "" };
  write("w.sphex", "input w: tensor(y[3],x[2])\nw{y:2,x:0}\n");
  expect(await run(["run", "w.sphex", "--inputs", "-"], { stdin: json })).toEqual(five);
  expect(await run(["run", "w.sphex", "--set", "w=@-"], { stdin: ["[[1,2],[3,4],[5,6]]"] })).toEqual(five);
  const several = ["eval", "-e", "a + 1", "-e", "a + 2", "--inputs", "-"];
  expect(await run(several, { stdin: ['{"a":2}'] })).toEqual({ code: 0, out: "3.0\n4.0\n", err: "" });
  const refused = async (args: readonly string[], err: string) =>
    expect(await run(args, { stdin: ['{"a":2}'] })).toEqual({ code: 2, out: "", err: `sphex: ${err}\n` });
  for (const args of [
    ["eval", "-", "--inputs", "-"],
    ["a + b", "--set", "a=@-", "--set", "b=@-"],
  ])
    await refused(args, "stdin, -, is named for more than one thing");
  await refused(["repl", "--inputs", "-"], "the REPL reads stdin, -, itself: name a file");
});
