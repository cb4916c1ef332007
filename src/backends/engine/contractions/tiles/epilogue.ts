import { element } from "../../../../language/values/element.js";
import { Code } from "../../assembler/code.js";
import { type Group, Groups } from "../../kernels/groups.js";
import { count } from "../../kernels/iteration.js";
import { type Precision, precisions } from "../../kernels/precision.js";
import { LocalScope, type StackValue } from "../../kernels/scope.js";
import { transposeTile } from "../../kernels/transpose.js";
import { byteOffset, field, isContiguous, locals } from "../descriptor.js";
import { type Finish, FinishWriter, parametersWith } from "../finish.js";
import { nonFiniteOf, setOverflowFlag } from "../overflow-retry.js";
import { TargetCells } from "./target-cells.js";

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
  /** What is computed of the sums before they are stored. */
  readonly finish?: Finish | undefined;
}

/** Sums as most kernels leave them. */
export const doubleSums = { number: "double", at: 0 } as const;

/**
 * `epilogue(descriptor, scratch, target, row, column, rows, columns, sources of the finish)`: rounds the sums of a tile to the target's cell type
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
  private readonly finishing: FinishWriter | undefined;
  private readonly cells: TargetCells;

  constructor(
    name: string,
    private readonly epilogue: Epilogue,
  ) {
    const { finish } = epilogue;
    this.code = new Code(name, parametersWith(finish, 7), [], false);
    this.scope = new LocalScope(this.code);
    this.groups = new Groups(this.scope, false);
    [this.sums, this.each] = locals(this.code, 2);
    const position = { into: this.into, row: this.row, column: this.column, each: this.each };
    this.cells = new TargetCells(this.code, epilogue.target, position);
    [this.nonFinite] = locals(this.code, 1, "v128");
    this.finishing = finish === undefined ? undefined : new FinishWriter(this.groups, finish, 7);
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
      isContiguous(code, "target", "rows", shift);
      field(code, "target.rows.table").i32(0).do("i32.ne", "i32.or").get(this.rows);
      code.i32(turnedRows).do("i32.eq", "i32.and").get(isWholeTile).do("i32.eqz", "i32.and").set(isTurned);
    }
    const storeLines = (): void =>
      this.eachLine((line) => {
        if (epilogue.finish === undefined) this.checkLine();
        const pushLine = (): void => void code.get(line);
        const at = this.cells.rowAddress(pushLine);
        code.get(isWholeTile).if(
          () => this.storeWholeLine(at, pushLine),
          () => {
            code.i32(0).set(this.each);
            this.eachCell(() => this.storeCell(at, pushLine, 0));
          },
        );
      });
    if (turnedRows === undefined) storeLines();
    else code.get(isTurned).if(() => this.storeTurned(turnedRows), storeLines);
    const { vector } = precisions[epilogue.finish === undefined ? epilogue.sums.number : target];
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
    const { vector: lanes } = this.epilogue.finish === undefined ? this.sum : precisions.float;
    nonFiniteOf(this.code, vector, lanes).get(this.nonFinite).do(`${lanes}.add`).set(this.nonFinite);
  }

  private storeWholeLine(at: number, pushLine: () => void): void {
    const { code, scope } = this;
    const { shift, count: perVector } = precisions[this.epilogue.target];
    code.get(at).get(this.column).i32(shift).do("i32.shl", "i32.add").set(at);
    const sums = scope.local(this.sums);
    code.i32(0).set(this.each);
    for (let first = 0; first < this.epilogue.across; first += perVector)
      scope.withLocals(() => {
        const stored = this.finished(this.cellsAt(sums, first), pushLine, first, true);
        scope.store("v128.store", scope.local(at), first << shift, stored);
      });
  }

  /** What is stored of a sum, or of a vector of them, of a line and so many columns behind `each`; sees whether it is finite. */
  private finished(sum: StackValue, pushLine: () => void, further: number, isLanes: boolean): StackValue {
    const { code, scope } = this;
    if (this.finishing === undefined) return sum;
    const bound = scope.bind(isLanes ? "v128" : "f32", sum);
    const all = scope.take("v128");
    bound.push();
    if (!isLanes) code.do("f32x4.splat");
    code.set(all);
    this.check(all);
    const row = (): void => this.cells.pushRow(pushLine);
    return this.finishing.value(bound, { row, column: () => this.cells.pushColumn(further) }, isLanes);
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

  /** Stores the number `each` of a line, of sums some lines further on, in the row at an address. */
  private storeCell(at: number, pushLine: () => void, further: number): void {
    const { code, scope, sum } = this;
    const { sums, target, across } = this.epilogue;
    const number = scope.value(() => {
      this.eachAddress();
      code.memory(`${sum.number}.load`, further * across * sum.width);
      if (sums.number !== target) code.do("f32.demote_f64");
    });
    scope.withLocals(() => {
      const stored = this.finished(number, pushLine, 0, false);
      code.get(at);
      byteOffset(code, "target", "columns", precisions[target].shift, () => this.cells.pushColumn(0));
      code.do("i32.add");
      stored.push();
      code.memory(`${precisions[target].number}.store`);
    });
  }

  private eachAddress(): void {
    this.code.get(this.sums).get(this.each).i32(this.sum.shift).do("i32.shl", "i32.add");
  }

  /**
   * Squares of the tile become squares of the target, whose columns they are rows of; where the last one overlaps, it stores the
   * same again. Rows that do not lie next to each other in the target, as at the end of a line of pixels with a border, are stored one by one.
   */
  private storeTurned(rows: number): void {
    const { code, each } = this;
    const tile = this.turnedTile(rows);
    const { side } = tile;
    if (this.checksWhen === "before") this.eachLine(() => this.checkLine());
    this.restart();
    code.i32(0).set(each);
    code.block(() =>
      code.loop(() => {
        code.get(each).i32(side).do("i32.add").get(this.columns).do("i32.gt_s").branchIf(1);
        this.cells.columnOffsets(tile.offsets);
        this.eachAddress();
        code.set(tile.from);
        for (const square of tile.squares) {
          this.turnSquare(tile, square);
          code.get(square.areTogether).if(
            () => this.storeTogether(tile, square),
            () => this.storeApart(tile, square),
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
          for (const { line, address } of tile.lines) this.storeCell(address, pushed(code, line), line);
        });
        if (this.checksWhen === "while stored") this.eachLine(() => this.checkLine());
      });
  }

  /** When sums are seen to be finite: those that are stored as they are while that happens, and those of a finish by it. */
  private get checksWhen(): "before" | "while stored" | "while finished" {
    const { finish, checksOverflow, sums, target } = this.epilogue;
    if (finish !== undefined) return "while finished";
    return checksOverflow && sums.number === target ? "while stored" : "before";
  }

  private turnedTile(rows: number): TurnedTile {
    const { code } = this;
    const { count: side } = precisions[this.epilogue.target];
    const starts = Array.from({ length: Math.ceil(rows / side) }, (_, at) =>
      Math.min(at * side, rows - side),
    );
    const lines = Array.from({ length: rows }, (_, line) => ({
      line,
      address: this.cells.rowAddress(pushed(code, line)),
    }));
    const squares = starts.map((start): Square => {
      const own = lines.slice(start, start + side);
      return { start, lines: own, areTogether: this.cells.areTogether(own.map(({ address }) => address)) };
    });
    const [at, from] = locals(code, 2);
    const offsets = Array.from({ length: side }, () => code.local("i32"));
    const vectors = offsets.map(() => code.local("v128"));
    const turned = offsets.map(() => code.local("v128"));
    return { side, lines, squares, at, from, offsets, vectors, turned };
  }

  /** Loads a square of the tile, turns it, and computes what is stored of it. */
  private turnSquare({ from, vectors, turned }: TurnedTile, { start }: Square): void {
    const { code, scope, epilogue } = this;
    for (const [line, vector] of vectors.entries()) {
      scope.set(vector, this.cellsAt(scope.local(from), (start + line) * epilogue.across));
      if (this.checksWhen === "while stored") this.check(vector);
    }
    transposeTile(scope, vectors, turned);
    if (epilogue.finish === undefined) return;
    for (const [further, vector] of turned.entries())
      scope.withLocals(() => {
        scope.set(vector, this.finished(scope.local(vector), pushed(code, start), further, true));
      });
  }

  /** Stores a square whose rows lie next to each other in the target. */
  private storeTogether({ at, offsets, turned }: TurnedTile, { lines }: Square): void {
    const { code, scope } = this;
    for (const [further, vector] of turned.entries()) {
      code.get(element(lines, 0).address).get(element(offsets, further)).do("i32.add").set(at);
      scope.store("v128.store", scope.local(at), 0, scope.local(vector));
    }
  }

  /** Stores a square cell by cell. */
  private storeApart({ offsets, turned }: TurnedTile, { lines }: Square): void {
    const { code } = this;
    const { vector: lanes, number } = precisions[this.epilogue.target];
    for (const [further, vector] of turned.entries())
      for (const [lane, { address }] of lines.entries()) {
        code.get(address).get(element(offsets, further)).do("i32.add");
        code.get(vector).lane(`${lanes}.extract_lane`, lane);
        code.memory(`${number}.store`);
      }
  }
}

/** What puts the number of a line on the stack. */
const pushed =
  (code: Code, line: number): (() => void) =>
  () =>
    void code.i32(line);

/** A line of the tile, and the local with the address of its row in the target. */
interface TurnedLine {
  readonly line: number;
  readonly address: number;
}

/** So many lines of the tile as a vector has lanes. */
interface Square {
  readonly start: number;
  readonly lines: readonly TurnedLine[];
  /** The local that says whether their rows lie next to each other in the target. */
  readonly areTogether: number;
}

/** A tile that is stored turned: its squares, and the locals that these take by turns. */
interface TurnedTile {
  readonly side: number;
  readonly lines: readonly TurnedLine[];
  readonly squares: readonly Square[];
  /** The address of a vector in the target, and of the sums of a square. */
  readonly at: number;
  readonly from: number;
  /** Of the columns of a square in a row of the target. */
  readonly offsets: readonly number[];
  readonly vectors: readonly number[];
  readonly turned: readonly number[];
}
