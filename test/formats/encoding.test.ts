import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile, readTensor, SphexError } from "../../src/index.js";
import { models, readTrees } from "../../src/models.js";
import { command } from "../command.js";

/** Bytes that are no text in UTF-8 are told: with other characters in their place, labels would be others. */

const latin = Buffer.from("k,value\ncaf\u00e9,1\n", "latin1");

test("by the readers of formats", () => {
  const read = (bytes: Uint8Array): string => `${readTensor(bytes, "csv", { type: "tensor(k{})" })}`;
  expect(() => read(latin)).toThrow(/UTF-8/);
  expect(read(Buffer.from(latin.toString("latin1"), "utf8"))).toBe("tensor(k{}):{'caf\u00e9':1.0}");
});

test.each([
  ["another", latin, "bytes that are not UTF-8"],
  ["UTF-16", Buffer.from("\ufeffk,value\na,1\n", "utf16le"), "a text in UTF-16"],
  [
    "UTF-16 with the higher byte first",
    Buffer.from("\ufeffk,value\n", "utf16le").swap16(),
    "a text in UTF-16",
  ],
])("as %s, by the readers of formats and by programs", (_, bytes, found) => {
  const foundBy = (act: () => unknown): string | undefined => {
    try {
      act();
    } catch (error) {
      if (error instanceof SphexError) return error.problems[0]?.description.found;
      throw error;
    }
    return undefined;
  };
  expect(foundBy(() => readTensor(bytes, "csv"))).toBe(found);
  const text = 'constant t: tensor(k{}) = file("a.csv")\nt';
  expect(foundBy(() => compile(text, { readBytes: () => bytes }))).toBe(found);
});

test("by a program whose host reads bytes", () => {
  const text = 'constant t: tensor(k{}) = file("a.csv")\nt';
  expect(() => compile(text, { readBytes: () => latin }).run()).toThrow(/UTF-8/);
});

test.each(["json", "txt", "ubj"])("by the readers of models: %s", (end) => {
  const bytes = Buffer.from('{"learner": "caf\u00e9"}', "latin1");
  const file = { name: `forest.${end}`, bytes };
  expect(() => readTrees(file)).toThrow(/UTF-8/);
  expect(() => models(file)).toThrow(/UTF-8/);
});

test.each([
  ["convert", "a.csv", "-", "--to", "json", "--type", "tensor(k{})"],
  ["run", "t.sphex", "--set", "t=@a.csv"],
  ["run", "f.sphex"],
])("by %s", async (...args) => {
  const own = command();
  writeFileSync(join(own.folder, "a.csv"), latin);
  writeFileSync(join(own.folder, "t.sphex"), "input t: tensor(k{})\nsum(t)\n");
  writeFileSync(join(own.folder, "f.sphex"), 'constant t: tensor(k{}) = file("a.csv")\nsum(t)\n');
  const { code, out, err } = await own.run(args);
  expect(code).not.toBe(0);
  expect(code).not.toBe(70);
  expect(`${out}${err}`).toMatch(/UTF-8/);
});

const wide = (text: string): Uint8Array => Uint8Array.of(0xff, 0xfe, ...Buffer.from(text, "utf16le"));

test.each([
  ["run", "-"],
  ["check", "-"],
  ["eval", "-"],
  ["fmt", "-"],
  ["repl"],
  ["eval-expr", "json-repl"],
  ["eval-expr", "interactive"],
  ["plot", "-"],
  ["open", "-"],
])("by %s of stdin", async (...args) => {
  const own = command();
  for (const bytes of [Buffer.from("sum(tensor(k{}):{'caf\u00e9':1})\n", "latin1"), wide("1 + 2\n")]) {
    const { code, out, err } = await own.run(args, { stdin: [bytes] });
    const reason = bytes[0] === 0xff ? ", but in UTF-16: save it as UTF-8" : "";
    expect({ code, out, err }).toEqual({
      code: 2,
      out: "",
      err: `sphex: cannot read stdin: it is not text in UTF-8${reason}\n`,
    });
  }
});

test("by batch in the answer of the line", async () => {
  const line = (text: string): string => `{"expr": "tensor(k{}):{'${text}':1}"}\n`;
  const bytes = Buffer.concat([
    Buffer.from(`\ufeff${line("a")}`),
    Buffer.from(line("caf\u00e9"), "latin1"),
    Buffer.from(line("caf\u00e9")),
  ]);
  // In chunks that end within a character, and within a line.
  const stdin = Array.from({ length: bytes.length }, (_, at) => bytes.subarray(at, at + 1));
  const { code, out } = await command().run(["batch"], { stdin });
  expect(code).toBe(0);
  const answers = out
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as { value?: string; error?: unknown });
  expect(answers.map(({ value, error }) => value ?? error)).toEqual([
    "tensor(k{}):{a:1.0}",
    { code: "batch/line", message: "it is not text in UTF-8", start: 0, end: 0 },
    "tensor(k{}):{'caf\u00e9':1.0}",
  ]);
});
