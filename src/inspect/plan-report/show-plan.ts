import { clip } from "../../language/source/columns.js";
import { aligned, type Column, type Room } from "../provenance/table.js";
import type { Account, PlannedStep, PlannedValue, Stride } from "./plan-report.js";

/** The core of a program, as its results are expressions of the core functions alone: as it was, or after a pass. */
export interface PlanStage {
  /** `core`, or the name of a pass that changed something. */
  readonly name: string;
  /** The laws by which it did. */
  readonly laws: readonly string[];
  /** Each result; nothing where it would be too long to write. */
  readonly results: readonly (string | undefined)[];
}

/** How a program is run on inputs of certain sizes: what became of its core, and the account of its plan. */
export interface Plan extends Account {
  readonly stages: readonly PlanStage[];
}

/** Rows of a table, and characters of an expression, that are shown: more than that nobody reads. */
const mostRows = 200;
const mostText = 600;

const stepColumns: readonly Column[] = [
  { head: "step", side: "start", most: 60 },
  { head: "for", side: "start", most: 40 },
  { head: "cells", side: "end", most: 24 },
  { head: "bytes", side: "end", most: 16 },
  { head: "work", side: "end", most: 16 },
  { head: "ms", side: "end", most: 12 },
  { side: "start", most: 8 },
];

const valueColumns: readonly Column[] = [
  { head: "value", side: "start", most: 40 },
  { head: "operation", side: "start", most: 30 },
  { head: "type", side: "start", most: 40 },
  { head: "kept", side: "start", most: 40 },
  { head: "cells", side: "end", most: 16 },
  { head: "bytes", side: "end", most: 16 },
  { head: "strides", side: "start", most: 30 },
];

/** A plan as people read it: the core, the steps, and for every value whether and where it is stored. */
export function showPlan({ stages, ir, steps, values, isReplayable }: Plan, { width }: Room = {}): string {
  const room = { width };
  const parts = stages.map((stage) => stageLines(stage, width).join("\n"));
  parts.push(irLines(ir).join("\n"));
  if (steps.length > 0) parts.push(table(stepColumns, steps, stepRow, room));
  parts.push(table(valueColumns, values, (value) => valueRow(value, values), room));
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
  things: readonly T[],
  row: (thing: T, at: number) => string[],
  room: Room,
): string {
  const lines = aligned(columns, things.slice(0, mostRows).map(row), room);
  if (things.length > mostRows) lines.push(`… and ${things.length - mostRows} more`);
  return lines.join("\n");
}

function stepRow(
  { says, text, cellType, cells, bytes, work, isOnce, time }: PlannedStep,
  at: number,
): string[] {
  return [
    `${at + 1} ${says}`,
    text,
    `${cells} ${cellType}`,
    `${bytes}`,
    `${Math.round(work)}`,
    time === undefined ? "" : milliseconds(time),
    isOnce ? "once" : "",
  ];
}

function valueRow(value: PlannedValue, values: readonly PlannedValue[]): string[] {
  const { text, says, type, cells, bytes, strides } = value;
  return [
    text,
    says,
    `${type}`,
    keptText(value, values),
    `${cells}`,
    bytes === 0 ? "" : `${bytes}`,
    strides.map(strideText).join(" "),
  ];
}

function keptText({ keeping, step, of, byReference }: PlannedValue, values: readonly PlannedValue[]): string {
  if (keeping === "view") return `view of ${values[of ?? 0]?.text ?? "another"}`;
  if (byReference) return "stored by the reference";
  return keeping === "stored" && step !== undefined ? `stored by step ${step + 1}` : keeping;
}

/** `x:4`: cells that follow each other along x are four apart. */
const strideText = ({ dimensions, cells }: Stride): string => `${dimensions.join("·")}:${cells}`;

const milliseconds = (time: number): string => time.toFixed(time < 0.1 ? 4 : 2);
