import type { ScalarName } from "../../../scalar/functions.js";
import { Code } from "../assembler/code.js";
import { type Call, computed } from "./body.js";
import { type KnownCellType, readCell, writeCell } from "./cells.js";
import { acrossLanes, type Folded, type Folding, foldingOf } from "./folding.js";
import { type Group, Groups, groupSize } from "./groups.js";
import { Helpers } from "./helpers.js";
import { importsOf } from "./imports.js";
import { isOfFloats, type Kind, kindsOf, operandsOf } from "./kinds.js";
import { type LaneAddress, readLanes, writeLanes } from "./lane-cells.js";
import type { Written } from "./modules.js";
import type { Nest } from "./nest.js";
import { Scope, type Value } from "./scope.js";
import { addExactly, whole } from "./summing.js";
import { type Position, tablesOf, Walking } from "./walking.js";

/** Whether a kernel keeps a total between calls, in two doubles whose address is its last argument. */
export function keepsTotal({ aggregator, placed, axes }: Nest): boolean {
  return aggregator !== undefined && placed === 0 && axes.length > 0;
}

/** Writes the function of a nest: `run(from, to, address of each source, of the target, of each table, of the total)`. */
export function kernelOf(nest: Nest, hasMultiplyAdd: boolean): Written {
  return new Kernel(nest, hasMultiplyAdd).write();
}

type Aggregator = NonNullable<Nest["aggregator"]>;

class Kernel {
  private readonly code: Code;
  private readonly scope: Scope;
  private readonly groups: Groups;
  private readonly helpers: Helpers;
  private readonly walking: Walking;
  private readonly kinds: readonly Kind[];
  /** For each instruction, how many axes must be fixed before it can be computed. */
  private readonly levels: readonly number[];
  /** For each instruction, what it is in each group of lanes; or one number. */
  private readonly values: Group[][] = [];
  /** For each instruction that is the same in all lanes, its lanes. */
  private readonly spread: { double?: Group; float?: Group }[] = [];
  private readonly varying: readonly boolean[];
  private readonly users: readonly (readonly number[])[];
  private readonly imports: readonly ScalarName[];
  private readonly totalAddress: number | undefined;
  /** The axis of the lanes, where they are not put aside. */
  private lanes: number | undefined;

  constructor(
    private readonly nest: Nest,
    hasMultiplyAdd: boolean,
  ) {
    const { sources, target, body, aggregator } = nest;
    const addresses = sources.length + 1 + tablesOf(nest).length + (keepsTotal(nest) ? 1 : 0);
    this.code = new Code(
      "run",
      Array.from({ length: 2 + addresses }, () => "i32"),
    );
    this.totalAddress = keepsTotal(nest) ? 1 + addresses : undefined;
    this.scope = new Scope(this.code);
    this.imports = importsOf(nest.body);
    this.helpers = new Helpers(this.imports.length + 1);
    this.groups = new Groups(this.scope, hasMultiplyAdd, this.helpers);
    this.walking = new Walking(this.scope, nest);
    this.lanes = nest.lanes;
    this.kinds = kindsOf(
      body,
      sources.map(({ cellType }) => cellType),
      aggregator === undefined ? target.cellType : "double",
    );
    this.levels = levelsOf(nest);
    this.varying = varyingOf(nest);
    this.users = usersOf(nest);
  }

  write(): Written {
    this.walk(0, this.walking.start());
    this.scope.finish();
    return { functions: [this.code, ...this.helpers.functions], imports: this.imports };
  }

  /** Writes what happens where so many axes are fixed. */
  private walk(depth: number, position: Position): void {
    const { placed, axes, aggregator } = this.nest;
    if (depth === placed && aggregator !== undefined) return this.fold(position, aggregator);
    this.compute(depth, position);
    if (depth < axes.length)
      this.walking.over(depth, position, this.groupsAlong(depth), (inner) => this.walk(depth + 1, inner));
    else this.put(position, this.results(position));
  }

