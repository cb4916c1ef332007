import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { Io } from "../../src/cli/terminal/io.js";
import {
  check,
  compile,
  type JsonForm,
  jsonForms,
  jsonFormsOf,
  parseTensor,
  parseType,
  readNpz,
  readTensor,
  sampleTensor,
  tensorFormatOf,
  tensorFormats,
  writeTensor,
  writtenAxes,
} from "../../src/index.js";
import { cellTypes } from "../../src/language/types/cell.js";
import { tensors, types } from "../arbitraries.js";
import { holds } from "../chance.js";
import { temporaryFolder } from "../folder.js";

/** Tensors in files: the public functions, and the commands `convert` and `sample` that stand on them. */

const folder = temporaryFolder();

class Collector extends Writable {
  readonly parts: Buffer[] = [];
  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.parts.push(chunk);
    done();
  }
  get bytes(): Buffer {
    return Buffer.concat(this.parts);
  }
}

async function sphex(args: readonly string[], stdin: string | Uint8Array = "", isTTY = false) {
  const [out, err] = [new Collector(), new Collector()];
  const io: Io = {
    stdin: Readable.from([stdin]),
    stdout: out,
    stderr: err,
    isTTY: { stdin: false, stdout: isTTY, stderr: false },
    cwd: folder,
    env: {},
    repl: () => import("../../src/repl/terminal/terminal.js"),
  };
  const code = await main(args, io);
  return { code, out: `${out.bytes}`, bytes: out.bytes, err: `${err.bytes}` };
}

const file = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(folder, name), content);
  return name;
};
const content = (name: string): string => readFileSync(join(folder, name), "utf8");

