import * as sphex from "../../../src/index.js";
import type { Choice } from "../../hunt/choice.js";
import * as values from "./values.js";

/** A call of a public function: its name, and what may be its arguments. */
export interface Call {
  readonly name: string;
  readonly run: (...values: readonly unknown[]) => unknown;
  readonly parameters: readonly Parameter[];
}

type Parameter = (choice: Choice) => unknown;

const { textOf: text, optionsOf: options, tensorOf: tensor, typeOf: type, numberOf: number } = values;
const inputs: Parameter = (choice) => values.objectOf(choice, ["a", "b"]);
const optional =
  (parameter: Parameter): Parameter =>
  (choice) =>
    choice.percent(50) ? parameter(choice) : undefined;
const tensors: Parameter = (choice) => [tensor(choice), tensor(choice)];
const typeOrText: Parameter = (choice) => (choice.percent(50) ? type(choice) : values.typeTextOf(choice));
const format: Parameter = (choice) => choice.oneOf(["json", "csv", "npy", "tbf", "literal", "npz"]);
const address: Parameter = (choice) => choice.oneOf([{}, { x: 0 }, { k: "a" }, { k: "0", x: "1" }, { y: 9 }]);
const axes: Parameter = (choice) => choice.oneOf([["x"], ["k", "x"], [], ["y"]]);
const shown: Parameter = (choice) => ({
  ...(choice.percent(50) ? { format: choice.oneOf(["grid", "json", "csv", "markdown", "literal"]) } : {}),
  width: 40,
});
const bytes: Parameter = (choice) => (choice.percent(50) ? values.arrayOf(choice) : text(choice));
const program = (choice: Choice): sphex.Program<object> =>
  sphex.compile(
    choice.oneOf([
      "input a: tensor(x[2])\ninput b: tensor()\nnamed = a * b\nsum(named)\na + b",
      "variable v = 0\ninput a: tensor()\nassign v = v + a\nnamed = v + a\nnamed",
      "input a: tensor(k{})\nnamed = softmax(a, k)\nnamed",
      "named = tensor(x[3])(x)\nnamed",
    ]),
    { limits: { cells: 10_000, ...(choice.percent(30) ? { steps: 1e6 } : {}) } },
  ) as sphex.Program<object>; // whatever its inputs
const named: Parameter = (choice) => choice.oneOf(["named", "a", "nope", "v"]);
const problem: Parameter = () => sphex.check("1 +")[0];
const plan: Parameter = (choice) => sphex.compile(choice.oneOf(["1 + 1", "sum(tensor(x[3])(x))"])).plan();

type Function = (...values: never[]) => unknown;

/** A function of the library, called with whatever was chosen. */
const call = (name: string, run: Function, ...parameters: readonly Parameter[]): Call => ({
  name,
  run: run as Call["run"], // wrong arguments are what this is about
  parameters,
});

/** A method of what a public function returns. */
const method = <T>(
  name: string,
  subject: (choice: Choice) => T,
  run: (subject: T) => Function,
  ...parameters: readonly Parameter[]
): Call => ({
  name,
  parameters: [(choice) => run(subject(choice)), ...parameters],
  run: (bound, ...others) => (bound as Call["run"])(...others), // as `run` made it
});

const signal: Parameter = (choice) => (choice.percent(30) ? { signal: AbortSignal.abort() } : {});
const session = (choice: Choice) => program(choice).session();
const prepared = (choice: Choice) => program(choice).prepare();

