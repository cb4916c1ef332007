import type { Node, OperationName } from "../../language/core/operations.js";
import type { Span } from "../../language/source/span.js";
import type { TensorType } from "../../language/types/type.js";
import type { TextAddress } from "../../language/values/address.js";
import { labelKey } from "../../language/values/rows.js";
import { labelAt } from "./cells.js";
import { byWeight, partsOf } from "./largest-contributions.js";
import type { Cell, Scope } from "./scope.js";
import { operationWords, textOf } from "./descriptions.js";

/** Which cells, by which operations, made a cell. The steps are a list, for there may be more than a stack is deep. */
export interface Why {
  /** The first step made the cell that was asked about; others are found from it by their places in the list. */
  readonly steps: readonly WhyStep[];
}

/** How one cell was made. */
export interface WhyStep {
  readonly operation: OperationName;
  /** The operation in words: `join multiply`, `input a`. */
  readonly says: string;
  /** The expression as it is written, cut where it is long. */
  readonly text: string;
  readonly span: Span;
  readonly type: TensorType;
  readonly address: TextAddress;
  /** Nothing where there is no such cell. */
  readonly value: number | undefined;
  /** What the value is computed from, in canonical order; nothing for what is given from outside. */
  readonly contributions: readonly Contribution[];
  /** How many more contributions there are than are listed. */
  readonly others: number;
}

export interface Contribution {
  /** What the cell is to the operation: `left`, `condition`, the name of a parameter. */
  readonly role: string;
  readonly address: TextAddress;
  readonly value: number | undefined;
  /** The place of the step that made it; nothing where that is not told. */
  readonly step: number | undefined;
}

export interface WhyOptions {
  /** How many steps are told of, those near the cell first; 10,000 unless given. */
  readonly steps?: number;
}

/** A step with its node, which knows the whole operation. */
export interface Found {
  readonly cell: Cell;
  readonly step: WhyStep;
}

export function whyOf(cell: Cell, options: WhyOptions = {}): Why {
  return { steps: stepsOf(cell, options).map(({ step }) => step) };
}

/** The steps that made a cell, from the last one backwards, each cell once. */
export function stepsOf(asked: Cell, { steps: most = 10_000 }: WhyOptions = {}): Found[] {
  const found: Found[] = [];
  const agenda = new Agenda(asked);
  for (const cell of agenda) {
    const { parts, others } = partsOf(cell);
    // Where there is no room for all, a tenth of it goes to those that weigh most, and the rest to what made them.
    const room = most - agenda.length;
    const isTight = 10 * parts.length > room;
    const last = isTight ? agenda.length + Math.ceil(room / 10) : most;
    const followed = parts.filter(({ aside }) => aside !== true);
    for (const part of isTight ? followed.sort(byWeight) : followed) agenda.place(part, last);
    const listed = parts.map(({ role, aside, value, ...from }): Contribution => {
      return { role, address: from.address, value, step: aside === true ? undefined : agenda.find(from) };
    });
    found.push({ cell, step: { ...told(cell), contributions: listed, others } });
  }
  return found;
}

/** A cell of a node as it is told of. */
export function told({ scope, node, address }: Cell): Omit<WhyStep, "contributions" | "others"> {
  const { op: operation, span, type } = node;
  const value = scope.value(node, address);
  const text = (node.op === "parameter" ? scope.nameOf(node) : undefined) ?? textOf(node);
  return { operation, says: operationWords(node), text, span, type, address, value };
}

/** Cells to be looked at, each once; whoever goes through them may add others on the way. */
export class Agenda {
  private readonly cells: Cell[] = [];
  private readonly places = new Map<Scope, Map<Node, Map<string, number>>>();

  constructor(first: Cell) {
    this.place(first);
  }

  get length(): number {
    return this.cells.length;
  }

  /** Takes a cell that is new, unless there are so many already. */
  place(cell: Cell, most = Number.POSITIVE_INFINITY): void {
    if (this.cells.length >= most || this.find(cell) !== undefined) return;
    this.placesOf(cell).set(keyOf(cell), this.cells.length);
    this.cells.push(cell);
  }

  /** The place of a cell in the order, if it was taken. */
  find(cell: Cell): number | undefined {
    return this.placesOf(cell).get(keyOf(cell));
  }

  private placesOf({ scope, node }: Cell): Map<string, number> {
    const ofScope = this.places.get(scope) ?? new Map<Node, Map<string, number>>();
    const ofNode = ofScope.get(node) ?? new Map<string, number>();
    this.places.set(scope, ofScope.set(node, ofNode));
    return ofNode;
  }

  /** An array goes on to what is added to it on the way. */
  *[Symbol.iterator](): Generator<Cell> {
    yield* this.cells;
  }
}

const keyOf = ({ node, address }: Cell): string =>
  labelKey(node.type.names.map((name) => labelAt(address, name)));
