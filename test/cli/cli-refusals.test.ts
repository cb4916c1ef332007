import { chmodSync, createReadStream, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { serveEditor } from "../../src/lsp/main.js";
import { command } from "../command.js";
import { layer, raw } from "../models/onnx/write-model.js";
import { schemaWith } from "../packages.js";
import { hasDuckDb } from "../sql/duckdb.js";

/** What the command was asked and cannot do, or would not look at: it says so, and leaves files as they are. */
const { run, folder } = command();

const rankTest = "name: a good order\nprofile: good\nfeatures: { bm25(title): 2 }\nexpect: { score: 2 }\n";
const files = {
  "count.sphex": "persistent n = 0\nassign n = n + 1\nn\n",
  "line.sphex": "input x: tensor(row[])\nvariable w = 3\nloss = avg((w * x - x)^2)\nminimise loss\n",
  "many.sphex": "a = 1\nb = 2\na\nb\n",
  "reads.sphex": "input r: tensor(user{})\nsum(r)\n",
  "r.csv": "u,s\na,1\nb,2\n",
  "cut.gz": new Uint8Array([0x1f, 0x8b, 0]),
  "layer.onnx": layer(raw(new Uint8Array(24)), "batch"),
  "fixed.onnx": layer(raw(new Uint8Array(24))),
  "app/schemas/doc.sd": schemaWith("rank-profile good { first-phase { expression: bm25(title) } }"),
  "app/tests/good.rank-test.yaml": rankTest,
};

beforeAll(() => {
  for (const each of ["a folder", "app/schemas", "app/tests"])
    mkdirSync(join(folder, each), { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

const trained = ["train", "line.sphex", "--set", "x=tensor(row[2]):[1,2]", "--epochs", "1"];

describe("called wrongly", () => {
  // biome-ignore format: a table
  test.each<[args: readonly string[], message: string]>([
    [["run", "count.sphex", "--state", "a folder"],              "cannot read a folder: it is a folder"],
    [[...trained, "--state", "a folder"],                        "cannot read a folder: it is a folder"],
    [[...trained, "--checkpoint", "a folder"],                   "cannot write a folder: it is a folder"],
    [["conformance", "--on", "duckdb", "--cases", "a folder"],   "cannot read a folder: it is a folder"],
    [["conformance", "--on", "duckdb", "--cases", "cut.gz"],     "cannot read cut.gz: unexpected end of file"],
    [["run", "count.sphex", "--state", "s.json", "--on", "duckdb"], "--state keeps the tensors of runs on this machine"],
    [["run", "count.sphex", "--watch", "--on", "duckdb"],        "--watch runs a program on this machine"],
    [["run", "count.sphex", "--watch", "--into", "r.csv"],       "--into is for programs on an engine"],
    [["run", "count.sphex", "--exact"],                          "--exact is for programs on an engine"],
    [["explain", "count.sphex", "--table", "r=r.csv(a=b)"],      "--table is for programs on an engine"],
    [["score", "app", "--queries", "q.jsonl"],                   "--queries is about judged queries: give --judgments FILE, too"],
    [["score", "app", "--sweep", "query(w)=0..1:1"],             "--sweep is about judged queries"],
    [["score", "app", "--against", "app"],                       "--against is about judged queries"],
    [["score", "app", "--against-revision", "HEAD"],             "--against-revision is about judged queries"],
    [["score", "app", "--against-profile", "good"],              "--against-profile is about judged queries"],
    [["score", "app", "--at", "5"],                              "--at is about judged queries"],
    [["score", "app", "--seed", "0"],                            "--seed is about judged queries"],
    [["profile", "app", "--schema", "dok"],                      "there is no schema dok: did you mean doc?"],
    [["profile", "app", "--schema", "nosuch"],                   "there is no schema nosuch"],
    [["profile", "many.sphex"],                                  "many.sphex is no package: write the folder of one, or a schema that ends in .sd"],
    [["score", "many.sphex"],                                    "many.sphex is no package"],
    [["profile", ""],                                            "cannot read a package: its name is empty"],
    [["eval", "many.sphex"],                                     "many.sphex is a file, and this takes an expression: sphex run many.sphex runs it"],
    [["eval", "-e", "many.sphex", "1"],                          "many.sphex is a file"],
    [["plot", "many.sphex"],                                     "many.sphex is a file"],
    [["check", ""],                                              "cannot read : its name is empty"],
    [["test", "app", "--filter", "zzz"],                         "no test has zzz in its name"],
    [["import", "layer.onnx", "--size", "zzz=3"],                "--size zzz=3: the model has no size zzz, but batch"],
    [["import", "fixed.onnx", "--size", "batch=3"],              "--size batch=3: all sizes of the model are numbers"],
  ])("%j", async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^sphex: .*\n$/);
    expect(err).toContain(message);
    expect(existsSync(join(folder, "s.json"))).toBe(false);
    expect(existsSync(join(folder, "a folder.lock"))).toBe(false);
  });

  test("a file with the name of a folder of rank profiles is not read as one", async () => {
    mkdirSync(join(folder, "beside"), { recursive: true });
    writeFileSync(join(folder, "beside/doc.sd"), schemaWith("rank-profile good { }"));
    writeFileSync(join(folder, "beside/doc"), "not a folder");
    expect(await run(["check", "beside/doc.sd"])).toMatchObject({ code: 0 });
    expect((await run(["profile", "beside/doc.sd"])).out).toContain("rank-profile good");
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may not be read is told of", async () => {
    mkdirSync(join(folder, "closed/schemas"), { recursive: true });
    chmodSync(join(folder, "closed/schemas"), 0);
    for (const args of [
      ["check", "closed"],
      ["test", "closed"],
    ])
      expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining("permission denied") });
    chmodSync(join(folder, "closed/schemas"), 0o700);
  });

  test("what is like it is answered", async () => {
    expect((await run(["profile", "app", "--schema", "doc"])).out).toContain("rank-profile good");
    expect(await run(["test", "app", "--filter", "good"])).toMatchObject({ code: 0, err: "" });
    expect(await run(["import", "layer.onnx", "--size", "batch=3"])).toMatchObject({ code: 0, err: "" });
  });
});

test("what does not learn is told so where it is", async () => {
  const { code, err } = await run(["train", "count.sphex"]);
  expect(code).toBe(1);
  expect(err).toMatch(/train\/no-objective\n.* count\.sphex:3:1\n/);
});

describe("engines", () => {
  test("conformance tells of a server that is not there, without its password", async () => {
    const { code, err } = await run(["conformance", "--on", "postgres://u:geheim@localhost:1/db"]);
    expect(code).toBe(1);
    expect(err).toMatch(/engine\/failed\n[\s\S]*found: .*ECONNREFUSED/);
    expect(err).not.toContain("geheim");
  });

  test.skipIf(!hasDuckDb)("conformance tells of a folder where a database belongs", async () => {
    const { code, err } = await run(["conformance", "--on", "duckdb:a folder"]);
    expect(code).toBe(1);
    expect(err).toMatch(/engine\/failed\n[\s\S]*found: [\s\S]*Is a directory/);
  });

  test.skipIf(!hasDuckDb)("of several results none is written", async () => {
    const several = ["run", "many.sphex", "--into", "out.csv", "--on", "duckdb"];
    for (const args of [several, [...several, "--on", "duckdb"]]) {
      const { code, err } = await run(args);
      expect(code).toBe(2);
      expect(err).toContain("--into writes one result, and many.sphex has 2");
      expect(existsSync(join(folder, "out.csv"))).toBe(false);
    }
  });

  test.skipIf(!hasDuckDb)("a table for an input that the program lacks is refused", async () => {
    const args = ["run", "reads.sphex", "--on", "duckdb", "--table", "r=r.csv(user=u,value=s)", "--table"];
    const { code, out, err } = await run([...args, "bogus=r.csv(user=u,value=s)"]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain("a binding has no input bogus");
    const sql = await run(["sql", "reads.sphex", "--table", "bogus=r.csv(user=u,value=s)"]);
    expect(sql.err).toContain("a binding has no input bogus");
  });
});

test("a dry run writes no file", async () => {
  const written = ["dry.json", "loss.svg", "at.json"];
  const [out = "", svg = "", checkpoint = ""] = written;
  const args = [...trained, "--dry-run", "--out", out, "--svg", svg, "--checkpoint", checkpoint];
  const plain = await run(trained);
  expect(await run(args)).toEqual(plain);
  for (const each of written) expect(existsSync(join(folder, each)), each).toBe(false);
  await run([...trained, "--state", "state.json"]);
  const state = readFileSync(join(folder, "state.json"), "utf8");
  const again = await run([...trained, "--dry-run", "--state", "state.json"]);
  expect(again).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/^w = /m) });
  expect(again.out).not.toBe(plain.out);
  expect(readFileSync(join(folder, "state.json"), "utf8")).toBe(state);
});

