import { Code } from "../assembler/code.js";
import { addExactly, compensatedTotal } from "./compensated-sum.js";
import { byteOffset, count, isContiguous, locals, words } from "./descriptor.js";
import { type Precision, shifts } from "./lanes.js";
import { nonFiniteOf, setOverflowFlag } from "./overflow-retry.js";

/** Bytes of the table of a vector's lanes: two floats of each of two vectors become one vector. */
const lowHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/**
 * `epilogue(descriptor, sums, target, row, column, rows, columns)`: rounds the sums of a tile to the target's cell type
 * and stores those that the target has cells for. Sums that are not finite, perhaps by overflow on the way, set the
 * overflow flag: `sums` are at the beginning of scratch memory, where the flag is.
 */
export function epilogueCode(name: string, target: Precision, across: number, checksOverflow: boolean): Code {
  const shift = shifts[target];
  const code = new Code(name, words(7), [], false);
  const [sums, into, row, column, rows, columns] = [1, 2, 3, 4, 5, 6];
  const [line, at, each, isWholeTile, start] = locals(code, 5);
  const [vector, nonFinite] = locals(code, 2, "v128");
  code.get(sums).set(start);
  isContiguous(code, "target", "columns", shift);
  // Two doubles are half a vector of floats.
  code
    .get(columns)
    .i32(target === "float" && across % 4 !== 0 ? -1 : across)
    .do("i32.eq", "i32.and")
    .set(isWholeTile);
  count(code, { counter: line, limit: () => code.get(rows) }, () => {
    if (checksOverflow)
      for (let v = 0; v < across / 2; v++) {
        code
          .get(sums)
          .memory("v128.load", v * 16)
          .set(vector);
        nonFiniteOf(code, vector, "f64x2").get(nonFinite).do("f64x2.add").set(nonFinite);
      }
    code.get(into);
    byteOffset(code, "target", "rows", shift, () => code.get(row).get(line).do("i32.add"));
    code.do("i32.add").set(at);
    code.get(isWholeTile).if(
      () => {
        code.get(at).get(column).i32(shift).do("i32.shl", "i32.add").set(at);
        for (let v = 0; v < across / 2; v += target === "float" ? 2 : 1) {
          code
            .get(at)
            .get(sums)
            .memory("v128.load", v * 16);
          if (target === "float") {
            code
              .do("f32x4.demote_f64x2_zero")
              .get(sums)
              .memory("v128.load", v * 16 + 16);
            code.do("f32x4.demote_f64x2_zero").shuffle(lowHalves);
          }
          code.memory("v128.store", target === "float" ? v * 8 : v * 16);
        }
      },
      () =>
        count(code, { counter: each, limit: () => code.get(columns) }, () => {
          code.get(at);
          byteOffset(code, "target", "columns", shift, () => code.get(column).get(each).do("i32.add"));
          code.do("i32.add").get(sums).get(each).i32(3).do("i32.shl", "i32.add").memory("f64.load");
          if (target === "float") code.do("f32.demote_f64").memory("f32.store");
          else code.memory("f64.store");
        }),
    );
    code.advance(sums, across * 8);
  });
  if (checksOverflow) setOverflowFlag(code, nonFinite, "f64x2", () => code.get(start));
  return code;
}

/**
 * `accumulate(sums, totals, isFirst, isLast)`: adds the sums of a tile to exact totals, which it keeps with what they lost. The
 * last time, the totals go back to `sums`.
 */
export function accumulateCode(name: string, vectors: number): Code {
  const code = new Code(name, words(4), [], false);
  const [sums, totals, isFirst, isLast] = [0, 1, 2, 3];
  const [total, lost, added, sum, part] = locals(code, 5, "v128");
  for (let at = 0; at < vectors * 16; at += 16) {
    const lostAt = vectors * 16 + at;
    code.get(sums).memory("v128.load", at).set(added);
    code.get(isFirst).if(
      () => code.get(added).set(total).v128("i32x4", 0).set(lost),
      () => {
        code.get(totals).memory("v128.load", at).set(total);
        code.get(totals).memory("v128.load", lostAt).set(lost);
        addExactly(code, { total, lost, added, sum, part });
      },
    );
    code.get(isLast).if(
      () => {
        code.get(sums);
        compensatedTotal(code, { total, lost });
        code.memory("v128.store", at);
      },
      () => {
        code.get(totals).get(total).memory("v128.store", at);
        code.get(totals).get(lost).memory("v128.store", lostAt);
      },
    );
  }
  return code;
}