describe("the library", () => {
  test("reads what it writes, in every format that can hold it", () => {
    holds(
      fc.property(tensors(), fc.constantFrom(...tensorFormats), (tensor, format) => {
        const { type } = tensor;
        const isLossy = format === "npy" || format === "binary";
        fc.pre(format !== "npy" || type.isDense);
        fc.pre(!isLossy || tensor.data.length > 0);
        const hasEscapes = format === "literal" || format === "json";
        fc.pre(hasEscapes || !tensor.labels.flat().some((label) => /\p{Cs}/u.test(label)));
        const written = writeTensor(tensor, format);
        const read = readTensor(written, format, { type, name: "a" });
        expect(`${read}`).toBe(`${tensor}`);
        expect(read.equals(tensor)).toBe(true);
      }),
      2000,
    );
  });

  test("reads every form of JSON that a type has, of every cell type, with all numbers", () => {
    holds(
      fc.property(tensors(), fc.constantFrom(...jsonForms), (tensor, form) => {
        const { type } = tensor;
        fc.pre(jsonFormsOf(type).includes(form));
        // Without a cell nothing says how far an open dimension reaches; digits have no more than 64 bits.
        fc.pre(!form.includes("hex") || cellTypes[type.cellType].vespa || type.cellType !== "long");
        const text = writeTensor(tensor, "json", { form });
        expect(`${readTensor(text, "json", { type })}`).toBe(`${tensor}`);
        if (form.startsWith("typed")) expect(`${readTensor(text, "json")}`).toBe(`${tensor}`);
        if (!form.startsWith("typed")) expect(`${text}`).not.toContain('"type":"tensor');
      }),
      3000,
    );
  });

  // biome-ignore format: a table
  test.each<[string, JsonForm[]]>([
    ["tensor()",                  ["cells", "values", "direct", "direct-cells", "typed", "typed-cells"]],
    ["tensor(x[2])",              ["cells", "values", "values-hex", "direct", "direct-cells", "direct-hex", "typed", "typed-cells", "typed-hex"]],
    ["tensor(x[])",               ["cells", "values", "direct", "direct-cells", "typed", "typed-cells"]],
    ["tensor(k{})",               ["cells", "short-cells", "direct", "direct-cells", "typed", "typed-cells"]],
    ["tensor(j{},k{})",           ["cells", "direct", "direct-cells", "typed", "typed-cells"]],
    ["tensor(k{},x[2])",          ["cells", "blocks", "blocks-hex", "direct", "direct-cells", "direct-hex", "typed", "typed-cells", "typed-hex"]],
    ["tensor(j{},k{},x[2])",      ["cells", "blocks", "blocks-hex", "direct-cells", "typed", "typed-cells", "typed-hex"]],
    ["tensor(k{},x[])",           ["cells", "blocks", "direct", "direct-cells", "typed", "typed-cells"]],
  ])("%s has forms of its own", (type, expected) => {
    expect(jsonFormsOf(parseType(type))).toEqual(expected);
    for (const form of jsonForms.filter((each) => !expected.includes(each))) expect(() => writeTensor(sampleTensor(type), "json", { form })).toThrow(`the form ${form} cannot hold`);
  });

  test("samples are tensors of their type, and have cells", () => {
    holds(
      fc.property(types(), (type) => {
        const sample = sampleTensor(type);
        expect(`${sample.type}`).toBe(`${type}`);
        expect(sample.data.length).toBeGreaterThan(0);
      }),
    );
    expect(`${sampleTensor("tensor<int8>(j{},k{},x[2])")}`).toBe(
      "tensor<int8>(j{},k{},x[2]):{{j:a,k:a,x:0}:1, {j:a,k:a,x:1}:2, {j:b,k:b,x:0}:3, {j:b,k:b,x:1}:4}",
    );
  });

  test("formats are told by names of files", () => {
    const names = ["a.json", "A.JSON", "a.npy", "b/c.tbf", "a.csv", "a.txt", "a.json.lz4", "json", "a.npz"];
    expect(names.map(tensorFormatOf)).toEqual([
      "json",
      "json",
      "npy",
      "binary",
      "csv",
      "literal",
      undefined,
      undefined,
      undefined,
    ]);
    expect(writtenAxes("tensor<float>(z[2],a{},y[1])")).toEqual(["z", "a", "y"]);
  });

  test("a type that the file does not fit is refused", async () => {
    const float = writeTensor(parseTensor("tensor(x[2]):[1,2]"), "binary");
    expect(() => readTensor(float, "binary", { type: "tensor<float>(x[2])" })).toThrow("input/type");
    // Smaller sizes are filled up, as everywhere.
    expect(`${readTensor(float, "binary", { type: "tensor(x[3])" })}`).toBe("tensor(x[3]):[1.0, 2.0, 0.0]");
    const half = writeTensor(parseTensor("tensor<half>(x[1]):[0.5]"), "binary");
    expect(`${readTensor(half, "binary", { type: "tensor<half>(x[1])" })}`).toBe("tensor<half>(x[1]):[0.5]");
    expect(() => readTensor("text", "npy")).toThrow("npy is a binary format");
    expect(() => readTensor('{"a":1}', "json")).toThrow("this JSON does not say the type of its tensor");
    await expect(readNpz(Uint8Array.of())).rejects.toThrow("at byte 0 there must be a zip archive");
  });
});

