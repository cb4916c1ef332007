import { element } from "../../../language/values/element.js";
import type { Folded, FoldWriter } from "../kernels/accumulators.js";
import { acrossLanes, folds, foldWriterOf } from "../kernels/folding.js";
import { type Group, type Groups, partOf } from "../kernels/groups.js";
import { pooledLaneNumbers, presentLanes } from "../kernels/presence.js";
import type { StackValue } from "../kernels/scope.js";
import { addExactly, compensatedTotal } from "../kernels/sums.js";
import { isOfFloats } from "./kinds.js";
import type { LoopWriter, Position } from "./loop-writer.js";
import { isNeverNegativeZero } from "./negative-zero.js";
import type { Nest } from "./nest.js";
import { single, type Values } from "./values.js";

type Aggregator = NonNullable<Nest["aggregator"]>;

/** Whether a kernel keeps a total between calls, in two doubles whose address is its last argument. */
export function carriesTotal({ aggregator, outerAxes, axes }: Nest): boolean {
  return aggregator !== undefined && outerAxes === 0 && axes.length > 0;
}

/** The loops of a kernel over its folded axes, within the outer ones. */
export class Folds {
  constructor(
    private readonly nest: Nest,
    private readonly groups: Groups,
    private readonly loops: LoopWriter,
    private readonly values: Values,
    /** The parameter with the address of a total that is stored between calls. */
    private readonly totalAddress: number | undefined,
  ) {}

  /** Folds the values at a position; the results, one for each group of lanes. */
  fold(position: Position, aggregator: Aggregator): readonly Group[] {
    const isLaneFold = this.values.lanes !== undefined && this.values.lanes >= this.nest.outerAxes;
    if (!isLaneFold) {
      const folded = this.foldedOver(position, aggregator);
      const { numbers, totals, errors } = folded;
      if (this.totalAddress !== undefined) this.storeTotal(element(totals, 0), errors?.[0]);
      const results = totals.map((total, at) => numbers.bind(compensatedTotal(numbers, total, errors?.[at])));
      return this.asGroups(results, folded);
    }
    const folded = this.foldedOver(position, aggregator);
    const { total, error } = acrossLanes(this.groups, aggregator, folded);
    const n = this.groups.numbers("double", false);
    const result = this.resumedTotal(aggregator, n.bind(total), error);
    if (aggregator !== "sum") {
      this.refoldZero(result, position, aggregator);
      if (aggregator === "vespaMax" || aggregator === "vespaMin") this.restoreNan(result, position);
      this.storeTotal(this.groups.scope.local(result), undefined);
    }
    return [single(this.groups.scope.local(result))];
  }

  /** Of 0 and -0, which lanes take for equal, the first one counts: then all is done again in order. */
  private refoldZero(result: number, position: Position, aggregator: Aggregator): void {
    const { groups, nest } = this;
    const sourceTypes = nest.sources.map(({ cellType }) => cellType);
    if (isNeverNegativeZero(nest.body, sourceTypes)) return;
    const { scope } = groups;
    const { code } = scope;
    const n = groups.numbers("double", false);
    const lanes = this.values.lanes;
    n.compare("eq", scope.local(result), n.constant(0)).push();
    code.if(() => {
      this.values.lanes = undefined;
      const [total] = this.foldedOver(position, aggregator).totals;
      total?.push();
      code.set(result);
      this.values.lanes = lanes;
    });
  }

  /** A first NaN stays, while lanes have ignored it. */
  private restoreNan(result: number, position: Position): void {
    const { groups, values, loops } = this;
    const { scope } = groups;
    const { code } = scope;
    const { lanes } = values;
    const { outerAxes, axes } = this.nest;
    const n = groups.numbers("double", false);
    code.block(() => {
      if (this.totalAddress !== undefined) code.get(0).branchIf();
      values.lanes = undefined;
      const zero = scope.take("i32");
      code.i32(0).set(zero);
      for (let depth = outerAxes; depth <= axes.length; depth++) {
        values.compute(depth, position);
        loops.indexes[depth] = zero;
      }
      const first = n.bind(partOf(groups.as("double", element(values.results(position), 0))));
      n.choose(n.compare("eq", first, first), scope.local(result), first).push();
      code.set(result);
      values.lanes = lanes;
    });
  }

