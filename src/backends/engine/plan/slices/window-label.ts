import { inputsOf, type Node, visit } from "../../../../language/core/operations.js";
import { maximumDepth } from "../../ir/body.js";
import { combined } from "../../values/arithmetic.js";
import { indexedAxis } from "../../values/axes.js";
import { depthOf } from "../../values/source.js";
import type { Tables } from "../../values/tables.js";
import { constant, type IndexedAxis, type ScalarOperation, type Value } from "../../values/value.js";
import { isUnsupported, isValue, type Unsupported } from "../planned.js";
import type { Scope } from "../scope.js";
import { extremesOfSum, haveSameTerms, type IndexSum, indexSum } from "./index-sums.js";
import { type VaryingLabels, varyingLabels } from "./labels.js";

/** A label that several axes decide: a sum of a term of each, or a function of such a sum, `(x + k) % 9`, as windows have that wrap around. */
export interface WindowLabel {
  readonly kind: "window";
  readonly sum: IndexSum;
  /** The function of all numbers from the least sum to the greatest, along an axis of its own; absent where the label is the sum itself. */
  readonly labels: VaryingLabels | undefined;
}

/** The label of a dimension, if it is such a label. */
export function windowLabel(
  dimension: string,
  label: Node,
  scope: Scope,
  tables: Tables,
): WindowLabel | Unsupported {
  const sum = indexSum(label, scope, tables);
  if (!isUnsupported(sum)) return { kind: "window", sum, labels: undefined };
  if (depthOf(scope.value(label).source) > maximumDepth) return sum;
  const parts = new WindowLabelParts(scope, tables);
  const part = parts.of(label);
  if (part.kind !== "function") return sum;
  const { least, most } = extremesOfSum(part.sum);
  const axis = indexedAxis(dimension, most - least + 1);
  const labels = varyingLabels(parts.along(axis, label), tables);
  return isUnsupported(labels) ? labels : { kind: "window", sum: part.sum, labels };
}

/** What a part of a label is: decided by no axis, by the axes of a sum, which it is or is a function of, or in another way. */
type LabelPart =
  | { readonly kind: "constant" }
  | { readonly kind: "other" }
  | { readonly kind: "sum"; readonly sum: IndexSum }
  | { readonly kind: "function"; readonly sum: IndexSum };

const ofNoAxis: LabelPart = { kind: "constant" };
const ofOtherAxes: LabelPart = { kind: "other" };

/** The parts of a label that is a function of one sum, or of several that differ by numbers, as `if(x + k > 8, x + k - 9, x + k)` is. */
class WindowLabelParts {
  private readonly parts = new Map<Node, LabelPart>();

  constructor(
    private readonly scope: Scope,
    private readonly tables: Tables,
  ) {}

  of(node: Node): LabelPart {
    const part = this.parts.get(node) ?? this.find(node);
    this.parts.set(node, part);
    return part;
  }

  private find(node: Node): LabelPart {
    const value = this.scope.get(node);
    if (value === undefined || !isValue(value)) return ofOtherAxes;
    if (value.axes.length === 0) return ofNoAxis;
    if (value.axes.length > 1) {
      const sum = indexSum(node, this.scope, this.tables);
      if (!isUnsupported(sum)) return { kind: "sum", sum };
    }
    if (operationOf(node) === undefined) return ofOtherAxes;
    let found: IndexSum | undefined;
    for (const input of visit(inputsOf, node)) {
      const part = this.of(input);
      if (part.kind === "constant") continue;
      if (part.kind === "other" || (found !== undefined && !haveSameTerms(found, part.sum)))
        return ofOtherAxes;
      found ??= part.sum;
    }
    return found === undefined ? ofOtherAxes : { kind: "function", sum: found };
  }

  /** What a part is at all numbers that its sum may be, along an axis. */
  along(axis: IndexedAxis, node: Node): Value {
    const values = new Map<Node, Value>();
    const partAlong = (each: Node): Value => {
      const value = values.get(each) ?? computed(each);
      values.set(each, value);
      return value;
    };
    const computed = (each: Node): Value => {
      const [part, operation] = [this.of(each), operationOf(each)];
      if (part.kind === "sum") return numbersFrom(extremesOfSum(part.sum).least, axis);
      if (part.kind !== "function" || operation === undefined) return this.scope.value(each);
      return combined(operation, visit(inputsOf, each).map(partAlong));
    };
    return partAlong(node);
  }
}

const numbersFrom = (first: number, axis: IndexedAxis): Value =>
  combined({ op: "apply", function: "add" }, [
    { axes: [axis], source: { kind: "index", axis: 0 } },
    constant(first),
  ]);

function operationOf(node: Node): ScalarOperation | undefined {
  if (node.op === "apply") return { op: "apply", function: node.function };
  return node.op === "select" ? { op: "select" } : undefined;
}
