import { hasMultiplyAdd } from "../kernels/compilation.js";
import type { Loop, Lowering, Slot, Step } from "../loop.js";
import type { Arena } from "../memory/arena.js";
import { shapeOf } from "./axes.js";
import { type Capabilities, kernelFor } from "./capabilities.js";
import { choose } from "./choice.js";
import { emptyStep } from "./empty.js";
import { finishOf } from "./finish.js";
import { Library } from "./library.js";
import { dotStep, isSingleDot } from "./lines/dot.js";
import { productStep } from "./matrix.js";
import { termsOf } from "./recognise.js";
import { isLongDot, splitStep } from "./split-k.js";
import type { Contraction } from "./step.js";
import { turnedStep } from "./turned.js";
import { unpackedStep } from "./unpacked.js";

export interface ContractionOptions {
  /** Whether V8 was told to make 256-bit instructions of pairs of vectors. */
  readonly wide?: boolean;
  /** Whether a slot holds the same block, with the same cells, in all runs: what is packed of it is then reused. */
  readonly isFixed?: (slot: Slot) => boolean;
}

/** Lowers loops that are sums of products: dot products, products of matrices with vectors and matrices, distances. */
export function contractions(arena: Arena, options: ContractionOptions = {}): Lowering {
  const { wide = false, isFixed = () => false } = options;
  const library = new Library(arena);
  const capabilities: Capabilities = { wide, relaxed: hasMultiplyAdd() };
  return (loop: Loop): Step | undefined => {
    const terms = termsOf(loop);
    if (terms === undefined) return undefined;
    const isEmpty = loop.axes.some(({ size }) => size === 0);
    if (isEmpty) return loop.finish === undefined ? emptyStep(loop) : undefined;
    const shape = shapeOf(loop, terms);
    // Where each sum is of one term, there is nothing to contract.
    if (shape === undefined || shape.sizes.sum === 1) return undefined;
    const choice = choose({ terms, shape }, isFixed);
    if (choice === undefined) return undefined;
    const { method, contraction } = choice;
    if (method === "packed") return packedStep(loop, contraction);
    if (loop.finish !== undefined) return undefined;
    if (method === "lines" && isLongDot(contraction)) return splitStep(library, capabilities, contraction);
    if (method === "lines" && isSingleDot(contraction)) return dotStep(library, capabilities, contraction);
    if (method === "turned") return turnedStep(library, capabilities, contraction);
    return unpackedStep(library, capabilities, method, contraction);
  };

  function packedStep(loop: Loop, contraction: Contraction): Step | undefined {
    const finish = loop.finish === undefined ? undefined : finishOf(loop, contraction);
    if (loop.finish !== undefined && finish === undefined) return undefined;
    return productStep(library, kernelFor(capabilities), contraction, isFixed, finish);
  }
}