  /** Writes the loops over the folded axes. */
  private foldedOver(position: Position, aggregator: Aggregator): Folded {
    const { outerAxes, axes } = this.nest;
    const { groups } = this;
    const { lanes } = this.values;
    const isLaneFold = lanes !== undefined && lanes >= outerAxes;
    const isLanes = lanes !== undefined;
    const count = isLaneFold ? this.values.groupsAlong(lanes) : position.groups;
    const number = this.foldedAs(aggregator, isLanes);
    const numbers = groups.numbers(number, isLanes);
    const each = number === "double" ? 2 : 1;
    const steps = axes.slice(outerAxes).reduce((product, { size }) => product * size, 1);
    const folding = foldWriterOf(groups, isLaneFold ? folds[aggregator].inLanes : aggregator, {
      numbers,
      accumulators: isLanes ? count * each : 1,
      steps: outerAxes === 0 ? Number.POSITIVE_INFINITY : steps,
      isJoined: isLaneFold,
    });
    const writeDepth = (depth: number, inner: Position): void => {
      this.values.compute(depth, inner);
      if (depth < axes.length) {
        const flushed = depth === axes.length - 1 ? folding : undefined;
        const laneGroups = isLaneFold ? this.values.groupsAlong(depth) : position.groups > 0 ? -1 : 0;
        this.writeLoop(depth, inner, laneGroups, (deeper) => writeDepth(depth + 1, deeper), flushed);
        return;
      }
      const values = this.values.results(inner).flatMap((group) => groups.as(number, group).parts);
      folding.step(isLaneFold ? this.masked(values, inner, aggregator, number) : values);
    };
    folding.begin();
    if (!isLaneFold) this.resume(folding);
    writeDepth(outerAxes, position);
    if (axes.length === outerAxes) folding.flush();
    return folding.finish();
  }

  /** A loop over a folded axis; -1 where lanes lie along an axis further out. */
  private writeLoop(
    axis: number,
    position: Position,
    groups: number,
    body: (position: Position) => void,
    folding: FoldWriter | undefined,
  ): void {
    const { groups: outerGroups, remaining } = position;
    const inner =
      groups < 0 ? (each: Position): void => body({ ...each, groups: outerGroups, remaining }) : body;
    this.loops.writeLoop(axis, position, Math.max(groups, 0), inner, folding);
  }

  /** In what values are folded: in floats where that is exact, or where the sum is one of floats. */
  private foldedAs(aggregator: Aggregator, isLanes: boolean): "double" | "float" {
    const kind = this.values.kinds.at(-1);
    if (!isLanes || kind?.number !== "float" || aggregator === "prod") return "double";
    const isExact = aggregator !== "sum" || kind.isMask; // as extremes and chains of ones are
    return isExact || isOfFloats(this.nest.target.cellType) ? "float" : "double";
  }

  /** Values beyond the end of an axis replaced by what changes nothing. */
  private masked(
    values: readonly StackValue[],
    { remaining }: Position,
    aggregator: Aggregator,
    number: "double" | "float",
  ): readonly StackValue[] {
    const { groups } = this;
    const { scope } = groups;
    if (remaining === undefined) return values;
    const isPresent = presentLanes(scope, "i32x4", pooledLaneNumbers(scope, "i32x4"), remaining);
    const narrow: Group = { isLanes: true, number: "float", isMask: true, parts: [isPresent] };
    const masks = groups.asMask(number, groups.bind(narrow)).parts;
    const n = groups.numbers(number, true);
    const neutral = n.constant(folds[aggregator].neutral);
    return values.map((value, at) => scope.bind("v128", n.choose(element(masks, at), value, neutral)));
  }

  private resume(folding: FoldWriter): void {
    const address = this.totalAddress;
    if (address === undefined) return;
    this.groups.scope.code
      .get(0)
      .if(() => folding.resume(this.storedTotal(address, 0), this.storedTotal(address, 8)));
  }

  private storedTotal(address: number, bytes: number): StackValue {
    return { push: () => void this.groups.scope.code.get(address).memory("f64.load", bytes), isBound: false };
  }

  private storeTotal(total: StackValue, error: StackValue | undefined): void {
    const { code } = this.groups.scope;
    const address = this.totalAddress;
    if (address === undefined) return;
    for (const [at, value] of [total, error].entries()) {
      if (value === undefined) continue;
      code.get(address);
      value.push();
      code.memory("f64.store", at * 8);
    }
  }

  /** Folds a total into that of earlier calls; the local of the result. */
  private resumedTotal(aggregator: Aggregator, value: StackValue, error: StackValue | undefined): number {
    const { groups } = this;
    const { scope } = groups;
    const { code } = scope;
    const n = groups.numbers("double", false);
    const [total, lost] = [scope.take("f64"), scope.take("f64")];
    value.push();
    code.set(total);
    (error ?? n.constant(0)).push();
    code.set(lost);
    const address = this.totalAddress;
    if (address !== undefined) {
      code.get(0).if(() => {
        const before = n.bind(this.storedTotal(address, 0));
        if (aggregator === "sum") {
          addExactly(n, total, lost, before);
          n.add(scope.local(lost), this.storedTotal(address, 8)).push();
          code.set(lost);
        } else {
          scope.set(total, folds[aggregator].fold(n, before, scope.local(total)));
        }
      });
    }
    if (aggregator !== "sum") return total;
    this.storeTotal(scope.local(total), scope.local(lost));
    compensatedTotal(n, scope.local(total), scope.local(lost)).push();
    code.set(total);
    return total;
  }

  private asGroups(results: readonly StackValue[], { numbers }: Folded): readonly Group[] {
    const number = numbers.isDouble ? "double" : "float";
    const each = numbers.isVector && numbers.isDouble ? 2 : 1;
    return Array.from({ length: results.length / each }, (_, at) => ({
      isLanes: numbers.isVector,
      number,
      isMask: false,
      parts: results.slice(at * each, at * each + each),
    }));
  }
}
