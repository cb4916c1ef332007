import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as sphex from "../../src/index.js";
import { type Problem, parseTensor, parseType, SphexError } from "../../src/index.js";
import { readOnnx, readTrainingParquet } from "../../src/models.js";
import * as sql from "../../src/sql.js";
import { checkPackage, readPackage } from "../../src/vespa.js";
import { filesOf } from "../packages.js";

/** Options of calls: those that a call does not have, and values that they cannot have, are problems in every wing. */

const program = sphex.compile(
  "input a: tensor(x[2])\nvariable v: tensor() = 0\nb = sum(a) * v\nminimise b\nb",
);
const inputs = { a: [1, 2] };
const vector = parseTensor("tensor(x[2]):[1,2]");
const type = parseType("tensor(x[2])");
const files = filesOf({});
const engine = sql.textEngine("duckdb");
const table = { source: { table: "a" }, dimensions: { x: "x" } };
const bound = program.on(sql.onEngine(engine), { a: table });
const cluster = program.on(sql.onCluster([engine, engine]), { a: { ...table, isReplicated: true } });
const [problem] = sphex.check("?");
const model = () =>
  readOnnx({
    name: "m.onnx",
    bytes: readFileSync(new URL("../../examples/models/models/taste.onnx", import.meta.url)),
  });

/** A call with options as callers without types write them. */
type Call = (options: never) => unknown;

const trained = async (options: never): Promise<void> => {
  for await (const _ of program.session().train(options));
};

const calls: Readonly<Record<string, Call>> = {
  "program.runAsync": (options) => program.runAsync(inputs, options),
  "program.runAllAsync": (options) => program.runAllAsync(inputs, options),
  "program.explainAsync": (options) => program.explainAsync(inputs, options),
  "program.whyAsync": (options) => program.whyAsync({}, inputs, options),
  "program.why": (options) => program.why({}, inputs, options),
  "program.whyNotFinite": (options) => program.whyNotFinite(inputs, options),
  "program.plan": (options) => program.plan(inputs, options),
  "program.primitive": (options) => program.primitive(options),
  "prepared.run": (options) => program.prepare().run(inputs, options),
  "prepared.runAsync": (options) => program.prepare().runAsync(inputs, options),
  "prepared.runAllAsync": (options) => program.prepare().runAllAsync(inputs, options),
  "session.run": (options) => program.session().run(inputs, options),
  "session.runAsync": (options) => program.session().runAsync(inputs, options),
  "session.train": (options) => trained(options),
  compileAsync: (options) => sphex.compileAsync("1", options),
  "Tensor.from": (options) => sphex.Tensor.from(type, [1, 2], options),
  "tensor.cells": (options) => vector.cells(options),
  readTensor: (options) => sphex.readTensor("1", "literal", options),
  readNpz: (options) => sphex.readNpz(new Uint8Array(), options),
  writeTensor: (options) => sphex.writeTensor(vector, "json", options),
  writeNpzOf: (options) => sphex.writeNpzOf({ vector }, options),
  showTensor: (options) => sphex.showTensor(vector, options),
  showTensors: (options) => sphex.showTensors([vector], options),
  showProblem: (options) => sphex.showProblem(problem as Problem, options),
  showExplanation: (options) => sphex.showExplanation(program.explain(inputs), options),
  showPlan: (options) => sphex.showPlan(program.plan(inputs), options),
  showWhy: (options) => sphex.showWhy(program.why({}, inputs), options),
  showNotFinite: (options) => sphex.showNotFinite(program.whyNotFinite(inputs), options),
  renderText: (options) => sphex.renderText(vector, options),
  renderSvg: (options) => sphex.renderSvg(vector, options),
  startThreads: (options) => sphex.startThreads(options),
  useWideVectors: (options) => sphex.useWideVectors(options),
  readTrainingParquet: (options) => readTrainingParquet(new Uint8Array(), new Map(), options),
  "model.program": (options) => model().program(options),
  readPackage: (options) => readPackage(files, options),
  checkPackage: (options) => checkPackage(readPackage(files), options),
  duckdb: (options) => sql.duckdb(options),
  chdb: (options) => sql.chdb(options),
  postgresql: (options) => sql.postgresql("postgres://localhost/a", options),
  spark: (options) => sql.spark("sc://localhost", options),
  "program.on": (options) => program.on(sql.onEngine(engine), { a: options }),
  "bound.sql": (options) => bound.sql(options),
  "bound.run": (options) => bound.run(options),
  "bound.runAll": (options) => bound.runAll(options),
  "bound.explain": (options) => bound.explain(options),
  "bound.materialize": (options) => bound.materialize({ table: "t" }, options),
  "cluster.stages": (options) => cluster.stages(options),
  "cluster.run": (options) => cluster.run(options),
  "cluster.explain": (options) => cluster.explain(options),
  "cluster.materialize": (options) => cluster.materialize("t", options),
};

async function found(call: Call | undefined, options: unknown): Promise<readonly string[]> {
  try {
    await call?.(options as never);
  } catch (error) {
    if (error instanceof SphexError) return error.problems.map(({ code }) => code);
    throw error;
  }
  return [];
}

