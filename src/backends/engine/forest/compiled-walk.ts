import { intAt, numberAt } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import { compiled } from "../kernels/compilation.js";
import type { Arena, Block } from "../memory/arena.js";
import type { PackedForest } from "./packing.js";
import type { ForestWalk } from "./walk.js";

/**
 * The walk as WebAssembly, one function for all forests. Some trees are walked side by side, and no decision takes a
 * branch, so that no branch is guessed wrong, and the machine goes on in other trees while it waits for a cell.
 *
 * A decision is a record of 24 bytes: its threshold, where its feature is, and where to go on if the feature is not below
 * it, and if it is. A leaf is a record whose number stands for the threshold, and from which it goes on to itself: so
 * trees of different depth end together, when none of them moves any more. All targets are addresses in memory.
 */

const record = { bytes: 24, threshold: 0, feature: 8, next: 12 } as const;

/** Trees that are walked side by side. */
const treesAtOnce = 8;

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
  const features = arena.allocate("double", packed.features.length);
  const starts = arena.allocate("int", groups * treesAtOnce);
  const leafValues = new Float64Array(leaves);
  if (records === undefined || features === undefined || starts === undefined) return undefined;
  const leafAt = (leaf: number): number => feature.length + leaf;
  const recordAddress = (at: number): number => records.address + at * record.bytes;
  const addressOfTarget = (target: number): number => recordAddress(target >= 0 ? target : leafAt(~target));
  write(packed, records, features.address, addressOfTarget, recordAddress);
  for (let at = 0; at < groups * treesAtOnce; at++)
    starts.cells[at] = addressOfTarget(at < roots.length ? intAt(roots, at) : ~leaves.length);
  return {
    get features() {
      return features.cells as Float64Array; // of doubles
    },
    leaves: leafValues,
    run: () => {
      const cells = records.cells as Float64Array; // of doubles
      for (const { leaf } of packed.computedLeaves)
        cells[(leafAt(leaf) * record.bytes) / 8] = numberAt(leafValues, leaf);
      return call(starts.address, groups);
    },
  };
}

function write(
  { feature, threshold, next, leaves }: PackedForest,
  { cells }: Block,
  features: number,
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
    const from = features + intAt(feature, at) * 8;
    writeRecord(
      at,
      numberAt(threshold, at),
      from,
      addressOfTarget(intAt(next, 2 * at)),
      addressOfTarget(intAt(next, 2 * at + 1)),
    );
  }
  for (let leaf = 0; leaf <= leaves.length; leaf++) {
    const at = feature.length + leaf;
    writeRecord(
      at,
      leaf < leaves.length ? numberAt(leaves, leaf) : -0,
      features,
      recordAddress(at),
      recordAddress(at),
    );
  }
}

/** `walk(roots, groups)`; there is a group. */
function walkCode(): Code {
  const code = new Code("walk", ["i32", "i32"], ["f64"]);
  const [roots, groups] = [0, 1];
  const [next, moved, sum] = [code.local("i32"), code.local("i32"), code.local("f64")];
  const trees = Array.from({ length: treesAtOnce }, () => code.local("i32"));
  code.f64(-0).set(sum);
  code.loop(() => {
    for (const [at, tree] of trees.entries())
      code
        .get(roots)
        .memory("i32.load", 4 * at)
        .set(tree);
    code.loop(() => {
      code.i32(0).set(moved);
      for (const tree of trees) {
        code.get(tree).get(tree).memory("i32.load", record.feature).memory("f64.load");
        code.get(tree).memory("f64.load", record.threshold).do("f64.lt").i32(2).do("i32.shl", "i32.add");
        code
          .memory("i32.load", record.next)
          .tee(next)
          .get(tree)
          .do("i32.xor")
          .get(moved)
          .do("i32.or")
          .set(moved);
        code.get(next).set(tree);
      }
      code.get(moved).branchIf(0);
    });
    for (const tree of trees)
      code.get(sum).get(tree).memory("f64.load", record.threshold).do("f64.add").set(sum);
    code
      .advance(roots, 4 * treesAtOnce)
      .advance(groups, -1)
      .get(groups)
      .branchIf(0);
  });
  return code.get(sum);
}
