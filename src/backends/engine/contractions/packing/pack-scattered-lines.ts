import { element } from "../../../../language/values/element.js";
import type { Code } from "../../assembler/code.js";
import { evenWords, lowHalves } from "../../kernels/shuffles.js";
import { field } from "../descriptor.js";
import type { ByteAddress, PackWriter } from "./pack-writer.js";

/** The lines of a panel whose numbers are a vector of it. */
interface LineVector {
  /** Locals with the address of each line, and with how far they are apart, or 0 where that differs. */
  readonly starts: readonly number[];
  readonly distance: number;
  /** Where the vector is among those of its panel. */
  readonly bytes: number;
}

/**
 * Packs panels whose lines lie anywhere: often next to each other for a while, as windows over a line of pixels do, or every other one is
 * another's. A vector of lines is copied as one where all of it lies so.
 */
export class ScatteredLines {
  private readonly starts: readonly number[];
  /** The address of the next offset of the sum, or 0 where it goes by a stride. */
  private readonly table: number;

  constructor(private readonly writer: PackWriter) {
    const { code, packing, together } = writer;
    this.starts = Array.from({ length: packing.width * together }, () => code.local("i32"));
    this.table = code.local("i32");
  }

  /** Writes the code for all panels that are packed at once. */
  pack(): void {
    const { writer } = this;
    const { lane, wholeVectors, packing } = writer;
    const { width } = packing;
    for (const [each, start] of this.starts.entries()) writer.lineAddress(each).set(start);
    const panels = writer.targets.map((target, at) => {
      const own = this.starts.slice(at * width, (at + 1) * width);
      const vectors = Array.from({ length: wholeVectors }, (_, v): LineVector => {
        const lines = own.slice(v * lane.count, (v + 1) * lane.count);
        return { starts: lines, distance: this.distanceWithin(lines), bytes: v * 16 };
      });
      return { target, vectors, others: own.slice(wholeVectors * lane.count) };
    });
    this.eachIndex(() => {
      for (const { target, vectors, others } of panels) {
        for (const vector of vectors) this.copyVector(vector, target);
        this.copyEach(others, [target, wholeVectors * 16]);
      }
    });
  }

  /** Goes along the sum with what each index is from the first in `offset`, in bytes. */
  private eachIndex(body: () => void): void {
    const { writer } = this;
    const { code, shift, from, offset } = writer;
    const { side } = writer.packing;
    field(code, `${side}.sum.table`)
      .tee(this.table)
      .if(() => {
        code.get(this.table).get(from).i32(2).do("i32.shl", "i32.add").set(this.table);
      });
    field(code, `${side}.sum.stride`).get(from).i32(1).do("i32.sub", "i32.mul").set(offset);
    writer.eachTarget(() => {
      code.get(this.table).if(
        () => {
          code.get(this.table).memory("i32.load").i32(shift).do("i32.shl").set(offset);
          code.advance(this.table, 4);
        },
        () => {
          code.get(offset);
          field(code, `${side}.sum.stride`).do("i32.add").set(offset);
        },
      );
      body();
    });
  }

  private copyVector({ starts, distance, bytes }: LineVector, target: number): void {
    const { writer } = this;
    const { code, lane, at } = writer;
    const isApart = (cells: number): Code =>
      code
        .get(distance)
        .i32(cells * lane.width)
        .do("i32.eq");
    this.setAddress(element(starts, 0));
    isApart(1).if(
      () => writer.copy("v128", [at, 0], [target, bytes]),
      () =>
        isApart(2).if(
          () => this.copyEveryOther([target, bytes]),
          () => this.copyEach(starts, [target, bytes]),
        ),
    );
  }

  /** Sets `at` to the cell of a line for the index of the sum. */
  private setAddress(start: number): void {
    const { code, offset, at } = this.writer;
    code.get(start).get(offset).do("i32.add").set(at);
  }

  private copyEach(starts: readonly number[], [target, bytes]: ByteAddress): void {
    const { lane, at } = this.writer;
    for (const [each, start] of starts.entries()) {
      this.setAddress(start);
      this.writer.copy(lane.number, [at, 0], [target, bytes + each * lane.width]);
    }
  }

  /** Copies every other number of two vectors. */
  private copyEveryOther([target, bytes]: ByteAddress): void {
    const { scope, lane, at } = this.writer;
    const half = (from: number) => scope.loaded("v128.load", scope.local(at), from);
    const chosen = lane.count === 4 ? evenWords : lowHalves;
    scope.store("v128.store", scope.local(target), bytes, scope.shuffled(half(0), half(16), chosen));
  }

  /** A local with how far the lines of a vector are apart, or 0 where that differs. */
  private distanceWithin(starts: readonly number[]): number {
    const { code } = this.writer;
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
  }
}