describe("convert", () => {
  test("goes from each format to each other", async () => {
    const type = "tensor<float>(x[2],y[2])";
    const literal = `${type}:[[1.0, 2.5], [-3.0, Infinity]]\n`;
    file("a.txt", literal);
    const ends = ["txt", "json", "csv", "tbf", "npy", "npz"];
    for (const from of ends) {
      expect(await sphex(["convert", "a.txt", `b.${from}`])).toMatchObject({ code: 0, out: "", err: "" });
      for (const to of ends) {
        const args = ["convert", `b.${from}`, `c.${to}`, "--type", type];
        expect(await sphex(args)).toMatchObject({ code: 0, out: "", err: "" });
        expect(await sphex(["convert", `c.${to}`, "-", "--to", "literal", "--type", type])).toMatchObject({
          code: 0,
          out: literal,
        });
      }
    }
    expect(content("c.json")).toBe(
      '{"type":"tensor<float>(x[2],y[2])","values":[[1.0,2.5],[-3.0,"Infinity"]]}\n',
    );
    expect(content("c.csv")).toBe("x,y,value\n0,0,1.0\n0,1,2.5\n1,0,-3.0\n1,1,Infinity\n");
  });

  // biome-ignore format: a table
  test.each([
    [["--from", "literal", "--to", "json"],                              "tensor(k{}):{a:1}", '{"type":"tensor(k{})","cells":{"a":1.0}}\n'],
    [["--from", "literal", "--to", "json", "--form", "direct-hex"],      "tensor<int8>(x[2]):[1,-1]", '"01FF"\n'],
    [["--from", "json", "--to", "literal", "--type", "tensor(k{})"],     '{"a":1,"b":null}', "tensor(k{}):{a:1.0, b:NaN}\n"],
    [["--from", "csv", "--to", "literal"],                               "k,value\na,1\n", "tensor(k{}):{a:1.0}\n"],
    [["--from", "literal", "--to", "csv", "--type", "tensor(k{},x[2])"], "{a:[1,2]}", "k,x,value\na,0,1.0\na,1,2.0\n"],
  ])("%j", async (args, stdin, out) => {
    expect(await sphex(["convert", "-", "-", ...args], stdin)).toMatchObject({ code: 0, out, err: "" });
  });

  test("the axes of an array are the dimensions as --type has them", async () => {
    file("m.txt", "tensor(a[3],b[2]):[[1,4],[2,5],[3,6]]");
    const args = ["--type", "tensor(b[2],a[3])"];
    expect(await sphex(["convert", "m.txt", "m.npy", ...args])).toMatchObject({ code: 0, err: "" });
    expect(await sphex(["convert", "m.npy", "-", "--to", "literal"])).toMatchObject({
      out: "tensor(d0[2],d1[3]):[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]\n",
    });
    const out = "tensor(a[3],b[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]\n";
    expect(await sphex(["convert", "m.npy", "-", "--to", "literal", ...args])).toMatchObject({ out });
    for (const form of jsonFormsOf(parseType("tensor(b[2],a[3])"))) {
      expect(await sphex(["convert", "m.npy", "m.json", "--form", form, ...args])).toMatchObject({ err: "" });
      expect(await sphex(["convert", "m.json", "-", "--to", "literal", ...args])).toMatchObject({ out });
    }
  });

  test("an archive's arrays are labels", async () => {
    file("k.txt", "tensor<float>(k{},x[2]):{a:[1,2],b:[3,4]}");
    await sphex(["convert", "k.txt", "k.npz"]);
    expect(
      await sphex(["convert", "k.npz", "-", "--to", "json", "--type", "tensor<float>(k{},x[2])"]),
    ).toMatchObject({
      out: '{"type":"tensor<float>(k{},x[2])","blocks":{"a":[1.0,2.0],"b":[3.0,4.0]}}\n',
    });
    expect(await sphex(["convert", "k.npz", "-", "--to", "literal", "--array", "b"])).toMatchObject({
      out: "tensor<float>(d0[2]):[3.0, 4.0]\n",
    });
    const { code, err } = await sphex(["convert", "k.npz", "-", "--to", "literal"]);
    expect([code, err]).toEqual([1, expect.stringContaining("hint: name one of a, b")]);
  });

  test("what is wrong has its place", async () => {
    file("bad.json", '{"type": "tensor(x[2])",\n "values": [1, "two"]}');
    const bad = await sphex(["convert", "bad.json", "x.txt"]);
    expect([bad.code, bad.out]).toEqual([1, ""]);
    expect(bad.err).toContain("$.values[1] must be a number, null for NaN, or a number as text");
    expect(bad.err).toContain("bad.json:2:16");
    expect(existsSync(join(folder, "x.txt"))).toBe(false);
    file("bad.tbf", Uint8Array.of(2, 1, 1, 0x78, 2, 0));
    const bytes = await sphex(["convert", "bad.tbf", "x.txt", "--json"]);
    expect(bytes.code).toBe(1);
    expect(JSON.parse(bytes.out).problems[0]).toMatchObject({
      code: "bytes/shape",
      file: "bad.tbf",
      message: "at byte 5 there must be a block of 16 bytes",
    });
    expect((await sphex(["convert", "bad.tbf", "x.txt", "--type", "tensor(x"])).code).toBe(1);
  });

  // biome-ignore format: a table
  test.each([
    [["none.json", "b.txt"],              "cannot read none.json: there is no such file"],
    [["a.txt", "none/b.json"],            "cannot write none/b.json: there is no such folder"],
    [["a.weights", "b.txt"],              "the format of a.weights is not clear: write --from with one of literal, json, csv, binary, npy, npz"],
    [["-", "b.txt"],                      "the format of a stream is not clear: write --from"],
    [["a.json", "-"],                     "the format of a stream is not clear: write --to"],
    [["a.txt", "no/such/folder/b.json"],  "cannot write no/such/folder/b.json"],
    [["a.txt", "b.json", "--form", "x"],  "is invalid"],
    [["a.txt", "b.csv", "--form", "cells"], "--form is how JSON is written, and csv is not JSON"],
    [["a.txt", "b.json", "--form", "blocks"], "tensor() has no form blocks: it has cells, values, direct, direct-cells, typed, typed-cells"],
    [["a.txt", "b.json", "--array", "w"], "--array is one of an .npz archive, and literal is none"],
  ])("%j is a wrong call", async (args, err) => {
    file("a.txt", "5");
    const { code, err: found } = await sphex(["convert", ...args]);
    expect([code, found]).toEqual([2, expect.stringContaining(err)]);
  });

  test("bytes go through streams, but not to a terminal", async () => {
    const { bytes } = await sphex(
      ["convert", "-", "-", "--from", "literal", "--to", "binary"],
      "tensor(x[2]):[1,2]",
    );
    expect(bytes.toString("hex")).toBe("0201017802" + "3ff0000000000000" + "4000000000000000");
    const back = await sphex(["convert", "-", "-", "--from", "binary", "--to", "literal"], bytes);
    expect(back.out).toBe("tensor(x[2]):[1.0, 2.0]\n");
    expect(await sphex(["convert", "-", "-", "--from", "literal", "--to", "npy"], "5", true)).toMatchObject({
      code: 2,
      out: "",
    });
  });
});

