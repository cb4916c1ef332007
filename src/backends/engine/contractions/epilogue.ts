import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { type Group, Groups } from "../kernels/groups.js";
import { count } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { LocalScope, type StackValue } from "../kernels/scope.js";
import { transposeTile } from "../kernels/transpose.js";
import { byteOffset, field, isContiguous, locals, words } from "./descriptor.js";
import { nonFiniteOf, setOverflowFlag } from "./overflow-retry.js";

/** What is known of the sums of a tile, and of the target, when the kernel is compiled. */
export interface Epilogue {
  readonly target: Precision;
  /** Numbers in a row of the tile. */
  readonly across: number;
  /** In what the sums are, and how many bytes from the start of scratch memory. */
  readonly sums: { readonly number: Precision; readonly at: number };
  readonly checksOverflow: boolean;
  /** Rows of a whole tile, which is turned where cells of the target lie next to each other along its rows. */
  readonly turnedRows?: number;
}

/** Sums as most kernels leave them. */
export const doubleSums = { number: "double", at: 0 } as const;

/**
 * `epilogue(descriptor, scratch, target, row, column, rows, columns)`: rounds the sums of a tile to the target's cell type
 * and stores those that the target has cells for. Sums that are not finite, perhaps by overflow on the way, set the
 * overflow flag in scratch memory.
 */
export const epilogueCode = (name: string, epilogue: Epilogue): Code =>
  new EpilogueWriter(name, epilogue).write();

class EpilogueWriter {
  private readonly code: Code;
  private readonly scope: LocalScope;
  private readonly groups: Groups;
  private readonly scratch = 1;
  private readonly into = 2;
  private readonly row = 3;
  private readonly column = 4;
  private readonly rows = 5;
  private readonly columns = 6;
  /** The address of the sums of a row of the tile, and the number in it that is stored. */
  private readonly sums: number;
  private readonly each: number;
  /** No number in some lane, where a sum is not finite. */
  private readonly nonFinite: number;

  constructor(
    name: string,
    private readonly epilogue: Epilogue,
  ) {
    this.code = new Code(name, words(7), [], false);
    this.scope = new LocalScope(this.code);
    this.groups = new Groups(this.scope, false);
    [this.sums, this.each] = locals(this.code, 2);
    [this.nonFinite] = locals(this.code, 1, "v128");
  }

  write(): Code {
    const { code, epilogue } = this;
    const { target, across, turnedRows } = epilogue;
    const { shift, count: perVector } = precisions[target];
    const [isWholeTile, isTurned] = locals(code, 2);
    isContiguous(code, "target", "columns", shift).get(this.columns);
    // Two doubles are half a vector of floats.
    code.i32(across % perVector === 0 ? across : -1).do("i32.eq", "i32.and");
    code.set(isWholeTile);
    if (turnedRows !== undefined) {
      isContiguous(code, "target", "rows", shift).get(this.rows);
      code.i32(turnedRows).do("i32.eq", "i32.and").get(isWholeTile).do("i32.eqz", "i32.and").set(isTurned);
    }
    const storeLines = (): void =>
      this.eachLine((line) => {
        this.checkLine();
        const at = this.rowAddress(line);
        code.get(isWholeTile).if(
          () => this.storeWholeLine(at),
          () => {
            code.i32(0).set(this.each);
            this.eachCell(() => this.storeCell(() => this.columnAddress(at, 0)));
          },
        );
      });
    if (turnedRows === undefined) storeLines();
    else code.get(isTurned).if(() => this.storeTurned(turnedRows), storeLines);
    const { vector } = this.sum;
    if (epilogue.checksOverflow) setOverflowFlag(code, this.nonFinite, vector, () => code.get(this.scratch));
    this.scope.finish();
    return code;
  }

  /** Goes through the rows of the tile that the target has. */
  private eachLine(body: (line: number) => void): void {
    const { code, epilogue } = this;
    const [line] = locals(code, 1);
    this.restart();
    count(code, { counter: line, limit: () => code.get(this.rows) }, () => {
      body(line);
      code.advance(this.sums, epilogue.across * this.sum.width);
    });
  }

  /** Goes through the numbers of a row from `each` on. */
  private eachCell(body: () => void): void {
    const { code, each } = this;
    code.block(() =>
      code.loop(() => {
        code.get(each).get(this.columns).do("i32.ge_s").branchIf(1);
        body();
        code.advance(each, 1).branch();
      }),
    );
  }

  private restart(): void {
    this.code.get(this.scratch).i32(this.epilogue.sums.at).do("i32.add").set(this.sums);
  }

  private get sum(): (typeof precisions)[Precision] {
    return precisions[this.epilogue.sums.number];
  }

  /** Sees whether the sums of a row are finite. */
  private checkLine(): void {
    const { scope, sum, epilogue } = this;
    if (!epilogue.checksOverflow) return;
    const vector = scope.take("v128");
    for (let v = 0; v < epilogue.across / sum.count; v++) {
      scope.set(vector, scope.loaded("v128.load", scope.local(this.sums), v * 16));
      this.check(vector);
    }
  }

