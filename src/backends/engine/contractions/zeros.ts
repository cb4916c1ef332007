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

/**
 * `zeros(left, right, target, counts, rows, sum, columns, leftRow, leftSum, rightSum, targetRow)`: a product with only those cells of the
 * left operand that are not 0, in the order of the sum. The columns of the right operand and of the target lie next to each other and fill
 * vectors; `counts` has a whole number for each row. It leaves 1, or 0 where the target is not the product: zeros are not rare enough, a
 * row has more terms than a chain, a cell of the right operand is not finite, so that its product with 0 is no 0, or a sum is not, which
 * in floats may be one all the same.
 */
export function zerosCode(precision: Precision, isAlongSum: boolean): Code {
  const { vector, number, count: lanes, width, loadAll } = precisions[precision];
  const code = new Code("zeros", words(11), ["i32"]);
  const [left, right, target, counts, rows, sum] = [0, 1, 2, 3, 4, 5];
  const [columns, leftRow, leftSum, rightSum, targetRow] = [6, 7, 8, 9, 10];
  const [outer, inner, lane, piece, at, nonZero, seen, row, k, column] = locals(code, 10);
  const [from, to, ofRow] = locals(code, 3);
  const [factor, lost, added] = locals(code, 3, "v128");
  const [far, near] = isAlongSum ? [rows, sum] : [sum, rows];
  const [farStride, nearStride] = isAlongSum ? [leftRow, leftSum] : [leftSum, leftRow];
  const fail = (): Code => code.if(() => code.i32(0).do("return"));
  const failIfLost = (): Code => code.get(lost).get(lost).do(`${vector}.ne`, "v128.any_true") && fail();
  const forEachVector = (body: () => void): void =>
    count(code, { counter: column, limit: () => code.get(columns), step: lanes }, body);

  const addRow = (): void => {
    code.advance(nonZero, 1);
    code.get(nonZero).i32(rarity).do("i32.shl").get(seen).i32(besides).do("i32.add", "i32.gt_s");
    fail();
    code.get(outer).set(isAlongSum ? row : k);
    code
      .get(inner)
      .get(lane)
      .do("i32.add")
      .set(isAlongSum ? k : row);
    code.get(counts).get(row).i32(2).do("i32.shl", "i32.add").tee(ofRow);
    code.get(ofRow).memory("i32.load").i32(1).do("i32.add").memory("i32.store");
    code.get(ofRow).memory("i32.load").i32(chains[precision].ofContractions).do("i32.gt_s");
    fail();
    code.get(at).memory(loadAll).set(factor);
    code.get(right).get(k).get(rightSum).do("i32.mul", "i32.add").set(from);
    code.get(target).get(row).get(targetRow).do("i32.mul", "i32.add").set(to);
    forEachVector(() => {
      code.get(to).get(to).memory("v128.load").get(from).memory("v128.load").get(factor);
      code.do(`${vector}.mul`, `${vector}.add`).tee(added).memory("v128.store");
      nonFiniteOf(code, added, vector).get(lost).do(`${vector}.add`).set(lost);
      code.advance(from, 16).advance(to, 16);
    });
  };

  count(code, { counter: row, limit: () => code.get(rows) }, () => {
    code.get(counts).get(row).i32(2).do("i32.shl", "i32.add").i32(0).memory("i32.store");
    code.get(target).get(row).get(targetRow).do("i32.mul", "i32.add").set(to);
    forEachVector(() => code.get(to).v128("i32x4", 0).memory("v128.store").advance(to, 16));
  });
  count(code, { counter: outer, limit: () => code.get(far) }, () => {
    code.get(left).get(outer).get(farStride).do("i32.mul", "i32.add").set(at);
    count(code, { counter: inner, limit: () => code.get(near), step: lanes }, () => {
      const remaining = (): Code => code.get(near).get(inner).do("i32.sub");
      lesser(code, () => code.i32(lanes), remaining).set(piece);
      // The cells lie next to each other, but for the last ones of a line there is no vector.
      code
        .get(piece)
        .i32(lanes)
        .do("i32.lt_s")
        .if(
          () => code.i32(1),
          () => code.get(at).memory("v128.load").v128("i32x4", 0).do(`${vector}.ne`, "v128.any_true"),
          "i32",
        );
      code.if(
        () =>
          count(code, { counter: lane, limit: () => code.get(piece) }, () => {
            code.get(at).memory(`${number}.load`);
            (number === "f32" ? code.f32(0) : code.f64(0)).do(`${number}.ne`).if(addRow);
            code.get(at).get(nearStride).do("i32.add").set(at);
          }),
        () => code.advance(at, lanes * width),
      );
      code.get(seen).get(piece).do("i32.add").set(seen);
    });
  });
  failIfLost();
  count(code, { counter: k, limit: () => code.get(sum) }, () => {
    code.get(right).get(k).get(rightSum).do("i32.mul", "i32.add").set(from);
    forEachVector(() => {
      code.get(from).memory("v128.load").set(added);
      nonFiniteOf(code, added, vector).get(lost).do(`${vector}.add`).set(lost);
      code.advance(from, 16);
    });
  });
  failIfLost();
  code.i32(1);
  return code;
}