  /** How many groups of lanes are computed at once along an axis. */
  private groupsAlong(axis: number): number {
    if (axis !== this.lanes) return 0;
    const { body } = this.nest;
    const isOfDoubles = this.kinds.some(
      ({ number }, at) => number === "double" && body[at]?.op !== "constant",
    );
    return isOfDoubles ? 2 : 4;
  }

  private fold(position: Position, aggregator: Aggregator): void {
    const isAlong = this.lanes !== undefined && this.lanes >= this.nest.placed;
    if (!isAlong) {
      const folded = this.foldedOver(position, aggregator);
      const { numbers, totals, rests } = folded;
      if (this.totalAddress !== undefined) this.keepTotal(totals[0] as Value, rests?.[0]);
      const results = totals.map((total, at) => numbers.keep(whole(numbers, total, rests?.[at])));
      return this.put(position, this.asGroups(results, folded));
    }
    const folded = this.foldedOver(position, aggregator);
    const { total, rest } = acrossLanes(this.groups, aggregator, folded);
    const n = this.groups.numbers("double", false);
    const result = this.continued(aggregator, n.keep(total), rest);
    if (aggregator !== "sum") this.mendZero(result, position, aggregator);
    this.put(position, [this.one(this.scope.local(result))]);
  }

  /** Of 0 and -0, which lanes take for equal, the first one counts: then all is done again in order. */
  private mendZero(result: number, position: Position, aggregator: Aggregator): void {
    const { code, groups, scope } = this;
    const n = groups.numbers("double", false);
    const lanes = this.lanes;
    n.compare("eq", scope.local(result), n.constant(0)).push();
    code.if(() => {
      this.lanes = undefined;
      const { totals, rests } = this.foldedOver(position, aggregator);
      this.keepTotal(totals[0] as Value, rests?.[0]);
      totals[0]?.push();
      code.set(result);
      this.lanes = lanes;
    });
  }

  /** Writes the loops over the folded axes. */
  private foldedOver(position: Position, aggregator: Aggregator): Folded {
    const { placed, axes } = this.nest;
    const { groups, lanes } = this;
    const isAlong = lanes !== undefined && lanes >= placed;
    const isLanes = lanes !== undefined;
    const count = isAlong ? this.groupsAlong(lanes) : position.groups;
    const number = this.foldedAs(aggregator, isLanes);
    const numbers = groups.numbers(number, isLanes);
    const each = number === "double" ? 2 : 1;
    const steps = axes.slice(placed).reduce((product, { size }) => product * size, 1);
    const folding = foldingOf(groups, aggregator, {
      numbers,
      accumulators: isLanes ? count * each : 1,
      steps: placed === 0 ? Number.POSITIVE_INFINITY : steps,
      isJoined: isAlong,
    });
    const inside = (depth: number, inner: Position): void => {
      this.compute(depth, inner);
      if (depth < axes.length) {
        const flushed = depth === axes.length - 1 ? folding : undefined;
        const along = isAlong ? this.groupsAlong(depth) : position.groups > 0 ? -1 : 0;
        this.over(depth, inner, along, (deeper) => inside(depth + 1, deeper), flushed);
        return;
      }
      const values = this.results(inner).flatMap((group) => groups.as(number, group).parts);
      folding.step(isAlong ? this.masked(values, inner, aggregator, number) : values);
    };
    folding.begin();
    if (!isAlong) this.resume(folding);
    inside(placed, position);
    if (axes.length === placed) folding.flush();
    return folding.finish();
  }

  /** A loop over a folded axis; -1 where lanes lie along an axis further out. */
  private over(
    axis: number,
    position: Position,
    groups: number,
    body: (position: Position) => void,
    folding: Folding | undefined,
  ): void {
    const { groups: around, remaining } = position;
    const inner = groups < 0 ? (each: Position): void => body({ ...each, groups: around, remaining }) : body;
    this.walking.over(axis, position, Math.max(groups, 0), inner, folding);
  }

  /** In what values are folded: in floats where that is exact, or where the sum is one of floats. */
  private foldedAs(aggregator: Aggregator, isLanes: boolean): "double" | "float" {
    const kind = this.kinds.at(-1);
    if (!isLanes || kind?.number !== "float" || aggregator === "prod") return "double";
    return aggregator !== "sum" || isOfFloats(this.nest.target.cellType) ? "float" : "double";
  }

