import { Code } from "../assembler/code.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import { compiledPerArena } from "../kernels/compilation.js";
import { whileAny } from "../kernels/iteration.js";
import type { Arena } from "../memory/arena.js";

/** Goes past cells of which none comes before a bound, in the memory of an arena. */
export interface Seeking {
  /**
   * Of cells in that memory, from an index on: the index from which on one of the next `cellsAtOnce` is below the bound (or above it,
   * if the order is descending), or at which fewer than that are left.
   */
  readonly next: (cells: Float64Array, from: number, bound: number, isDescending: boolean) => number;
}

const vectorsAtOnce = 8;
export const cellsAtOnce = 2 * vectorsAtOnce;

const kernelsOn = compiledPerArena(() => [kernelCode("below", "f64x2.lt"), kernelCode("above", "f64x2.gt")]);

/** Nothing where no code may be made, or where there is no memory for kernels. */
export function seekingIn(arena: Arena, emitsCode: boolean): Seeking | undefined {
  const { below, above } = (emitsCode ? kernelsOn(arena)?.functions : undefined) ?? {};
  return below === undefined || above === undefined ? undefined : { next: nextBy(below, above) };
}

const nextBy =
  (below: ExportedFunction, above: ExportedFunction): Seeking["next"] =>
  (cells, from, bound, isDescending) => {
    const turns = Math.floor((cells.length - from) / cellsAtOnce);
    const address = cells.byteOffset + from * cells.BYTES_PER_ELEMENT;
    const left = Number((isDescending ? above : below)(address, turns, bound));
    return from + (turns - left) * cellsAtOnce;
  };

/** `(address, turns, bound)`: how many turns are left where it ends. NaN is neither below nor above anything. */
function kernelCode(name: string, comparison: "f64x2.lt" | "f64x2.gt"): Code {
  const code = new Code(name, ["i32", "i32", "f64"], ["i32"]);
  const [address, turns, bound] = [0, 1, 2];
  const bounds = code.local("v128");
  code.get(bound).do("f64x2.splat").set(bounds);
  whileAny(code, turns, () => {
    for (let vector = 0; vector < vectorsAtOnce; vector++) {
      code
        .get(address)
        .memory("v128.load", 16 * vector)
        .get(bounds)
        .do(comparison);
      if (vector > 0) code.do("v128.or");
    }
    code.do("v128.any_true").branchIf(1);
    code.advance(address, 16 * vectorsAtOnce);
    code.get(turns).i32(1).do("i32.sub").set(turns);
  });
  return code.get(turns);
}
