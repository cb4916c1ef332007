import { cellTypes } from "../../../language/types/cell.js";
import { element } from "../../../language/values/element.js";
import { Code } from "../assembler/code.js";
import { writeCell } from "../kernels/cells.js";
import { type Group, Groups, groupSize } from "../kernels/groups.js";
import { writeLanes } from "../kernels/lane-cells.js";
import { LocalScope } from "../kernels/scope.js";
import { type LoopParameters, LoopWriter, type Position, tablesOf } from "./loop-writer.js";
import { accessesOf, type Nest } from "./nest.js";
import { Subroutines } from "./subroutines.js";
import { single, Values } from "./values.js";

/**
 * Two nests of which the second reads, at each index of its outermost axis, what the first has summed over a segment: some
 * neighbouring indexes of the first's. Each may have one axis more, of the same size, which is computed in lanes.
 */
export interface SegmentedNests {
  readonly summing: Nest;
  readonly reading: Nest;
  /** The sources of the second that are the sums of the first. */
  readonly sums: readonly number[];
}

/** How many groups of lanes are computed at once, as doubles. */
const groupsAtOnce = 2;

/** Some neighbouring cells of the inner axis: how far the first is from the beginning, and how many they are. */
interface InnerPart {
  readonly first: number;
  /** 0 where it is one cell, without an axis. */
  readonly groups: number;
  /** How many cells the last group has, where they are less than four. */
  readonly remaining: number | undefined;
}

/**
 * Writes the function of segments: `run(from, to, addresses of the accesses of the reading nest, of the summing one, of the tables of both,
 * of the starts)`, where a segment goes from one start to the next. Sums are held in registers until they are read.
 */
export function segmentKernelOf(segments: SegmentedNests, hasMultiplyAdd: boolean): readonly Code[] {
  return new SegmentWriter(segments, hasMultiplyAdd).write();
}

class SegmentWriter {
  private readonly code: Code;
  private readonly groups: Groups;
  private readonly subroutines = new Subroutines(1);
  private readonly parts: readonly InnerPart[];
  private readonly parameters: Readonly<Record<"reading" | "summing", Omit<LoopParameters, "from" | "to">>>;
  /** The parameter with the address of the starts. */
  private readonly starts: number;

  constructor(
    private readonly segments: SegmentedNests,
    hasMultiplyAdd: boolean,
  ) {
    const { reading, summing } = segments;
    const nests = [reading, summing];
    const accesses = nests.reduce((sum, nest) => sum + accessesOf(nest).length, 0);
    const tables = nests.reduce((sum, nest) => sum + tablesOf(nest).length, 0);
    this.starts = 2 + accesses + tables;
    const ofReading = { accesses: 2, tables: 2 + accesses };
    this.parameters = {
      reading: ofReading,
      summing: {
        accesses: ofReading.accesses + accessesOf(reading).length,
        tables: ofReading.tables + tablesOf(reading).length,
      },
    };
    this.code = new Code(
      "run",
      Array.from({ length: this.starts + 1 }, () => "i32"),
    );
    this.groups = new Groups(new LocalScope(this.code), hasMultiplyAdd, this.subroutines);
    this.parts = partsOf(segments.reading.axes[1]?.size);
  }

  write(): readonly Code[] {
    const { reading, sums } = this.segments;
    const { scope } = this.groups;
    const loops = new LoopWriter(scope, reading, { from: 0, to: 1, ...this.parameters.reading });
    const values = new Values(reading, this.groups, loops);
    values.compute(0, loops.start());
    const sumSegment = this.summing();
    loops.writeLoop(0, loops.start(), 0, (position) => {
      const totals = sumSegment(element(loops.indexes, 0));
      for (const [at, part] of this.parts.entries()) {
        values.folded = new Map(sums.map((source) => [source, element(totals, at)]));
        if (at === 0) values.compute(1, position);
        scope.withLocals(() => this.writeResult(values, this.within(reading, position, part)));
      }
    });
    scope.finish();
    return [this.code, ...this.subroutines.functions];
  }

