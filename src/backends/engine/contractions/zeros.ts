import { Code } from "../assembler/code.js";
import { count, lesser } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { chains } from "../kernels/sums.js";
import { locals, words } from "./descriptor.js";
import { nonFiniteOf } from "./overflow-retry.js";

/** How the cells of a product lie whose left operand is mostly zeros; strides in bytes. */
export interface ZerosLayout {
  readonly rows: number;
  readonly sum: number;
  readonly columns: number;
  readonly leftRow: number;
  readonly leftSum: number;
  readonly rightSum: number;
  readonly targetRow: number;
}

/** Of more cells than one of so many, as a shift, being no zero, and these besides, products are not worth picking out. */
const [rarity, besides] = [3, 256];

/** The parameters. */
const [left, right, target, counts, rows, sum] = [0, 1, 2, 3, 4, 5];
const [columns, leftRow, leftSum, rightSum, targetRow] = [6, 7, 8, 9, 10];

/**
 * `zeros(left, right, target, counts, rows, sum, columns, leftRow, leftSum, rightSum, targetRow)`: a product with only those cells of the
 * left operand that are not 0, in the order of the sum. The columns of the right operand and of the target lie next to each other and fill
 * vectors; `counts` has a whole number for each row. It leaves 1, or 0 where the target is not the product: zeros are not rare enough, a
 * row has more terms than a chain, a cell of the right operand is not finite, so that its product with 0 is no 0, or a sum is not, which
 * in floats may be one all the same.
 */
export const zerosCode = (precision: Precision, isAlongSum: boolean): Code =>
  new ZerosWriter(precision, isAlongSum).write();

class ZerosWriter {
  private readonly code = new Code("zeros", words(11), ["i32"]);
  /** Where the left operand is read: a line of its cells, the first of a vector in it, and which of that vector. */
  private readonly outer: number;
  private readonly inner: number;
  private readonly lane: number;
  /** How many cells of the vector the line has, and the address of the next one. */
  private readonly piece: number;
  private readonly at: number;
  /** How many cells were no zeros, and how many were looked at. */
  private readonly nonZero: number;
  private readonly seen: number;
  /** A cell of the left operand, and the column that a vector of the right one and of the target begins at. */
  private readonly row: number;
  private readonly k: number;
  private readonly column: number;
  /** The addresses of such vectors, and of the count of a row. */
  private readonly from: number;
  private readonly to: number;
  private readonly ofRow: number;
  private readonly factor: number;
  /** No number in some lane, where anything was not finite. */
  private readonly lost: number;
  private readonly added: number;

  constructor(
    private readonly precision: Precision,
    private readonly isAlongSum: boolean,
  ) {
    const { code } = this;
    [this.outer, this.inner, this.lane, this.piece, this.at] = locals(code, 5);
    [this.nonZero, this.seen, this.row, this.k, this.column] = locals(code, 5);
    [this.from, this.to, this.ofRow] = locals(code, 3);
    [this.factor, this.lost, this.added] = locals(code, 3, "v128");
  }

  write(): Code {
    this.clear();
    this.addRows();
    this.failIfLost();
    this.readRight();
    this.failIfLost();
    return this.code.i32(1);
  }

  /** Makes all counts and all of the target 0. */
  private clear(): void {
    const { code, row, to } = this;
    count(code, { counter: row, limit: () => code.get(rows) }, () => {
      code.get(counts).get(row).i32(2).do("i32.shl", "i32.add").i32(0).memory("i32.store");
      this.targetRowAddress();
      this.forEachVector(() => code.get(to).v128("i32x4", 0).memory("v128.store").advance(to, 16));
    });
  }

  /** Looks at the left operand, vector by vector, and adds a row of the right one to the target for each cell that is not 0. */
  private addRows(): void {
    const { code, outer, inner, piece, at, seen } = this;
    const { count: lanes, width } = precisions[this.precision];
    const [far, near] = this.isAlongSum ? [rows, sum] : [sum, rows];
    const [farStride, nearStride] = this.isAlongSum ? [leftRow, leftSum] : [leftSum, leftRow];
    count(code, { counter: outer, limit: () => code.get(far) }, () => {
      code.get(left).get(outer).get(farStride).do("i32.mul", "i32.add").set(at);
      count(code, { counter: inner, limit: () => code.get(near), step: lanes }, () => {
        const remaining = (): Code => code.get(near).get(inner).do("i32.sub");
        lesser(code, () => code.i32(lanes), remaining).set(piece);
        this.hasOthers();
        code.if(
          () => this.eachCell(nearStride),
          () => code.advance(at, lanes * width),
        );
        code.get(seen).get(piece).do("i32.add").set(seen);
      });
    });
  }

