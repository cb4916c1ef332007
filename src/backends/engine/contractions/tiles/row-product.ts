import { element } from "../../../../language/values/element.js";
import { Code } from "../../assembler/code.js";
import { shiftOf } from "../../kernels/cell-types.js";
import { Groups } from "../../kernels/groups.js";
import { atMost, count } from "../../kernels/iteration.js";
import { precisions } from "../../kernels/precision.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { byteOffset, descriptor, field, locals } from "../descriptor.js";
import { FinishWriter, parametersWith } from "../finish.js";
import { nonFiniteOf, retryOnOverflow, setOverflowFlag } from "../overflow-retry.js";
import { forEachPart, type PartLocals } from "../parts.js";
import { linesAt, type ProductOptions, packedAt, tileSumsAt } from "../product-options.js";
import { columnsOf } from "./tile-kernel.js";

const { count: lanes, width, shift } = precisions.float;
const [tile, packLeft, retry] = [0, 1, 5];
/** Bytes of what is noted of the rows of a tile. */
const lineBytes = 64;

/**
 * `multiply` of a product whose tiles lie along the rows of the target: a few columns by vectors of rows, for targets whose rows are
 * next to each other, or mostly, as the pixels of an image are. Sums are short, so that as much time goes into storing a tile as into
 * computing it; here nothing of it is turned, and what is computed of the sums is computed in registers.
 */
export const rowMultiplyCode = (options: ProductOptions): Code => new RowProductWriter(options).write();

class RowProductWriter {
  private readonly code: Code;
  private readonly scope: LocalScope;
  private readonly finishing: FinishWriter | undefined;
  private readonly sources: readonly number[];
  private readonly across: number;
  private readonly scratch = 6;
  /** The row of a tile's first number, and how many rows and columns of it the target has. */
  private readonly row: number;
  private readonly rows: number;
  private readonly columns: number;
  /** The column that is stored, the address of its first cell in the target, and that of its sums. */
  private readonly column: number;
  private readonly cells: number;
  private readonly sums: number;
  /** For each vector of rows, how far its first cell is from that of a column, and whether its cells lie next to each other. */
  private readonly offsets: readonly number[];
  private readonly together: readonly number[];
  private readonly areAllTogether: number;
  private readonly nonFinite: number;

  constructor(private readonly options: ProductOptions) {
    const { finish, kernel } = options;
    this.code = new Code("multiply", parametersWith(finish, 7));
    this.scope = new LocalScope(this.code);
    this.sources = (finish?.sources ?? []).map((_, at) => 7 + at);
    const groups = new Groups(this.scope, false);
    this.finishing = finish === undefined ? undefined : new FinishWriter(groups, finish, 7);
    this.across = columnsOf(kernel, "float");
    [this.row, this.rows, this.columns, this.column, this.cells, this.sums] = locals(this.code, 6);
    [this.nonFinite] = locals(this.code, 1, "v128");
    [this.areAllTogether] = locals(this.code, 1);
    this.offsets = Array.from({ length: kernel.vectors }, () => this.code.local("i32"));
    this.together = this.offsets.map(() => this.code.local("i32"));
  }

  write(): Code {
    const { code, options, scratch } = this;
    const shifts = { left: shiftOf(options.left), right: "packed", target: shift } as const;
    forEachPart(code, shifts, (part) => this.part(part));
    setOverflowFlag(code, this.nonFinite, "f32x4", () => code.get(scratch));
    retryOnOverflow(code, retry, scratch, this.sources);
    this.scope.finish();
    return code;
  }

  private part({ leftAt, rightAt, targetAt, row, rows }: PartLocals): void {
    const { code, across, scratch, column } = this;
    const { rows: breadth } = this.options.kernel;
    const [line, panel, rightPanel, first, info] = locals(code, 5);
    const eachTile = (body: () => void): void => {
      code.get(scratch).i32(linesAt).do("i32.add").set(info);
      count(code, { counter: line, limit: () => code.get(rows), step: across }, () => {
        code.get(row).get(line).do("i32.add").set(this.row);
        code.get(rows).get(line).do("i32.sub").set(this.rows);
        atMost(code, across, this.rows).set(this.rows);
        body();
        code.advance(info, lineBytes);
      });
    };
    code.get(descriptor).get(leftAt).get(scratch).i32(packedAt).do("i32.add").get(row).get(rows).i32(0);
    field(code, "sum").call(packLeft);
    eachTile(() => this.findRows(info));
    code.get(rightAt).set(rightPanel);
    count(code, { counter: first, limit: () => field(code, "columns"), step: breadth }, () => {
      field(code, "columns").get(first).do("i32.sub").set(this.columns);
      atMost(code, breadth, this.columns).set(this.columns);
      code.get(scratch).i32(packedAt).do("i32.add").set(panel);
      eachTile(() => {
        field(code, "sum").get(rightPanel).get(panel);
        code.get(scratch).i32(tileSumsAt.float).do("i32.add").call(tile);
        code.get(first).set(column);
        this.loadRows(info);
        this.storeTile(targetAt);
        this.nextPanel(panel, across);
      });
      this.nextPanel(rightPanel, breadth);
    });
  }

  private nextPanel(panel: number, lines: number): void {
    const { code } = this;
    code.get(panel);
    field(code, "sum")
      .i32(lines * width)
      .do("i32.mul", "i32.add")
      .set(panel);
  }

