import type { InspectedStep, InspectedValue, PlanInspection } from "../../backends/plan-inspection.js";
import type { Node } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import { cellTypes } from "../../language/types/cell.js";
import type { TensorType } from "../../language/types/type.js";
import { type ExpressionText, operationDescription, textIn, textOf } from "../provenance/descriptions.js";

/** A plan of a backend as data: its steps, and how each value is stored. */
export interface PlanReport extends Omit<PlanInspection, "steps" | "values"> {
  readonly steps: readonly PlannedStep[];
  /** Inputs first, results last. */
  readonly values: readonly PlannedValue[];
}

/** A step of a plan, with what it does and how long it takes. */
export interface PlannedStep extends InspectedStep {
  /** The text of the expression that it computes. */
  readonly text: string;
  /** How many bytes the cells are that it writes. */
  readonly bytes: number;
}

/** A value of a plan: its expression, and how it is stored. */
export interface PlannedValue extends Omit<InspectedValue, "node">, ExpressionText {
  readonly operation: Node["op"];
  /** The operation in words. */
  readonly description: string;
  readonly span: Span;
  readonly type: TensorType;
}

/** What a backend did, in words of the program. */
export function planReport({ ir, steps, values, isReplayable }: PlanInspection): PlanReport {
  return { ir, steps: steps.map(plannedStep), values: values.map(plannedValue), isReplayable };
}

const plannedStep = (step: InspectedStep): PlannedStep => ({
  ...step,
  text: textIn(step.span),
  bytes: step.cells * cellTypes[step.cellType].width,
});

function plannedValue({ node, ...value }: InspectedValue): PlannedValue {
  const { op, span, type } = node;
  return { operation: op, description: operationDescription(node), ...textOf(node), span, type, ...value };
}
