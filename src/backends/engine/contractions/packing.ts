import type { CellType } from "../../../language/types/cell.js";
import { Code } from "../assembler/code.js";
import { byteOffset, count, isContiguous, lesser, locals, words } from "./descriptor.js";
import { lanes, type Precision, shifts } from "./lanes.js";
import { loadCell } from "./loading.js";

/** Which operand is packed, and how many of its lines make a panel. */
export interface Packing {
  readonly side: "left" | "right";
  readonly cellType: CellType;
  readonly precision: Precision;
  readonly width: number;
}

/**
 * `pack(descriptor, source, into, first, lines, from, depth)`: copies lines (rows of the left operand, columns of the
 * right) to panels of `width` lines each: for each index of the sum, the numbers of all its lines, back to back. A last
 * panel that lacks lines is filled with arbitrary numbers, whose products are ignored.
 */
export function packCode(name: string, { side, cellType, precision, width }: Packing): Code {
  const lane = lanes[precision];
  const shift = shifts[cellType];
  const role = side === "left" ? "rows" : "columns";
  const code = new Code(name, words(7), [], false);
  const [source, into, first, lines, from, depth] = [1, 2, 3, 4, 5, 6];
  const [panel, line, last, k, at, to, bits] = locals(code, 7);
  const stride = width * lane.width;

  /** The address of a line of this panel, or of the last one there is. */
  const lineAddress = (offset: number): Code => {
    code.get(panel).i32(offset).do("i32.add").set(line);
    lesser(code, line, last).set(line);
    code.get(source);
    return byteOffset(code, side, role, shift, () => code.get(first).get(line).do("i32.add")).do("i32.add");
  };
  const sumOffset = (): Code =>
    byteOffset(code, side, "sum", shift, () => code.get(from).get(k).do("i32.add"));

  const cellByCell = (offset: number): void => {
    lineAddress(offset).set(at);
    code
      .get(into)
      .i32(offset * lane.width)
      .do("i32.add")
      .set(to);
    count(code, { counter: k, limit: () => code.get(depth) }, () => {
      code.get(to).get(at);
      sumOffset().do("i32.add");
      loadCell(code, cellType, precision, bits);
      code.memory(lane.store).advance(to, stride);
    });
  };

  /** Lines lie next to each other: whole vectors are copied. */
  const copyVectors = (): void => {
    code.get(source);
    byteOffset(code, side, role, shift, () => code.get(first).get(panel).do("i32.add"))
      .do("i32.add")
      .set(at);
    code.get(into).set(to);
    const wholeVectors = Math.floor(width / lane.count);
    count(code, { counter: k, limit: () => code.get(depth) }, () => {
      code.get(at);
      sumOffset().do("i32.add").set(line);
      for (let v = 0; v < wholeVectors; v++)
        code
          .get(to)
          .get(line)
          .memory("v128.load", v * 16)
          .memory("v128.store", v * 16);
      for (let column = wholeVectors * lane.count; column < width; column++)
        code
          .get(to)
          .get(line)
          .memory(lane.load, column * lane.width)
          .memory(lane.store, column * lane.width);
      code.advance(to, stride);
    });
  };

  /** Cells of a line lie next to each other: squares of numbers are turned over. */
  const squares = Math.ceil(width / lane.count);
  const starts = Array.from({ length: lane.count }, () => code.local("i32"));
  const vectors = Array.from({ length: lane.count }, () => code.local("v128"));
  const transposed = Array.from({ length: lane.count }, () => code.local("v128"));
  const transposeLines = (): void => {
    // From the last square to the first: where a square is wider than what is left of the panel, it writes into the
    // next index of the sum, and the first square then writes there what belongs there.
    for (let square = squares - 1; square >= 0; square--) {
      for (const [each, start] of starts.entries()) {
        lineAddress(square * lane.count + each);
        code.get(from).i32(shift).do("i32.shl", "i32.add").set(start);
      }
      code
        .get(into)
        .i32(square * 16)
        .do("i32.add")
        .set(to);
      code.get(depth).i32(lane.count).do("i32.div_u").set(k);
      code.get(k).if(() =>
        code.loop(() => {
          for (const [each, start] of starts.entries())
            code
              .get(start)
              .memory("v128.load")
              .set(vectors[each] ?? 0);
          transposeTile(code, vectors, transposed);
          for (const [each, vector] of transposed.entries())
            code
              .get(to)
              .get(vector)
              .memory("v128.store", each * stride);
          for (const start of starts) code.advance(start, 16);
          code.advance(to, stride * lane.count);
          code.get(k).i32(1).do("i32.sub").tee(k).branchIf();
        }),
      );
      code.get(depth).i32(lane.count).do("i32.rem_u").set(k);
      code.get(k).if(() =>
        code.loop(() => {
          for (const [each, start] of starts.entries())
            if (square * lane.count + each < width)
              code
                .get(to)
                .get(start)
                .memory(lane.load)
                .memory(lane.store, each * lane.width);
          for (const start of starts) code.advance(start, lane.width);
          code.advance(to, stride);
          code.get(k).i32(1).do("i32.sub").tee(k).branchIf();
        }),
      );
    }
  };

  code.get(lines).i32(1).do("i32.sub").set(last);
  count(code, { counter: panel, limit: () => code.get(lines), step: width }, () => {
    const cellsOneByOne = (): void => {
      for (let offset = 0; offset < width; offset++) cellByCell(offset);
    };
    if (cellType !== precision) cellsOneByOne();
    else
      isContiguous(code, side, role, shift).if(copyVectors, () => {
        isContiguous(code, side, "sum", shift).if(transposeLines, cellsOneByOne);
      });
    code.get(into).get(depth).i32(stride).do("i32.mul", "i32.add").set(into);
  });
  return code;
}

/** Rows of a square of numbers become its columns. */
export function transposeTile(code: Code, rows: readonly number[], columns: readonly number[]): void {
  const [a = 0, b = 0, c = 0, d = 0] = rows;
  if (rows.length === 2) {
    code
      .get(a)
      .get(b)
      .shuffle(bytesOf([0, 1, 4, 5]))
      .set(columns[0] ?? 0);
    code
      .get(a)
      .get(b)
      .shuffle(bytesOf([2, 3, 6, 7]))
      .set(columns[1] ?? 0);
    return;
  }
  const [low, high] = [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ] as const;
  const [p = 0, q = 0, r = 0, s = 0] = columns;
  code.get(a).get(b).shuffle(bytesOf(low)).set(p);
  code.get(c).get(d).shuffle(bytesOf(low)).set(q);
  code.get(a).get(b).shuffle(bytesOf(high)).set(r);
  code.get(c).get(d).shuffle(bytesOf(high)).set(s);
  code
    .get(p)
    .get(q)
    .shuffle(bytesOf([0, 1, 4, 5]))
    .set(a);
  code
    .get(p)
    .get(q)
    .shuffle(bytesOf([2, 3, 6, 7]))
    .set(b);
  code
    .get(r)
    .get(s)
    .shuffle(bytesOf([0, 1, 4, 5]))
    .set(c);
  code
    .get(r)
    .get(s)
    .shuffle(bytesOf([2, 3, 6, 7]))
    .set(d);
  for (const [each, row] of rows.entries()) code.get(row).set(columns[each] ?? 0);
}

/** The bytes of four-byte words. */
const bytesOf = (wordIndexes: readonly number[]): number[] =>
  wordIndexes.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte));
