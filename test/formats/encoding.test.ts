import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compile, readTensor } from "../../src/index.js";
import { models, readTrees } from "../../src/models.js";
import { command } from "../command.js";

/** Bytes that are no text in UTF-8 are told: with other characters in their place, labels would be others. */

const latin = Buffer.from("k,value\ncaf\u00e9,1\n", "latin1");

test("by the readers of formats", () => {
  const read = (bytes: Uint8Array): string => `${readTensor(bytes, "csv", { type: "tensor(k{})" })}`;
  expect(() => read(latin)).toThrow(/UTF-8/);
  expect(read(Buffer.from(latin.toString("latin1"), "utf8"))).toBe("tensor(k{}):{'caf\u00e9':1.0}");
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