describe("sample", () => {
  test("shows each form", async () => {
    const { code, out } = await sphex(["sample", "tensor<int8>(k{},x[2])"]);
    expect(code).toBe(0);
    expect(out.split("\n\n").map((each) => each.trim().split("\n"))).toEqual([
      [
        "cells:",
        '{"cells":[{"address":{"k":"a","x":"0"},"value":1},{"address":{"k":"a","x":"1"},"value":2},{"address":{"k":"b","x":"0"},"value":3},{"address":{"k":"b","x":"1"},"value":4}]}',
      ],
      ["blocks:", '{"blocks":{"a":[1,2],"b":[3,4]}}'],
      ["blocks-hex:", '{"blocks":{"a":"0102","b":"0304"}}'],
      ["direct:", '{"a":[1,2],"b":[3,4]}'],
      [
        "direct-cells:",
        '[{"address":{"k":"a","x":"0"},"value":1},{"address":{"k":"a","x":"1"},"value":2},{"address":{"k":"b","x":"0"},"value":3},{"address":{"k":"b","x":"1"},"value":4}]',
      ],
      ["direct-hex:", '{"a":"0102","b":"0304"}'],
      ["typed:", '{"type":"tensor<int8>(k{},x[2])","blocks":{"a":[1,2],"b":[3,4]}}'],
      [
        "typed-cells:",
        '{"type":"tensor<int8>(k{},x[2])","cells":[{"address":{"k":"a","x":"0"},"value":1},{"address":{"k":"a","x":"1"},"value":2},{"address":{"k":"b","x":"0"},"value":3},{"address":{"k":"b","x":"1"},"value":4}]}',
      ],
      ["typed-hex:", '{"type":"tensor<int8>(k{},x[2])","blocks":{"a":"0102","b":"0304"}}'],
    ]);
  });

  test("gives one form by itself, or an object of all", async () => {
    expect(await sphex(["sample", "tensor(x[2])", "--form", "values"])).toMatchObject({
      code: 0,
      out: '{"values":[1.0,2.0]}\n',
    });
    const { out } = await sphex(["sample", "tensor(k{})", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      "short-cells": { cells: { a: 1, b: 2 } },
      direct: { a: 1, b: 2 },
    });
  });

  test("refuses what is no type, and what a type has not", async () => {
    const wrong = await sphex(["sample", "tensor(x[0])"]);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("type:1:10")]);
    const large = await sphex(["sample", "tensor(x[2000],y[1000])"]);
    expect([large.code, large.err]).toEqual([1, expect.stringContaining("found: 2000000 cells")]);
    const none = await sphex(["sample", "tensor(k{})", "--form", "blocks"]);
    expect([none.code, none.err]).toEqual([
      2,
      "sphex: tensor(k{}) has no form blocks: it has cells, short-cells, direct, direct-cells, typed, typed-cells\n",
    ]);
  });
});

