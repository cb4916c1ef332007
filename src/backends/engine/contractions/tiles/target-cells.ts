import { element } from "../../../../language/values/element.js";
import type { Code } from "../../assembler/code.js";
import { type Precision, precisions } from "../../kernels/precision.js";
import { byteOffset, field, locals } from "../descriptor.js";

/** Locals of a kernel: the address of the target, the first row and column of a tile, and how many columns further a number is. */
interface TargetPosition {
  readonly into: number;
  readonly row: number;
  readonly column: number;
  readonly each: number;
}

/** Where the cells of a tile are in the target. */
export class TargetCells {
  constructor(
    private readonly code: Code,
    private readonly target: Precision,
    private readonly at: TargetPosition,
  ) {}

  /** A local with the address of the target's first cell of a row of the tile. */
  rowAddress(pushLine: () => void): number {
    const { code } = this;
    const [at] = locals(code, 1);
    code.get(this.at.into);
    const { shift } = precisions[this.target];
    byteOffset(code, "target", "rows", shift, () => this.pushRow(pushLine));
    code.do("i32.add").set(at);
    return at;
  }

  /** Leaves the row of the target that a line of the tile is. */
  pushRow(pushLine: () => void): void {
    this.code.get(this.at.row);
    pushLine();
    this.code.do("i32.add");
  }

  /** Leaves the column of the target that is so many behind `each`. */
  pushColumn(further: number): void {
    this.code.get(this.at.column).get(this.at.each).do("i32.add").i32(further).do("i32.add");
  }

  /** A local with whether addresses follow each other as cells do. */
  areTogether(addresses: readonly number[]): number {
    const { code } = this;
    const { width } = precisions[this.target];
    const [result] = locals(code, 1);
    code.i32(1);
    for (const [at, address] of addresses.slice(1).entries())
      code.get(address).get(element(addresses, at)).do("i32.sub").i32(width).do("i32.eq", "i32.and");
    code.set(result);
    return result;
  }

  /** Sets locals to how far neighbouring columns, from `each` on, are from the start of a row. */
  columnOffsets(offsets: readonly number[]): void {
    const { code } = this;
    const { shift } = precisions[this.target];
    const offset = (further: number): Code =>
      byteOffset(code, "target", "columns", shift, () => this.pushColumn(further));
    const [first, ...others] = offsets as readonly [number, ...number[]]; // a tile has a column
    offset(0).set(first);
    field(code, "target.columns.table").if(
      () => {
        for (const [further, each] of others.entries()) offset(further + 1).set(each);
      },
      () => {
        for (const [further, each] of others.entries()) {
          code.get(element(offsets, further));
          field(code, "target.columns.stride").do("i32.add").set(each);
        }
      },
    );
  }
}
