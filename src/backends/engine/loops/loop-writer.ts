import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import type { FoldWriter } from "../kernels/accumulators.js";
import { groupSize } from "../kernels/groups.js";
import type { LocalScope, StackValue } from "../kernels/scope.js";
import type { Access, TableBlock } from "../loop.js";
import { accessesOf, type Nest } from "./nest.js";

/** Where a kernel is: as far as the axes so far say, and within the lanes at their first cell. */
export interface Position {
  /** For each access, where its cell is. */
  readonly pointers: readonly Pointer[];
  /** For an access that goes through a table along the lanes, the local with the address in the table. */
  readonly tables: ReadonlyMap<number, number>;
  /** How many groups of lanes are computed at once; 0 where it is one cell. */
  readonly groups: number;
  /** How many cells are left along the lanes, where they may be less than a group. */
  readonly remaining: StackValue | undefined;
}

/** An address: that in a local, and some bytes more. */
export interface Pointer {
  readonly local: number;
  readonly bytes: number;
}

/** For each table of a nest: the access, where the target comes after the sources, and the axis. */
export interface AccessTable {
  readonly access: number;
  readonly axis: number;
  readonly table: TableBlock;
}

export function tablesOf(nest: Nest): readonly AccessTable[] {
  return accessesOf(nest).flatMap(({ strides }, access) =>
    strides.flatMap((table, axis) => (typeof table === "number" ? [] : [{ access, axis, table }])),
  );
}

/** Part of an axis: so many groups of lanes at once, or single cells. */
interface Phase {
  readonly groups: number;
  readonly isPartial: boolean;
}

/** The locals in which a kernel finds what it is called with. */
export interface LoopParameters {
  /** The first index of the outermost axis, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** The first of the addresses of all accesses, and of those of all tables. */
  readonly accesses: number;
  readonly tables: number;
}

const singleCells: Phase = { groups: 0, isPartial: false };

type AxisLoop = (phase: Phase, body: (position: Position) => void, pushLast: () => void) => void;

interface Move {
  readonly local: number;
  /** Bytes from one index to the next. */
  readonly bytes: number;
}

/**
 * The loops of a kernel: an index along each axis, and pointers that advance with it. Parameters of the kernel are, unless it says
 * otherwise, the first and the last index of the outermost axis, then the addresses of all accesses, then those of all tables.
 */
export class LoopWriter {
  /** For each axis, the local with the index. */
  readonly indexes: number[] = [];
  private readonly accesses: readonly Access[];
  private readonly tables: readonly AccessTable[];
  private readonly parameters: LoopParameters;

  constructor(
    private readonly scope: LocalScope,
    private readonly nest: Nest,
    parameters?: LoopParameters,
  ) {
    this.accesses = accessesOf(nest);
    this.tables = tablesOf(nest);
    this.parameters = parameters ?? { from: 0, to: 1, accesses: 2, tables: 2 + this.accesses.length };
  }

  start(): Position {
    return {
      pointers: this.accesses.map((_, at) => ({ local: this.parameters.accesses + at, bytes: 0 })),
      tables: new Map(),
      groups: 0,
      remaining: undefined,
    };
  }

  /** Writes a loop over an axis: in lanes, so many groups at once, or cell by cell where that is 0. */
  writeLoop(
    axis: number,
    position: Position,
    groups: number,
    body: (position: Position) => void,
    folding?: FoldWriter,
  ): void {
    if (axis >= this.nest.axes.length - this.nest.unrolledAxes)
      return this.writeEach(axis, position, body, folding);
    this.scope.withLocals(() => {
      const walk = this.entered(axis, position, groups > 0);
      for (const phase of this.phases(axis, groups))
        this.phase(axis, phase, (until) => walk(phase, body, until), folding);
      folding?.flush();
    });
  }

  /**
   * Begins a walk cell by cell along an axis, in parts: the result writes a loop from where the walk is to an index in a local, at least
   * one index further.
   */
  walk(axis: number, position: Position): (end: number, body: (position: Position) => void) => void {
    const { code } = this.scope;
    const walk = this.entered(axis, position, false);
    return (end, body) => walk(singleCells, body, () => void code.get(end).i32(1).do("i32.sub"));
  }

  /** Begins an axis; the result writes a loop of a phase, up to and with the last index that is pushed. */
  private entered(axis: number, position: Position, isLanes: boolean): AxisLoop {
    const { code } = this.scope;
    const index = this.scope.take("i32");
    this.indexes[axis] = index;
    if (axis === 0) code.get(this.parameters.from).set(index);
    else code.i32(0).set(index);
    const { inner, moves, lookUp } = this.enterAxis(axis, position, isLanes);
    return (phase, body, pushLast) => {
      const { groups } = phase;
      const step = groups === 0 ? 1 : groups * groupSize;
      code.loop(() => {
        lookUp();
        this.scope.withLocals(() => body({ ...inner, groups, remaining: this.remaining(axis, phase) }));
        for (const { local, bytes } of moves) code.advance(local, bytes * step);
        code.advance(index, step).get(index);
        pushLast();
        code.do("i32.le_s").branchIf();
      });
    };
  }