  private check(vector: number): void {
    const { vector: lanes } = this.sum;
    nonFiniteOf(this.code, vector, lanes).get(this.nonFinite).do(`${lanes}.add`).set(this.nonFinite);
  }

  /** A local with the address of the target's first cell of a row of the tile. */
  private rowAddress(line: number): number {
    const { code } = this;
    const [at] = locals(code, 1);
    code.get(this.into);
    const { shift } = precisions[this.epilogue.target];
    byteOffset(code, "target", "rows", shift, () => code.get(this.row).get(line).do("i32.add"));
    code.do("i32.add").set(at);
    return at;
  }

  /** Leaves the address of the cell that is so many columns behind `each` in the row at an address. */
  private columnAddress(at: number, further: number): void {
    const { code } = this;
    code.get(at);
    byteOffset(code, "target", "columns", precisions[this.epilogue.target].shift, () =>
      code.get(this.column).get(this.each).do("i32.add").i32(further).do("i32.add"),
    );
    code.do("i32.add");
  }

  private storeWholeLine(at: number): void {
    const { code, scope } = this;
    const { shift, count: perVector } = precisions[this.epilogue.target];
    code.get(at).get(this.column).i32(shift).do("i32.shl", "i32.add").set(at);
    const sums = scope.local(this.sums);
    for (let first = 0; first < this.epilogue.across; first += perVector)
      scope.store("v128.store", scope.local(at), first << shift, this.cellsAt(sums, first));
  }

  /** A vector of the target's cells, from a number of the tile on. */
  private cellsAt(sums: StackValue, number: number): StackValue {
    const { scope, sum } = this;
    const { sums: from, target } = this.epilogue;
    const parts = Array.from({ length: precisions[target].count / sum.count }, (_, part) =>
      scope.loaded("v128.load", sums, number * sum.width + part * 16),
    );
    const group: Group = { isLanes: true, number: from.number, isMask: false, parts };
    return element(this.groups.as(target, group).parts, 0);
  }

  /** Stores the number `each` of a row, some rows further on, at an address and so many bytes. */
  private storeCell(address: () => void, line = 0, bytes = 0): void {
    const { code, sum } = this;
    const { sums, target, across } = this.epilogue;
    address();
    this.eachAddress();
    code.memory(`${sum.number}.load`, line * across * sum.width);
    if (sums.number !== target) code.do("f32.demote_f64");
    code.memory(`${precisions[target].number}.store`, bytes);
  }

  private eachAddress(): void {
    this.code.get(this.sums).get(this.each).i32(this.sum.shift).do("i32.shl", "i32.add");
  }

  /** Squares of the tile become squares of the target, whose columns they are rows of; where the last one overlaps, it stores the same again. */
  private storeTurned(rows: number): void {
    const { code, scope, each, epilogue } = this;
    const { count: side, width, shift } = precisions[epilogue.target];
    const starts = Array.from({ length: Math.ceil(rows / side) }, (_, at) =>
      Math.min(at * side, rows - side),
    );
    const [at, from] = locals(code, 2);
    const addresses = Array.from({ length: side }, () => code.local("i32"));
    const vectors = addresses.map(() => code.local("v128"));
    const turned = addresses.map(() => code.local("v128"));
    const areChecked = epilogue.checksOverflow && epilogue.sums.number === epilogue.target;
    if (!areChecked) this.eachLine(() => this.checkLine());
    this.restart();
    code.get(this.into).get(this.row).i32(shift).do("i32.shl", "i32.add").set(at);
    code.i32(0).set(each);
    code.block(() =>
      code.loop(() => {
        code.get(each).i32(side).do("i32.add").get(this.columns).do("i32.gt_s").branchIf(1);
        this.columnAddresses(at, addresses);
        this.eachAddress();
        code.set(from);
        for (const start of starts) {
          for (const [line, vector] of vectors.entries()) {
            scope.set(vector, this.cellsAt(scope.local(from), (start + line) * epilogue.across));
            if (areChecked) this.check(vector);
          }
          transposeTile(scope, vectors, turned);
          for (const [line, vector] of turned.entries())
            scope.store(
              "v128.store",
              scope.local(element(addresses, line)),
              start * width,
              scope.local(vector),
            );
        }
        code.advance(each, side).branch();
      }),
    );
    code
      .get(each)
      .get(this.columns)
      .do("i32.lt_s")
      .if(() => {
        this.eachCell(() => {
          for (let line = 0; line < rows; line++)
            this.storeCell(() => this.columnAddress(at, 0), line, line * width);
        });
        if (areChecked) this.eachLine(() => this.checkLine());
      });
  }

  /** Sets locals to the addresses of neighbouring columns, from `each` on, in the row at an address. */
  private columnAddresses(at: number, addresses: readonly number[]): void {
    const { code } = this;
    const [first, ...others] = addresses as readonly [number, ...number[]];
    this.columnAddress(at, 0);
    code.set(first);
    field(code, "target.columns.table").if(
      () => {
        for (const [further, address] of others.entries()) {
          this.columnAddress(at, further + 1);
          code.set(address);
        }
      },
      () => {
        for (const [further, address] of others.entries()) {
          code.get(element(addresses, further));
          field(code, "target.columns.stride").do("i32.add").set(address);
        }
      },
    );
  }
}
