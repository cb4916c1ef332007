import type { Node } from "../../language/core/operations.js";
import { lambdaOf } from "../../language/core/operations.js";
import { addressAt } from "./cells.js";
import { functionOf } from "./descriptions.js";
import { largestContributions, type WeighedCell } from "./largest-contributions.js";
import type { Cell, Scope } from "./scope.js";
import { describedCell, type Why, type WhyOptions, type WhyStep, Worklist, whyOf } from "./why.js";

/** Where a run first has a cell that is NaN or infinite, and why. */
export interface NotFinite {
  /** The first cell that is not finite although its operands are; undefined where there is none. */
  readonly arises: { readonly cell: DescribedCell; readonly why: Why } | undefined;
  /** Inputs and constants that have such cells: the first cell of each, and how many there are. */
  readonly sources: readonly { readonly cell: DescribedCell; readonly count: number }[];
}

/** A cell of an expression of the program. */
export type DescribedCell = Omit<WhyStep, "contributions" | "others">;

/**
 * Searches the values of the nodes in the order in which they were computed. A cell that is not finite arises where all
 * its operands are finite; if there is no such cell, where NaN is computed from infinities of the inputs. Within a lambda
 * or the body of a generator, the innermost operation is reported.
 */
export function notFinite(order: readonly Node[], scope: Scope, options: WhyOptions = {}): NotFinite {
  const computed = order.filter((node) => node.depends === 0 && scope.cachedValue(node) !== undefined);
  const sources = computed
    .filter((node) => isSource(node, scope))
    .flatMap((node) => {
      const [first, ...others] = nonFiniteCells(scope, node);
      return first === undefined ? [] : [{ cell: describedCell(first), count: 1 + others.length }];
    });
  for (const arises of [fromFinite, fromInfinite]) {
    for (const node of computed.filter((each) => !isSource(each, scope))) {
      for (const cell of nonFiniteCells(scope, node)) {
        const innermost = origin(cell, scope, arises);
        if (innermost !== undefined)
          return { arises: { cell: describedCell(cell), why: whyOf(innermost, options) }, sources };
      }
    }
  }
  return { arises: undefined, sources };
}

const isSource = (node: Node, scope: Scope): boolean =>
  node.op === "constant" || (node.op === "input" && scope.defaultOf(node.name) === undefined);

function* nonFiniteCells(scope: Scope, node: Node): Generator<Cell> {
  const tensor = scope.tensor(node);
  for (let at = 0; at < tensor.data.length; at++) {
    scope.meter.spend(1, node.span);
    if (!Number.isFinite(tensor.at(at))) yield { scope, node, address: addressAt(tensor, at) };
  }
}

type Arises = (value: number, from: readonly number[]) => boolean;

const fromFinite: Arises = (value, from) => !Number.isFinite(value) && from.every(Number.isFinite);
const fromInfinite: Arises = (value, from) => Number.isNaN(value) && !from.some(Number.isNaN);

/** The operation that a cell arises in, or one within it. Nodes of the program itself were searched before. */
function origin(target: Cell, program: Scope, arises: Arises): Cell | undefined {
  const worklist = new Worklist(target);
  for (const cell of worklist) {
    const { cells: parts } = largestContributions(cell);
    const value = cell.scope.value(cell.node, cell.address) ?? 0;
    const from = parts.flatMap((part) => (part.value === undefined ? [] : [part.value]));
    if (cell.node.op !== "parameter" && arises(value, from)) return innermostWithin(cell, parts, arises);
    for (const { scope, node, address, value } of parts)
      if (scope !== program && value !== undefined && !Number.isFinite(value))
        worklist.add({ scope, node, address });
  }
  return undefined;
}

/** The operation within a lambda, where that is more than one. */
function innermostWithin(cell: Cell, parts: readonly WeighedCell[], arises: Arises): Cell {
  const lambda = lambdaOf(cell.node);
  const isScalar = cell.node.op === "map" || cell.node.op === "join" || cell.node.op === "merge";
  if (lambda === undefined || !isScalar || functionOf(lambda) !== undefined) return cell;
  const scope = cell.scope.call(lambda, parts);
  return origin({ scope, node: lambda.body, address: {} }, cell.scope, arises) ?? cell;
}
