import { codes, type DecisionProgram, firstFeature, firstFunction } from "./program.js";
import { type ForestWalk, walkOfOne } from "./walk.js";

/** Walks a program from the root of each term to a leaf. */
export function programWalk(program: DecisionProgram): ForestWalk {
  const { starts, results, next, roots, features } = program;
  const registers = program.registers.slice();
  const compute = computing(program, registers);
  const run = (): number => {
    // -0 changes no number that it is added to.
    let sum = -0;
    for (let term = 0; term < roots.length; term++) {
      let at = roots[term] as number; // there is one for each term, and all that it leads to is there
      for (;;) {
        const start = starts[at] as number;
        const end = starts[at + 1] as number;
        if (start < end) compute(start, end);
        const number = registers[results[at] as number] as number;
        const target = next[2 * at + (number !== 0 ? 1 : 0)] as number;
        if (target < 0) {
          sum += number;
          break;
        }
        at = target;
      }
    }
    return sum;
  };
  const numbers = registers.subarray(firstFeature, firstFeature + features.length);
  return walkOfOne(numbers, new Float64Array(), run);
}

/** Computes some instructions, one after the other, each into a register of its own. */
function computing(
  { instructions }: DecisionProgram,
  registers: Float64Array,
): (start: number, end: number) => void {
  const { codes: all, operands, functions } = instructions;
  return (start, end) => {
    for (let at = start; at < end; at++) {
      const x = registers[operands[3 * at] as number] as number; // within the arrays, as all below
      const y = registers[operands[3 * at + 1] as number] as number;
      const code = all[at] as number;
      let value: number;
      switch (code) {
        case codes.less:
          value = x < y ? 1 : 0;
          break;
        case codes.lessOrEqual:
          value = x <= y ? 1 : 0;
          break;
        case codes.greater:
          value = x > y ? 1 : 0;
          break;
        case codes.greaterOrEqual:
          value = x >= y ? 1 : 0;
          break;
        case codes.equal:
          value = x === y ? 1 : 0;
          break;
        case codes.notEqual:
          value = x !== y ? 1 : 0;
          break;
        case codes.add:
          value = x + y;
          break;
        case codes.subtract:
          value = x - y;
          break;
        case codes.multiply:
          value = x * y;
          break;
        case codes.divide:
          value = x / y;
          break;
        case codes.select:
          value = x !== 0 ? y : (registers[operands[3 * at + 2] as number] as number);
          break;
        default:
          value = (functions[code - firstFunction] as (x: number, y: number) => number)(x, y);
      }
      registers[at - start] = value;
    }
  };
}
