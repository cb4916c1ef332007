import { shapeOf } from "../../src/backends/engine/contractions/axes.js";
import { kernelFor } from "../../src/backends/engine/contractions/capabilities.js";
import { choose } from "../../src/backends/engine/contractions/choice.js";
import { finishOf } from "../../src/backends/engine/contractions/finish.js";
import { Library } from "../../src/backends/engine/contractions/library.js";
import { isSingleDot } from "../../src/backends/engine/contractions/lines/dot.js";
import { contractions } from "../../src/backends/engine/contractions/lowering.js";
import { productStep } from "../../src/backends/engine/contractions/matrix.js";
import { termsOf } from "../../src/backends/engine/contractions/recognise.js";
import { skippingZeros } from "../../src/backends/engine/contractions/skipping.js";
import { splitStep } from "../../src/backends/engine/contractions/split-k.js";
import { hasMultiplyAdd } from "../../src/backends/engine/kernels/compilation.js";
import type { Lowering } from "../../src/backends/engine/loop.js";
import { fusedLoops } from "../../src/backends/engine/loops/lowering.js";
import { machines } from "../../src/backends/engine/machine/machines.js";
import type { Arena } from "../../src/backends/engine/memory/arena.js";
import { onMachine } from "./on-machine.js";

/**
 * Runs with the kernels of large products for small ones, too: all that can be are packed, tried without their zeros, or, where it is
 * one sum, taken apart. What programs of the hunt's size would seldom reach has its turn so.
 */
export function withLargeKernels<T>(run: () => T): T {
  const { arena } = machines;
  const others = contractions(arena, { wide: machines.isWide });
  const packing = packed(arena);
  const products = skippingZeros((loop) => packing(loop) ?? others(loop), arena, everyProduct);
  return onMachine({ arena, compiled: [products, fusedLoops(arena)] }, run);
}

const everyProduct = { leastWork: 0, mostOthers: Number.POSITIVE_INFINITY };

/** Cells of a part of a sum that is taken apart. */
const chunk = 3;

function packed(arena: Arena): Lowering {
  const library = new Library(arena);
  const capabilities = { wide: machines.isWide, relaxed: hasMultiplyAdd() };
  return (loop) => {
    const terms = termsOf(loop);
    const shape = terms && shapeOf(loop, terms);
    if (terms === undefined || shape === undefined || shape.sizes.sum < 2) return undefined;
    const contraction = { terms, shape };
    const choice = choose(contraction, () => false);
    if (choice?.method === "lines" && isSingleDot(choice.contraction) && shape.sizes.sum > chunk) {
      // Of a sum that is taken apart nothing more can be computed on the way.
      if (loop.finish !== undefined) return undefined;
      return splitStep(library, capabilities, choice.contraction, chunk);
    }
    if (terms.term !== "product") return undefined;
    const finish = loop.finish && finishOf(loop, contraction);
    if (loop.finish !== undefined && finish === undefined) return undefined;
    return productStep(library, kernelFor(capabilities), contraction, () => false, finish);
  };
}
