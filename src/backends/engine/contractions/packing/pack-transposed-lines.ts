import { element } from "../../../../language/values/element.js";
import { countDown } from "../../kernels/iteration.js";
import { transposeTile } from "../../kernels/transpose.js";
import type { PackWriter } from "./pack-writer.js";

/** Packs a panel where the cells of each line lie next to each other: squares of numbers are turned over. */
export class TransposedLines {
  /** The addresses of the lines of a square, its vectors, and what these are when they are turned over. */
  private readonly starts: readonly number[];
  private readonly vectors: readonly number[];
  private readonly transposed: readonly number[];

  constructor(private readonly writer: PackWriter) {
    const { code, lane } = writer;
    this.starts = Array.from({ length: lane.count }, () => code.local("i32"));
    this.vectors = this.starts.map(() => code.local("v128"));
    this.transposed = this.starts.map(() => code.local("v128"));
  }

  /** Writes the code for a panel. */
  pack(): void {
    const { lane, packing } = this.writer;
    // From the last square to the first: where a square is wider than what is left of the panel, it writes into the
    // next index of the sum, and the first square then writes there what belongs there.
    for (let square = Math.ceil(packing.width / lane.count) - 1; square >= 0; square--) {
      const line = square * lane.count;
      this.findLines(line);
      this.writer.writeFrom(square * 16);
      this.copySquares();
      this.copyNumbers(Math.min(lane.count, packing.width - line));
    }
  }

  /** Sets the addresses of the lines of a square, from one of the panel on. */
  private findLines(line: number): void {
    const { code, shift, from } = this.writer;
    for (const [each, start] of this.starts.entries()) {
      this.writer.lineAddress(line + each);
      code.get(from).i32(shift).do("i32.shl", "i32.add").set(start);
    }
  }

  /** Goes along the sum by squares, for as long as these are whole. */
  private copySquares(): void {
    const { starts } = this;
    const { code, scope, lane, stride, index, to } = this.writer;
    this.writer.countIndexes("i32.div_u");
    countDown(code, index, () => {
      for (const [each, vector] of this.vectors.entries())
        scope.set(vector, scope.loaded("v128.load", scope.local(element(starts, each)), 0));
      transposeTile(scope, this.vectors, this.transposed);
      for (const [each, vector] of this.transposed.entries())
        scope.store("v128.store", scope.local(to), each * stride, scope.local(vector));
      for (const start of starts) code.advance(start, 16);
      code.advance(to, stride * lane.count);
    });
  }

  /** Copies what is left of the sum, of so many lines that the panel has. */
  private copyNumbers(lines: number): void {
    const { writer, starts } = this;
    const { code, lane, stride, index, to } = writer;
    writer.countIndexes("i32.rem_u");
    countDown(code, index, () => {
      for (const [each, start] of starts.slice(0, lines).entries())
        writer.copy(lane.number, [start, 0], [to, each * lane.width]);
      for (const start of starts) code.advance(start, lane.width);
      code.advance(to, stride);
    });
  }
}
