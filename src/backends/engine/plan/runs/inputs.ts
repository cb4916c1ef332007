import type { Node, NodeOf } from "../../../../language/core/operations.js";
import type { InputLayout } from "../../layouts/input-layout.js";
import { type Hiding, renamedAxes } from "../../values/axes.js";
import { lengthOf, valueIn } from "../../values/tensor-value.js";
import type { Buffer, Refused, Value } from "../../values/value.js";
import type { Planned } from "../planned.js";
import type { Scope } from "../scope.js";
import { drawsOf, drawsRandom } from "./draws.js";

/** What a run has for the inputs of a program. */
export interface InputContext {
  /** The layout of an input; absent where the run has none. */
  readonly layoutOf: (name: string) => InputLayout | undefined;
  /** What stands for an input that a run lacks. */
  readonly defaultOf: (node: NodeOf<"input">) => Node | Refused;
  /** Whether the default of an absent input draws random numbers, which the nodes that read the input do not tell. */
  readonly hasDrawnDefault: boolean;
  /** A dimension that inputs may have beyond their types: the program does not see it. */
  readonly batch?: string | undefined;
}

/** The inputs that a plan has asked for, each once, and their values. */
export class Inputs {
  /** By their names; absent ones without a layout. */
  readonly layouts = new Map<string, InputLayout | undefined>();
  private readonly values = new Map<string, Value>();
  private readonly drawing = drawsOf((node) => this.fallbacksOf(node));

  /** `batching` hides the dimension of a batch. */
  constructor(
    private readonly context: InputContext,
    private readonly batching: Hiding,
  ) {}

  planned(node: NodeOf<"input">, scope: Scope): Planned {
    const layout = this.layoutOf(node);
    if (layout === undefined) {
      const fallback = this.context.defaultOf(node);
      return "kind" in fallback ? fallback : scope.value(fallback);
    }
    const cached = this.values.get(node.name);
    if (cached !== undefined) return cached;
    const value = this.valueOf(node, layout);
    this.values.set(node.name, value);
    return value;
  }

  /** What stands for an input that is absent, if anything does: it is planned before the input. */
  fallbacksOf(node: NodeOf<"input">): readonly Node[] {
    if (this.layoutOf(node) !== undefined) return [];
    const fallback = this.context.defaultOf(node);
    return "kind" in fallback ? [] : [fallback];
  }

  /** Whether a node draws random numbers, or reads an absent input whose default does. */
  draws(node: Node): boolean {
    return this.context.hasDrawnDefault ? this.drawing.has(node) : drawsRandom(node);
  }

  private layoutOf({ name }: NodeOf<"input">): InputLayout | undefined {
    if (!this.layouts.has(name)) this.layouts.set(name, this.context.layoutOf(name));
    return this.layouts.get(name);
  }

  private valueOf(node: NodeOf<"input">, { type, sizes, index, name, isFixed }: InputLayout): Value {
    const length = lengthOf(sizes, index);
    const buffer: Buffer = { cellType: type.cellType, length, origin: { kind: "input", name, isFixed } };
    const full = valueIn(buffer, type, sizes, index);
    const { batch } = this.context;
    if (batch === undefined || node.type.dimension(batch) !== undefined) return full;
    const hidden = (dimension: string): string =>
      dimension === batch ? this.batching.hide(dimension) : dimension;
    return { ...full, axes: renamedAxes(full.axes, hidden) };
  }
}
