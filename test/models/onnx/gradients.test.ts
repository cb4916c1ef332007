import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { compile } from "../../../src/index.js";
import type { Constant } from "../../../src/models/onnx/file/constant.js";
import { decode } from "../../../src/models/onnx/file/protobuf.js";
import { modelFields } from "../../../src/models/onnx/file/schema.js";
import { importModel } from "../../../src/models/onnx/importer.js";
import { type ImportedProgram, type Port, programText } from "../../../src/models/onnx/program-writer.js";
import { numbersByChance } from "../../chance.js";
import {
  compared,
  type Differentiated,
  judgedTwice,
  withCells,
  wrongCells,
} from "../../differentiate/differences.js";
import { inDoubles } from "../../differentiate/smooth-programs.js";
import { patient } from "../../patience.js";
import type { Graph } from "../campaign/graph.js";
import { modelBytes } from "../campaign/write.js";
import { type Files, filesOf } from "./archive.js";
import { borderTensor, evaluate } from "./imported.js";
import { casesIn, importedCase } from "./suite.js";

/** Gradients through the operators of ONNX are what differences find: a sample of the cases, or all of them by `TIMES=40`. */

const archive = fileURLToPath(new URL("../../../../shared/conformance/onnx/node.tar.gz", import.meta.url));

const share = Math.min(1, 0.03 * Number(process.env.TIMES ?? 1));

/** Programs with more cells take long. */
const mostCells = 3000;

const isFloat = ({ element }: Port): boolean => ["float", "double", "float16", "bfloat16"].includes(element);

/** The sum of the first output, which no cell has steep, in each input of floats. */
function differentiatedOf(
  program: ImportedProgram,
  constants: ReadonlyMap<string, Constant>,
): readonly Differentiated[] {
  const ports = program.inputs.map(
    (port) => [port.name, borderTensor(port, constants.get(port.label))] as const,
  );
  const inputs = Object.fromEntries(
    [...program.constants, ...ports].map(([name, tensor]) => [
      name,
      withCells(tensor, (at) => tensor.at(at)),
    ]),
  );
  const [output] = program.outputs;
  const cells = Object.values(inputs).reduce((sum, { data }) => sum + data.length, 0);
  if (output === undefined || cells > mostCells) return [];
  const statements = inDoubles(programText(program)).split("\n");
  const definitions = `${statements.filter((each) => !each.startsWith("input ")).join("\n")}\n`;
  const y = `sum(map(${output.name}, f(v)(atan(v))))`;
  return program.inputs.filter(isFloat).map(({ name }) => ({ definitions, y, x: name, inputs }));
}

function importedOf(files: Files, folder: string): readonly Differentiated[] {
  try {
    return importedCase(files, folder, differentiatedOf);
  } catch {
    return []; // what cannot be imported has its row elsewhere
  }
}

interface Judgement {
  readonly wrong: readonly unknown[];
  readonly count: number;
}

function judged(differentiated: Differentiated): Judgement {
  const comparison = compared(differentiated, { backend: "engine" }, 5);
  if (comparison === undefined) throw new Error("each of them is a program");
  const wrong = wrongCells(comparison, 1e-5);
  const { length: count } = comparison.cells.filter(({ differences }) => differences !== undefined);
  return { count, wrong: [...comparison.addresses, ...wrong].slice(0, 3) };
}

/** The queries are zeros, so that each takes the mean of what it may look at: keys 1, 2, 3 have the values 1, 2, 4. */
test("a query that may look at no key leaves all derivatives what they are", () => {
  const column = (numbers: readonly number[]): Constant => ({
    element: "float",
    shape: [1, 1, 3, 1],
    numbers,
  });
  const no = Number.NEGATIVE_INFINITY;
  const inputs = new Map<string, Constant>([
    ["q", column([0, 0, 0])],
    ["k", column([1, 2, 3])],
    ["v", column([1, 2, 4])],
    ["m", { element: "float", shape: [3, 3], numbers: [0, 0, 0, no, no, no, 0, no, 0] }],
  ]);
  const graph: Graph = {
    ...{ opset: 23, inputs, constants: new Map() },
    steps: [{ operator: "Attention", inputs: [...inputs.keys()], outputs: ["out"], attributes: {} }],
    outputs: new Map([["out", column([])]]),
  };
  const program = importModel(decode(modelBytes(graph), modelFields), { evaluate });
  const names = program.inputs.slice(0, 3).map(({ name }) => name);
  const [output] = program.outputs;
  const gradients = names.map((name) => `gradient(sum(${output?.name}), ${name})`);
  const values = program.inputs.map(
    (port) => [port.name, borderTensor(port, inputs.get(port.label))] as const,
  );
  const { results } = compile([programText(program), ...gradients].join("\n")).runAll(
    Object.fromEntries(values),
  );
  // A weight times how far its value is from the mean that the query takes, times the key, summed.
  const first = (1 / 3) * ((1 - 7 / 3) * 1 + (2 - 7 / 3) * 2 + (4 - 7 / 3) * 3);
  const last = (1 / 2) * ((1 - 5 / 2) * 1 + (4 - 5 / 2) * 3);
  const expected = [
    [first, 0, last],
    [0, 0, 0],
    [1 / 3 + 1 / 2, 1 / 3, 1 / 3 + 1 / 2],
  ];
  for (const [at, { data }] of results.entries())
    for (const [index, cell] of [...data].entries())
      expect(Number(cell)).toBeCloseTo(expected[at]?.[index] ?? Number.NaN, 5);
});

test.skipIf(!existsSync(archive))("gradients through operators of ONNX", patient, () => {
  const [files, chance] = [filesOf(archive), numbersByChance()];
  const tried = casesIn(files).filter(() => chance() < share);
  let [count, gradients] = [0, 0];
  for (const folder of tried)
    for (const differentiated of importedOf(files, folder)) {
      const { wrong, count: cells } = judgedTwice(differentiated, judged);
      expect({ folder, x: differentiated.x, wrong }).toEqual({ folder, x: differentiated.x, wrong: [] });
      count += cells;
      gradients++;
    }
  expect(count).toBeGreaterThan(gradients);
});
