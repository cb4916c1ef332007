import type { Node, OperationName } from "../../language/core/operations.js";
import { atOnce, SliceMeter, type Slices, sortedInSlices } from "../../language/limits/slices.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { TextAddress } from "../../language/values/address.js";
import { labelKey } from "../../language/values/data/rows.js";
import { labelAt } from "./cells.js";
import { type ExpressionText, operationDescription, textOf } from "./descriptions.js";
import { byWeight, cellsPerContribution, largestContributionSlices } from "./largest-contributions.js";
import type { Cell, Scope } from "./scope.js";

/** Which cells, by which operations, made a cell. The steps are a list, since a tree may be deeper than the stack. */
export interface Why {
  /** The first step made the inspected cell; contributions refer to others by their positions in the list. */
  readonly steps: readonly WhyStep[];
}

/** How one cell was made. */
export interface WhyStep extends ExpressionText {
  readonly operation: OperationName;
  /** The operation in words: `join multiply`, `input a`. */
  readonly description: string;
  /** The expression, or the call in the program of the function that it is written in. */
  readonly span: Span;
  readonly type: TensorType;
  readonly address: TextAddress;
  /** Undefined where there is no such cell. */
  readonly value: number | undefined;
  /** The cells that the value is computed from, in canonical order; none for constants, and for inputs that a run is given. */
  readonly contributions: readonly Contribution[];
  /** How many more contributions there are than are listed. */
  readonly others: number;
  /** The named values of the program that the cell is one of; absent where it is of none. */
  readonly values?: readonly string[];
}

/** A cell that another is made of. */
export interface Contribution {
  /** What the cell is to the operation: `left`, `condition`, the name of a parameter. */
  readonly role: string;
  readonly address: TextAddress;
  readonly value: number | undefined;
  /** The position of the step that made it; undefined where that is not listed. */
  readonly step: number | undefined;
}

/** How far contributions are followed. */
export interface WhyOptions {
  /** The most steps that are listed, those near the cell first; 10,000 by default. */
  readonly steps?: number;
}

/** A step with its cell, whose node has the whole operation. */
export interface CellStep {
  readonly cell: Cell;
  readonly step: WhyStep;
}

/** The names of the values that are computed by a node. */
export type ValueNames = ReadonlyMap<Node, readonly string[]>;

const noNames: ValueNames = new Map();

export const whyOf = (cell: Cell, options?: WhyOptions, names?: ValueNames): Why =>
  atOnce(whySlices(cell, options, names));

/** As `whyOf`, in slices. */
export function* whySlices(target: Cell, options: WhyOptions = {}, names = noNames): Slices<Why> {
  const steps = (yield* stepSlices(target, options)).map(({ cell, step }) => {
    const values = names.get(cell.node);
    return values === undefined ? step : { ...step, values };
  });
  return { steps };
}

/** The steps that made a cell, from the last one backwards, each cell once. */
export const stepsOf = (target: Cell, options: WhyOptions = {}): CellStep[] =>
  atOnce(stepSlices(target, options));

function* stepSlices(target: Cell, { steps: most = 10_000 }: WhyOptions): Slices<CellStep[]> {
  const meter = new SliceMeter();
  const result: CellStep[] = [];
  const worklist = new Worklist(target);
  for (const cell of worklist) {
    const { cells: parts, others } = yield* largestContributionSlices(cell);
    // Where not all fit, a tenth of the capacity goes to the largest contributions, and the rest to what made them.
    const capacity = most - worklist.length;
    const isTight = 10 * parts.length > capacity;
    const last = isTight ? worklist.length + Math.ceil(capacity / 10) : most;
    const followed = parts.filter(({ aside }) => aside !== true);
    for (const part of isTight ? yield* sortedInSlices(followed, byWeight) : followed) {
      if (!worklist.add(part, last)) break;
      if (meter.isFull(cellsPerContribution)) yield;
    }
    const listed: Contribution[] = [];
    for (const { role, aside, value, ...from } of parts) {
      const step = aside === true ? undefined : worklist.positionOf(from);
      listed.push({ role, address: from.address, value, step });
      if (meter.isFull(cellsPerContribution)) yield;
    }
    result.push({ cell, step: { ...describedCell(cell), contributions: listed, others } });
    if (meter.isFull(cellsPerContribution)) yield;
  }
  return result;
}

/** A cell of a node with its operation, text and value. */
export function describedCell({ scope, node, address }: Cell): Omit<WhyStep, "contributions" | "others"> {
  const { op: operation, span, type } = node;
  const value = scope.value(node, address);
  const text = textOf(node, node.op === "parameter" ? scope.nameOf(node) : undefined);
  return { operation, description: operationDescription(node), ...text, span, type, address, value };
}

/** Cells to be visited, each once; others may be added while it is iterated over. */
export class Worklist {
  private readonly cells: Cell[] = [];
  private readonly positions = new Map<Scope, Map<Node, Map<string, number>>>();

  constructor(first: Cell) {
    this.add(first);
  }

  get length(): number {
    return this.cells.length;
  }

  /** Adds a cell that is new; returns whether there was room for one. */
  add(cell: Cell, most = Number.POSITIVE_INFINITY): boolean {
    if (this.cells.length >= most) return false;
    const positions = this.positionsOf(cell);
    const key = keyOf(cell);
    if (!positions.has(key)) {
      positions.set(key, this.cells.length);
      this.cells.push(cell);
    }
    return true;
  }

  /** The position of a cell, if it was added. */
  positionOf(cell: Cell): number | undefined {
    return this.positionsOf(cell).get(keyOf(cell));
  }

  private positionsOf({ scope, node }: Cell): Map<string, number> {
    const ofScope = this.positions.get(scope) ?? new Map<Node, Map<string, number>>();
    const ofNode = ofScope.get(node) ?? new Map<string, number>();
    this.positions.set(scope, ofScope.set(node, ofNode));
    return ofNode;
  }

  /** Iterating over an array includes what is added meanwhile. */
  *[Symbol.iterator](): Generator<Cell> {
    yield* this.cells;
  }
}

const keyOf = ({ node, address }: Cell): string =>
  labelKey(node.type.names.map((name) => labelAt(address, name)));
