import type { Folded, Folding } from "./accumulators.js";
import { acrossLanes, foldingOf } from "./folding.js";
import type { Group, Groups } from "./groups.js";
import { isOfFloats } from "./kinds.js";
import type { Nest } from "./nest.js";
import type { Value } from "./scope.js";
import { addExactly, whole } from "./summing.js";
import { single, type Values } from "./values.js";
import type { Position, Walking } from "./walking.js";

type Aggregator = NonNullable<Nest["aggregator"]>;

/** Whether a kernel keeps a total between calls, in two doubles whose address is its last argument. */
export function keepsTotal({ aggregator, placed, axes }: Nest): boolean {
  return aggregator !== undefined && placed === 0 && axes.length > 0;
}

/** The loops of a kernel over its folded axes, within those that choose a place. */
export class Folds {
  constructor(
    private readonly nest: Nest,
    private readonly groups: Groups,
    private readonly walking: Walking,
    private readonly values: Values,
    /** The parameter that says where a total is kept between calls. */
    private readonly totalAddress: number | undefined,
  ) {}

  /** Folds the values at a position; the results, one for each group of lanes. */
  fold(position: Position, aggregator: Aggregator): readonly Group[] {
    const isAlong = this.values.lanes !== undefined && this.values.lanes >= this.nest.placed;
    if (!isAlong) {
      const folded = this.foldedOver(position, aggregator);
      const { numbers, totals, rests } = folded;
      if (this.totalAddress !== undefined) this.keepTotal(totals[0] as Value, rests?.[0]);
      const results = totals.map((total, at) => numbers.keep(whole(numbers, total, rests?.[at])));
      return this.asGroups(results, folded);
    }
    const folded = this.foldedOver(position, aggregator);
    const { total, rest } = acrossLanes(this.groups, aggregator, folded);
    const n = this.groups.numbers("double", false);
    const result = this.continued(aggregator, n.keep(total), rest);
    if (aggregator !== "sum") {
      this.mendZero(result, position, aggregator);
      if (aggregator === "vespaMax" || aggregator === "vespaMin") this.mendNan(result, position);
      this.keepTotal(this.groups.scope.local(result), undefined);
    }
    return [single(this.groups.scope.local(result))];
  }

  /** Of 0 and -0, which lanes take for equal, the first one counts: then all is done again in order. */
  private mendZero(result: number, position: Position, aggregator: Aggregator): void {
    const { groups } = this;
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
  private mendNan(result: number, position: Position): void {
    const { groups, values, walking } = this;
    const { scope } = groups;
    const { code } = scope;
    const { lanes } = values;
    const { placed, axes } = this.nest;
    const n = groups.numbers("double", false);
    code.block(() => {
      if (this.totalAddress !== undefined) code.get(0).branchIf();
      values.lanes = undefined;
      const zero = scope.take("i32");
      code.i32(0).set(zero);
      for (let depth = placed; depth <= axes.length; depth++) {
        values.compute(depth, position);
        walking.places[depth] = zero;
      }
      const first = n.keep(groups.as("double", values.results(position)[0] as Group).parts[0] as Value);
      n.choose(n.compare("eq", first, first), scope.local(result), first).push();
      code.set(result);
      values.lanes = lanes;
    });
  }

  /** Writes the loops over the folded axes. */
  private foldedOver(position: Position, aggregator: Aggregator): Folded {
    const { placed, axes } = this.nest;
    const { groups } = this;
    const { lanes } = this.values;
    const isAlong = lanes !== undefined && lanes >= placed;
    const isLanes = lanes !== undefined;
    const count = isAlong ? this.values.groupsAlong(lanes) : position.groups;
    const number = this.foldedAs(aggregator, isLanes);
    const numbers = groups.numbers(number, isLanes);
    const each = number === "double" ? 2 : 1;
    const steps = axes.slice(placed).reduce((product, { size }) => product * size, 1);
    const folding = foldingOf(groups, isAlong ? ignoringNan(aggregator) : aggregator, {
      numbers,
      accumulators: isLanes ? count * each : 1,
      steps: placed === 0 ? Number.POSITIVE_INFINITY : steps,
      isJoined: isAlong,
    });
    const inside = (depth: number, inner: Position): void => {
      this.values.compute(depth, inner);
      if (depth < axes.length) {
        const flushed = depth === axes.length - 1 ? folding : undefined;
        const along = isAlong ? this.values.groupsAlong(depth) : position.groups > 0 ? -1 : 0;
        this.over(depth, inner, along, (deeper) => inside(depth + 1, deeper), flushed);
        return;
      }
      const values = this.values.results(inner).flatMap((group) => groups.as(number, group).parts);
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
    const kind = this.values.kinds.at(-1);
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
    const { groups } = this;
    const { scope } = groups;
    if (remaining === undefined) return values;
    const floats = groups.numbers("float", true);
    const left = floats.of(["i32x4.splat"], remaining);
    const isThere = floats.of(["i32x4.gt_s"], left, groups.vector("i32x4", [0, 1, 2, 3]));
    const narrow: Group = { isLanes: true, number: "float", isMask: true, parts: [isThere] };
    const masks = groups.asMask(number, groups.keep(narrow)).parts;
    const n = groups.numbers(number, true);
    const start =
      aggregator === "sum"
        ? 0
        : isOfLargest(aggregator)
          ? Number.NEGATIVE_INFINITY
          : Number.POSITIVE_INFINITY;
    return values.map((value, at) =>
      scope.keep("v128", n.choose(masks[at] as Value, value, n.constant(start))),
    );
  }

  private resume(folding: Folding): void {
    const address = this.totalAddress;
    if (address === undefined) return;
    this.groups.scope.code.get(0).if(() => folding.resume(this.kept(address, 0), this.kept(address, 8)));
  }

  private kept(address: number, bytes: number): Value {
    return { push: () => void this.groups.scope.code.get(address).memory("f64.load", bytes), isBound: false };
  }

  private keepTotal(total: Value, rest: Value | undefined): void {
    const { code } = this.groups.scope;
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
    const { groups } = this;
    const { scope } = groups;
    const { code } = scope;
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
          (isOfLargest(aggregator) ? n.larger(before, now) : n.smaller(before, now)).push();
          code.set(total);
        }
      });
    }
    if (aggregator !== "sum") return total;
    this.keepTotal(scope.local(total), scope.local(lost));
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
}

function isOfLargest(aggregator: Aggregator): boolean {
  return aggregator === "max" || aggregator === "vespaMax";
}

function ignoringNan(aggregator: Aggregator): Aggregator {
  return aggregator === "vespaMax" ? "max" : aggregator === "vespaMin" ? "min" : aggregator;
}
