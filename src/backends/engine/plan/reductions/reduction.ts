import { element } from "../../../../language/values/element.js";
import { type Grouping, groupBy } from "../../sparse/group.js";
import { byStorage, factorAxis, isHidden } from "../../values/axes.js";
import { type Axis, type FactorAxis, namesOf, type Value } from "../../values/value.js";
import { type Unsupported, unsupported } from "../planned.js";

/** What becomes of each axis. */
export interface Reduction {
  /** The axes of the result, in the order of storage. */
  readonly retained: readonly Axis[];
  readonly reduced: readonly Axis[];
  /** A factor of which some dimensions are retained. */
  readonly grouped: { readonly axis: FactorAxis; readonly grouping: Grouping; readonly to: Axis } | undefined;
  /** Whether cells come in another order than the canonical one. */
  readonly isReordered: boolean;
}

export function reductionOf(value: Value, over: readonly string[]): Reduction | Unsupported {
  const retained: Axis[] = [];
  const reduced: Axis[] = [];
  let grouped: Reduction["grouped"];
  for (const axis of value.axes) {
    const names = namesOf(axis);
    const remaining = isHidden(axis)
      ? names
      : over.length === 0
        ? []
        : names.filter((name) => !over.includes(name));
    if (remaining.length === names.length) retained.push(axis);
    else if (remaining.length === 0 || axis.factor === undefined) reduced.push(axis);
    else {
      // A second one would need a table over two axes at once.
      if (grouped !== undefined) return unsupported("two sparse factors are grouped at once");
      const grouping = groupBy(axis.factor, remaining);
      const to = factorAxis(grouping.factor);
      grouped = { axis, grouping, to };
      retained.push(to);
    }
  }
  retained.sort(byStorage);
  reduced.sort(byStorage);
  // The rows of one result come in canonical order where the reduced dimensions, as they are walked, have theirs one
  // behind the other: the grouped factor comes first, and retained dimensions change nothing in it.
  const walked = [grouped?.axis, ...reduced].flatMap((axis) =>
    axis?.factor === undefined ? [] : namesOf(axis),
  );
  const walkOrder = walked.filter((name) => grouped?.to === undefined || !namesOf(grouped.to).includes(name));
  const isReordered = walkOrder.some((name, at) => at > 0 && name < element(walkOrder, at - 1));
  return { retained, reduced, grouped, isReordered };
}