describe("Options of calls that would do nothing are refused", () => {
  it.each(Object.entries(calls))("of %s", async (_, call) => {
    expect(await found(call, { sginal: 1 })).toEqual(["option/unknown"]);
    for (const other of [null, new Map([["signal", 1]]), new AbortController().signal])
      expect(await found(call, other)).toEqual(["argument/kind"]);
  });

  it.each<[string, object]>([
    ["program.runAsync", { signal: 5 }],
    ["program.runAsync", { signal: {} }],
    ["program.runAsync", { progress: 5 }],
    ["session.run", { assign: new Map([["v", "b"]]) }],
    ["readTensor", { limits: new Map([["cells", 1]]) }],
    ["compileAsync", { signal: 5 }],
    ["compileAsync", { readFile: "a" }],
    ["prepared.run", { into: 5 }],
    ["session.run", { assign: "v" }],
    ["program.plan", { run: "yes" }],
    ["program.why", { result: {} }],
    ["program.why", { steps: -1 }],
    ["session.train", { data: inputs, epochs: Number.NaN }],
    ["session.train", { data: inputs, batch: 0 }],
    ["session.train", { data: inputs, rate: "fast" }],
    ["session.train", { data: inputs, optimiser: "adamant" }],
    ["session.train", { data: inputs, metrics: "b" }],
    ["Tensor.from", { axes: "x" }],
    ["tensor.cells", { reuse: 1 }],
    ["readTensor", { type: 5 }],
    ["readTensor", { dialect: "Vespa" }],
    ["readTensor", { limits: { cells: undefined } }],
    ["readTensor", { axes: 5 }],
    ["readNpz", { limits: { cells: Number.NaN } }],
    ["readNpz", { array: 1 }],
    ["writeTensor", { form: "type" }],
    ["writeNpzOf", { isStored: "yes" }],
    ["showTensor", { format: "prety" }],
    ["showTensor", { width: Number.NaN }],
    ["showProblem", { width: "80" }],
    ["showProblem", { colour: 1 }],
    ["showPlan", { width: -1 }],
    ["renderText", { kind: "pie" }],
    ["renderText", { height: "9" }],
    ["renderSvg", { title: 5 }],
    ["startThreads", { count: 0, start: () => {} }],
    ["startThreads", { count: 1.5, start: () => {} }],
    ["startThreads", { count: 2, start: "thread.js" }],
    ["useWideVectors", { setFlag: () => {}, engineVersion: 13 }],
    ["readTrainingParquet", { limits: { cells: -1 } }],
    ["model.program", { sizes: [1] }],
    ["readPackage", { fileLimit: "10" }],
    ["checkPackage", { definitions: Number.NaN }],
    ["duckdb", { settings: "memory_limit=1GB" }],
    ["postgresql", { isExact: "yes" }],
    ["program.runAllAsync", { values: "a" }],
    ["program.on", { ...table, duplicates: "add" }],
    ["program.on", { ...table, isTrusted: "yes" }],
    ["program.on", { source: { tabel: "a" }, dimensions: { x: "x" } }],
    ["program.on", { source: "a.csv", dimensions: { x: "x" } }],
    ["bound.sql", { comments: "no" }],
    ["bound.sql", { result: 1 }],
    ["bound.sql", { result: -1 }],
    ["bound.run", { timeout: "5" }],
    ["bound.run", { signal: 5 }],
    ["bound.explain", { run: 1 }],
    ["cluster.stages", { result: 1 }],
    ["cluster.run", { moved: 5 }],
  ])("of %s: %o is no value of its", async (name, options) => {
    expect(await found(calls[name], options)).toEqual(["option/value"]);
  });

  it("and tells which there are", () => {
    expect(() => program.plan(inputs, { ruin: true } as object)).toThrow(
      expect.objectContaining({
        problems: [
          expect.objectContaining({
            description: expect.objectContaining({ expected: "run", hint: "did you mean run?" }),
          }),
        ],
      }),
    );
  });

  it("and none is missed where it is undefined", async () => {
    expect(await found(calls["program.runAsync"], { signal: undefined, progress: undefined })).toEqual([]);
    expect(await found(calls["prepared.run"], { into: undefined })).toEqual([]);
    expect(await found(calls.readTensor, { type: undefined, name: undefined })).toEqual([]);
    expect(await found(calls.showTensor, { format: undefined, width: undefined })).toEqual([]);
  });

  it("also of limits", async () => {
    expect(await found(calls.readTensor, { limits: { cell: 10 } })).toEqual(["option/unknown"]);
  });

  it("but a limit of time is one where nothing has a clock", async () => {
    expect(await found(calls.readTensor, { limits: { time: 5 } })).toEqual([]);
  });
});

describe("what is wrong with a call names the function that was called", () => {
  const untyped = sphex as unknown as Readonly<Record<string, (text: unknown) => unknown>>; // callers without types
  it.each([
    "compile",
    "compileExpression",
    "evaluate",
    "explain",
    "expand",
    "why",
    "check",
  ])("%s", async (name) => {
    const message = await Promise.resolve()
      .then(() => untyped[name]?.(5))
      .catch((error: SphexError) => error.problems[0]?.message);
    expect(message).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it("runAsync", async () => {
    await expect(program.runAsync(inputs, 5 as never)).rejects.toThrow("runAsync");
    await expect(program.runAsync(inputs, 5 as never)).rejects.not.toThrow("runAllAsync");
  });
});
