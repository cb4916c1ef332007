import type { Access, DivisibleStep, Step } from "../loop.js";
import type { Block } from "../memory/arena.js";
import type { Shape } from "./axes.js";
import type { Capabilities } from "./kernels.js";
import type { Library } from "./library.js";
import { type Contraction, isDot, saying } from "./step.js";
import { unpackedStep } from "./unpacked.js";

/** Cells of each operand that one part of a long dot product takes. */
const pieceLength = 65_536;

/** Whether it is one sum, and so long that it should be possible to pause it. */
export const isLongDot = (contraction: Contraction): boolean =>
  isDot(contraction) && contraction.shape.sizes.batch === 1 && contraction.shape.sizes.sum >= 2 * pieceLength;

/** One long sum in pieces: a batch of shorter ones, whose results are added up after the last of them. */
export function piecesStep(
  library: Library,
  capabilities: Capabilities,
  contraction: Contraction,
): Step | undefined {
  const { sum } = contraction.shape.sizes;
  const { slot, offset } = contraction.terms.target;
  const whole = Math.floor(sum / pieceLength);
  const rest = sum - whole * pieceLength;
  const extent = whole + (rest > 0 ? 1 : 0);
  const sums = library.arena.allocate("double", extent);
  if (sums === undefined) return undefined;
  const step = (from: number, batch: number, length: number): DivisibleStep | undefined =>
    unpackedStep(library, capabilities, "lines", pieceOf(contraction, { from, batch, length, sums }));
  const pieces = step(0, whole, pieceLength);
  const last = rest > 0 ? step(whole, 1, rest) : pieces;
  if (pieces === undefined || last === undefined) return undefined;

  const addUp = (): void => {
    let [total, lost] = [0, 0];
    for (const each of sums.cells as Float64Array) {
      // of cell type double
      const next = total + each;
      const part = next - total;
      lost += total - (next - part) + (each - part);
      total = next;
    }
    const cells = slot.block.cells as Float64Array | Float32Array; // sums are of no other cell type
    cells[offset] = Number.isNaN(lost) ? total : total + lost;
  };
  return {
    extent,
    work: sum * 2,
    description: `${saying(contraction)}, in ${extent} pieces`,
    run: (from, to) => {
      if (from < whole) pieces.run(from, Math.min(to, whole));
      if (rest > 0 && to > whole) last.run(0, 1);
      if (to === extent) addUp();
    },
    division: { ...pieces.division, serialFrom: whole },
  };
}

interface Piece {
  readonly from: number;
  readonly batch: number;
  readonly length: number;
  readonly sums: Block;
}

function pieceOf({ terms }: Contraction, { from, batch, length, sums }: Piece): Contraction {
  const moved = (access: Access): Access => ({ ...access, offset: access.offset + from * pieceLength });
  const ways = { batch: length, rows: 0, columns: 0, sum: 1 };
  const pieces: Shape = {
    sizes: { batch, rows: 1, columns: 1, sum: length },
    ways: { left: ways, right: ways, target: { batch: 1, rows: 0, columns: 0, sum: 0 } },
  };
  const target: Access = { slot: { block: sums }, cellType: "double", offset: from, strides: [] };
  return { terms: { ...terms, left: moved(terms.left), right: moved(terms.right), target }, shape: pieces };
}
