import { describe, expect, test } from "vitest";
import { readTypedValue } from "../../src/formats/json/typed-value.js";
import type { JsonValue } from "../../src/formats/json/value.js";
import { readYaml } from "../../src/formats/yaml/read.js";
import { parseType } from "../../src/index.js";

/** Labels and ids in YAML that look like numbers are what is written: as numbers, several would be one. */

async function read(text: string): Promise<JsonValue> {
  const { tree, problems } = await readYaml({ name: "a.yaml", text });
  if (tree === undefined) throw new Error(problems.map(({ message }) => message).join());
  return tree;
}

const cells = async (text: string): Promise<string> => {
  const type = parseType("tensor(k{})");
  const found = readTypedValue(await read(text), type, { empty: 0, cells: 100, hasNumberLabels: true });
  return `${found.tree}`;
};

describe("the keys of a map", () => {
  test.each([
    ["007", "007"],
    ["010", "010"],
    ["0x10", "0x10"],
    ["1.0", "1.0"],
    ["12345678901234567890", "12345678901234567890"],
    ["True", "True"],
    ['"007"', "007"],
    ["!!str 7", "7"],
    ["&seven 7", "7"],
  ])("%s", async (written, key) => {
    const tree = await read(`${written}: 1\n`);
    expect([...tree.entries().keys()]).toEqual([key]);
  });

  test("are two where they are written in two ways, and one where a text says what a number is", async () => {
    expect(await cells("7: 1\n007: 2\n")).toBe("tensor(k{}):{007:2.0, 7:1.0}");
    await expect(read('7: 1\n"7": 2\n')).rejects.toThrow(/unique/);
  });
});

test("a number in an address is the label that is written, by way of an alias, too", async () => {
  const text = "- {address: {k: &id 9007199254740993}, value: 1}\n- {address: {k: 007}, value: 2}\n";
  expect(await cells(text)).toBe("tensor(k{}):{007:2.0, 9007199254740993:1.0}");
  const list = await read("- &id 12345678901234567890\n- *id\n");
  expect(Array.from(list.items(), ({ label }) => label)).toEqual([
    "12345678901234567890",
    "12345678901234567890",
  ]);
});

test("several documents are told of without advice for programmers", async () => {
  const { problems } = await readYaml({ name: "two.yaml", text: "a: 1\n---\na: 2\n" });
  expect(problems.map(({ message }) => message)).toEqual([
    "this is not YAML: source contains multiple documents",
  ]);
});
