import { Code } from "../assembler/code.js";
import { type KnownCellType, readCell, writeCell } from "./cells.js";
import { Folds, keepsTotal } from "./folds.js";
import { type Group, Groups } from "./groups.js";
import { importsOf } from "./imports.js";
import { readLanes, writeLanes } from "./lane-cells.js";
import type { Written } from "./modules.js";
import type { Nest } from "./nest.js";
import { Scope, type Value } from "./scope.js";
import { Subroutines } from "./subroutines.js";
import { Values } from "./values.js";
import { type Position, tablesOf, Walking } from "./walking.js";

/** Writes the function of a nest: `run(from, to, address of each source, of the target, of each table, of the total)`. */
export function kernelOf(nest: Nest, hasMultiplyAdd: boolean): Written {
  return new Kernel(nest, hasMultiplyAdd).write();
}

class Kernel {
  private readonly code: Code;
  private readonly groups: Groups;
  private readonly subroutines: Subroutines;
  private readonly walking: Walking;
  private readonly values: Values;
  private readonly folds: Folds;

  constructor(
    private readonly nest: Nest,
    hasMultiplyAdd: boolean,
  ) {
    const addresses = nest.sources.length + 1 + tablesOf(nest).length + (keepsTotal(nest) ? 1 : 0);
    this.code = new Code(
      "run",
      Array.from({ length: 2 + addresses }, () => "i32"),
    );
    const scope = new Scope(this.code);
    this.subroutines = new Subroutines(importsOf(nest.body).length + 1);
    this.groups = new Groups(scope, hasMultiplyAdd, this.subroutines);
    this.walking = new Walking(scope, nest);
    this.values = new Values(nest, this.groups, this.walking);
    const total = keepsTotal(nest) ? 1 + addresses : undefined;
    this.folds = new Folds(nest, this.groups, this.walking, this.values, total);
  }

  write(): Written {
    this.walk(0, this.walking.start());
    this.groups.scope.finish();
    return { functions: [this.code, ...this.subroutines.functions], imports: this.values.imports };
  }

  /** Writes what happens where so many axes are fixed. */
  private walk(depth: number, position: Position): void {
    const { placed, axes, aggregator } = this.nest;
    if (depth === placed && aggregator !== undefined)
      return this.put(position, this.folds.fold(position, aggregator));
    this.values.compute(depth, position);
    if (depth === axes.length) return this.put(position, this.values.results(position));
    this.walking.over(depth, position, this.values.groupsAlong(depth), (inner) =>
      this.walk(depth + 1, inner),
    );
  }

  private put(position: Position, results: readonly Group[]): void {
    const { groups, nest } = this;
    const { scope } = groups;
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
      const before = readLanes(groups, cellType, this.values.laneAddress(access, position, group));
      return groups.keep(this.accumulated(before, result));
    });
    for (const [group, result] of finished.entries())
      writeLanes(groups, cellType, this.values.laneAddress(access, position, group), result);
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
