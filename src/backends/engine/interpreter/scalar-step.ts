import { scalarFunctions } from "../../../language/scalar/functions.js";
import { cellTypes, readCell, writeCell } from "../../../language/types/cell.js";
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
      writeCell(target.cellType, target.slot.block.cells, target.offset, values[body.length - 1] ?? 0);
    },
    description: `closures: ${body.length} instructions`,
  };
}

type ScalarCompute = (values: Float64Array) => number;

function scalarComputeOf(instruction: Instruction, sources: Loop["sources"]): ScalarCompute {
  switch (instruction.op) {
    case "read": {
      const source = sources[instruction.source];
      if (source === undefined) throw new Error("a body reads sources that are there");
      return () => readCell(source.cellType, source.slot.block.cells, source.offset);
    }
    case "constant":
      return () => instruction.value;
    case "index":
      return () => 0;
    case "store": {
      const { store } = cellTypes[instruction.cellType];
      return (values) => store(values[instruction.value] ?? 0);
    }
    case "select": {
      const { condition, yes, no } = instruction;
      return (values) => (values[condition] !== 0 ? (values[yes] ?? 0) : (values[no] ?? 0));
    }
    case "apply": {
      const { compute } = scalarFunctions[instruction.function];
      const [x = 0, y = x] = instruction.arguments;
      return (values) => compute(values[x] ?? 0, values[y] ?? 0);
    }
  }
}
