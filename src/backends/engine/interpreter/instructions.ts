import { type ScalarName, scalarFunctions } from "../../../language/scalar/functions.js";
import { type CellType, cellTypes } from "../../../language/types/cell.js";
import type { Instruction } from "../loop.js";

/** The values of an instruction at all iterations of a tile. */
export type Register = Float64Array;

/** Computes a register from others, for so many iterations. */
export type Compute = (into: Register, count: number, registers: readonly Register[]) => void;

type Pairwise = (into: Register, count: number, x: Register, y: Register) => void;

/** Loops of their own for what is used most, which V8 then compiles well; all others call their function cell by cell. */
const pairwise: Partial<Record<ScalarName, Pairwise>> = {
  add: (into, count, x, y) => {
    for (let at = 0; at < count; at++) into[at] = (x[at] as number) + (y[at] as number);
  },
  subtract: (into, count, x, y) => {
    for (let at = 0; at < count; at++) into[at] = (x[at] as number) - (y[at] as number);
  },
  multiply: (into, count, x, y) => {
    for (let at = 0; at < count; at++) into[at] = (x[at] as number) * (y[at] as number);
  },
  divide: (into, count, x, y) => {
    for (let at = 0; at < count; at++) into[at] = (x[at] as number) / (y[at] as number);
  },
  square: (into, count, x) => {
    for (let at = 0; at < count; at++) into[at] = (x[at] as number) * (x[at] as number);
  },
  exp: (into, count, x) => {
    for (let at = 0; at < count; at++) into[at] = Math.exp(x[at] as number);
  },
};

/** Reads and indexes are filled by the tiled loop; the others are computed. */
export function computeOf(instruction: Instruction): Compute | undefined {
  switch (instruction.op) {
    case "read":
    case "index":
      return undefined;
    case "constant":
      return (into, count) => into.fill(instruction.value, 0, count);
    case "store":
      return storeOf(instruction.cellType, instruction.value);
    case "select":
      return selectOf(instruction.condition, instruction.yes, instruction.no);
    case "apply": {
      const [x = 0, y = x] = instruction.arguments;
      const specialised = pairwise[instruction.function];
      const compute = specialised ?? cellByCell(scalarFunctions[instruction.function].compute);
      return (into, count, registers) =>
        compute(into, count, registerOf(registers, x), registerOf(registers, y));
    }
  }
}

function cellByCell(compute: (x: number, y: number) => number): Pairwise {
  return (into, count, x, y) => {
    for (let at = 0; at < count; at++) into[at] = compute(x[at] as number, y[at] as number);
  };
}

function storeOf(cellType: CellType, value: number): Compute {
  if (cellType === "float") {
    return (into, count, registers) => {
      const from = registerOf(registers, value);
      for (let at = 0; at < count; at++) into[at] = Math.fround(from[at] as number);
    };
  }
  const { store } = cellTypes[cellType];
  return (into, count, registers) => {
    const from = registerOf(registers, value);
    for (let at = 0; at < count; at++) into[at] = store(from[at] as number);
  };
}

function selectOf(condition: number, yes: number, no: number): Compute {
  return (into, count, registers) => {
    const [conditions, yesValues, noValues] = [
      registerOf(registers, condition),
      registerOf(registers, yes),
      registerOf(registers, no),
    ];
    for (let at = 0; at < count; at++)
      into[at] = (conditions[at] as number) !== 0 ? (yesValues[at] as number) : (noValues[at] as number);
  };
}

/** An instruction names earlier ones only, so theirs are there. The casts above say the same of elements below `count`. */
const registerOf = (registers: readonly Register[], at: number): Register => registers[at] as Register;
