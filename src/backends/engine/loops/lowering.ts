import { aggregators, type Fold } from "../../../language/scalar/aggregators.js";
import { element } from "../../../language/values/element.js";
import { hasMultiplyAdd } from "../kernels/compilation.js";
import type { Loop, LoopAggregator, Lowering, NumberProgram, Step } from "../loop.js";
import type { Arena } from "../memory/arena.js";
import { callOf, listCallOf, numberCall, valuesOf } from "./calls.js";
import { spanOf, withoutEvenTables } from "./even-tables.js";
import { carriesTotal } from "./folds.js";
import { kernelOf } from "./kernel.js";
import { tablesOf } from "./loop-writer.js";
import { type Kernel, Modules } from "./modules.js";
import { accessesOf, type Nest, nestOf } from "./nest.js";
import type { ProgramPlan } from "./program-plan.js";
import { isOfNumbers, numberProgramOf, planOfProgram, programBytes, programOf } from "./programs.js";
import { longestBody, mostAccesses, operationsOf, paceOf, structureOf } from "./structure.js";

/** Loops as WebAssembly functions, written for each structure of a loop and cached for later loops of the same structure. */
export function fusedLoops(arena: Arena): Lowering {
  const modules = new Modules(arena);
  return (loop) => stepOf(loop, arena, modules);
}

function stepOf(planned: Loop, arena: Arena, modules: Modules): Step | undefined {
  if (arena.memory === undefined || planned.finish !== undefined) return undefined;
  const loop = withoutEvenTables(planned);
  if (loop.axes.some(({ size }) => size === 0)) return emptyStep(loop, arena, modules);
  const nest = nestOf(loop);
  if (nest === undefined) return undefined;
  const isProgram = nest.axes.length === 0 && nest.aggregator === undefined;
  const kernelRun = isProgram ? programRun(nest, arena, modules) : loopRun(nest, loop, arena, modules);
  if (kernelRun === undefined) return undefined;
  const iterations = loop.axes.reduce((product, { size }) => product * size, 1);
  const operations = operationsOf(loop.body);
  const count = `${operations} operation${operations === 1 ? "" : "s"}`;
  const [outermost] = nest.axes;
  return {
    extent: outermost === undefined ? 1 : outermost.size,
    work: iterations * Math.max(operations, 1),
    ...kernelRun,
    description: isProgram ? `program: ${count}` : `fused loop${sizesOf(loop)}: ${count}`,
  };
}

type KernelRun = Pick<Step, "run" | "division" | "numbers">;

function loopRun(nest: Nest, loop: Loop, arena: Arena, modules: Modules): KernelRun | undefined {
  if (nest.sources.length >= mostAccesses || nest.body.length > longestBody) return undefined;
  const kernel = modules.kernel(structureOf(nest), () => kernelOf(nest, hasMultiplyAdd()));
  const tables = tablesOf(nest).map(({ table }) => table.block);
  const total = carriesTotal(nest) ? arena.allocate("double", 2) : undefined;
  if (kernel === undefined || (carriesTotal(nest) && total === undefined)) return undefined;
  const accesses = accessesOf(nest);
  const run = callOf(kernel.call, accesses, total === undefined ? tables : [...tables, total]);
  if (!nest.isAccumulating || nest.aggregator === undefined) return { run, ...divisionOf(nest, kernel) };
  const prepare = startStep(loop, nest.aggregator, arena, modules);
  if (prepare === undefined) return undefined;
  return {
    run: (from, to) => {
      if (from === 0) prepare.run(0, prepare.extent);
      run(from, to);
    },
  };
}

/** How threads share a loop: if the target moves along the outermost axis, each computes target cells of its own. */
function divisionOf(nest: Nest, { call, module }: Kernel): Pick<Step, "division"> {
  if (nest.outerAxes === 0) return {};
  const tables = tablesOf(nest).map(({ table }) => table.block);
  const values = valuesOf(accessesOf(nest), tables);
  const pace = paceOf(nest);
  return { division: { module, entry: "run", call, scratchBytes: 0, pace, prepare: () => {}, values } };
}

function programRun(nest: Nest, arena: Arena, modules: Modules): KernelRun | undefined {
  const plan = planOfProgram(nest);
  const structure = plan.isCut ? undefined : structureOf(nest);
  const kernel = modules.kernel(structure, () => programOf(nest, plan, hasMultiplyAdd()));
  if (kernel === undefined) return undefined;
  const numbers = isOfNumbers(nest, plan) ? numberProgram(nest, plan, modules) : undefined;
  const accesses = accessesOf(nest);
  const bytes = programBytes(nest, plan);
  if (bytes === 0) return { run: callOf(kernel.call, accesses, []), numbers };
  const list = arena.allocate("int", bytes / 4);
  return list === undefined ? undefined : { run: listCallOf(kernel.call, accesses, list), numbers };
}

function numberProgram(nest: Nest, plan: ProgramPlan, modules: Modules): NumberProgram {
  const { sources, target } = nest;
  const write = () => numberProgramOf(nest, plan, hasMultiplyAdd());
  const on: NumberProgram["on"] = (positions) => {
    const kernel = modules.kernel(`of numbers;${structureOf(nest)}`, write);
    return kernel === undefined ? undefined : numberCall(kernel.call, positions);
  };
  return { sources, target, on };
}

function sizesOf({ axes }: Loop): string {
  return axes.length === 0 ? "" : ` over ${axes.map(({ size }) => size).join("×")}`;
}

/** Writes the start of an aggregator to each cell that values are folded into. */
function startStep(loop: Loop, aggregator: LoopAggregator, arena: Arena, modules: Modules): Step | undefined {
  const { start }: Fold = aggregators[aggregator];
  return start === undefined ? undefined : stepOf(startLoop(loop, start), arena, modules);
}

function startLoop({ axes, target }: Loop, value: number): Loop {
  const moving = [...axes.keys()].filter((at) => target.strides[at] !== 0);
  const spans = moving.map((at) => spanOf(element(target.strides, at), element(axes, at).size));
  return {
    axes: spans.map(({ size }) => ({ size, isReduced: false })),
    sources: [],
    body: [{ op: "constant", value }],
    target: {
      ...target,
      offset: spans.reduce((sum, { first }) => sum + first, target.offset),
      strides: spans.map(({ stride }) => stride),
    },
  };
}

/** A loop with an axis of size 0: nothing, or for an aggregator its start. */
function emptyStep(loop: Loop, arena: Arena, modules: Modules): Step | undefined {
  const isEmpty = loop.axes.some(({ size }, at) => size === 0 && loop.target.strides[at] !== 0);
  if (isEmpty || loop.aggregator === undefined)
    return { extent: 1, work: 0, run: () => {}, description: `fused loop${sizesOf(loop)}: nothing` };
  return startStep(loop, loop.aggregator, arena, modules);
}
