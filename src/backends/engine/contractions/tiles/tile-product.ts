import { Code } from "../../assembler/code.js";
import { shiftOf } from "../../kernels/cell-types.js";
import { atMost, count, inPieces } from "../../kernels/iteration.js";
import { precisions } from "../../kernels/precision.js";
import { descriptor, field, locals } from "../descriptor.js";
import { parametersWith } from "../finish.js";
import { retryOnOverflow } from "../overflow-retry.js";
import { forEachDepth, forEachPart, type PartLocals } from "../parts.js";
import {
  type ProductOptions,
  packedAt,
  tileDepth,
  tileSumsAt,
  totalBytes,
  totalsAt,
} from "../product-options.js";
import { columnsOf } from "./tile-kernel.js";

const [tile, packLeft, epilogue, accumulate, retry] = [0, 1, 3, 4, 5];

/**
 * `multiply` of a product whose tiles are rows by vectors of columns. For each panel of columns, and each piece of the sum that is
 * packed, all rows of a part pass by: so the piece stays in the first cache, and so do the totals of those rows.
 */
export const tileMultiplyCode = (options: ProductOptions): Code => new TileProductWriter(options).write();

/** The local of scratch memory. */
const scratch = 6;

class TileProductWriter {
  private readonly code: Code;
  private readonly finishSources: readonly number[];
  /** Columns of a tile. */
  private readonly across: number;
  /** Columns that rows pass by together: where they begin, and how many they are. */
  private readonly slab: number;
  private readonly slabSize: number;
  /** The part of the sum that is packed: where it begins, and its length; and whether it is all of the sum. */
  private readonly from: number;
  private readonly depth: number;
  private readonly isPackedAtOnce: number;
  /** The first column of a tile in its slab, and its first row in the part. */
  private readonly column: number;
  private readonly line: number;
  /** How many rows and columns of a tile the target has. */
  private readonly tileRows: number;
  private readonly tileColumns: number;
  /** The piece of the packed sum that a tile is added up of, its length, and whether it is the first and the last of all. */
  private readonly piece: number;
  private readonly pieceDepth: number;
  private readonly isFirst: number;
  private readonly isLast: number;
  /** The addresses of packed rows and columns, and of the totals of a tile and of all tiles of a panel of columns. */
  private readonly panel: number;
  private readonly rightPanel: number;
  private readonly total: number;
  private readonly panelTotals: number;

  constructor(private readonly options: ProductOptions) {
    const { precision, kernel, finish } = options;
    this.across = columnsOf(kernel, precision);
    const code = new Code("multiply", parametersWith(finish, 7));
    this.code = code;
    this.finishSources = (finish?.sources ?? []).map((_, at) => 7 + at);
    [this.slab, this.slabSize, this.from, this.depth, this.column, this.line] = locals(code, 6);
    [this.total, this.panel, this.rightPanel] = locals(code, 3);
    [this.tileRows, this.tileColumns, this.isFirst, this.isLast, this.isPackedAtOnce] = locals(code, 5);
    [this.piece, this.pieceDepth, this.panelTotals] = locals(code, 3);
  }

  write(): Code {
    const { code } = this;
    const { precision, left, target } = this.options;
    field(code, "sum");
    field(code, "depth").do("i32.le_s").set(this.isPackedAtOnce);
    forEachPart(code, { left: shiftOf(left), right: "packed", target: shiftOf(target) }, (part) => {
      const slabs = {
        from: this.slab,
        length: this.slabSize,
        limit: () => field(code, "columns"),
        most: () => field(code, "slab"),
      };
      inPieces(code, slabs, () =>
        forEachDepth(code, this.from, this.depth, () => {
          this.packRows(part);
          this.multiplySlab(part);
        }),
      );
    });
    if (precision === "float") retryOnOverflow(code, retry, scratch, this.finishSources);
    return code;
  }

  /** Packs the rows of a part. Where all of the sum is packed at once, they stay packed for all slabs. */
  private packRows({ leftAt, row, rows }: PartLocals): void {
    const { code, from, depth } = this;
    code.get(this.slab).do("i32.eqz").get(this.isPackedAtOnce).do("i32.eqz", "i32.or");
    code.if(() => {
      code.get(descriptor).get(leftAt).get(scratch).i32(packedAt).do("i32.add");
      code.get(row).get(rows).get(from).get(depth).call(packLeft);
    });
  }