  /** Writes what a loop does for each index of an axis, one after the other: cells are some bytes from where the first is. */
  private writeEach(
    axis: number,
    position: Position,
    body: (position: Position) => void,
    folding: FoldWriter | undefined,
  ): void {
    this.scope.withLocals(() => {
      const { code } = this.scope;
      const local = this.scope.take("i32");
      this.indexes[axis] = local;
      for (let index = 0; index < this.sizeOf(axis); index++) {
        code.i32(index).set(local);
        const pointers = position.pointers.map((pointer, access): Pointer => {
          const { strides, cellType } = element(this.accesses, access);
          const step = element(strides, axis);
          if (typeof step !== "number") throw new Error("an axis with a table has a loop");
          return { ...pointer, bytes: pointer.bytes + index * step * cellTypes[cellType].width };
        });
        this.scope.withLocals(() => body({ ...position, pointers }));
        if (folding !== undefined && (index + 1) % folding.chain === 0) folding.flush();
      }
      folding?.flush();
    });
  }

  private phases(axis: number, groups: number): readonly Phase[] {
    if (groups === 0) return [singleCells];
    const size = axis === 0 ? undefined : this.nest.axes[axis]?.size;
    const phases: Phase[] = [];
    if (size === undefined || size >= groups * groupSize) phases.push({ groups, isPartial: false });
    if (size === undefined) return [...phases, { groups: 1, isPartial: true }];
    // What is left is computed at once as well, and then what is less than a group.
    const rest = Math.floor(size / groupSize) % groups;
    if (rest > 0) phases.push({ groups: rest, isPartial: false });
    if (size % groupSize !== 0) phases.push({ groups: 1, isPartial: true });
    return phases;
  }

  /** A phase as long as it lasts; where a fold has to be flushed, chain by chain. */
  private phase(
    axis: number,
    { groups, isPartial }: Phase,
    iterate: (until: () => void) => void,
    folding: FoldWriter | undefined,
  ): void {
    const { code } = this.scope;
    const step = groups === 0 ? 1 : groups * groupSize;
    const last = this.scope.take("i32");
    this.pushEnd(axis);
    code
      .i32(isPartial ? 1 : step)
      .do("i32.sub")
      .set(last);
    const index = element(this.indexes, axis);
    code.block(() => {
      code.get(index).get(last).do("i32.gt_s").branchIf();
      const steps = axis === 0 ? Number.POSITIVE_INFINITY : this.sizeOf(axis) / step;
      if (folding === undefined || folding.chain >= steps) return iterate(() => void code.get(last));
      const stop = this.scope.take("i32");
      code.loop(() => {
        code
          .get(index)
          .i32((folding.chain - 1) * step)
          .do("i32.add")
          .set(stop);
        code.get(stop).get(last).get(stop).get(last).do("i32.lt_s", "select").set(stop);
        iterate(() => void code.get(stop));
        folding.flush();
        code.get(index).get(last).do("i32.le_s").branchIf();
      });
    });
  }

  private remaining(axis: number, { isPartial }: Phase): StackValue | undefined {
    if (!isPartial) return undefined;
    const { code } = this.scope;
    this.pushEnd(axis);
    const remaining = this.scope.take("i32");
    code.get(element(this.indexes, axis)).do("i32.sub").set(remaining);
    return this.scope.local(remaining);
  }

  /** Pointers of an axis' own, where cells differ along it; tables are looked up at each index. */
  private enterAxis(
    axis: number,
    position: Position,
    isLanes: boolean,
  ): { inner: Position; moves: readonly Move[]; lookUp: () => void } {
    const { code } = this.scope;
    const moves: Move[] = [];
    const lookUps: (() => void)[] = [];
    const tables = new Map(position.tables);
    const advancing = (from: Pointer, bytes: number): number => {
      const local = this.scope.take("i32");
      this.push(from);
      if (axis === 0) code.get(this.parameters.from).i32(bytes).do("i32.mul", "i32.add");
      code.set(local);
      moves.push({ local, bytes });
      return local;
    };
    const pointers = position.pointers.map((from, access) => {
      const { strides, cellType } = element(this.accesses, access);
      const step = element(strides, axis);
      const { width } = cellTypes[cellType];
      if (step === 0) return from;
      if (typeof step === "number") return { local: advancing(from, step * width), bytes: 0 };
      const table = advancing({ local: this.table(access, axis), bytes: 0 }, 4);
      if (isLanes) {
        tables.set(access, table);
        return from;
      }
      const cell = this.scope.take("i32");
      lookUps.push(() => {
        code.get(table).memory("i32.load").i32(width).do("i32.mul");
        this.push(from);
        code.do("i32.add").set(cell);
      });
      return { local: cell, bytes: 0 };
    });
    const lookUp = (): void => {
      for (const each of lookUps) each();
    };
    return { inner: { ...position, pointers, tables }, moves, lookUp };
  }

  private push({ local, bytes }: Pointer): void {
    const { code } = this.scope;
    code.get(local);
    if (bytes !== 0) code.i32(bytes).do("i32.add");
  }

  /** Of an axis the index behind the last. */
  private pushEnd(axis: number): void {
    if (axis === 0) this.scope.code.get(this.parameters.to);
    else this.scope.code.i32(this.sizeOf(axis));
  }

  private sizeOf(axis: number): number {
    return element(this.nest.axes, axis).size;
  }

  private table(access: number, axis: number): number {
    const at = this.tables.findIndex((each) => each.access === access && each.axis === axis);
    return this.parameters.tables + at;
  }
}
