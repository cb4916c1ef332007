import type { CellType } from "../../../../language/types/cell.js";
import { Code } from "../../assembler/code.js";
import { shiftOf } from "../../kernels/cell-types.js";
import { count, lesser } from "../../kernels/iteration.js";
import { type Precision, precisions } from "../../kernels/precision.js";
import { LocalScope } from "../../kernels/scope.js";
import { byteOffset, isContiguous, locals, type Role, words } from "../descriptor.js";
import { rowsTogether } from "../product-options.js";

/** Which operand is packed, and how many of its lines make a panel. */
export interface Packing {
  readonly side: "left" | "right";
  readonly cellType: CellType;
  readonly precision: Precision;
  readonly width: number;
}

/** Where something is: a local with an address, and how many bytes behind it. */
export type ByteAddress = readonly [address: number, bytes: number];

/** A function that packs, while it is written: its parameters and locals, and what all ways to pack have in common. */
export class PackWriter {
  readonly code: Code;
  readonly scope: LocalScope;
  readonly lane: (typeof precisions)[Precision];
  /** The bytes of a cell, as a shift. */
  readonly shift: number;
  /** Of a panel the bytes for one index of the sum, and how many whole vectors these are. */
  readonly stride: number;
  readonly wholeVectors: number;
  /** How many panels are packed at once. */
  readonly together: number;
  /** Parameters, by their numbers; the first is the descriptor. */
  readonly from = 5;
  private readonly source = 1;
  private readonly into = 2;
  private readonly first = 3;
  private readonly lines = 4;
  private readonly depth = 6;
  /** The number of the first line of the panel, that of a line of it, and that of the last line there is. */
  private readonly panel: number;
  private readonly line: number;
  private readonly last: number;
  /** An index of the sum, counted from `from`, or how many of them are left. */
  readonly index: number;
  /** The addresses that cells are read at and numbers are written to. */
  readonly at: number;
  readonly to: number;
  /** Where each of the panels that are packed at once is written to. */
  readonly targets: readonly number[];

  constructor(
    name: string,
    readonly packing: Packing,
  ) {
    const { side, cellType, precision, width } = packing;
    this.lane = precisions[precision];
    this.shift = shiftOf(cellType);
    this.stride = width * this.lane.width;
    this.wholeVectors = Math.floor(width / this.lane.count);
    // Where lines lie next to each other, panels of the left operand are packed some at a time, since their cells come to the cache together.
    this.together = side === "left" ? Math.max(1, Math.floor(rowsTogether / width)) : 1;
    this.code = new Code(name, words(7), [], false);
    this.scope = new LocalScope(this.code);
    [this.panel, this.line, this.last, this.index, this.at, this.to] = locals(this.code, 6);
    this.targets = Array.from({ length: this.together }, () => this.code.local("i32"));
  }

  /** The role of what lines go along. */
  get lineRole(): Role {
    return this.packing.side === "left" ? "rows" : "columns";
  }

  /** A local for an offset along the sum: that of the line, which is free as soon as the addresses of lines are computed. */
  get offset(): number {
    return this.line;
  }

  /** Leaves whether cells that follow each other along a role are next to each other. */
  isContiguous(role: Role): Code {
    return isContiguous(this.code, this.packing.side, role, this.shift);
  }

  /** Notes which line is the last. */
  findLast(): void {
    this.code.get(this.lines).i32(1).do("i32.sub").set(this.last);
  }

  /** Goes through the panels, some at a time. */
  eachPanel(body: () => void, panels = 1): void {
    const { code, panel, stride, into } = this;
    const step = this.packing.width * panels;
    count(code, { counter: panel, limit: () => code.get(this.lines), step }, () => {
      body();
      this.pushBehind(stride * panels).set(into);
    });
  }

  /** Goes through the indexes of the sum. */
  eachIndex(body: () => void): void {
    const { code, index, depth } = this;
    count(code, { counter: index, limit: () => code.get(depth) }, body);
  }

  /** Goes through the indexes of the sum, while each target is where the numbers of its panel for one of them begin. */
  eachTarget(body: () => void): void {
    const { code, targets, stride } = this;
    for (const [at, target] of targets.entries()) this.pushBehind(at * stride).set(target);
    this.eachIndex(() => {
      body();
      for (const target of targets) code.advance(target, stride);
    });
  }

  /** Counts the indexes of the sum down: those that fill some lanes, or those that are left over. */
  countIndexes(lanes: "i32.div_u" | "i32.rem_u"): void {
    this.code.get(this.depth).i32(this.lane.count).do(lanes).set(this.index);
  }

  /** Leaves the address behind what takes so many bytes for each index of the sum. */
  private pushBehind(bytes: number): Code {
    return this.code.get(this.into).get(this.depth).i32(bytes).do("i32.mul", "i32.add");
  }

  /** Sets `to` to so many bytes behind the start of the panel. */
  writeFrom(bytes: number): void {
    this.code.get(this.into).i32(bytes).do("i32.add").set(this.to);
  }

  /** Leaves the address of a line of this panel, or of the last one there is. */
  lineAddress(offset: number): Code {
    const { code, line } = this;
    code.get(this.panel).i32(offset).do("i32.add").set(line);
    lesser(
      code,
      () => code.get(line),
      () => code.get(this.last),
    ).set(line);
    return this.addressOf(line);
  }

  /** Leaves the address of the first line of this panel. */
  panelAddress(): Code {
    return this.addressOf(this.panel);
  }

  private addressOf(line: number): Code {
    const { code, packing, lineRole, shift } = this;
    code.get(this.source);
    const push = (): void => void code.get(this.first).get(line).do("i32.add");
    return byteOffset(code, packing.side, lineRole, shift, push).do("i32.add");
  }

  /** Leaves how far the cell for the index of the sum is from the first one of its line. */
  sumOffset(): Code {
    const { code, packing, shift } = this;
    const push = (): void => void code.get(this.from).get(this.index).do("i32.add");
    return byteOffset(code, packing.side, "sum", shift, push);
  }

  /** Copies a vector, or a number. */
  copy(type: "v128" | "f64" | "f32", [source, at]: ByteAddress, [target, bytes]: ByteAddress): void {
    const { scope } = this;
    const loaded = scope.loaded(`${type}.load`, scope.local(source), at);
    scope.store(`${type}.store`, scope.local(target), bytes, loaded);
  }
}
