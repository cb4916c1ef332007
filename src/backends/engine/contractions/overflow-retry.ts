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
export const overflowRetryCode = (retry: OverflowRetry): Code => new OverflowRetryWriter(retry).write();

class OverflowRetryWriter {
  private readonly code: Code;
  private readonly scope: LocalScope;
  private readonly groups: Groups;
  private readonly finishing: FinishWriter | undefined;
  private readonly rightShift: number | "packed";
  /** A row of the part, a column, and an index of the sum; the address of their cell in the target. */
  private readonly line: number;
  private readonly column: number;
  private readonly k: number;
  private readonly at: number;
  /** Where the row of the left operand begins, and the column of the right one, or all of its panels. */
  private readonly leftRow: number;
  private readonly rightColumn: number;
  private readonly sum: number;
  private readonly value: number;

  constructor(private readonly retry: OverflowRetry) {
    const { right, finish } = retry;
    this.rightShift = typeof right === "string" ? shiftOf(right) : "packed";
    this.code = new Code("retry", parametersWith(finish, 6), [], false);
    this.scope = new LocalScope(this.code);
    this.groups = new Groups(this.scope, false);
    this.finishing = finish === undefined ? undefined : new FinishWriter(this.groups, finish, 6);
    [this.line, this.column, this.k, this.at, this.leftRow, this.rightColumn] = locals(this.code, 6);
    [this.sum, this.value] = locals(this.code, 2, "f64");
  }

  write(): Code {
    const { code, line, column } = this;
    const { left, target } = this.retry;
    const shifts = { left: shiftOf(left), right: this.rightShift, target: shiftOf(target) } as const;
    forEachPart(code, shifts, (part) => {
      const pushRow = (): void => void code.get(part.row).get(line).do("i32.add");
      count(code, { counter: line, limit: () => code.get(part.rows) }, () => {
        code.get(part.leftAt);
        byteOffset(code, "left", "rows", shifts.left, pushRow).do("i32.add").set(this.leftRow);
        count(code, { counter: column, limit: () => field(code, "columns") }, () => {
          this.isLost(part.targetAt, pushRow);
          code.if(() => {
            this.addUpAnew(part.rightAt);
            this.store(pushRow);
          });
        });
      });
    });
    this.scope.finish();
    return code;
  }

  /** Leaves whether a cell of the target is infinite or no number, and its address in a local. */
  private isLost(targetAt: number, pushRow: () => void): void {
    const { code, at } = this;
    const { target } = this.retry;
    const [number, shift] = [target === "float" ? "f32" : "f64", shiftOf(target)] as const;
    code.get(targetAt);
    byteOffset(code, "target", "rows", shift, pushRow);
    byteOffset(code, "target", "columns", shift, () => code.get(this.column));
    code.do("i32.add", "i32.add").tee(at).memory(`${number}.load`).get(at).memory(`${number}.load`);
    // The difference of a number and itself is zero, unless it is infinite or no number.
    code.do(`${number}.sub`);
    (number === "f32" ? code.f32(0) : code.f64(0)).do(`${number}.ne`);
  }

  /** The sum of a cell in doubles, one term after the other. */
  private addUpAnew(rightAt: number): void {
    const { code, column, k, rightColumn } = this;
    const { right } = this.retry;
    code.get(rightAt);
    if (this.rightShift !== "packed")
      byteOffset(code, "right", "columns", this.rightShift, () => code.get(column)).do("i32.add");
    code.set(rightColumn);
    code.f64(0).set(this.sum);
    if (typeof right === "string") {
      const pushRight = (): void => this.operand("right", right, rightColumn);
      count(code, { counter: k, limit: () => field(code, "sum") }, () => this.addTerm(pushRight));
    } else
      eachPackedNumber(code, right, { panels: rightColumn, column, k }, (pushRight) =>
        this.addTerm(pushRight),
      );
  }

  private addTerm(pushRight: () => void): void {
    const { code, sum } = this;
    const { term, left } = this.retry;
    this.operand("left", left, this.leftRow);
    pushRight();
    if (term === "distance") {
      code.do("f64.sub");
      this.round();
      code.get(this.value);
    }
    code.do("f64.mul");
    this.round();
    code.get(sum).do("f64.add").set(sum);
  }

  /** Leaves the cell of an operand at the index of the sum, as a double. */
  private operand(side: "left" | "right", cellType: CellType, from: number): void {
    const { code, scope, groups } = this;
    const address = scope.value(() => {
      code.get(from);
      byteOffset(code, side, "sum", shiftOf(cellType), () => code.get(this.k)).do("i32.add");
    });
    for (const part of groups.as("double", readCell(groups, cellType, address, 0, "double")).parts)
      part.push();
  }

  /** Rounds what is on the stack to a float, where terms are floats. */
  private round(): void {
    const { code, value } = this;
    code.set(value);
    field(code, "roundsTerms").if(() => code.get(value).do("f32.demote_f64", "f64.promote_f32").set(value));
    code.get(value);
  }

  private store(pushRow: () => void): void {
    const { code, scope } = this;
    const isFloat = this.retry.target === "float";
    const rounded = scope.of(isFloat ? ["f32.demote_f64"] : [], scope.local(this.sum));
    scope.withLocals(() => {
      const cell = { row: pushRow, column: () => void code.get(this.column) };
      const stored = this.finishing?.finished(scope.bind("f32", rounded), cell);
      scope.store(isFloat ? "f32.store" : "f64.store", scope.local(this.at), 0, stored ?? rounded);
    });
  }
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
