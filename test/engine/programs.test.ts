import { expect, test } from "vitest";
import type { Access, Instruction, Loop } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { Arena, type Block } from "../../src/backends/engine/memory/arena.js";
import { plainly } from "./plain-loop.js";

/** Loops without axes, which are programs of one number: as large as learned models make them. */
const arena = new Arena({ maximumBytes: 2 ** 26 });
const lower = fusedLoops(arena);

function check(loop: Loop): void {
  const step = lower(loop);
  step?.run(0, 1);
  expect(loop.target.slot.block.cells[0]).toBe(plainly(loop).values.get(0));
}

/** A balanced tree of choices over features, whose leaves are numbers; the instruction of its root. */
function grow(body: Instruction[], features: number, depth: number, seed: number): number {
  const push = (instruction: Instruction): number => body.push(instruction) - 1;
  const mixed = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  if (depth === 0) return push({ op: "constant", value: (mixed % 2000) / 1000 - 1 });
  const bound = push({ op: "constant", value: (mixed % 97) / 97 });
  const condition = push({ op: "apply", function: "less", arguments: [mixed % features, bound] });
  const yes = grow(body, features, depth - 1, mixed);
  const no = grow(body, features, depth - 1, mixed + 1);
  return push({ op: "select", condition, yes, no });
}

function scalarLoop(features: readonly number[], grown: (body: Instruction[]) => void): Loop {
  const sources = features.map((feature): Access => {
    const block = arena.allocate("double", 1) as Block;
    block.cells[0] = feature;
    return { slot: { block }, cellType: "double", offset: 0, strides: [] };
  });
  const body = sources.map((_, source): Instruction => ({ op: "read", source }));
  grown(body);
  const target: Access = {
    slot: { block: arena.allocate("double", 1) as Block },
    cellType: "double",
    offset: 0,
    strides: [],
  };
  return { axes: [], sources, body, target };
}

test("a forest of 400 trees is one program", () => {
  const loop = scalarLoop(
    Array.from({ length: 20 }, (_, at) => ((at * 37) % 20) / 20),
    (body) => {
      let sum = 0;
      for (let tree = 0; tree < 400; tree++) {
        const root = grow(body, 20, 5, tree * 131);
        sum = sum === 0 ? root : body.push({ op: "apply", function: "add", arguments: [sum, root] }) - 1;
      }
    },
  );
  check(loop);
});

test("long chains, and values that many others use, are no obstacle", () => {
  for (const length of [10, 1000, 30_000]) {
    const loop = scalarLoop([0.5, 3], (body) => {
      for (let link = 0; link < length; link++) {
        const { length: next } = body;
        const name = link % 3 === 0 ? "add" : link % 3 === 1 ? "multiply" : "subtract";
        body.push({
          op: "apply",
          function: name,
          arguments: [next - 1, link % 7 === 0 ? next - 2 : link % 2],
        });
        if (link % 5 === 0) body.push({ op: "apply", function: "min", arguments: [next, 1] });
      }
    });
    check(loop);
  }
});

test("nor are long chains of values that are used once", () => {
  const loop = scalarLoop([0.5, 3], (body) => {
    for (let link = 0; link < 30_000; link++)
      body.push({
        op: "apply",
        function: link % 2 === 0 ? "add" : "multiply",
        arguments: [body.length - 1, 0],
      });
  });
  check(loop);
});
