import { type CellType, cellTypes } from "../../../language/types/cell.js";
import type { MemoryInstruction } from "../assembler/instructions.js";
import { vectorReader } from "../kernels/cells.js";
import type { Groups } from "../kernels/groups.js";
import { type Precision, precisions } from "../kernels/precision.js";
import type { MaskLanes } from "../kernels/presence.js";
import type { StackValue } from "../kernels/scope.js";
import { chains } from "../kernels/sums.js";
import type { Term } from "./recognise.js";

type VectorReader = NonNullable<ReturnType<typeof vectorReader>>;

/** How two rows of cells become a sum of terms, a vector of cells at a time. */
export interface Arithmetic {
  readonly name: string;
  readonly term: Term;
  /** Cells of each row in a vector. */
  readonly cells: number;
  /** What the lanes of a sum are. */
  readonly sums: "f64x2" | "f32x4" | "i32x4";
  /** How wide the lanes are that a cell is masked by. */
  readonly mask: MaskLanes;
  /** Vectors that one sum may take. */
  readonly chain: number;
  /** Whether multiplication and addition may be one instruction. */
  readonly fused: boolean;
  readonly load: Readonly<Record<"left" | "right", VectorReader>>;
  /** A sum with the terms of two vectors added. */
  readonly add: (groups: Groups, sum: StackValue, left: StackValue, right: StackValue) => StackValue;
}

export interface ArithmeticOptions {
  readonly term: Term;
  readonly left: CellType;
  readonly right: CellType;
  readonly precision: Precision;
  readonly fused: boolean;
}

/** Nothing where cells of these types have to be made numbers one by one. */
export function arithmeticOf(options: ArithmeticOptions): Arithmetic | undefined {
  const { term, left, right, precision, fused } = options;
  if (left === "int8" && right === "int8") return integers[term];
  const [leftLoad, rightLoad] = [vectorReader(left, precision), vectorReader(right, precision)];
  if (leftLoad === undefined || rightLoad === undefined || term === "hamming") return undefined;
  const { vector, count } = precisions[precision];
  return {
    name: `${term} ${left} ${right} ${precision}${fused ? " fused" : ""}`,
    ...{ term, fused },
    cells: count,
    sums: vector,
    mask: precision === "double" ? "i64x2" : "i32x4",
    chain: chains[precision].ofContractions,
    load: { left: leftLoad, right: rightLoad },
    add: (groups, sum, one, other) => {
      const n = groups.numbers(precision, true);
      if (term === "product") return n.multiplyAdd(one, other, sum);
      const difference = n.bind(n.subtract(one, other));
      return n.multiplyAdd(difference, difference, sum);
    },
  };
}

const loading = (instruction: MemoryInstruction): Arithmetic["load"] => {
  const load: VectorReader = (groups, address, bytes) => groups.scope.loaded(instruction, address, bytes);
  return { left: load, right: load };
};

const common = { sums: "i32x4", fused: false } as const;

/** Bytes, eight or sixteen at once, in whole numbers: exact, as long as all lanes of four sums together stay below 2^31. */
const integers: Readonly<Record<Term, Arithmetic>> = {
  product: {
    ...{ ...common, name: "product int8", term: "product", cells: 8, mask: "i16x8", chain: 1024 },
    load: loading("v128.load8x8_s"),
    add: ({ scope }, sum, left, right) =>
      scope.of(["i32x4.add"], scope.of(["i32x4.dot_i16x8_s"], left, right), sum),
  },
  distance: {
    ...{ ...common, name: "distance int8", term: "distance", cells: 8, mask: "i16x8", chain: 1024 },
    load: loading("v128.load8x8_s"),
    add: ({ scope }, sum, left, right) => {
      const difference = scope.bind("v128", scope.of(["i16x8.sub"], left, right));
      return scope.of(["i32x4.add"], scope.of(["i32x4.dot_i16x8_s"], difference, difference), sum);
    },
  },
  hamming: {
    ...{ ...common, name: "hamming int8", term: "hamming", cells: 16, mask: "i8x16", chain: 2 ** 20 },
    load: loading("v128.load"),
    add: ({ scope }, sum, left, right) => {
      const differing = scope.of(["v128.xor", "i8x16.popcnt"], left, right);
      const words = scope.of(["i16x8.extadd_pairwise_i8x16_u", "i32x4.extadd_pairwise_i16x8_u"], differing);
      return scope.of(["i32x4.add"], words, sum);
    },
  },
};

/** Bytes of a vector's cells. */
export const vectorBytes = ({ cells }: Arithmetic, cellType: CellType): number =>
  cells * cellTypes[cellType].width;
