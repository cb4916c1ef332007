import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import { readOnnx } from "../../../src/models.js";
import { differenceOf, evaluate, runProgram } from "./imported.js";

/**
 * Operators that ONNX's own cases lack, or try too little: small models with what ONNX Runtime made of them, written by hand
 * (onnx/make.py, and onnx/contributed.py for those that it has beside ONNX's), or where the campaign found other values
 * (onnx/found.json).
 */
interface Case {
  readonly name: string;
  /** In base64. */
  readonly model: string;
  readonly inputs: Readonly<Record<string, Constant>>;
  readonly outputs: readonly Constant[];
}
const casesIn = (file: string): readonly Case[] =>
  JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"), (_, value: unknown) =>
    typeof value === "string" && special.has(value) ? Number(value) : value,
  );
const special = new Set(["NaN", "Infinity", "-Infinity"]);
const cases = ["runtime.json", "contributed.json", "found.json"].flatMap(casesIn);

/** Parts that become one call, by what the names of their cases begin with. */
const recovered = {
  "layer normalisation in parts": "layer_normalised(",
  "gelu in parts": "gelu(",
  "attention in parts": "attention(",
};

test.each(Object.entries(recovered))("%s: one call, where they are that", (beginning, call) => {
  const own = cases.filter(({ name }) => name.startsWith(beginning));
  const texts = own.map(({ name, model, inputs }) => {
    const imported = importModel(decode(Buffer.from(model, "base64"), modelFields), {
      evaluate,
      inputs: new Map(Object.entries(inputs)),
    });
    return { name, isCall: imported.definitions.some(({ text }) => text.includes(call)) };
  });
  expect(texts.filter(({ name, isCall }) => isCall === name.includes("that is none"))).toEqual([]);
  expect(texts.length).toBeGreaterThan(3);
});

test.each(cases)("$name", ({ model, inputs, outputs }) => {
  const values = new Map(Object.entries(inputs));
  const program = importModel(decode(Buffer.from(model, "base64"), modelFields), {
    evaluate,
    inputs: values,
  });
  const results = runProgram(program, values);
  const differences = outputs.map((expected, at) => {
    const [port, found] = [program.outputs[at], results[at]];
    return port === undefined || found === undefined ? "no output" : differenceOf(port, found, expected);
  });
  expect(differences).toEqual(outputs.map(() => undefined));
});

test("texts are numbers in a program, which says what each stands for", () => {
  const own = cases.find(({ name }) => name === "LinearClassifier, texts as labels");
  const model = readOnnx({ name: "model.onnx", bytes: Buffer.from(own?.model ?? "", "base64") });
  const { text, texts } = model.program();
  expect(texts).toEqual(["yes", "no", "per haps"]);
  expect(text).toContain("# Texts are numbers, and others -1:\n#   0: yes\n#   1: no\n#   2: 'per haps'\n");
});
