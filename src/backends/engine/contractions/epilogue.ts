import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { Groups } from "../kernels/groups.js";
import { count } from "../kernels/iteration.js";
import type { Precision } from "../kernels/precision.js";
import { LocalScope, type StackValue } from "../kernels/scope.js";
import { byteOffset, isContiguous, locals, words } from "./descriptor.js";
import { nonFiniteOf, setOverflowFlag } from "./overflow-retry.js";

/**
 * `epilogue(descriptor, sums, target, row, column, rows, columns)`: rounds the sums of a tile to the target's cell type
 * and stores those that the target has cells for. Sums that are not finite, perhaps by overflow on the way, set the
 * overflow flag: `sums` are at the beginning of scratch memory, where the flag is.
 */
export function epilogueCode(name: string, target: Precision, across: number, checksOverflow: boolean): Code {
  const shift = shiftOf(target);
  const code = new Code(name, words(7), [], false);
  const scope = new LocalScope(code);
  const groups = new Groups(scope, false);
  const [sums, into, row, column, rows, columns] = [1, 2, 3, 4, 5, 6];
  const [line, at, each, isWholeTile, start] = locals(code, 5);
  const [vector, nonFinite] = locals(code, 2, "v128");
  const sumAt = (v: number): StackValue => scope.loaded("v128.load", scope.local(sums), v * 16);
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
        scope.set(vector, sumAt(v));
        nonFiniteOf(code, vector, "f64x2").get(nonFinite).do("f64x2.add").set(nonFinite);
      }
    code.get(into);
    byteOffset(code, "target", "rows", shift, () => code.get(row).get(line).do("i32.add"));
    code.do("i32.add").set(at);
    code.get(isWholeTile).if(
      () => {
        code.get(at).get(column).i32(shift).do("i32.shl", "i32.add").set(at);
        for (let v = 0; v < across / 2; v += target === "float" ? 2 : 1) {
          const parts = target === "float" ? [sumAt(v), sumAt(v + 1)] : [sumAt(v)];
          const cells = groups.as(target, { isLanes: true, number: "double", isMask: false, parts });
          const bytes = target === "float" ? v * 8 : v * 16;
          for (const part of cells.parts) scope.store("v128.store", scope.local(at), bytes, part);
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
