import type { Access, DivisibleStep, Step } from "../loop.js";
import type { Block } from "../memory/arena.js";
import type { Shape } from "./axes.js";
import type { Capabilities } from "./capabilities.js";
import type { Library } from "./library.js";
import { type Contraction, descriptionOf, isDot } from "./step.js";
import { unpackedStep } from "./unpacked.js";

/** Cells of each operand that one part of a long dot product takes. */
const longChunk = 65_536;

/** Whether it is one sum, and so long that it should be possible to pause it. */
export const isLongDot = (contraction: Contraction): boolean =>
  isDot(contraction) && contraction.shape.sizes.batch === 1 && contraction.shape.sizes.sum >= 2 * longChunk;

/** One long sum in chunks of so many cells: a batch of shorter ones, whose results are added up after the last of them. */
export function splitStep(
  library: Library,
  capabilities: Capabilities,
  contraction: Contraction,
  chunkLength = longChunk,
): Step | undefined {
  const { sum } = contraction.shape.sizes;
  const { slot, offset } = contraction.terms.target;
  const wholeChunks = Math.floor(sum / chunkLength);
  const remainder = sum - wholeChunks * chunkLength;
  const extent = wholeChunks + (remainder > 0 ? 1 : 0);
  const sums = library.arena.allocate("double", extent);
  if (sums === undefined) return undefined;
  const step = (from: number, batch: number, length: number): DivisibleStep | undefined =>
    unpackedStep(
      library,
      capabilities,
      "lines",
      chunkOf(contraction, { chunk: from, start: from * chunkLength, batch, length, sums }),
    );
  const chunks = step(0, wholeChunks, chunkLength);
  const last = remainder > 0 ? step(wholeChunks, 1, remainder) : chunks;
  if (chunks === undefined || last === undefined) return undefined;

  const addChunks = (): void => {
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
    description: `${descriptionOf(contraction)}, in ${extent} pieces`,
    run: (from, to) => {
      if (from < wholeChunks) chunks.run(from, Math.min(to, wholeChunks));
      if (remainder > 0 && to > wholeChunks) last.run(0, 1);
      if (to === extent) addChunks();
    },
    division: { ...chunks.division, serialFrom: wholeChunks },
  };
}

interface Chunk {
  /** The number of the first chunk, and of its first cell. */
  readonly chunk: number;
  readonly start: number;
  readonly batch: number;
  readonly length: number;
  readonly sums: Block;
}

function chunkOf({ terms }: Contraction, { chunk, start, batch, length, sums }: Chunk): Contraction {
  const shifted = (access: Access): Access => ({ ...access, offset: access.offset + start });
  const strides = { batch: length, rows: 0, columns: 0, sum: 1 };
  const shape: Shape = {
    sizes: { batch, rows: 1, columns: 1, sum: length },
    strides: { left: strides, right: strides, target: { batch: 1, rows: 0, columns: 0, sum: 0 } },
  };
  const target: Access = { slot: { block: sums }, cellType: "double", offset: chunk, strides: [] };
  return { terms: { ...terms, left: shifted(terms.left), right: shifted(terms.right), target }, shape };
}