  /** Values beyond the end of an axis replaced by what changes nothing. */
  private masked(
    values: readonly Value[],
    { remaining }: Position,
    aggregator: Aggregator,
    number: "double" | "float",
  ): readonly Value[] {
    const { groups, scope } = this;
    if (remaining === undefined) return values;
    const floats = groups.numbers("float", true);
    const left = floats.of(["i32x4.splat"], remaining);
    const isThere = floats.of(["i32x4.gt_s"], left, groups.vector("i32x4", [0, 1, 2, 3]));
    const narrow: Group = { isLanes: true, number: "float", isMask: true, parts: [isThere] };
    const masks = groups.asMask(number, groups.keep(narrow)).parts;
    const n = groups.numbers(number, true);
    const start =
      aggregator === "sum" ? 0 : aggregator === "max" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
    return values.map((value, at) =>
      scope.keep("v128", n.choose(masks[at] as Value, value, n.constant(start))),
    );
  }

  private resume(folding: Folding): void {
    const address = this.totalAddress;
    if (address === undefined) return;
    this.code.get(0).if(() => folding.resume(this.kept(address, 0), this.kept(address, 8)));
  }

  private kept(address: number, bytes: number): Value {
    return { push: () => void this.code.get(address).memory("f64.load", bytes), isBound: false };
  }

  private keepTotal(total: Value, rest: Value | undefined): void {
    const { code } = this;
    const address = this.totalAddress;
    if (address === undefined) return;
    for (const [at, value] of [total, rest].entries()) {
      if (value === undefined) continue;
      code.get(address);
      value.push();
      code.memory("f64.store", at * 8);
    }
  }

  /** Folds a total into that of earlier calls; the local of the result. */
  private continued(aggregator: Aggregator, value: Value, rest: Value | undefined): number {
    const { code, scope, groups } = this;
    const n = groups.numbers("double", false);
    const [total, lost] = [scope.take("f64"), scope.take("f64")];
    value.push();
    code.set(total);
    (rest ?? n.constant(0)).push();
    code.set(lost);
    const address = this.totalAddress;
    if (address !== undefined) {
      code.get(0).if(() => {
        const before = n.keep(this.kept(address, 0));
        if (aggregator === "sum") {
          addExactly(n, total, lost, before);
          n.add(scope.local(lost), this.kept(address, 8)).push();
          code.set(lost);
        } else {
          const now = scope.local(total);
          (aggregator === "max" ? n.larger(before, now) : n.smaller(before, now)).push();
          code.set(total);
        }
      });
      this.keepTotal(scope.local(total), scope.local(lost));
    }
    if (aggregator !== "sum") return total;
    whole(n, scope.local(total), scope.local(lost)).push();
    code.set(total);
    return total;
  }

  private asGroups(results: readonly Value[], { numbers }: Folded): readonly Group[] {
    const number = numbers.isDouble ? "double" : "float";
    const each = numbers.isVector && numbers.isDouble ? 2 : 1;
    return Array.from({ length: results.length / each }, (_, at) => ({
      isLanes: numbers.isVector,
      number,
      isMask: false,
      parts: results.slice(at * each, at * each + each),
    }));
  }

  private one(value: Value): Group {
    return { isLanes: false, number: "double", isMask: false, parts: [value] };
  }

  /** Computes the instructions that need just these axes fixed: first what is read, so that all loads stand together. */
  private compute(level: number, position: Position): void {
    const { body } = this.nest;
    const here = [...body.keys()].filter((at) => this.levels[at] === level);
    const varying = here.filter((at) => this.varies(at));
    for (const at of here) if (!this.varies(at)) this.single(at, position);
    for (const at of varying) {
      const instruction = body[at];
      if (instruction?.op !== "read" && instruction?.op !== "place") continue;
      this.values[at] = Array.from({ length: position.groups }, (_, group) =>
        this.groups.keep(this.laneInput(instruction, position, group)),
      );
    }
    for (let group = 0; group < position.groups; group++)
      for (const at of varying) {
        const instruction = body[at];
        if (instruction === undefined || instruction.op === "read") continue;
        if (instruction.op === "place" || instruction.op === "constant") continue;
        const operands = operandsOf(instruction).map((each) =>
          this.lanesOf(each, group, this.numberFor(each, at)),
        );
        const kind = this.kinds[at] as Kind;
        const result = this.settled(at, computed(this.groups, instruction, kind, operands, this.call));
        if (group === 0) this.values[at] = [result];
        else this.values[at]?.push(result);
      }
  }