  /** Leaves whether a vector has cells other than 0. They lie next to each other, but for the last ones of a line there is no vector. */
  private hasOthers(): void {
    const { code } = this;
    const { vector, count: lanes } = precisions[this.precision];
    code
      .get(this.piece)
      .i32(lanes)
      .do("i32.lt_s")
      .if(
        () => code.i32(1),
        () => code.get(this.at).memory("v128.load").v128("i32x4", 0).do(`${vector}.ne`, "v128.any_true"),
        "i32",
      );
  }

  private eachCell(stride: number): void {
    const { code, at } = this;
    const { number } = precisions[this.precision];
    count(code, { counter: this.lane, limit: () => code.get(this.piece) }, () => {
      code.get(at).memory(`${number}.load`);
      (number === "f32" ? code.f32(0) : code.f64(0)).do(`${number}.ne`).if(() => this.addRow());
      code.get(at).get(stride).do("i32.add").set(at);
    });
  }

  /** Adds the products of one cell, unless there are too many such cells, or too many in its row. */
  private addRow(): void {
    const { code, nonZero, row, k, from, to, added, lost } = this;
    const { vector, loadAll } = precisions[this.precision];
    code.advance(nonZero, 1);
    code.get(nonZero).i32(rarity).do("i32.shl").get(this.seen).i32(besides).do("i32.add", "i32.gt_s");
    this.fail();
    const [far, near] = this.isAlongSum ? [row, k] : [k, row];
    code.get(this.outer).set(far);
    code.get(this.inner).get(this.lane).do("i32.add").set(near);
    this.countTerm();
    code.get(this.at).memory(loadAll).set(this.factor);
    this.rightRowAddress();
    this.targetRowAddress();
    this.forEachVector(() => {
      code.get(to).get(to).memory("v128.load").get(from).memory("v128.load").get(this.factor);
      code.do(`${vector}.mul`, `${vector}.add`).tee(added).memory("v128.store");
      nonFiniteOf(code, added, vector).get(lost).do(`${vector}.add`).set(lost);
      code.advance(from, 16).advance(to, 16);
    });
  }

  /** Counts a term of a row, which has no more than a chain. */
  private countTerm(): void {
    const { code, ofRow } = this;
    code.get(counts).get(this.row).i32(2).do("i32.shl", "i32.add").tee(ofRow);
    code.get(ofRow).memory("i32.load").i32(1).do("i32.add").memory("i32.store");
    code.get(ofRow).memory("i32.load").i32(chains[this.precision].ofContractions).do("i32.gt_s");
    this.fail();
  }

  /** Looks for what is not finite in all of the right operand, since most of it was not read. */
  private readRight(): void {
    const { code, k, from, added, lost } = this;
    const { vector } = precisions[this.precision];
    count(code, { counter: k, limit: () => code.get(sum) }, () => {
      this.rightRowAddress();
      this.forEachVector(() => {
        code.get(from).memory("v128.load").set(added);
        nonFiniteOf(code, added, vector).get(lost).do(`${vector}.add`).set(lost);
        code.advance(from, 16);
      });
    });
  }

  private rightRowAddress(): void {
    this.code.get(right).get(this.k).get(rightSum).do("i32.mul", "i32.add").set(this.from);
  }

  private targetRowAddress(): void {
    this.code.get(target).get(this.row).get(targetRow).do("i32.mul", "i32.add").set(this.to);
  }

  private forEachVector(body: () => void): void {
    const { code } = this;
    const { count: lanes } = precisions[this.precision];
    count(code, { counter: this.column, limit: () => code.get(columns), step: lanes }, body);
  }

  private fail(): void {
    this.code.if(() => this.code.i32(0).do("return"));
  }

  private failIfLost(): void {
    const { code, lost } = this;
    code.get(lost).get(lost).do(`${precisions[this.precision].vector}.ne`, "v128.any_true");
    this.fail();
  }
}
