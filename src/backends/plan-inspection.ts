import type { Node } from "../language/core/operations.js";
import type { Span } from "../language/source/span.js";
import type { CellType } from "../language/types/cell.js";

/** How a backend computed some nodes, as data for reports: its steps, and how each value is stored. */
export interface PlanInspection {
  /** The plan as text: each step with its loop, its instructions, and the cells that they read and write. */
  readonly ir: string;
  readonly steps: readonly InspectedStep[];
  /** Inputs first, results last. */
  readonly values: readonly InspectedValue[];
  /** Whether the plan can be reused for other inputs of the same sizes and labels; otherwise it depends on cells. */
  readonly isReplayable: boolean;
}

export interface InspectedStep {
  /** What it does, in a few words. */
  readonly description: string;
  /** The expression that it computes. */
  readonly span: Span;
  readonly cellType: CellType;
  /** How many cells it writes. */
  readonly cells: number;
  /** About how many scalar operations it takes. */
  readonly work: number;
  /** Whether it needs no input, and so is not repeated. */
  readonly isOnce: boolean;
  /** Milliseconds, if it was timed. */
  readonly time: number | undefined;
}

/** Where the cells of a value are. */
export type ValueStorage =
  /** Stored by a step, or by the reference. */
  | "stored"
  /** The cells of another value, with an offset and strides of its own. */
  | "view"
  /** Computed by the steps that read them. */
  | "on demand"
  /** One number, known when the plan is made. */
  | "number"
  | "input"
  | "constant";

export interface InspectedValue {
  readonly node: Node;
  readonly storage: ValueStorage;
  /** The position of the step that stores it, from 0. */
  readonly step: number | undefined;
  /** The position of the value whose cells it shares. */
  readonly of: number | undefined;
  /** Whether the reference evaluator computes it. */
  readonly byReference: boolean;
  readonly cells: number;
  /** The bytes of its own buffer. */
  readonly bytes: number;
  /** The strides of its axes, in cells. */
  readonly strides: readonly AxisStride[];
  /** The first cell. */
  readonly offset: number | undefined;
}

/** Mapped dimensions of one index share a stride; it is `table` where rows are looked up. */
export interface AxisStride {
  readonly dimensions: readonly string[];
  readonly cells: number | "table";
}