// biome-ignore format: a table
export const calls: readonly Call[] = [
  call("compile", sphex.compile, text, optional(options)),
  call("compileExpression", sphex.compileExpression, text, optional(options)),
  call("compileAsync", sphex.compileAsync, text, optional(options)),
  call("check", sphex.check, text, optional(options)),
  call("evaluate", sphex.evaluate, text, optional(inputs), optional(options)),
  call("expand", sphex.expand, text, optional(options)),
  call("explain", sphex.explain, text, optional(inputs), optional(options)),
  call("why", sphex.why, text, optional(address), optional(inputs), optional(options)),
  call("parseTensor", sphex.parseTensor, text, optional(typeOrText)),
  call("parseType", sphex.parseType, values.typeTextOf),
  call("writtenAxes", sphex.writtenAxes, values.typeTextOf),
  call("canonicalName", sphex.canonicalName, text),
  call("readTensor", sphex.readTensor, bytes, format, optional((choice) => ({ type: typeOrText(choice) }))),
  call("readNpz", sphex.readNpz, bytes, optional((choice) => ({ type: typeOrText(choice) }))),
  call("sampleTensor", sphex.sampleTensor, typeOrText),
  call("writeTensor", sphex.writeTensor, tensor, format, optional(options)),
  call("writeNpz", sphex.writeNpz, tensor),
  call("writeNpzOf", sphex.writeNpzOf, (choice) => ({ a: tensor(choice) })),
  call("tensorJson", sphex.tensorJson, tensor),
  call("showTensor", sphex.showTensor, tensor, optional(shown)),
  call("showTensors", sphex.showTensors, tensors, optional(shown)),
  call("renderText", sphex.renderText, tensor, optional(() => ({ width: 40 }))),
  call("renderSvg", sphex.renderSvg, tensor, optional(() => ({ width: 40 }))),
  call("showProblem", sphex.showProblem, problem, optional(() => ({ width: 40 }))),
  call("showPlan", sphex.showPlan, plan),
  call("parseJson", sphex.parseJson, (choice) => ({ name: "a", text: text(choice) })),
  call("parseProgram", sphex.parseProgram, (choice) => ({ name: "a", text: text(choice) })),
  call("format", sphex.format, (choice) => ({ name: "a", text: text(choice) })),
  call("parseAddress", sphex.parseAddress, text),
  call("nearest", sphex.nearest, text, () => ["sum", "prod"]),
  call("nearestTopic", sphex.nearestTopic, text),
  call("searchTopics", sphex.searchTopics, text),
  call("escapeHidden", sphex.escapeHidden, text),
  call("escapeForeign", sphex.escapeForeign, text),
  call("visibleJson", sphex.visibleJson, (choice) => ({ a: text(choice) })),
  call("shortNumber", sphex.shortNumber, number, () => "float"),
  call("offeredCells", sphex.offeredCells, tensor, () => (cell: string) => cell),
  call("readTrainingTable", sphex.readTrainingTable, (choice) => ({ name: "a", text: text(choice) }), () => new Map([["x", sphex.parseType("tensor(row[])")]])),
  call("numberText", sphex.numberText, number),
  call("tensorFormatOf", sphex.tensorFormatOf, text),
  call("isProblem", sphex.isProblem, (choice) => values.anyValue(choice)),
  call("functionDescriptions", sphex.functionDescriptions),
  call("uniform", sphex.uniform, number),
  call("Tensor.from", sphex.Tensor.from, type, (choice) => (choice.percent(50) ? values.arrayOf(choice) : values.anyValue(choice)), optional((choice) => ({ axes: axes(choice) }))),
  call("receiveError", sphex.receiveError, () => ({ sphexError: 1, problems: [] })),
  method("tensor.get", tensor, (subject) => subject.get.bind(subject), address),
  method("tensor.at", tensor, (subject) => subject.at.bind(subject), number),
  method("tensor.cells", tensor, (subject) => (...given: never[]) => [...subject.cells(...given)], optional(() => ({ reuse: true }))),
  method("tensor.toArray", tensor, (subject) => subject.toArray.bind(subject), optional(axes)),
  method("tensor.toNested", tensor, (subject) => subject.toNested.bind(subject), optional(axes)),
  method("tensor.copyTo", tensor, (subject) => subject.copyTo.bind(subject), values.arrayOf),
  method("tensor.equals", tensor, (subject) => subject.equals.bind(subject), tensor),
  method("tensor.as", tensor, (subject) => subject.as.bind(subject), type),
  method("tensor.asNumber", tensor, (subject) => subject.asNumber.bind(subject)),
  method("program.run", program, (subject) => subject.run.bind(subject), optional(inputs)),
  method("program.runOnce", program, (subject) => subject.runOnce.bind(subject), optional(inputs)),
  method("program.runAll", program, (subject) => subject.runAll.bind(subject), optional(inputs)),
  method("program.runAsync", program, (subject) => subject.runAsync.bind(subject), optional(inputs), optional(signal)),
  method("program.runAllAsync", program, (subject) => subject.runAllAsync.bind(subject), optional(inputs), optional(signal)),
  method("program.explain", program, (subject) => subject.explain.bind(subject), optional(inputs)),
  method("program.explainAsync", program, (subject) => subject.explainAsync.bind(subject), optional(inputs), optional(signal)),
  method("program.why", program, (subject) => subject.why.bind(subject), optional(address), optional(inputs), optional((choice) => ({ result: named(choice) }))),
  method("program.whyNotFinite", program, (subject) => subject.whyNotFinite.bind(subject), optional(inputs)),
  method("program.plan", program, (subject) => subject.plan.bind(subject), optional(inputs)),
  method("program.primitive", program, (subject) => subject.primitive.bind(subject), optional((choice) => ({ result: named(choice) }))),
  method("program.prepare", program, (subject) => subject.prepare.bind(subject), optional(inputs)),
  method("results.value", program, (subject) => subject.runAll(Object.fromEntries([...subject.inputs].map(([name, of]) => [name, sphex.sampleTensor(of)]))).value, named),
  method("prepared.run", prepared, (subject) => subject.run.bind(subject), optional(inputs), optional((choice) => ({ into: values.arrayOf(choice) }))),
  method("prepared.runInto", prepared, (subject) => subject.runInto.bind(subject), (choice) => values.arrayOf(choice), optional(inputs)),
  method("prepared.toFunction", prepared, (subject) => (name: never, ...given: never[]) => subject.toFunction(...(name === undefined ? [] : [name]))(...given), optional((choice) => (choice.percent(80) ? named(choice) : values.anyValue(choice))), (choice) => values.anyValue(choice), optional((choice) => values.anyValue(choice))),
  method("prepared.runAll", prepared, (subject) => subject.runAll.bind(subject), optional(inputs)),
  method("prepared.runAsync", prepared, (subject) => subject.runAsync.bind(subject), optional(inputs), optional(signal)),
  method("prepared.runBatch", prepared, (subject) => subject.runBatch.bind(subject), (choice) => choice.oneOf(["b", "x", ""]), inputs),
  method("prepared.runAllBatchAsync", prepared, (subject) => subject.runAllBatchAsync.bind(subject), (choice) => choice.oneOf(["b", "x"]), inputs, optional(signal)),
  method("session.run", session, (subject) => subject.run.bind(subject), optional(inputs), optional((choice) => ({ assign: { v: named(choice) } }))),
  method("session.runAllAsync", session, (subject) => subject.runAllAsync.bind(subject), optional(inputs), optional(signal)),
  method("session.get", session, (subject) => subject.get.bind(subject), named),
  method("session.assign", session, (subject) => subject.assign.bind(subject), (choice) => values.objectOf(choice, ["v"])),
  method("session.train", session, (subject) => async (given: never) => { for await (const each of subject.train(given)) void each; }, (choice) => ({ data: inputs(choice), epochs: 1, ...(choice.percent(30) ? signal(choice) as object : {}) })),
];
