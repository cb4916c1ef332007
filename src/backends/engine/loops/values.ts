import { element } from "../../../language/values/element.js";
import { readCell } from "../kernels/cells.js";
import { type Group, type Groups, groupSize } from "../kernels/groups.js";
import { type LaneAddress, readLanes } from "../kernels/lane-cells.js";
import type { StackValue } from "../kernels/scope.js";
import type { Instruction } from "../loop.js";
import { computed } from "./body.js";
import { inlineFunctions } from "./functions.js";
import { type Kind, kindsOf, operandsOf } from "./kinds.js";
import type { LoopWriter, Position } from "./loop-writer.js";
import { accessesOf, type Nest } from "./nest.js";

/**
 * The values of a body while its kernel is written. Each instruction is computed as far out as what it depends on is
 * known, and once for all lanes where it does not differ among them.
 */
export class Values {
  /** The axis of the lanes, where they are not put aside. */
  lanes: number | undefined;
  /** Sources whose cells are at hand, since the kernel has just folded them: the value of each group of lanes, or one number. */
  folded: ReadonlyMap<number, readonly Group[]> = new Map();
  readonly kinds: readonly Kind[];
  /** For each instruction, how many axes must be fixed before it can be computed. */
  private readonly levels: readonly number[];
  private readonly varying: readonly boolean[];
  private readonly users: readonly (readonly number[])[];
  /** For each instruction, what it is in each group of lanes; or one number. */
  private readonly values: Group[][] = [];
  /** For each instruction that is the same in all lanes, its lanes. */
  private readonly splats: { double?: Group; float?: Group }[] = [];