  /** Notes where the rows of a tile are in the target. */
  private findRows(info: number): void {
    const { code, areAllTogether } = this;
    const offset = (at: number): Code =>
      byteOffset(code, "target", "rows", shift, () => code.get(this.row).i32(at).do("i32.add"));
    code.i32(1).set(areAllTogether);
    for (const [v, start] of this.offsets.entries()) {
      const isTogether = element(this.together, v);
      code.i32(0).set(isTogether);
      this.ifWhole(v, () => {
        offset(v * lanes).set(start);
        code.i32(1);
        for (let lane = 1; lane < lanes; lane++) {
          offset(v * lanes + lane)
            .get(start)
            .do("i32.sub");
          code.i32(lane * width).do("i32.eq", "i32.and");
        }
        code.set(isTogether);
      });
      code.get(areAllTogether).get(isTogether).do("i32.and").set(areAllTogether);
    }
    for (const [at, local] of this.noted.entries())
      code
        .get(info)
        .get(local)
        .memory("i32.store", at * 4);
  }

  private loadRows(info: number): void {
    const { code } = this;
    for (const [at, local] of this.noted.entries())
      code
        .get(info)
        .memory("i32.load", at * 4)
        .set(local);
  }

  /** What is noted of the rows of a tile. */
  private get noted(): readonly number[] {
    return [this.areAllTogether, ...this.offsets, ...this.together];
  }

  /** Does something where the target has all rows of a vector. */
  private ifWhole(v: number, body: () => void): void {
    this.code
      .get(this.rows)
      .i32((v + 1) * lanes)
      .do("i32.ge_s")
      .if(body);
  }

  /** Stores a tile, column by column. */
  private storeTile(targetAt: number): void {
    const { code, column, sums, cells } = this;
    const [left] = locals(code, 1);
    code.get(this.scratch).i32(tileSumsAt.float).do("i32.add").set(sums);
    code.get(this.columns).set(left);
    code.loop(() => {
      code.get(targetAt);
      byteOffset(code, "target", "columns", shift, () => code.get(column))
        .do("i32.add")
        .set(cells);
      this.finishing?.holdLine({ row: () => code.get(this.row), column: () => code.get(column) });
      code.get(this.areAllTogether).if(
        () => {
          for (const v of this.offsets.keys()) this.storeTogether(v);
        },
        () => this.storePieces(),
      );
      code.advance(sums, this.across * width);
      code.advance(column, 1);
      code.get(left).i32(1).do("i32.sub").tee(left).branchIf();
    });
  }

  private storeTogether(v: number): void {
    const { code, scope } = this;
    scope.withLocals(() => {
      const stored = this.vector(v);
      code.get(this.cells).get(element(this.offsets, v)).do("i32.add");
      stored.push();
      code.memory("v128.store");
    });
  }

  /** Stores whole vectors, at once or cell by cell, and what is left of the rows. */
  private storePieces(): void {
    const { code, scope, rows } = this;
    for (const [v, isTogether] of this.together.entries())
      this.ifWhole(v, () =>
        code.get(isTogether).if(
          () => this.storeTogether(v),
          () =>
            scope.withLocals(() => {
              const stored = scope.bind("v128", this.vector(v));
              for (let lane = 0; lane < lanes; lane++) {
                this.cellAddress(() => code.i32(v * lanes + lane));
                stored.push();
                code.lane("f32x4.extract_lane", lane).memory("f32.store");
              }
            }),
        ),
      );
    const [each] = locals(code, 1);
    code.get(rows).i32(-lanes).do("i32.and").set(each);
    code.block(() =>
      code.loop(() => {
        code.get(each).get(rows).do("i32.ge_s").branchIf(1);
        scope.withLocals(() => {
          const sum = scope.bind(
            "f32",
            scope.value(() => {
              code.get(this.sums).get(each).i32(shift).do("i32.shl", "i32.add").memory("f32.load");
            }),
          );
          const stored = this.finished(sum, () => code.get(each), false);
          this.cellAddress(() => code.get(each));
          stored.push();
          code.memory("f32.store");
        });
        code.advance(each, 1).branch();
      }),
    );
  }

  /** Leaves the address of the cell in a row that is so many from the tile's first. */
  private cellAddress(further: () => Code): void {
    const { code } = this;
    code.get(this.cells);
    byteOffset(code, "target", "rows", shift, () => {
      code.get(this.row);
      further().do("i32.add");
    }).do("i32.add");
  }

  /** What is stored of a vector of sums. */
  private vector(v: number): StackValue {
    const { scope, code } = this;
    const sum = scope.bind("v128", scope.loaded("v128.load", scope.local(this.sums), v * lanes * width));
    return this.finished(sum, () => code.i32(v * lanes), true);
  }

  private finished(sum: StackValue, further: () => Code, isLanes: boolean): StackValue {
    const { code, scope } = this;
    const all = scope.take("v128");
    sum.push();
    if (!isLanes) code.do("f32x4.splat");
    code.set(all);
    nonFiniteOf(code, all, "f32x4").get(this.nonFinite).do("f32x4.add").set(this.nonFinite);
    if (this.finishing === undefined) return sum;
    const row = (): void => {
      code.get(this.row);
      further().do("i32.add");
    };
    return this.finishing.value(sum, { row, column: () => code.get(this.column) }, isLanes);
  }
}