  /** Begins the walk over all segments; the result writes the sums over the next one, up to the start of the one behind an index: for each part, its groups. */
  private summing(): (index: number) => readonly (readonly Group[])[] {
    const { summing } = this.segments;
    const { groups } = this;
    const { scope } = groups;
    const [from, to] = [scope.take("i32"), scope.take("i32")];
    const loops = new LoopWriter(scope, summing, { from, to, ...this.parameters.summing });
    const values = new Values(summing, groups, loops);
    const locals = this.parts.map(({ groups: count }) =>
      Array.from({ length: Math.max(2 * count, 1) }, () => scope.take(count === 0 ? "f64" : "v128")),
    );
    values.compute(0, loops.start());
    this.readStart(0, 0, from);
    const walk = loops.walk(0, loops.start());
    return (index) => {
      this.readStart(index, 1, to);
      for (const [at, { groups: count }] of this.parts.entries()) {
        const zero = groups.numbers("double", count > 0).constant(0);
        for (const local of element(locals, at)) scope.set(local, zero);
      }
      walk(to, (position) => {
        values.compute(1, position);
        for (const [at, part] of this.parts.entries())
          scope.withLocals(() => this.add(values, this.within(summing, position, part), element(locals, at)));
      });
      return locals.map((own, at) => this.totals(own, element(this.parts, at)));
    };
  }

  /** Sets a local to the start so many behind that of an index. */
  private readStart(index: number, behind: number, local: number): void {
    this.code
      .get(this.starts)
      .get(index)
      .i32(2)
      .do("i32.shl", "i32.add")
      .memory("i32.load", behind * 4)
      .set(local);
  }

  /** Adds the values at a position to sums in locals. */
  private add(values: Values, position: Position, totals: readonly number[]): void {
    const { groups, segments } = this;
    const { scope } = groups;
    if (segments.summing.axes.length > 1) values.compute(2, position);
    const n = groups.numbers("double", position.groups > 0);
    const added = values.results(position).flatMap((group) => groups.as("double", group).parts);
    for (const [at, local] of totals.entries())
      scope.set(local, n.add(scope.local(local), element(added, at)));
  }

  private totals(locals: readonly number[], { groups: count }: InnerPart): readonly Group[] {
    const { scope } = this.groups;
    const values = locals.map((local) => scope.local(local));
    if (count === 0) return values.map(single);
    return Array.from({ length: count }, (_, at) => ({
      isLanes: true,
      number: "double",
      isMask: false,
      parts: values.slice(2 * at, 2 * at + 2),
    }));
  }

  private writeResult(values: Values, position: Position): void {
    const { groups } = this;
    const { reading } = this.segments;
    const { cellType } = reading.target;
    if (reading.axes.length > 1) values.compute(2, position);
    const results = values.results(position);
    const access = reading.sources.length;
    const { local, bytes } = element(position.pointers, access);
    if (position.groups === 0) {
      const [result] = results as [Group]; // one where there are no groups
      return writeCell(groups, cellType, groups.scope.local(local), bytes, result);
    }
    const finished = results.map((result) => groups.bind(result));
    for (const [group, result] of finished.entries())
      writeLanes(groups, cellType, values.laneAddress(access, position, group), result);
  }

  /** Where a part of the inner axis begins. */
  private within(nest: Nest, position: Position, part: InnerPart): Position {
    const pointers = accessesOf(nest).map(({ strides, cellType }, access) => {
      const pointer = element(position.pointers, access);
      const stride = strides.length > 1 ? Number(element(strides, 1)) : 0;
      return { ...pointer, bytes: pointer.bytes + part.first * stride * cellTypes[cellType].width };
    });
    const { remaining } = part;
    const { scope } = this.groups;
    return {
      ...position,
      pointers,
      groups: part.groups,
      remaining: remaining === undefined ? undefined : scope.value(() => this.code.i32(remaining)),
    };
  }
}

/** The parts of an inner axis of a size, if there is one. */
function partsOf(size: number | undefined): readonly InnerPart[] {
  if (size === undefined) return [{ first: 0, groups: 0, remaining: undefined }];
  const parts: InnerPart[] = [];
  const whole = Math.floor(size / groupSize);
  for (let at = 0; at < whole; at += groupsAtOnce) {
    const groups = Math.min(groupsAtOnce, whole - at);
    parts.push({ first: at * groupSize, groups, remaining: undefined });
  }
  const rest = size % groupSize;
  if (rest > 0) parts.push({ first: whole * groupSize, groups: 1, remaining: rest });
  return parts;
}
