import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Constant } from "../../../src/models/onnx/constant.js";
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
import { type Files, filesOf } from "./archive.js";
import { borderTensor } from "./imported.js";
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
