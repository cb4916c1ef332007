import { scalarFunctions } from "../../../language/scalar/functions.js";
import { cellTypes, readCell, writeCell } from "../../../language/types/cell.js";
import { element, numberAt } from "../../../language/values/element.js";
import type { Instruction, Loop, Step } from "../loop.js";

/** A step for a loop without axes: one number, each instruction once. Bodies may be as long as programs are. */
export function scalarStep({ sources, body, target }: Loop): Step {
  const values = new Float64Array(body.length);
  const computes = body.map((instruction) => scalarComputeOf(instruction, sources));
  return {
    extent: 1,
    work: body.length,
    run: () => {
      for (const [at, compute] of computes.entries()) values[at] = compute(values);
      writeCell(target.cellType, target.slot.block.cells, target.offset, numberAt(values, body.length - 1));
    },
    description: `closures: ${body.length} instructions`,
  };
}

type ScalarCompute = (values: Float64Array) => number;

function scalarComputeOf(instruction: Instruction, sources: Loop["sources"]): ScalarCompute {
  switch (instruction.op) {
    case "read": {
      const source = element(sources, instruction.source);
      return () => readCell(source.cellType, source.slot.block.cells, source.offset);
    }
    case "constant":
      return () => instruction.value;
    case "index":
      return () => 0;
    case "store": {
      const { store } = cellTypes[instruction.cellType];
      return (values) => store(numberAt(values, instruction.value));
    }
    case "select": {
      const { condition, yes, no } = instruction;
      return (values) => numberAt(values, numberAt(values, condition) !== 0 ? yes : no);
    }
    case "apply": {
      const { compute } = scalarFunctions[instruction.function];
      const x = element(instruction.arguments, 0);
      const [, y = x] = instruction.arguments; // a function of one argument takes no notice of another
      return (values) => compute(numberAt(values, x), numberAt(values, y));
    }
  }
}
