import type { CellType } from "../../../language/types/cell.js";
import type { Code } from "../assembler/code.js";
import { lanes, type Precision, shifts } from "./lanes.js";
import { lanesLoader, loader } from "./loading.js";
import type { Term } from "./recognise.js";

/** How two rows of cells become a sum of terms, a vector of cells at a time. */
export interface Arithmetic {
  readonly name: string;
  readonly term: Term;
  /** Cells of each row in a vector. */
  readonly cells: number;
  /** What the lanes of a sum are. */
  readonly sums: "f64x2" | "f32x4" | "i32x4";
  /** How wide the lanes are that a cell is masked by. */
  readonly mask: "i8x16" | "i16x8" | "i32x4" | "i64x2";
  /** Vectors that one sum may take. */
  readonly chain: number;
  /** Leaves a vector of cells from an address on the stack and a fixed distance in bytes. */
  readonly load: Readonly<Record<"left" | "right", (code: Code, distance: number) => void>>;
  /** Adds the terms of two vectors to a sum. */
  readonly add: (code: Code, sum: number, left: number, right: number, spare: number) => void;
}

export interface ArithmeticOptions {
  readonly term: Term;
  readonly left: CellType;
  readonly right: CellType;
  readonly precision: Precision;
  /** Whether multiplication and addition may be one instruction. */
  readonly fused: boolean;
}

/** Nothing where cells of these types have to be made numbers one by one. */
export function arithmeticOf(options: ArithmeticOptions): Arithmetic | undefined {
  const { term, left, right, precision, fused } = options;
  if (left === "int8" && right === "int8") return integers[term];
  const [leftLoad, rightLoad] = [lanesLoader(left, precision), lanesLoader(right, precision)];
  if (leftLoad === undefined || rightLoad === undefined || term === "hamming") return undefined;
  const lane = lanes[precision];
  const addProduct = (code: Code, sum: number, one: number, other: number): void => {
    if (fused) code.get(one).get(other).get(sum).do(lane.multiplyAdd).set(sum);
    else code.get(sum).get(one).get(other).do(lane.multiply, lane.add).set(sum);
  };
  return {
    name: `${term} ${left} ${right} ${precision}${fused ? " fused" : ""}`,
    term,
    cells: lane.count,
    sums: precision === "double" ? "f64x2" : "f32x4",
    mask: precision === "double" ? "i64x2" : "i32x4",
    chain: lane.chain,
    load: { left: leftLoad, right: rightLoad },
    add:
      term === "product"
        ? addProduct
        : (code, sum, one, other, spare) => {
            code.get(one).get(other).do(lane.subtract).set(spare);
            addProduct(code, sum, spare, spare);
          },
  };
}

/** Bytes, eight or sixteen at once, in whole numbers: exact, as long as all lanes of four sums together stay below 2^31. */
const integers: Readonly<Record<Term, Arithmetic>> = {
  product: {
    name: "product int8",
    term: "product",
    cells: 8,
    sums: "i32x4",
    mask: "i16x8",
    chain: 1024,
    load: { left: loader(["v128.load8x8_s"]), right: loader(["v128.load8x8_s"]) },
    add: (code, sum, left, right) =>
      code.get(left).get(right).do("i32x4.dot_i16x8_s").get(sum).do("i32x4.add").set(sum),
  },
  distance: {
    name: "distance int8",
    term: "distance",
    cells: 8,
    sums: "i32x4",
    mask: "i16x8",
    chain: 1024,
    load: { left: loader(["v128.load8x8_s"]), right: loader(["v128.load8x8_s"]) },
    add: (code, sum, left, right, spare) => {
      code.get(left).get(right).do("i16x8.sub").tee(spare).get(spare);
      code.do("i32x4.dot_i16x8_s").get(sum).do("i32x4.add").set(sum);
    },
  },
  hamming: {
    name: "hamming int8",
    term: "hamming",
    cells: 16,
    sums: "i32x4",
    mask: "i8x16",
    chain: 2 ** 20,
    load: { left: loader(["v128.load"]), right: loader(["v128.load"]) },
    add: (code, sum, left, right) => {
      code.get(left).get(right).do("v128.xor", "i8x16.popcnt", "i16x8.extadd_pairwise_i8x16_u");
      code.do("i32x4.extadd_pairwise_i16x8_u").get(sum).do("i32x4.add").set(sum);
    },
  },
};

/** Bytes of a vector's cells. */
export const vectorBytes = ({ cells }: Arithmetic, cellType: CellType): number => cells << shifts[cellType];
