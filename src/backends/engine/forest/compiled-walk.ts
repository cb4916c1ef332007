import { element, intAt, numberAt } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import { compiled } from "../kernels/compilation.js";
import type { Arena, Block } from "../memory/arena.js";
import type { PackedForest } from "./packing.js";
import type { ForestWalk } from "./walk.js";

/**
 * The walk as WebAssembly, one function for all forests. Some trees are walked side by side, and no decision takes a
 * branch, so that no branch is guessed wrong, and the machine goes on in other trees while it waits for a cell. Some cells pass by
 * the same trees one after the other, while these are near.
 *
 * A decision is a record of 24 bytes: its threshold, how far its feature is from the first one, and where to go on if the feature is not below
 * it, and if it is. A leaf is a record whose number stands for the threshold, and from which it goes on to itself: so
 * trees of different depth end together, when none of them moves any more. All targets are addresses in memory.
 */

const record = { bytes: 24, threshold: 0, feature: 8, next: 12 } as const;

/** Trees that are walked side by side. */
const treesAtOnce = 8;

/** The most cells that pass by. */
const cellsAtOnce = 64;

const functions = new WeakMap<Arena, ExportedFunction>();

/** Nothing where no code can be made, or memory is full. */
export function compiledWalk(packed: PackedForest, arena: Arena): ForestWalk | undefined {
  const call = functions.get(arena) ?? compiled(arena, [walkCode()])?.functions.walk;
  if (call === undefined) return undefined;
  functions.set(arena, call);
  const { feature, leaves, roots } = packed;
  const groups = Math.ceil(roots.length / treesAtOnce);
  // One more leaf than there are, to fill the last group: -0 changes no number that it is added to.
  const records = arena.allocate("double", ((feature.length + leaves.length + 1) * record.bytes) / 8);
  // Leaves that are computed are those of one cell.
  const most = packed.computedLeaves.length > 0 ? 1 : cellsAtOnce;
  const width = packed.features.length;
  const features = arena.allocate("double", Math.max(1, width * most));
  const sums = arena.allocate("double", most);
  const starts = arena.allocate("int", groups * treesAtOnce);
  const leafValues = new Float64Array(leaves);
  if (records === undefined || features === undefined || sums === undefined || starts === undefined)
    return undefined;
  const leafAt = (leaf: number): number => feature.length + leaf;
  const recordAddress = (at: number): number => records.address + at * record.bytes;
  const addressOfTarget = (target: number): number => recordAddress(target >= 0 ? target : leafAt(~target));
  write(packed, records, addressOfTarget, recordAddress);
  for (let at = 0; at < groups * treesAtOnce; at++)
    starts.cells[at] = addressOfTarget(at < roots.length ? intAt(roots, at) : ~leaves.length);
  return {
    most,
    get features() {
      return features.cells as Float64Array; // of doubles
    },
    leaves: leafValues,
    run: (cells, results, at) => {
      const numbers = records.cells as Float64Array; // of doubles
      for (const { leaf } of packed.computedLeaves)
        numbers[(leafAt(leaf) * record.bytes) / 8] = numberAt(leafValues, leaf);
      const found = sums.cells as Float64Array; // of doubles
      // -0 changes no number that it is added to.
      found.fill(-0, 0, cells);
      call(starts.address, groups, features.address, width * 8, cells, sums.address);
      for (let cell = 0; cell < cells; cell++) results[at + cell] = numberAt(found, cell);
    },
  };
}

function write(
  { feature, threshold, next, leaves }: PackedForest,
  { cells }: Block,
  addressOfTarget: (target: number) => number,
  recordAddress: (at: number) => number,
): void {
  const view = new DataView(cells.buffer, cells.byteOffset, cells.byteLength);
  const writeRecord = (at: number, number: number, from: number, no: number, yes: number): void => {
    const start = at * record.bytes;
    view.setFloat64(start + record.threshold, number, true);
    view.setUint32(start + record.feature, from, true);
    view.setUint32(start + record.next, no, true);
    view.setUint32(start + record.next + 4, yes, true);
  };
  for (let at = 0; at < feature.length; at++) {
    writeRecord(
      at,
      numberAt(threshold, at),
      intAt(feature, at) * 8,
      addressOfTarget(intAt(next, 2 * at)),
      addressOfTarget(intAt(next, 2 * at + 1)),
    );
  }
  for (let leaf = 0; leaf <= leaves.length; leaf++) {
    const at = feature.length + leaf;
    writeRecord(
      at,
      leaf < leaves.length ? numberAt(leaves, leaf) : -0,
      0,
      recordAddress(at),
      recordAddress(at),
    );
  }
}

/** `walk(roots, groups, features, bytes of a cell's features, cells, sums)`; there is a group, and a cell. */
function walkCode(): Code {
  const code = new Code("walk", ["i32", "i32", "i32", "i32", "i32", "i32"], []);
  const [roots, groups, features, width, cells, sums] = [0, 1, 2, 3, 4, 5];
  const [next, moved, own] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const [sum, left] = [code.local("i32"), code.local("i32")];
  const starts = Array.from({ length: treesAtOnce }, () => code.local("i32"));
  const trees = Array.from({ length: treesAtOnce }, () => code.local("i32"));
  const decide = (tree: number): void => {
    code.get(own).get(tree).memory("i32.load", record.feature).do("i32.add").memory("f64.load");
    code.get(tree).memory("f64.load", record.threshold).do("f64.lt");
    code.i32(2).do("i32.shl").get(tree).do("i32.add").memory("i32.load", record.next).set(next);
    code.get(next).get(tree).do("i32.xor").get(moved).do("i32.or").set(moved);
    code.get(next).set(tree);
  };
  code.loop(() => {
    for (const [at, start] of starts.entries())
      code
        .get(roots)
        .memory("i32.load", 4 * at)
        .set(start);
    code.get(features).set(own).get(sums).set(sum).get(cells).set(left);
    code.loop(() => {
      for (const [at, start] of starts.entries()) code.get(start).set(element(trees, at));
      code.loop(() => {
        code.i32(0).set(moved);
        for (const tree of trees) decide(tree);
        code.get(moved).branchIf(0);
      });
      code.get(sum).get(sum).memory("f64.load");
      for (const tree of trees) code.get(tree).memory("f64.load", record.threshold).do("f64.add");
      code.memory("f64.store");
      code.get(own).get(width).do("i32.add").set(own);
      code.advance(sum, 8).advance(left, -1).get(left).branchIf(0);
    });
    code
      .advance(roots, 4 * treesAtOnce)
      .advance(groups, -1)
      .get(groups)
      .branchIf(0);
  });
  return code;
}
