import type { Arena, Block } from "../arena.js";
import { Code } from "../assembler/code.js";
import { moduleBytes } from "../assembler/module.js";
import { type ExportedFunction, webAssembly } from "../assembler/webassembly.js";
import type { Packed } from "./packing.js";
import type { Walk } from "./walk.js";

/**
 * The walk as WebAssembly, one function for all forests. A decision takes no branch, so that no branch is guessed wrong,
 * and the machine begins with the next trees while it waits for a cell: a decision is a record of 24 bytes, whose
 * threshold comes first, then where its feature is, then where to go on if the feature is not below it, and if it is.
 */

const record = { bytes: 24, threshold: 0, feature: 8, next: 12 } as const;

const functions = new WeakMap<Arena, ExportedFunction>();

/** Nothing where no code can be made, or memory is full. */
export function compiledWalk(packed: Packed, arena: Arena): Walk | undefined {
  const call = functions.get(arena) ?? compiled(arena);
  if (call === undefined) return undefined;
  functions.set(arena, call);
  const { roots } = packed;
  const decisions = arena.allocate("int8", packed.feature.length * record.bytes);
  const features = arena.allocate("double", packed.features.length);
  const leaves = arena.allocate("double", packed.leaves.length);
  const starts = arena.allocate("int", roots.length);
  if (decisions === undefined || features === undefined || leaves === undefined || starts === undefined)
    return undefined;
  write(packed, decisions);
  for (const [at, leaf] of packed.leaves.entries()) leaves.cells[at] = leaf;
  for (const [at, root] of roots.entries()) starts.cells[at] = distance(root);
  return {
    // Both are of doubles.
    get features() {
      return features.cells as Float64Array;
    },
    get leaves() {
      return leaves.cells as Float64Array;
    },
    run: () => call(decisions.address, features.address, leaves.address, starts.address, roots.length),
  };
}

/** How far a decision is from the first one, in bytes; or ~ how far a leaf is. */
const distance = (place: number): number => (place >= 0 ? place * record.bytes : ~(~place * 8));

function write({ feature, threshold, next }: Packed, { cells }: Block): void {
  const view = new DataView(cells.buffer, cells.byteOffset, cells.byteLength);
  for (let at = 0; at < feature.length; at++) {
    const from = at * record.bytes;
    view.setFloat64(from + record.threshold, threshold[at] ?? 0, true);
    view.setInt32(from + record.feature, (feature[at] ?? 0) * 8, true);
    for (const side of [0, 1])
      view.setInt32(from + record.next + 4 * side, distance(next[2 * at + side] ?? 0), true);
  }
}

function compiled({ memory, isShared, maximumPages }: Arena): ExportedFunction | undefined {
  if (webAssembly === undefined || memory === undefined) return undefined;
  const bytes = moduleBytes([walkCode()], { shared: isShared, maximumPages });
  return new webAssembly.Instance(new webAssembly.Module(bytes), { m: { memory } }).exports.walk;
}

/** `walk(decisions, features, leaves, roots, terms)`; there is a term. */
function walkCode(): Code {
  const code = new Code("walk", ["i32", "i32", "i32", "i32", "i32"], ["f64"]);
  const [decisions, features, leaves, root, terms] = [0, 1, 2, 3, 4];
  const [at, from, sum] = [code.local("i32"), code.local("i32"), code.local("f64")];
  const isDecision = (): Code => code.get(at).i32(0).do("i32.ge_s");
  code.f64(-0).set(sum);
  code.loop(() => {
    code.get(root).memory("i32.load").set(at);
    isDecision().if(() => {
      code.loop(() => {
        code.get(decisions).get(at).do("i32.add").tee(from);
        code.get(features).get(from).memory("i32.load", record.feature).do("i32.add").memory("f64.load");
        code.get(from).memory("f64.load", record.threshold).do("f64.lt");
        code.i32(2).do("i32.shl", "i32.add").memory("i32.load", record.next).set(at);
        isDecision().branchIf(0);
      });
    });
    code
      .get(sum)
      .get(leaves)
      .get(at)
      .i32(-1)
      .do("i32.xor", "i32.add")
      .memory("f64.load")
      .do("f64.add")
      .set(sum);
    code.advance(root, 4).advance(terms, -1).get(terms).branchIf(0);
  });
  return code.get(sum);
}
