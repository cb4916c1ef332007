import { expect, test } from "vitest";
import type { Access, Loop, LoopAxis, Step } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";

/** Sums of many cells, run in parts: what rounding loses of them. */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

test("long sums of equal terms are as exact as short ones", () => {
  for (const cellType of ["double", "float"] as const) {
    const source: Block = arena.allocate(cellType, 8) as Block;
    for (let at = 0; at < 8; at++) source.cells[at] = 0.1;
    const term = Number(source.cells[0]);
    const size = 10_000_000;
    const sums: readonly { axes: readonly LoopAxis[]; from: readonly number[]; to: readonly number[] }[] = [
      { axes: [{ size, isReduced: true }], from: [0], to: [0] },
      {
        axes: [
          { size, isReduced: true },
          { size: 5, isReduced: false },
        ],
        from: [0, 1],
        to: [0, 1],
      },
      {
        axes: [
          { size: 2, isReduced: false },
          { size, isReduced: true },
        ],
        from: [4, 0],
        to: [1, 0],
      },
    ];
    for (const { axes, from, to } of sums) {
      const target = arena.allocate(cellType, 5) as Block;
      const loop: Loop = {
        axes,
        sources: [{ slot: { block: source }, cellType, offset: 0, strides: from }],
        body: [{ op: "read", source: 0 }],
        target: { slot: { block: target }, cellType, offset: 0, strides: to },
        aggregator: "sum",
      };
      const step = lower(loop) as Step;
      for (let at = 0; at < step.extent; at += 1_234_567) step.run(at, Math.min(at + 1_234_567, step.extent));
      const retained = axes.find(({ isReduced }) => !isReduced)?.size ?? 1;
      for (let at = 0; at < retained; at++) {
        const error = Math.abs(Number(target.cells[at]) / (size * term) - 1);
        expect(error).toBeLessThanOrEqual(cellType === "double" ? 1e-14 : 1e-6);
      }
    }
  }
});

test.each([
  1, 3,
])("what the parts of a sum round away is added at its end, of %i times the same cells", (times) => {
  // Cells apart from each other, of several sources, are not read in lanes.
  const [size, stride] = [300_000, 9];
  const large = 2 ** 63; // hundreds of ones are less than half of its spacing
  const block = arena.allocate("double", size * stride) as Block;
  for (let at = 0; at < size; at++) block.cells[at * stride] = at === 0 ? large : 1;
  const source: Access = { slot: { block }, cellType: "double", offset: 0, strides: [stride] };
  const target = arena.allocate("double", 1) as Block;
  const step = lower({
    axes: [{ size, isReduced: true }],
    sources: new Array<Access>(times).fill(source),
    body: [
      { op: "read", source: 0 },
      { op: "read", source: times - 1 },
      { op: "apply", function: "max", arguments: [0, 1] },
    ],
    target: { slot: { block: target }, cellType: "double", offset: 0, strides: [0] },
    aggregator: "sum",
  }) as Step;
  for (let at = 0; at < step.extent; at += 7777) step.run(at, Math.min(at + 7777, step.extent));
  const error = Number(target.cells[0]) - large - (size - 1);
  expect(Math.abs(error)).toBeLessThanOrEqual(1e-14 * large);
});
