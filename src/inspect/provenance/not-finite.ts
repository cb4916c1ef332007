import type { Node } from "../../language/core/operations.js";
import { lambdaOf } from "../../language/core/operations.js";
import { addressAt } from "./cells.js";
import { partsOf, type Weighed } from "./largest-contributions.js";
import type { Cell, Scope } from "./scope.js";
import { Agenda, told, type Why, type WhyOptions, type WhyStep, whyOf } from "./why.js";
import { functionOf } from "./descriptions.js";

/** Where a run first has a cell that is NaN or infinite, and why. */
export interface NotFinite {
  /** The first place where one arises; nothing where none does. */
  readonly arises: { readonly cell: ToldCell; readonly why: Why } | undefined;
  /** Inputs and constants that have such cells from the start: the first cell of each, and how many there are. */
  readonly given: readonly { readonly cell: ToldCell; readonly count: number }[];
}

/** A cell of an expression of the program. */
export type ToldCell = Omit<WhyStep, "contributions" | "others">;

/**
 * Looks through the values of the nodes in the order in which they were computed. A cell that is not finite arises where
 * all that made it is finite; if that is nowhere, where NaN is made of given infinities. What happens within a lambda
 * or the body of a generator is looked at step by step: the innermost operation is to blame.
 */
export function notFinite(order: readonly Node[], scope: Scope, options: WhyOptions = {}): NotFinite {
  const computed = order.filter((node) => node.depends === 0 && scope.known(node) !== undefined);
  const given = computed.filter(isGiven).flatMap((node) => {
    const [first, ...others] = wrongCells(scope, node);
    return first === undefined ? [] : [{ cell: told(first), count: 1 + others.length }];
  });
  for (const arises of [fromFinite, fromInfinite]) {
    for (const node of computed.filter((each) => !isGiven(each))) {
      for (const cell of wrongCells(scope, node)) {
        const innermost = origin(cell, scope, arises);
        if (innermost !== undefined)
          return { arises: { cell: told(cell), why: whyOf(innermost, options) }, given };
      }
    }
  }
  return { arises: undefined, given };
}

const isGiven = ({ op }: Node): boolean => op === "input" || op === "constant";

function* wrongCells(scope: Scope, node: Node): Generator<Cell> {
  const tensor = scope.tensor(node);
  for (let at = 0; at < tensor.data.length; at++) {
    scope.meter.spend(1, node.span);
    if (!Number.isFinite(tensor.at(at))) yield { scope, node, address: addressAt(tensor, at) };
  }
}

type Arises = (value: number, from: readonly number[]) => boolean;

const fromFinite: Arises = (value, from) => !Number.isFinite(value) && from.every(Number.isFinite);
const fromInfinite: Arises = (value, from) => Number.isNaN(value) && !from.some(Number.isNaN);

/** The operation that made a cell what it is, or one within it. What belongs to the program itself had its turn before. */
function origin(asked: Cell, program: Scope, arises: Arises): Cell | undefined {
  const agenda = new Agenda(asked);
  for (const cell of agenda) {
    const { parts } = partsOf(cell);
    const value = cell.scope.value(cell.node, cell.address) ?? 0;
    const from = parts.flatMap((part) => (part.value === undefined ? [] : [part.value]));
    if (cell.node.op !== "parameter" && arises(value, from)) return within(cell, parts, arises);
    for (const { scope, node, address, value: made } of parts)
      if (scope !== program && made !== undefined && !Number.isFinite(made))
        agenda.place({ scope, node, address });
  }
  return undefined;
}

/** The operation within a lambda, where that is more than one. */
function within(cell: Cell, parts: readonly Weighed[], arises: Arises): Cell {
  const lambda = lambdaOf(cell.node);
  const isScalar = cell.node.op === "map" || cell.node.op === "join" || cell.node.op === "merge";
  if (lambda === undefined || !isScalar || functionOf(lambda) !== undefined) return cell;
  const scope = cell.scope.call(lambda, parts);
  return origin({ scope, node: lambda.body, address: {} }, cell.scope, arises) ?? cell;
}
