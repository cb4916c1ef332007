import type { Tensor } from "../../src/index.js";
import type { CellArray } from "../../src/language/types/cell.js";
import { uniform } from "../../src/program/random.js";
import { programOf, sourceOf } from "../hunt/program.js";
import { withCells } from "./differences.js";

/** Programs of the hunt in doubles, at inputs where differences can tell their derivatives. */

/** A program whose values depend on its inputs alone. */
export interface SmoothProgram {
  /** Statements, each with its end. */
  readonly definitions: string;
  readonly results: readonly string[];
  readonly inputs: Readonly<Record<string, Tensor>>;
}

/** The program of a seed; nothing where that is none of them. */
export function smoothProgram(seed: number): SmoothProgram | undefined {
  const program = programOf(seed);
  const source = inDoubles(sourceOf(program));
  const isRefused = program.dialect === "vespa" || program.hosts.length > 0;
  if (isRefused || isLeftOut(source, isOfSmallCells(seed))) return undefined;
  const chance = uniform(seed);
  const cellOf = (tensor: Tensor, at: number): number =>
    isOfSmallCells(seed) ? (chance() - 0.4) * 3 : tensor.at(at) || 1.25;
  const inputs = program.inputs.map(({ name, values: [tensor] }): [string, Tensor] => {
    return [name, withCells(tensor, (at) => cellOf(tensor, at))];
  });
  if (!inputs.every(([, { data }]) => areModest(data))) return undefined;
  const statements = source.split(";\n");
  const count = program.definitions.length;
  const definitions = statements.slice(0, count).map((each) => `${each};\n`);
  return {
    definitions: definitions.join(""),
    results: statements.slice(count),
    inputs: Object.fromEntries(inputs),
  };
}

/** What is rounded is no function that differences can tell anything of. */
export const inDoubles = (text: string): string =>
  text
    .replace(/(?<=[a-z])<(float|bfloat16|int8|half|short|int|long|byte)>/g, "")
    .replace(/, *(float|bfloat16|int8|half|short|int|long|byte)\)/g, ", double)");

/** Whether the inputs of a seed are near 0 and no whole numbers; otherwise they are the numbers of the hunt, but for 0. */
export const isOfSmallCells = (seed: number): boolean => seed % 2 === 0;

/**
 * Random numbers are others in each run, a middle of equal cells does not move with one of them, and an input that another is computed
 * from is a variable itself. What is rounded looks steep where its steps are small beside those of the differences.
 */
const isLeftOut = (text: string, isOfSmallCells: boolean): boolean =>
  /random\(|median|fmod|%|^input|\ninput/.test(text) ||
  (!isOfSmallCells && /round|floor|ceil|trunc|bit|hamming/.test(text));

/** Whether cells are numbers that are not large. */
export const areModest = (cells: CellArray): boolean =>
  [...cells].every((cell) => Math.abs(Number(cell)) < 1e6);
