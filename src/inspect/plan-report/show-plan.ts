import type { AxisStride } from "../../backends/plan-inspection.js";
import { clip } from "../../language/source/columns.js";
import { type Column, type DisplayOptions, tableLines } from "../provenance/table.js";
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

const stepColumns: readonly Column[] = [
  { head: "step", side: "start", maxWidth: 60 },
  { head: "for", side: "start", maxWidth: 40 },
  { head: "cells", side: "end", maxWidth: 24 },
  { head: "bytes", side: "end", maxWidth: 16 },
  { head: "work", side: "end", maxWidth: 16 },
  { head: "ms", side: "end", maxWidth: 12 },
  { side: "start", maxWidth: 8 },
];

const valueColumns: readonly Column[] = [
  { head: "value", side: "start", maxWidth: 40 },
  { head: "operation", side: "start", maxWidth: 30 },
  { head: "type", side: "start", maxWidth: 40 },
  { head: "kept", side: "start", maxWidth: 40 },
  { head: "cells", side: "end", maxWidth: 16 },
  { head: "bytes", side: "end", maxWidth: 16 },
  { head: "strides", side: "start", maxWidth: 30 },
];

/** A plan as text: the core, the steps, and where each value is stored. */
export function showPlan(
  { stages, ir, steps, values, isReplayable }: Plan,
  { width }: DisplayOptions = {},
): string {
  const options = { width };
  const parts = stages.map((stage) => stageLines(stage, width).join("\n"));
  parts.push(irLines(ir).join("\n"));
  if (steps.length > 0) parts.push(table(stepColumns, steps, stepRow, options));
  parts.push(table(valueColumns, values, (value) => valueRow(value, values), options));
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
    ...results.map((text) => `  ${text === undefined ? "(too long to be written)" : clip(text, most)}`),
  ];
}

function table<T>(
  columns: readonly Column[],
  items: readonly T[],
  row: (item: T, at: number) => string[],
  options: DisplayOptions,
): string {
  const lines = tableLines(columns, items.slice(0, mostRows).map(row), options);
  if (items.length > mostRows) lines.push(`… and ${items.length - mostRows} more`);
  return lines.join("\n");
}

function stepRow(
  { description, text, cellType, cells, bytes, work, isOnce, time }: PlannedStep,
  at: number,
): string[] {
  return [
    `${at + 1} ${description}`,
    text,
    `${cells} ${cellType}`,
    `${bytes}`,
    `${Math.round(work)}`,
    time === undefined ? "" : milliseconds(time),
    isOnce ? "once" : "",
  ];
}

function valueRow(value: PlannedValue, values: readonly PlannedValue[]): string[] {
  const { text, description, type, cells, bytes, strides } = value;
  return [
    text,
    description,
    `${type}`,
    storageText(value, values),
    `${cells}`,
    bytes === 0 ? "" : `${bytes}`,
    strides.map(strideText).join(" "),
  ];
}

function storageText(
  { storage, step, of, byReference }: PlannedValue,
  values: readonly PlannedValue[],
): string {
  if (storage === "view") return `view of ${values[of ?? 0]?.text ?? "another"}`;
  if (byReference) return "stored by the reference";
  return storage === "stored" && step !== undefined ? `stored by step ${step + 1}` : storage;
}

/** `x:4`: cells that follow each other along x are four apart. */
const strideText = ({ dimensions, cells }: AxisStride): string => `${dimensions.join("·")}:${cells}`;

const milliseconds = (time: number): string => time.toFixed(time < 0.1 ? 4 : 2);
