import { element, intAt } from "../../../language/values/element.js";
import { hasMultiplyAdd } from "../kernels/compilation.js";
import type { Loop, SegmentLowering, Step } from "../loop.js";
import type { Arena, Block } from "../memory/arena.js";
import { callOf, valuesOf } from "./calls.js";
import { withPlainLimits } from "./limits.js";
import { tablesOf } from "./loop-writer.js";
import { Modules } from "./modules.js";
import { accessesOf, type Nest } from "./nest.js";
import { type SegmentedNests, segmentKernelOf } from "./segment-kernel.js";
import { longestBody, mostAccesses, operationsOf, paceOf, structureOf } from "./structure.js";

/** The most cells of an inner axis whose sums are held in registers. */
const longestInner = 32;

/** Sums over segments with the loop that reads them, as one function for each structure of the two. */
export function segmentLoops(arena: Arena): SegmentLowering {
  const modules = new Modules(arena);
  return (summing, reading) => stepOf(summing, reading, arena, modules);
}

function stepOf(summing: Loop, reading: Loop, arena: Arena, modules: Modules): Step | undefined {
  const segments = arena.memory === undefined ? undefined : segmentsOf(summing, reading);
  if (segments === undefined) return undefined;
  const nests = [segments.reading, segments.summing];
  const structure = `segments ${segments.sums.join()};${nests.map(structureOf).join(";")}`;
  const kernel = modules.kernel(structure, () => segmentKernelOf(segments, hasMultiplyAdd()));
  const starts = kernel === undefined ? undefined : startsOf(summing, arena);
  if (kernel === undefined || starts === undefined) return undefined;
  const accesses = nests.flatMap(accessesOf);
  const tables = [...nests.flatMap(tablesOf).map(({ table }) => table.block), starts];
  const { call, module } = kernel;
  const work = workOf(summing) + workOf(reading);
  const pace = Math.min(paceOf(segments.reading), paceOf(segments.summing));
  const values = valuesOf(accesses, tables);
  return {
    extent: element(reading.axes, 0).size,
    work,
    run: callOf(call, accesses, tables),
    division: { module, entry: "run", call, scratchBytes: 0, pace, prepare: () => {}, values },
    description: `fused loop over ${sizesOf(reading)}, with sums over segments of ${sizesOf(summing)}: ${operationsOf(summing.body) + operationsOf(reading.body)} operations`,
  };
}

const sizesOf = ({ axes }: Loop): string => axes.map(({ size }) => size).join("×");

const workOf = ({ axes, body }: Loop): number =>
  axes.reduce((product, { size }) => product * size, 1) * Math.max(operationsOf(body), 1);

/** The nests of the two loops; nothing where a kernel of segments does not cover them. */
function segmentsOf(summing: Loop, reading: Loop): SegmentedNests | undefined {
  const [, inner] = reading.axes;
  const accesses = [summing, reading].flatMap(accessesOf);
  const isCovered =
    summing.axes.length === reading.axes.length &&
    reading.axes.length <= 2 &&
    (inner === undefined || inner.size <= longestInner) &&
    accesses.length < mostAccesses &&
    summing.body.length + reading.body.length <= longestBody &&
    accesses.every(({ strides }) => strides.length < 2 || typeof strides[1] === "number");
  if (!isCovered) return undefined;
  const sums = reading.sources.flatMap(({ slot }, at) => (slot === summing.target.slot ? [at] : []));
  // Sums are held, so that none is written.
  const still = { ...summing.target, strides: summing.axes.map(() => 0) };
  return { summing: nestOf({ ...summing, target: still }), reading: nestOf(reading), sums };
}

const nestOf = ({ axes, sources, body, target }: Loop): Nest => ({
  axes: axes.map(({ size }) => ({ size, isOuter: true })),
  outerAxes: axes.length,
  lanes: axes.length > 1 ? 1 : undefined,
  unrolledAxes: 0,
  sources,
  body: withPlainLimits(body),
  target,
  aggregator: undefined,
  isAccumulating: false,
});

/** Where segments start: at each index that has another cell of the target than the one before; and where the last one ends. */
function startsOf({ axes, target }: Loop, arena: Arena): Block | undefined {
  const [table] = target.strides;
  if (table === undefined || typeof table === "number") return undefined;
  const { size } = element(axes, 0);
  const offsets = table.block.cells as Int32Array; // of cell type int
  const starts: number[] = [];
  for (let at = 0; at < size; at++)
    if (at === 0 || intAt(offsets, at) !== intAt(offsets, at - 1)) starts.push(at);
  const block = arena.allocate("int", starts.length + 1);
  for (const [at, start] of [...starts, size].entries()) if (block !== undefined) block.cells[at] = start;
  return block;
}
