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
export function tileMultiplyCode(options: ProductOptions): Code {
  const { precision, kernel, left, target, isShallow, finish } = options;
  const { width, shift } = precisions[precision];
  const across = columnsOf(kernel, precision);
  const code = new Code("multiply", parametersWith(finish, 7));
  const finishSources = (finish?.sources ?? []).map((_, at) => 7 + at);
  const scratch = 6;
  const [slab, slabSize, from, depth, column, line, total, panel, rightPanel] = locals(code, 9);
  const [tileRows, tileColumns, isFirst, isLast, isPackedAtOnce] = locals(code, 5);
  const [piece, pieceDepth, panelTotals] = locals(code, 3);

  const pushSums = (): Code => code.get(scratch).i32(tileSumsAt[precision]).do("i32.add");
  const addToTotals = (): void => {
    pushSums().get(total);
    if (precision === "float") code.get(scratch);
    code.get(isFirst).get(isLast).call(accumulate);
    code.advance(total, totalBytes(kernel, precision));
  };
  const multiplyTile = ({ targetAt, row, rows }: PartLocals): void => {
    code.get(pieceDepth).get(panel).get(rightPanel);
    pushSums().call(tile);
    code.get(panel).get(depth);
    code.i32(kernel.rows * width).do("i32.mul", "i32.add");
    code.set(panel);
    // Floats leave the tile as doubles, unless they are added up in floats alone.
    if (precision === "double") code.get(isFirst).get(isLast).do("i32.and", "i32.eqz").if(addToTotals);
    else if (!isShallow) addToTotals();
    code.get(isLast).if(() => {
      code.get(rows).get(line).do("i32.sub").set(tileRows);
      code.get(descriptor).get(scratch).get(targetAt).get(row).get(line).do("i32.add");
      code.get(slab).get(column).do("i32.add");
      atMost(code, kernel.rows, tileRows).get(tileColumns);
      for (const source of finishSources) code.get(source);
      code.call(epilogue);
    });
  };

  const multiplyPiece = (part: PartLocals): void => {
    code.get(from).get(piece).do("i32.add", "i32.eqz").set(isFirst);
    code.get(from).get(piece).do("i32.add").get(pieceDepth).do("i32.add");
    field(code, "sum").do("i32.ge_s").set(isLast);
    code.get(panelTotals).set(total);
    code.get(scratch).i32(packedAt).do("i32.add").get(piece);
    code.i32(kernel.rows * width).do("i32.mul", "i32.add");
    code.set(panel);
    count(code, { counter: line, limit: () => code.get(part.rows), step: kernel.rows }, () =>
      multiplyTile(part),
    );
    code.get(rightPanel).get(pieceDepth);
    code.i32(across * width).do("i32.mul", "i32.add");
    code.set(rightPanel);
  };

  const multiplyBlock = (part: PartLocals): void => {
    const { leftAt, rightAt, row, rows } = part;
    // Where all of the sum is packed at once, the rows stay packed for all slabs.
    code.get(slab).do("i32.eqz").get(isPackedAtOnce).do("i32.eqz", "i32.or");
    code.if(() => {
      code.get(descriptor).get(leftAt).get(scratch).i32(packedAt).do("i32.add");
      code.get(row).get(rows).get(from).get(depth).call(packLeft);
    });
    code.get(scratch).i32(totalsAt).do("i32.add").set(panelTotals);
    count(code, { counter: column, limit: () => code.get(slabSize), step: across }, () => {
      code.get(rightAt);
      field(code, "padded").get(from).do("i32.mul").i32(shift).do("i32.shl", "i32.add");
      code.get(slab).get(column).do("i32.add").get(depth).do("i32.mul").i32(shift).do("i32.shl", "i32.add");
      code.set(rightPanel);
      code.get(slabSize).get(column).do("i32.sub").set(tileColumns);
      atMost(code, across, tileColumns).set(tileColumns);
      const pieces = {
        from: piece,
        length: pieceDepth,
        limit: () => code.get(depth),
        most: () => code.i32(tileDepth),
      };
      inPieces(code, pieces, () => multiplyPiece(part));
      // Totals that are not needed again make room for those of the next panel.
      code.get(total).get(panelTotals).get(isPackedAtOnce).do("i32.eqz", "select").set(panelTotals);
    });
  };

  field(code, "sum");
  field(code, "depth").do("i32.le_s").set(isPackedAtOnce);
  forEachPart(code, { left: shiftOf(left), right: "packed", target: shiftOf(target) }, (part) => {
    const slabs = {
      from: slab,
      length: slabSize,
      limit: () => field(code, "columns"),
      most: () => field(code, "slab"),
    };
    inPieces(code, slabs, () => forEachDepth(code, from, depth, () => multiplyBlock(part)));
  });
  if (precision === "float") retryOnOverflow(code, retry, scratch, finishSources);
  return code;
}
