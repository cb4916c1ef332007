import type { CellType } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { shiftOf } from "../kernels/cell-types.js";
import { readCell } from "../kernels/cells.js";
import { Groups } from "../kernels/groups.js";
import { count, countDown, lesser } from "../kernels/iteration.js";
import { type Precision, precisions } from "../kernels/precision.js";
import { LocalScope } from "../kernels/scope.js";
import { evenWords, lowHalves } from "../kernels/shuffles.js";
import { transposeTile } from "../kernels/transpose.js";
import { byteOffset, field, isContiguous, locals, words } from "./descriptor.js";
import { rowsTogether } from "./product-options.js";

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
  const lane = precisions[precision];
  const shift = shiftOf(cellType);
  const role = side === "left" ? "rows" : "columns";
  const code = new Code(name, words(7), [], false);
  const [source, into, first, lines, from, depth] = [1, 2, 3, 4, 5, 6];
  const scope = new LocalScope(code);
  const groups = new Groups(scope, false);
  const [panel, line, last, k, at, to] = locals(code, 6);
  const stride = width * lane.width;
  // Where lines lie next to each other, panels of the left operand are packed some at a time, since their cells come to the cache together.
  const together = side === "left" ? Math.max(1, Math.floor(rowsTogether / width)) : 1;
  const targets = Array.from({ length: together }, () => code.local("i32"));
  const startTargets = (): void => {
    for (const [at, target] of targets.entries()) {
      code.get(into).get(depth);
      code.i32(at * stride).do("i32.mul", "i32.add");
      code.set(target);
    }
  };
  const advanceTargets = (): void => {
    for (const target of targets) code.advance(target, stride);
  };

  /** The address of a line of this panel, or of the last one there is. */
  const lineAddress = (offset: number): Code => {
    code.get(panel).i32(offset).do("i32.add").set(line);
    lesser(
      code,
      () => code.get(line),
      () => code.get(last),
    ).set(line);
    code.get(source);
    return byteOffset(code, side, role, shift, () => code.get(first).get(line).do("i32.add")).do("i32.add");
  };
  const sumOffset = (): Code =>
    byteOffset(code, side, "sum", shift, () => code.get(from).get(k).do("i32.add"));

  const wholeVectors = Math.floor(width / lane.count);
  /** Copies what is so many bytes from an address to a target. */
  const copied = (
    type: "v128" | "f64" | "f32",
    [start, at]: readonly [number, number],
    [target, bytes]: readonly [number, number],
  ): void => {
    const loaded = scope.loaded(`${type}.load`, scope.local(start), at);
    scope.store(`${type}.store`, scope.local(target), bytes, loaded);
  };
  /** Copies the numbers of the panels at an index of the sum, which lie next to each other from an address on. */
  const copyTogether = (start: number): void => {
    for (const [panelAt, target] of targets.entries()) {
      const from = panelAt * stride;
      for (let v = 0; v < wholeVectors; v++) copied("v128", [start, from + v * 16], [target, v * 16]);
      for (let bytes = wholeVectors * 16; bytes < stride; bytes += lane.width)
        copied(lane.number, [start, from + bytes], [target, bytes]);
    }
  };

  const cellByCell = (offset: number): void => {
    lineAddress(offset).set(at);
    code
      .get(into)
      .i32(offset * lane.width)
      .do("i32.add")
      .set(to);
    count(code, { counter: k, limit: () => code.get(depth) }, () => {
      const address = scope.value(() => {
        code.get(at);
        sumOffset().do("i32.add");
      });
      for (const number of groups.as(precision, readCell(groups, cellType, address, 0, precision)).parts)
        scope.store(`${lane.number}.store`, scope.local(to), 0, number);
      code.advance(to, stride);
    });
  };

  /** Lines lie next to each other: whole vectors are copied. */
  const copyVectors = (): void => {
    code.get(source);
    byteOffset(code, side, role, shift, () => code.get(first).get(panel).do("i32.add"))
      .do("i32.add")
      .set(at);
    startTargets();
    count(code, { counter: k, limit: () => code.get(depth) }, () => {
      code.get(at);
      sumOffset().do("i32.add").set(line);
      copyTogether(line);
      advanceTargets();
    });
  };

  const lineStarts = Array.from({ length: width * together }, () => code.local("i32"));
  const table = code.local("i32");
  /** Goes along the sum with what each index is from the first in `line`, in bytes. */
  const eachIndex = (body: () => void): void => {
    field(code, `${side}.sum.table`)
      .tee(table)
      .if(() => {
        code.get(table).get(from).i32(2).do("i32.shl", "i32.add").set(table);
      });
    field(code, `${side}.sum.stride`).get(from).i32(1).do("i32.sub", "i32.mul").set(line);
    startTargets();
    count(code, { counter: k, limit: () => code.get(depth) }, () => {
      code.get(table).if(
        () => {
          code.get(table).memory("i32.load").i32(shift).do("i32.shl").set(line);
          code.advance(table, 4);
        },
        () => {
          code.get(line);
          field(code, `${side}.sum.stride`).do("i32.add").set(line);
        },
      );
      body();
      advanceTargets();
    });
  };
  /**
   * Lines lie anywhere: often next to each other for a while, as windows over a line of pixels do, or every other one is another's.
   * A vector of lines is copied as one where all of it lies so.
   */
  const copyLines = (): void => {
    for (const [each, start] of lineStarts.entries()) lineAddress(each).set(start);
    const panels = targets.map((target, at) => {
      const starts = lineStarts.slice(at * width, (at + 1) * width);
      const vectors = Array.from({ length: wholeVectors }, (_, v) => {
        const own = starts.slice(v * lane.count, (v + 1) * lane.count);
        return { starts: own, bytes: v * 16, distance: distanceWithin(own) };
      });
      return { target, vectors, others: starts.slice(wholeVectors * lane.count) };
    });
    eachIndex(() => {
      for (const { target, vectors, others } of panels) {
        for (const { starts, bytes, distance } of vectors) copyVector(starts, bytes, distance, target);
        copyEach(others, wholeVectors * 16, target);
      }
    });
  };
  const copyVector = (starts: readonly number[], bytes: number, distance: number, target: number): void => {
    const isApart = (cells: number): Code =>
      code
        .get(distance)
        .i32(cells * lane.width)
        .do("i32.eq");
    code.get(element(starts, 0)).get(line).do("i32.add").set(at);
    isApart(1).if(
      () => copied("v128", [at, 0], [target, bytes]),
      () =>
        isApart(2).if(
          () => copyEveryOther(bytes, target),
          () => copyEach(starts, bytes, target),
        ),
    );
  };
  const copyEach = (starts: readonly number[], bytes: number, target: number): void => {
    for (const [each, start] of starts.entries()) {
      code.get(start).get(line).do("i32.add").set(at);
      copied(lane.number, [at, 0], [target, bytes + each * lane.width]);
    }
  };
  /** Every other number of two vectors. */
  const copyEveryOther = (bytes: number, target: number): void => {
    const [first, second] = [0, 16].map((each) => scope.loaded("v128.load", scope.local(at), each));
    if (first === undefined || second === undefined) return;
    const chosen = lane.count === 4 ? evenWords : lowHalves;
    scope.store("v128.store", scope.local(target), bytes, scope.shuffled(first, second, chosen));
  };
  /** A local with how far the lines of a vector are apart, or 0 where that differs. */
  const distanceWithin = (starts: readonly number[]): number => {
    const distance = code.local("i32");
    const difference = (each: number): Code =>
      code
        .get(element(starts, each))
        .get(element(starts, each - 1))
        .do("i32.sub");
    difference(1).set(distance);
    for (let each = 2; each < starts.length; each++) {
      code.get(distance).i32(0);
      difference(each).get(distance).do("i32.eq", "select").set(distance);
    }
    return distance;
  };

  /** Cells of a line lie next to each other: squares of numbers are turned over. */
  const squares = Math.ceil(width / lane.count);
  const starts = Array.from({ length: lane.count }, () => code.local("i32"));
  const vectors = starts.map(() => code.local("v128"));
  const transposed = starts.map(() => code.local("v128"));
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
      countDown(code, k, () => {
        for (const [each, vector] of vectors.entries())
          scope.set(vector, scope.loaded("v128.load", scope.local(element(starts, each)), 0));
        transposeTile(scope, vectors, transposed);
        for (const [each, vector] of transposed.entries())
          scope.store("v128.store", scope.local(to), each * stride, scope.local(vector));
        for (const start of starts) code.advance(start, 16);
        code.advance(to, stride * lane.count);
      });
      code.get(depth).i32(lane.count).do("i32.rem_u").set(k);
      countDown(code, k, () => {
        for (const [each, start] of starts.entries())
          if (square * lane.count + each < width) {
            const number = scope.loaded(`${lane.number}.load`, scope.local(start), 0);
            scope.store(`${lane.number}.store`, scope.local(to), each * lane.width, number);
          }
        for (const start of starts) code.advance(start, lane.width);
        code.advance(to, stride);
      });
    }
  };

  code.get(lines).i32(1).do("i32.sub").set(last);
  const eachPanel = (body: () => void, panels = 1): void =>
    count(code, { counter: panel, limit: () => code.get(lines), step: width * panels }, () => {
      body();
      code.get(into).get(depth);
      code.i32(stride * panels).do("i32.mul", "i32.add");
      code.set(into);
    });
  const cellsOneByOne = (): void => {
    for (let offset = 0; offset < width; offset++) cellByCell(offset);
  };
  if (cellType !== precision) eachPanel(cellsOneByOne);
  else
    isContiguous(code, side, role, shift).if(
      () => eachPanel(copyVectors, together),
      () =>
        isContiguous(code, side, "sum", shift).if(
          () => eachPanel(transposeLines),
          () => eachPanel(copyLines, together),
        ),
    );
  scope.finish();
  return code;
}
