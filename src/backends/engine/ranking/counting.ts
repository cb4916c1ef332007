import { mapTuple } from "../../../language/source/lists.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import type { ExportedFunction } from "../assembler/webassembly.js";
import { compiledPerArena } from "../kernels/compilation.js";
import { count } from "../kernels/iteration.js";
import type { Arena, Block } from "../memory/arena.js";
import { digits, type KeyLists, keyOfNaN, keyOfZero, sumUp } from "./digits.js";

/**
 * The radix sort of [positions.ts](positions.ts) for cells in the memory of an arena. A key and the position of its cell are one entry of 64
 * bits, which a pass moves as one.
 */
export class Counting {
  private block: Block | undefined;
  /** How many cells it has memory for. */
  private most = 0;

  constructor(
    private readonly arena: Arena,
    private readonly functions: Readonly<Record<"fill" | "distribute" | "unpack", ExportedFunction>>,
  ) {}

  /** Takes memory for so many cells, which may move what others have: views of it are of the memory before. */
  reserve(cells: number): void {
    if (cells <= this.most) return;
    const block = this.arena.allocate("int", 2 * entryWords * cells + counterWords);
    if (block === undefined) return;
    if (this.block !== undefined) this.arena.dispose(this.block);
    [this.block, this.most] = [block, cells];
  }

  /**
   * The keys of cells in their order, and the positions of the cells, until the next cells are put in order; nothing where no memory was
   * taken for so many.
   */
  ordered(cells: Float64Array, isDescending: boolean): KeyLists | undefined {
    const { block, most } = this;
    const { length } = cells;
    if (block === undefined || length > most) return undefined;
    const words = block.cells as Int32Array; // of cell type int
    const addressOf = (word: number): number => block.address + word * words.BYTES_PER_ELEMENT;
    const starts = mapTuple(digits, (_, at) => {
      const from = 2 * entryWords * most + at * mostDigits;
      return words.subarray(from, from + mostDigits).fill(0);
    });
    let [from, to] = [0, entryWords * most];
    this.functions.fill(
      cells.byteOffset,
      length,
      addressOf(from),
      isDescending ? keyOfZero : 0,
      addressOf(2 * entryWords * most),
    );
    for (const [at, { shift, size }] of digits.entries()) {
      const own = element(starts, at);
      if (!sumUp(own.subarray(0, size), length)) continue;
      this.functions.distribute(addressOf(from), length, addressOf(to), own.byteOffset, shift, size - 1);
      [from, to] = [to, from];
    }
    this.functions.unpack(addressOf(from), length, addressOf(to), addressOf(to + length));
    return { keys: words.subarray(to, to + length), positions: words.subarray(to + length, to + 2 * length) };
  }
}

const entryWords = 2;
const mostDigits = 2048;
const counterWords = digits.length * mostDigits;

const kernelsOn = compiledPerArena(() => [fillCode(), distributeCode(), unpackCode()]);
const ofArenas = new WeakMap<Arena, Counting>();

/** Nothing where no code may be made, or where there is no memory for kernels. */
export function countingIn(arena: Arena, emitsCode: boolean): Counting | undefined {
  const { fill, distribute, unpack } = (emitsCode ? kernelsOn(arena)?.functions : undefined) ?? {};
  if (fill === undefined || distribute === undefined || unpack === undefined) return undefined;
  const counting = ofArenas.get(arena) ?? new Counting(arena, { fill, distribute, unpack });
  ofArenas.set(arena, counting);
  return counting;
}

/** Adds 1 to the counter of a digit, whose address is on the stack. */
function countDigit(code: Code, address: number): void {
  code.tee(address).get(address).memory("i32.load").i32(1).do("i32.add").memory("i32.store");
}

/** `(cells, count, entries, sign, counters)`: the entries of cells, whose signs are turned by a mask, and how many have each digit. */
function fillCode(): Code {
  const code = new Code("fill", ["i32", "i32", "i32", "i32", "i32"]);
  const [cells, length, entries, sign, counters] = [0, 1, 2, 3, 4];
  const [at, key, address, cell] = [
    code.local("i32"),
    code.local("i32"),
    code.local("i32"),
    code.local("f64"),
  ];
  count(code, { counter: at, limit: () => code.get(length) }, () => {
    code.get(cells).memory("f64.load").set(cell);
    code.get(cells).memory("i32.load", 4).get(sign).do("i32.xor").tee(key);
    code.get(key).i32(31).do("i32.shr_s").i32(keyOfZero).do("i32.or", "i32.xor").set(key);
    code.i32(keyOfZero).get(key).get(cell).f64(0).do("f64.eq", "select").set(key);
    code.i32(keyOfNaN).get(key).get(cell).get(cell).do("f64.ne", "select").set(key);
    code.get(entries).get(at).memory("i32.store");
    code.get(entries).get(key).memory("i32.store", 4);
    for (const [digit, { shift, size }] of digits.entries()) {
      code
        .get(key)
        .i32(shift)
        .do("i32.shr_u")
        .i32(size - 1)
        .do("i32.and")
        .i32(2)
        .do("i32.shl");
      code
        .get(counters)
        .do("i32.add")
        .i32(4 * mostDigits * digit)
        .do("i32.add");
      countDigit(code, address);
    }
    code.advance(cells, 8).advance(entries, 8);
  });
  return code;
}

/** `(from, count, to, starts, shift, mask)`: each entry goes to where the next one with its digit belongs. */
function distributeCode(): Code {
  const code = new Code("distribute", ["i32", "i32", "i32", "i32", "i32", "i32"]);
  const [from, length, to, starts, shift, mask] = [0, 1, 2, 3, 4, 5];
  const [at, counter, start] = [code.local("i32"), code.local("i32"), code.local("i32")];
  count(code, { counter: at, limit: () => code.get(length) }, () => {
    code.get(from).memory("i32.load", 4).get(shift).do("i32.shr_u").get(mask).do("i32.and");
    code.i32(2).do("i32.shl").get(starts).do("i32.add").tee(counter).memory("i32.load").set(start);
    code.get(counter).get(start).i32(1).do("i32.add").memory("i32.store");
    code.get(start).i32(3).do("i32.shl").get(to).do("i32.add");
    code.get(from).memory("i64.load").memory("i64.store");
    code.advance(from, 8);
  });
  return code;
}

/** `(entries, count, keys, positions)`: the two halves of entries as lists. */
function unpackCode(): Code {
  const code = new Code("unpack", ["i32", "i32", "i32", "i32"]);
  const [entries, length, keys, positions] = [0, 1, 2, 3];
  const at = code.local("i32");
  count(code, { counter: at, limit: () => code.get(length) }, () => {
    code.get(keys).get(entries).memory("i32.load", 4).memory("i32.store");
    code.get(positions).get(entries).memory("i32.load").memory("i32.store");
    code.advance(entries, 8).advance(keys, 4).advance(positions, 4);
  });
  return code;
}