  /** Computes an instruction that is one number here, and its lanes if something needs them. */
  private single(at: number, position: Position): void {
    const { groups, nest, scope } = this;
    const instruction = nest.body[at];
    if (instruction === undefined || instruction.op === "constant") return;
    const result = (): Group => {
      switch (instruction.op) {
        case "read": {
          const pointer = scope.local(position.pointers[instruction.source] ?? 0);
          const cellType = nest.sources[instruction.source]?.cellType as KnownCellType; // halves were declined
          return readCell(groups, cellType, pointer, 0);
        }
        case "place": {
          const place = scope.local(this.walking.places[instruction.axis] ?? 0);
          return this.one(groups.numbers("double", false).of(["f64.convert_i32_s"], place));
        }
        default: {
          const operands = operandsOf(instruction).map((each) =>
            this.numberOf(each, this.numberFor(each, at)),
          );
          return computed(groups, instruction, this.kinds[at] as Kind, operands, this.call);
        }
      }
    };
    const users = (this.users[at] ?? []).filter((user) => this.varies(user));
    const computedOnce =
      users.length > 0 || instruction.op === "read" ? groups.keep(result()) : this.settled(at, result());
    this.values[at] = [computedOnce];
    const spread: { double?: Group; float?: Group } = {};
    this.spread[at] = spread;
    for (const user of users) {
      const number = this.numberFor(at, user);
      spread[number] ??= groups.keep(groups.as(number, groups.spread(computedOnce)));
    }
  }

  /** What is used once, and at once, need not be bound. */
  private settled(at: number, group: Group): Group {
    const [user, ...others] = this.users[at] ?? [];
    const isNext =
      others.length === 0 &&
      (user === undefined ? this.nest.aggregator !== undefined : this.levels[user] === this.levels[at]);
    return isNext ? group : this.groups.keep(group);
  }

  /** In which numbers an instruction wants an operand. */
  private numberFor(operand: number, user: number): "double" | "float" {
    const instruction = this.nest.body[user];
    const isOfItsOwn =
      instruction?.op === "store" || (instruction?.op === "select" && instruction.condition === operand);
    if (isOfItsOwn) return this.kinds[operand]?.number ?? "double";
    return this.kinds[user]?.number ?? "double";
  }

  private laneInput(
    instruction: { op: "read"; source: number } | { op: "place"; axis: number },
    position: Position,
    group: number,
  ): Group {
    const { groups, nest } = this;
    if (instruction.op === "read") {
      const cellType = nest.sources[instruction.source]?.cellType as KnownCellType; // halves were declined
      return readLanes(groups, cellType, this.laneAddress(instruction.source, position, group));
    }
    const n = groups.numbers("double", true);
    const place = this.scope.local(this.walking.places[instruction.axis] ?? 0);
    const first = n.keep(n.of(["f64.convert_i32_s", "f64x2.splat"], place));
    const parts = [0, 2].map((lane) => {
      const start = group * groupSize + lane;
      return n.add(first, groups.vector("f64x2", [start, start + 1]));
    });
    return { isLanes: true, number: "double", isMask: false, parts };
  }

  private laneAddress(access: number, position: Position, group: number): LaneAddress {
    const { sources, target } = this.nest;
    const step = (sources[access] ?? target).steps[this.lanes ?? 0] ?? 0;
    const table = position.tables.get(access);
    return {
      pointer: this.scope.local(position.pointers[access] ?? 0),
      along: table !== undefined ? { table: this.scope.local(table) } : typeof step === "number" ? step : 0,
      group,
      remaining: position.remaining,
    };
  }