  private multiplySlab(part: PartLocals): void {
    const { code, across, column, depth, panelTotals } = this;
    code.get(scratch).i32(totalsAt).do("i32.add").set(panelTotals);
    count(code, { counter: column, limit: () => code.get(this.slabSize), step: across }, () => {
      this.findRightPanel(part);
      code.get(this.slabSize).get(column).do("i32.sub").set(this.tileColumns);
      atMost(code, across, this.tileColumns).set(this.tileColumns);
      const pieces = {
        from: this.piece,
        length: this.pieceDepth,
        limit: () => code.get(depth),
        most: () => code.i32(tileDepth),
      };
      inPieces(code, pieces, () => this.multiplyPiece(part));
      // Totals that are not needed again make room for those of the next panel.
      code.get(this.total).get(panelTotals).get(this.isPackedAtOnce).do("i32.eqz", "select").set(panelTotals);
    });
  }

  private findRightPanel({ rightAt }: PartLocals): void {
    const { code, from, depth } = this;
    const { shift } = precisions[this.options.precision];
    code.get(rightAt);
    field(code, "padded").get(from).do("i32.mul").i32(shift).do("i32.shl", "i32.add");
    code.get(this.slab).get(this.column).do("i32.add").get(depth).do("i32.mul");
    code.i32(shift).do("i32.shl", "i32.add");
    code.set(this.rightPanel);
  }

  /** All rows of the part pass by a piece of a panel of columns. */
  private multiplyPiece(part: PartLocals): void {
    const { code, from, piece, pieceDepth, panel, rightPanel } = this;
    const { kernel, precision } = this.options;
    const { width } = precisions[precision];
    code.get(from).get(piece).do("i32.add", "i32.eqz").set(this.isFirst);
    code.get(from).get(piece).do("i32.add").get(pieceDepth).do("i32.add");
    field(code, "sum").do("i32.ge_s").set(this.isLast);
    code.get(this.panelTotals).set(this.total);
    code.get(scratch).i32(packedAt).do("i32.add").get(piece);
    code.i32(kernel.rows * width).do("i32.mul", "i32.add");
    code.set(panel);
    count(code, { counter: this.line, limit: () => code.get(part.rows), step: kernel.rows }, () =>
      this.multiplyTile(part),
    );
    code.get(rightPanel).get(pieceDepth);
    code.i32(this.across * width).do("i32.mul", "i32.add");
    code.set(rightPanel);
  }

  private multiplyTile(part: PartLocals): void {
    const { code, panel } = this;
    const { precision, kernel, isShallow } = this.options;
    code.get(this.pieceDepth).get(panel).get(this.rightPanel);
    this.pushSums().call(tile);
    code.get(panel).get(this.depth);
    code.i32(kernel.rows * precisions[precision].width).do("i32.mul", "i32.add");
    code.set(panel);
    // Floats leave the tile as doubles, unless they are added up in floats alone.
    if (precision === "double")
      code
        .get(this.isFirst)
        .get(this.isLast)
        .do("i32.and", "i32.eqz")
        .if(() => this.addToTotals());
    else if (!isShallow) this.addToTotals();
    code.get(this.isLast).if(() => this.storeTile(part));
  }

  private addToTotals(): void {
    const { code, total } = this;
    const { precision, kernel } = this.options;
    this.pushSums().get(total);
    if (precision === "float") code.get(scratch);
    code.get(this.isFirst).get(this.isLast).call(accumulate);
    code.advance(total, totalBytes(kernel, precision));
  }

  private storeTile({ targetAt, row, rows }: PartLocals): void {
    const { code, line, tileRows } = this;
    code.get(rows).get(line).do("i32.sub").set(tileRows);
    code.get(descriptor).get(scratch).get(targetAt).get(row).get(line).do("i32.add");
    code.get(this.slab).get(this.column).do("i32.add");
    atMost(code, this.options.kernel.rows, tileRows).get(this.tileColumns);
    for (const source of this.finishSources) code.get(source);
    code.call(epilogue);
  }

  /** Leaves the address of the sums of a tile. */
  private pushSums(): Code {
    return this.code.get(scratch).i32(tileSumsAt[this.options.precision]).do("i32.add");
  }
}