  constructor(
    private readonly nest: Nest,
    private readonly groups: Groups,
    private readonly loops: LoopWriter,
  ) {
    const { sources, target, body, aggregator } = nest;
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

  /** How many groups of lanes are computed at once along an axis. */
  groupsAlong(axis: number): number {
    if (axis !== this.lanes) return 0;
    const { body, aggregator } = this.nest;
    const isOfDoubles = this.kinds.some(
      ({ number }, at) => number === "double" && body[at]?.op !== "constant",
    );
    const reads = body.filter(({ op }, at) => op === "read" && this.varying[at]).length;
    // So many vectors at once hide how long an addition takes; with more sources they would not fit into registers.
    const isSimple = aggregator !== undefined && reads === 1;
    return (isOfDoubles ? 2 : 4) * (isSimple ? 2 : 1);
  }

  /** Computes the instructions that need just these axes fixed: first what is read, so that all loads stand together. */
  compute(level: number, position: Position): void {
    const { body } = this.nest;
    const ready = [...body.keys()].filter((at) => this.levels[at] === level);
    const varying = ready.filter((at) => this.varies(at));
    for (const at of ready) if (!this.varies(at)) this.single(at, position);
    for (const at of varying) {
      const instruction = body[at];
      if (instruction?.op !== "read" && instruction?.op !== "index") continue;
      const folded = this.foldedBy(instruction);
      if (folded !== undefined) {
        this.values[at] = [...folded];
        continue;
      }
      this.values[at] = Array.from({ length: position.groups }, (_, group) =>
        this.nest.aggregator === undefined
          ? this.groups.bind(this.laneInput(instruction, position, group))
          : this.bindUnlessNext(at, this.laneInput(instruction, position, group)),
      );
    }
    for (let group = 0; group < position.groups; group++)
      for (const at of varying) {
        const instruction = body[at];
        if (instruction === undefined || instruction.op === "read") continue;
        if (instruction.op === "index" || instruction.op === "constant") continue;
        const operands = operandsOf(instruction).map((each) =>
          this.lanesOf(each, group, this.numberFor(each, at)),
        );
        const kind = element(this.kinds, at);
        const result = this.bindUnlessNext(at, computed(this.groups, instruction, kind, operands));
        if (group === 0) this.values[at] = [result];
        else this.values[at]?.push(result);
      }
  }

  /** Computes an instruction that is one number here, and its lanes if something needs them. */
  private single(at: number, position: Position): void {
    const { groups, nest } = this;
    const { scope } = groups;
    const instruction = nest.body[at];
    if (instruction === undefined || instruction.op === "constant") return;
    const result = (): Group => {
      switch (instruction.op) {
        case "read": {
          const folded = this.foldedBy(instruction);
          if (folded !== undefined) return element(folded, 0);
          const { local, bytes } = element(position.pointers, instruction.source);
          const { cellType } = element(nest.sources, instruction.source);
          return readCell(groups, cellType, scope.local(local), bytes);
        }
        case "index": {
          const index = scope.local(element(this.loops.indexes, instruction.axis));
          return single(groups.numbers("double", false).of(["f64.convert_i32_s"], index));
        }
        default: {
          const operands = operandsOf(instruction).map((each) =>
            this.numberOf(each, this.numberFor(each, at)),
          );
          return computed(groups, instruction, element(this.kinds, at), operands);
        }
      }
    };
    const users = element(this.users, at).filter((user) => this.varies(user));
    const bound =
      users.length > 0 || instruction.op === "read"
        ? groups.bind(result())
        : this.bindUnlessNext(at, result());
    this.values[at] = [bound];
    const splats: { double?: Group; float?: Group } = {};
    this.splats[at] = splats;
    for (const user of users) {
      const number = this.numberFor(at, user);
      splats[number] ??= groups.bind(groups.as(number, groups.splat(bound)));
    }
  }

  private foldedBy(instruction: Instruction): readonly Group[] | undefined {
    return instruction.op === "read" ? this.folded.get(instruction.source) : undefined;
  }

  /** What is used once, and at once, need not be bound. */
  private bindUnlessNext(at: number, group: Group): Group {
    const [user, ...others] = element(this.users, at);
    const isNext =
      others.length === 0 &&
      (user === undefined ? this.nest.aggregator !== undefined : this.levels[user] === this.levels[at]);
    return isNext ? group : this.groups.bind(group);
  }

  /** In which numbers an instruction wants an operand. */
  private numberFor(operand: number, user: number): "double" | "float" {
    const instruction = this.nest.body[user];
    const usesOwnNumber =
      instruction?.op === "store" ||
      (instruction?.op === "select" && instruction.condition === operand) ||
      (instruction?.op === "apply" && inlineFunctions[instruction.function].writeLanes !== undefined);
    if (usesOwnNumber) return element(this.kinds, operand).number;
    return element(this.kinds, user).number;
  }

  private laneInput(
    instruction: { op: "read"; source: number } | { op: "index"; axis: number },
    position: Position,
    group: number,
  ): Group {
    const { groups, nest } = this;
    if (instruction.op === "read") {
      const { cellType } = element(nest.sources, instruction.source);
      return readLanes(groups, cellType, this.laneAddress(instruction.source, position, group));
    }
    const n = groups.numbers("double", true);
    const index = this.groups.scope.local(element(this.loops.indexes, instruction.axis));
    const first = n.bind(n.of(["f64.convert_i32_s", "f64x2.splat"], index));
    const parts = [0, 2].map((lane) => {
      const start = group * groupSize + lane;
      return n.add(first, groups.vector("f64x2", [start, start + 1]));
    });
    return { isLanes: true, number: "double", isMask: false, parts };
  }

  laneAddress(access: number, position: Position, group: number): LaneAddress {
    const { strides } = element(accessesOf(this.nest), access);
    const stride = this.lanes === undefined ? 0 : element(strides, this.lanes);
    const table = position.tables.get(access);
    const { local, bytes } = element(position.pointers, access);
    return {
      pointer: this.groups.scope.local(local),
      bytes,
      stride:
        table !== undefined
          ? { table: this.groups.scope.local(table) }
          : typeof stride === "number"
            ? stride
            : 0,
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
    if (this.varies(at)) return element(element(this.values, at), group);
    const splats = this.splats[at];
    return splats?.[number] ?? this.groups.splat(element(element(this.values, at), 0));
  }

  private numberOf(at: number, number: "double" | "float"): Group {
    const instruction = this.nest.body[at];
    if (instruction?.op === "constant") return this.groups.constant(instruction.value, number, false);
    return element(element(this.values, at), 0);
  }

  /** The values of the body, one for each group of lanes. */
  results(position: Position): readonly Group[] {
    const at = this.nest.body.length - 1;
    const { number } = element(this.kinds, at);
    if (position.groups === 0) return [this.numberOf(at, number)];
    return Array.from({ length: position.groups }, (_, group) => this.lanesOf(at, group, number));
  }
}

/** One double. */
export function single(value: StackValue): Group {
  return { isLanes: false, number: "double", isMask: false, parts: [value] };
}

function levelsOf({ body, sources }: Nest): readonly number[] {
  const levels: number[] = [];
  for (const instruction of body) {
    if (instruction.op === "read") {
      const steps = element(sources, instruction.source).strides;
      levels.push(1 + steps.findLastIndex((stride) => stride !== 0));
    } else if (instruction.op === "index") levels.push(instruction.axis + 1);
    else
      levels.push(operandsOf(instruction).reduce((most, each) => Math.max(most, element(levels, each)), 0));
  }
  return levels;
}

/** For each instruction, whether it differs along the lanes. */
function varyingOf({ body, sources, lanes }: Nest): readonly boolean[] {
  const varying: boolean[] = [];
  for (const instruction of body) {
    if (instruction.op === "read")
      varying.push(lanes === undefined || element(sources, instruction.source).strides[lanes] !== 0);
    else if (instruction.op === "index") varying.push(instruction.axis === lanes);
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
