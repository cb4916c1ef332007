import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { readCell } from "../kernels/cells.js";
import { Groups } from "../kernels/groups.js";
import { count } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { LocalScope } from "../kernels/scope.js";
import { byteOffset, field, locals } from "./descriptor.js";
import { type Finish, FinishWriter, parametersWith } from "./finish.js";
import { forEachDepth, forEachPart } from "./parts.js";
import type { Term } from "./recognise.js";

/**
 * Floats are added up in floats for a while, and what is too great for a float may still be part of a sum that is not.
 * So where a sum came out infinite or as no number, parts are searched again, and such cells added up anew, in
 * doubles and one term after the other.
 */
export interface OverflowRetry {
  readonly term: Term;
  readonly left: CellType;
  readonly right: CellType | PanelWidth;
  readonly target: Precision;
  /** What is computed of the sums before they are stored. */
  readonly finish?: Finish | undefined;
}

/** A right operand of floats that was packed in panels of so many columns. */
export interface PanelWidth {
  readonly columns: number;
}

/** The offset in scratch memory of the flag that something was not finite. */
const overflowFlagAt = 2040;

/** Leaves a vector that is zero exactly where floats or doubles are finite. */
export const nonFiniteOf = (code: Code, vector: number, lanes: "f32x4" | "f64x2"): Code =>
  code.get(vector).get(vector).do(`${lanes}.sub`);

/** Sets the flag where a sum of what `nonFiniteOf` left is no number. */
export function setOverflowFlag(
  code: Code,
  sum: number,
  lanes: "f32x4" | "f64x2",
  scratch: () => void,
): void {
  code
    .get(sum)
    .get(sum)
    .do(`${lanes}.ne`, "v128.any_true")
    .if(() => {
      scratch();
      code.i32(1).memory("i32.store", overflowFlagAt);
    });
}

/** Computes the same parts again if the flag is set, and clears it. `others` are the parameters with the addresses of a finish's sources. */
export function retryOnOverflow(
  code: Code,
  callee: number,
  scratch: number,
  others: readonly number[] = [],
): void {
  code
    .get(scratch)
    .memory("i32.load", overflowFlagAt)
    .if(() => {
      code.get(scratch).i32(0).memory("i32.store", overflowFlagAt);
      code.get(0).get(1).get(2).get(3).get(4).get(5);
      for (const other of others) code.get(other);
      code.call(callee);
    });
}

/** `retry(descriptor, from, to, left, right, target, sources of the finish)`. */
export function overflowRetryCode({ term, left, right, target, finish }: OverflowRetry): Code {
  const code = new Code("retry", parametersWith(finish, 6), [], false);
  const scope = new LocalScope(code);
  const groups = new Groups(scope, false);
  const finishing = finish === undefined ? undefined : new FinishWriter(groups, finish, 6);
  const [line, column, k, at, leftRow, rightColumn] = locals(code, 6);
  const [sum, value] = locals(code, 2, "f64");
  const load = target === "float" ? "f32.load" : "f64.load";

  const operand = (side: "left" | "right", cellType: CellType, from: number): void => {
    const address = scope.value(() => {
      code.get(from);
      byteOffset(code, side, "sum", shiftOf(cellType), () => code.get(k)).do("i32.add");
    });
    for (const part of groups.as("double", readCell(groups, cellType, address, 0, "double")).parts)
      part.push();
  };
  const round = (): void => {
    code.set(value);
    field(code, "roundsTerms").if(() => code.get(value).do("f32.demote_f64", "f64.promote_f32").set(value));
    code.get(value);
  };
  const addTerm = (pushRight: () => void): void => {
    operand("left", left, leftRow);
    pushRight();
    if (term === "distance") {
      code.do("f64.sub");
      round();
      code.get(value);
    }
    code.do("f64.mul");
    round();
    code.get(sum).do("f64.add").set(sum);
  };

  const addTerms = (): void => {
    if (typeof right === "string") {
      const pushRight = (): void => operand("right", right, rightColumn);
      count(code, { counter: k, limit: () => field(code, "sum") }, () => addTerm(pushRight));
    } else eachPackedNumber(code, right, { panels: rightColumn, column, k }, addTerm);
  };
  const rightShift = typeof right === "string" ? shiftOf(right) : "packed";
  const operandShifts = { left: shiftOf(left), right: rightShift, target: shiftOf(target) } as const;
  forEachPart(code, operandShifts, ({ leftAt, rightAt, targetAt, row, rows }) => {
    count(code, { counter: line, limit: () => code.get(rows) }, () => {
      code.get(leftAt);
      byteOffset(code, "left", "rows", operandShifts.left, () => code.get(row).get(line).do("i32.add"));
      code.do("i32.add").set(leftRow);
      count(code, { counter: column, limit: () => field(code, "columns") }, () => {
        code.get(targetAt);
        byteOffset(code, "target", "rows", operandShifts.target, () => code.get(row).get(line).do("i32.add"));
        byteOffset(code, "target", "columns", operandShifts.target, () => code.get(column));
        code.do("i32.add", "i32.add").tee(at).memory(load).get(at).memory(load);
        code.do(target === "float" ? "f32.sub" : "f64.sub");
        // The difference of a number and itself is zero, unless it is infinite or no number.
        if (target === "float") code.f32(0).do("f32.ne");
        else code.f64(0).do("f64.ne");
        code.if(() => {
          code.get(rightAt);
          if (rightShift !== "packed")
            byteOffset(code, "right", "columns", rightShift, () => code.get(column)).do("i32.add");
          code.set(rightColumn);
          code.f64(0).set(sum);
          addTerms();
          const rounded = scope.of(target === "float" ? ["f32.demote_f64"] : [], scope.local(sum));
          scope.withLocals(() => {
            const stored = finishing?.finished(scope.bind("f32", rounded), {
              row: () => code.get(row).get(line).do("i32.add"),
              column: () => code.get(column),
            });
            scope.store(
              target === "float" ? "f32.store" : "f64.store",
              scope.local(at),
              0,
              stored ?? rounded,
            );
          });
        });
      });
    });
  });
  scope.finish();
  return code;
}

/** Locals with where a packed operand begins, with the column that is meant, and for the index of the sum. */
interface PackedColumn {
  readonly panels: number;
  readonly column: number;
  readonly k: number;
}

/** Goes along the sum with what leaves the number of a column at each index as a double. */
function eachPackedNumber(
  code: Code,
  { columns }: PanelWidth,
  { panels, column, k }: PackedColumn,
  body: (pushNumber: () => void) => void,
): void {
  const { shift, width } = precisions.float;
  const [from, depth, within, at] = locals(code, 4);
  const columnInPanel = (): Code => code.get(column).i32(columns).do("i32.rem_u");
  const pushNumber = (): void => void code.get(at).memory("f32.load").do("f64.promote_f32");
  forEachDepth(code, from, depth, () => {
    // After the pieces of the sum before, and the panels before, of as many numbers as this one.
    field(code, "padded").get(from).do("i32.mul").get(column);
    columnInPanel().do("i32.sub").get(depth).do("i32.mul", "i32.add");
    columnInPanel().do("i32.add").i32(shift).do("i32.shl").get(panels).do("i32.add").set(at);
    count(code, { counter: within, limit: () => code.get(depth) }, () => {
      code.get(from).get(within).do("i32.add").set(k);
      body(pushNumber);
      code.advance(at, columns * width);
    });
  });
}