test("a state with other sizes than the program declares is refused, and left as it is", async () => {
  const program = (size: number): string => `persistent s = tensor(x[${size}])(x)\nassign s = s + 1\ns`;
  const args = ["run", "-", "--state", "sizes.json"];
  expect(await run(args, { stdin: [program(2)] })).toMatchObject({
    code: 0,
    out: "tensor(x[2]):[0.0, 1.0]\n",
  });
  const { code, out, err } = await run(args, { stdin: [program(3)] });
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain("sizes.json: s has the type tensor(x[2]), and the program declares tensor(x[3])");
  expect(await run(args, { stdin: [program(2)] })).toMatchObject({
    code: 0,
    out: "tensor(x[2]):[1.0, 2.0]\n",
  });
});

test.each([
  ["true", "1.0\n"],
  ["false", "0.0\n"],
])("%s alone is an expression", async (word, out) =>
  expect(await run([word])).toEqual({ code: 0, out, err: "" }));

describe("a language server whose stdin is a file", () => {
  const host = { programOptions: () => ({}), packageOf: () => undefined };
  const serve = async (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const output = new PassThrough();
    // As Node opens a file for stdin: it ends, and is not closed.
    const code = await serveEditor(createReadStream(path, { autoClose: false }), output, host);
    return { code, out: `${output.read() ?? ""}` };
  };
  const framed = (...messages: readonly object[]): string =>
    messages
      .map((each) => JSON.stringify({ jsonrpc: "2.0", ...each }))
      .map((each) => `Content-Length: ${each.length}\r\n\r\n${each}`)
      .join("");
  const begin = { id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } };

  test("ends where there is nothing, or a part of a message", async () => {
    expect(await serve("empty", "")).toEqual({ code: 1, out: "" });
    expect(await serve("part", "Content-Le")).toEqual({ code: 1, out: "" });
  });

  test("answers what came before the end", async () => {
    const begun = await serve("begun", framed(begin));
    expect(begun).toEqual({ code: 1, out: expect.stringContaining('"serverInfo":{"name":"sphex"}') });
    const ended = await serve("ended", framed(begin, { id: 2, method: "shutdown" }, { method: "exit" }));
    expect(ended).toEqual({ code: 0, out: begun.out });
  });
});
