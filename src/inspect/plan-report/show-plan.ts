import type { AxisStride } from "../../backends/plan-inspection.js";
import { requireArgument } from "../../language/source/arguments.js";
import { clip } from "../../language/source/columns.js";
import { checkCallOptions } from "../../language/source/option-rule.js";
import { qualifiedText } from "../provenance/descriptions.js";
import {
  type Column,
  countText,
  type DisplayOptions,
  displayRules,
  millisecondsText,
  tableLines,
} from "../table.js";
import type { PlannedStep, PlannedValue, PlanReport } from "./plan-report.js";

/** The results of a program as expressions of the core functions alone: before the optimiser, or after one of its passes. */
export interface PlanStage {
  /** `core`, or the name of a pass that changed something. */
  readonly name: string;
  /** The laws that the pass applied. */
  readonly laws: readonly string[];
  /** Each result; undefined where it is too long to write. */
  readonly results: readonly (string | undefined)[];
}

/** How a program is run on inputs of certain sizes: the stages of its core, and the report of its plan. */
export interface Plan extends PlanReport {
  readonly stages: readonly PlanStage[];
}

/** The most rows of a table, and characters of an expression, that are shown. */
const mostRows = 200;
const mostText = 600;

// biome-ignore format: a table
const stepColumns: readonly Column<PlannedStep>[] = [
  { head: "step",  side: "start", maxWidth: 60, text: ({ description }, at) => `${at + 1} ${description}` },
  { head: "for",   side: "start", maxWidth: 40, text: ({ text }) => text },
  { head: "cells", side: "end",   maxWidth: 24, text: ({ cells, cellType }) => `${cells} ${cellType}` },
  { head: "bytes", side: "end",   maxWidth: 16, text: ({ bytes }) => `${bytes}` },
  { head: "work",  side: "end",   maxWidth: 16, text: ({ work }) => `${Math.round(work)}` },
  { head: "ms",    side: "end",   maxWidth: 12, text: ({ time }) => (time === undefined ? "" : milliseconds(time)) },
  {                side: "start", maxWidth: 8,  text: ({ isOnce }) => (isOnce ? "once" : "") },
];

// biome-ignore format: a table
const valueColumns = (values: readonly PlannedValue[]): readonly Column<PlannedValue>[] => [
  { head: "value",     side: "start", maxWidth: 40, text: qualifiedText },
  { head: "operation", side: "start", maxWidth: 30, text: ({ description }) => description },
  { head: "type",      side: "start", maxWidth: 40, text: ({ type }) => `${type}` },
  { head: "storage",   side: "start", maxWidth: 40, text: (value) => storageText(value, values) },
  { head: "cells",     side: "end",   maxWidth: 16, text: ({ cells }) => `${cells}` },
  { head: "bytes",     side: "end",   maxWidth: 16, text: ({ bytes }) => countText(bytes) },
  { head: "strides",   side: "start", maxWidth: 30, text: ({ strides }) => strides.map(strideText).join(" ") },
];

/** A plan as text: the core, the steps, and where each value is stored. */
export function showPlan(plan: Plan, display: DisplayOptions = {}): string {
  requireArgument("showPlan", "output", plan, Array.isArray(Object(plan).stages));
  checkCallOptions("showPlan", display, displayRules);
  const { stages, ir, steps, values, isReplayable } = plan;
  const parts = stages.map((stage) => stageLines(stage, display.width).join("\n"));
  parts.push(irLines(ir).join("\n"));
  if (steps.length > 0) parts.push(table(stepColumns, steps, display));
  parts.push(table(valueColumns(values), values, display));
  const total = steps.reduce((sum, { time = 0 }) => sum + time, 0);
  const isTimed = steps.some(({ time }) => time !== undefined);
  const after = [
    isTimed ? `${milliseconds(total)} ms in all steps` : "",
    isReplayable ? "" : "the plan depends on cells: it has stages, which are kept for the latest outcomes",
  ].filter((each) => each !== "");
  return [parts.join("\n\n"), ...after].join("\n");
}

function irLines(ir: string): string[] {
  const lines = ir.split("\n");
  const shown = lines.slice(0, mostRows).map((line) => `  ${line}`);
  if (lines.length > mostRows) shown.push(`  … and ${lines.length - mostRows} more lines`);
  return ["plan", ...shown];
}

function stageLines({ name, laws, results }: PlanStage, width: number | undefined): string[] {
  const most = Math.max(20, Math.min(mostText, (width ?? mostText) * 4));
  return [
    name === "core" ? name : `after ${name}`,
    ...laws.map((law) => `  by ${law}`),
    ...results.map(
      (text) => `  ${text === undefined ? "(not to be written in core functions)" : clip(text, most)}`,
    ),
  ];
}

function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], options: DisplayOptions): string {
  const lines = tableLines(columns, rows.slice(0, mostRows), options);
  if (rows.length > mostRows) lines.push(`… and ${rows.length - mostRows} more`);
  return lines.join("\n");
}

function storageText(
  { storage, step, of, byReference }: PlannedValue,
  values: readonly PlannedValue[],
): string {
  const viewed = of === undefined ? undefined : values[of];
  if (storage === "view") return `view of ${viewed === undefined ? "another" : qualifiedText(viewed)}`;
  if (byReference) return "stored by the reference";
  return storage === "stored" && step !== undefined ? `stored by step ${step + 1}` : storage;
}

/** `x:4`: cells that follow each other along x are four apart. */
const strideText = ({ dimensions, cells }: AxisStride): string => `${dimensions.join("·")}:${cells}`;

const milliseconds = (time: number): string => millisecondsText(time, true);