  /** Whether an instruction differs from lane to lane. */
  private varies(at: number): boolean {
    return this.lanes !== undefined && this.varying[at] === true;
  }

  private lanesOf(at: number, group: number, number: "double" | "float"): Group {
    const instruction = this.nest.body[at];
    if (instruction?.op === "constant") return this.groups.constant(instruction.value, number, true);
    if (this.varies(at)) return this.values[at]?.[group] as Group;
    const spread = this.spread[at];
    return spread?.[number] ?? this.groups.spread(this.values[at]?.[0] as Group);
  }

  private numberOf(at: number, number: "double" | "float"): Group {
    const instruction = this.nest.body[at];
    if (instruction?.op === "constant") return this.groups.constant(instruction.value, number, false);
    return this.values[at]?.[0] as Group;
  }

  private readonly call: Call = (name, values) => ({
    push: () => {
      for (const value of values) value.push();
      this.code.call(this.imports.indexOf(name));
    },
    isBound: false,
  });

  /** The values of the body, one for each group of lanes. */
  private results(position: Position): readonly Group[] {
    const at = this.nest.body.length - 1;
    const number = this.kinds[at]?.number ?? "double";
    if (position.groups === 0) return [this.numberOf(at, number)];
    return Array.from({ length: position.groups }, (_, group) => this.lanesOf(at, group, number));
  }

  private put(position: Position, results: readonly Group[]): void {
    const { groups, scope, nest } = this;
    const cellType = nest.target.cellType as KnownCellType; // halves were declined
    const access = nest.sources.length;
    const pointer = scope.local(position.pointers[access] ?? 0);
    if (position.groups === 0) {
      const [result] = results as [Group];
      const folded = nest.isAccumulating
        ? this.accumulated(readCell(groups, cellType, pointer, 0), result)
        : result;
      return writeCell(groups, cellType, pointer, 0, folded);
    }
    const finished = results.map((result, group) => {
      if (!nest.isAccumulating) return groups.keep(result);
      const before = readLanes(groups, cellType, this.laneAddress(access, position, group));
      return groups.keep(this.accumulated(before, result));
    });
    for (const [group, result] of finished.entries())
      writeLanes(groups, cellType, this.laneAddress(access, position, group), result);
  }

  /** What the target holds so far, with a value folded into it. */
  private accumulated(before: Group, result: Group): Group {
    const { groups, nest } = this;
    const n = groups.numbers("double", before.isLanes);
    const values = groups.as("double", result).parts.map((part) => n.keep(part));
    const parts = groups.as("double", before).parts.map((part, at) => {
      const [total, value] = [n.keep(part), values[at] as Value];
      switch (nest.aggregator) {
        case "prod":
          return n.multiply(total, value);
        case "max":
          return n.larger(total, value);
        case "min":
          return n.smaller(total, value);
        default:
          return n.add(total, value);
      }
    });
    return { ...before, number: "double", parts };
  }
}

function levelsOf({ body, sources }: Nest): readonly number[] {
  const levels: number[] = [];
  for (const instruction of body) {
    if (instruction.op === "read") {
      const steps = sources[instruction.source]?.steps ?? [];
      levels.push(1 + steps.findLastIndex((step) => step !== 0));
    } else if (instruction.op === "place") levels.push(instruction.axis + 1);
    else levels.push(operandsOf(instruction).reduce((most, each) => Math.max(most, levels[each] ?? 0), 0));
  }
  return levels;
}

/** For each instruction, whether it differs along the lanes. */
function varyingOf({ body, sources, lanes }: Nest): readonly boolean[] {
  const varying: boolean[] = [];
  for (const instruction of body) {
    if (instruction.op === "read") varying.push(sources[instruction.source]?.steps[lanes ?? -1] !== 0);
    else if (instruction.op === "place") varying.push(instruction.axis === lanes);
    else varying.push(operandsOf(instruction).some((each) => varying[each]));
  }
  return varying;
}

function usersOf({ body }: Nest): readonly (readonly number[])[] {
  const users: number[][] = body.map(() => []);
  for (const [at, instruction] of body.entries())
    for (const operand of operandsOf(instruction)) users[operand]?.push(at);
  return users;
}