describe("files that programs name", () => {
  const m = "tensor(a[3],b[2]):[[1,4],[2,5],[3,6]]";

  test("may be CSV, arrays and bytes; axes are the dimensions as the type has them", async () => {
    file("m.txt", m);
    for (const end of ["csv", "tbf", "json"]) await sphex(["convert", "m.txt", `m.${end}`]);
    await sphex(["convert", "m.txt", "m.npy", "--type", "tensor(b[2],a[3])"]);
    file(
      "m.sphex",
      ["m.csv", "m.tbf", "m.json", "m.txt", "m.npy"]
        .map((name, at) => `constant c${at}: tensor(b[2],a[3]) = file("${name}")\nc${at}`)
        .join("\n"),
    );
    const { out, err } = await sphex(["run", "m.sphex"]);
    expect(err).toBe("");
    expect(out.trim().split("\n")).toEqual(
      Array(5).fill("tensor(a[3],b[2]):[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]"),
    );
    expect(await sphex(["check", "m.sphex"])).toMatchObject({ code: 0, err: "" });
  });

  test("say what is wrong with them, each at its place", async () => {
    file("short.npy", Uint8Array.of(0x93));
    file("bad.csv", "a,value\n7,1\n");
    file(
      "bad.sphex",
      'constant c: tensor(a[3]) = file("short.npy"); constant d: tensor(a[3]) = file("bad.csv"); c + d',
    );
    const { code, err } = await sphex(["check", "bad.sphex"]);
    expect(code).toBe(1);
    expect(err).toContain("at byte 1 there must be the signature of .npy");
    expect(err).toContain("bad.csv:2:1");
  });

  test("are read by hosts that give bytes", () => {
    const text = 'constant c: tensor(x[2]) = file("c.tbf"); sum(c)';
    const bytes = writeTensor(parseTensor("tensor(x[2]):[1,2]"), "binary") as Uint8Array; // as binary is
    const readFile = () => "";
    expect(
      compile(text, { readFile, readBytes: () => bytes })
        .run()
        .asNumber(),
    ).toBe(3);
    expect(check(text, { readFile }).map(({ message }) => message)).toEqual([
      expect.stringContaining("this host reads texts only"),
    ]);
  });

  test("are given with --set", async () => {
    file("k.csv", "k,value\na,1\nb,2\n");
    file("v.txt", "tensor(x[2]):[1,2]");
    await sphex(["convert", "v.txt", "v.tbf"]);
    await sphex(["convert", "v.txt", "v.npy"]);
    expect(await sphex(["eval", "sum(q) + sum(v)", "--set", "q=@k.csv", "--set", "v=@v.tbf"])).toMatchObject({
      code: 0,
      out: "6.0\n",
    });
    expect(await sphex(["eval", "sum(v)", "--set", "v=@v.npy"])).toMatchObject({
      code: 2,
      err: "sphex: v.npy does not name its dimensions: declare them in a program, input v: tensor(…), or make another file with sphex convert --type\n",
    });
  });

  test("are read as what the program declares, whose order is that of the axes", async () => {
    file("w.csv", "out,in,value\n0,0,1\n0,1,2\n0,2,3\n1,0,4\n1,1,5\n1,2,6\n");
    await sphex(["convert", "w.csv", "w.npy", "--type", "tensor(out[2],in[3])"]);
    file("w.sphex", "input w: tensor(out[2],in[3])\nw{out:1}\n");
    for (const given of ["w=@w.csv", "w=@w.npy"])
      for (const command of ["run", "check"])
        expect(await sphex([command, "w.sphex", "--set", given])).toMatchObject({
          code: 0,
          out: command === "run" ? "tensor(in[3]):[4.0, 5.0, 6.0]\n" : "",
          err: "",
        });
    file("k.csv", "k,value\na,1\n");
    expect((await sphex(["run", "w.sphex", "--set", "w=@k.csv"])).err).toContain("k.csv:1:1");
  });
});
