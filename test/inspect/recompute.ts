import { finish, Meter } from "../../src/backends/meter.js";
import { Evaluation } from "../../src/backends/reference/evaluation.js";
import { isVolatileBody } from "../../src/inspect/provenance/scope.js";
import type { WhyStep } from "../../src/inspect/provenance/why.js";
import { type Lambda, type Node, type Table, visit } from "../../src/language/core/operations.js";
import {
  type AggregatorName,
  aggregators,
  type Fold,
  type Ranking,
} from "../../src/language/scalar/aggregators.js";
import { scalarFunctions } from "../../src/language/scalar/functions.js";
import { cellTypes } from "../../src/language/types/cell.js";

/** A cell from its contributions, by the operation of its step: written anew, without a look at any tensor. */

/** The number; or that there is no contribution to make one of, so that the cell is absent, or 0 in a dense block. */
type Made = number | "nothing";

const numbers = ({ contributions }: WhyStep): number[] =>
  contributions.flatMap(({ value }) => (value === undefined ? [] : [value]));

/** The contribution in this role. */
const by = ({ contributions }: WhyStep, role: string): number | undefined =>
  contributions.find((each) => each.role === role)?.value;

const one = (_: Node, step: WhyStep): Made => numbers(step)[0] ?? "nothing";
const given = (_: Node, step: WhyStep): Made => step.value ?? "nothing";

const table: Table<[WhyStep], Made> = {
  constant: given,
  input: given,
  random: given,
  host: given,
  parameter: (node, step) => (step.contributions.length === 0 ? given(node, step) : one(node, step)),
  apply: (node, step) => {
    const [x = 0, y = 0] = step.contributions.map(({ value }) => value);
    return scalarFunctions[node.function].compute(x, y);
  },
  select: (_, step) => by(step, "branch") ?? "nothing",
  map: (node, step) => called(node.lambda, numbers(step)),
  reduce: (node, step) =>
    step.contributions.length === 0 ? "nothing" : folded(node.aggregator, numbers(step)),
  join: (node, step) => called(node.lambda, numbers(step)),
  merge: (node, step) => {
    const made = numbers(step);
    return made.length === 1 ? (made[0] ?? "nothing") : called(node.lambda, made);
  },
  rename: one,
  // A contribution in the role of the other side says that there is no cell.
  concat: (_, { contributions: [cell, other] }) =>
    other === undefined || (other.role === "is there" && other.value !== undefined)
      ? (cell?.value ?? "nothing")
      : "nothing",
  generate: (node, step) => (step.contributions.length === 0 ? given(node, step) : one(node, step)),
  slice: (_, step) => by(step, "cell") ?? "nothing",
  literal: one,
  cast: one,
  order: ({ descending }, step) => {
    const cell = by(step, "cell");
    if (cell === undefined) return "nothing";
    const others = step.contributions.filter(({ role }) => role === "other");
    const own = JSON.stringify(step.address);
    const at = others.findIndex(({ address }) => JSON.stringify(address) === own);
    return others.filter(({ value = 0 }, other) => {
      if (Number.isNaN(value) || Number.isNaN(cell))
        return Number.isNaN(value) === Number.isNaN(cell) ? other < at : Number.isNaN(cell);
      return value === cell ? other < at : value > cell === descending;
    }).length;
  },
  // What a body makes of a block that calls the host or draws numbers is not computed again.
  mapSubspaces: (node, step) =>
    isVolatileBody(node.lambda.body) && step.contributions.length > 0
      ? given(node, step)
      : (by(step, "body") ?? "nothing"),
  filterSubspaces: (_, step) => {
    const [cell, ...retained] = step.contributions;
    const sum = retained.reduce((total, { value = 0 }) => total + value, 0);
    return sum === 0 ? "nothing" : (cell?.value ?? "nothing");
  },
};

function called({ parameters, body }: Lambda, values: readonly number[]): Made {
  if (values.length !== parameters.length) return "nothing";
  const nothingGiven = {
    meter: new Meter({}),
    random: () => 0,
    input: () => refuse("a lambda sees no input"),
  };
  const evaluation = new Evaluation(nothingGiven).nested(1, [...values]);
  return finish(evaluation.value(body)) as number; // the body of a lambda on cells is a scalar
}

function refuse(message: string): never {
  throw new Error(message);
}

/** What rounding loses in a plain sum, from the first cell to the last. */
function lostBy(cells: readonly number[]): number {
  let [total, lost] = [0, 0];
  for (const cell of cells) {
    const next = total + cell;
    if (Number.isFinite(next))
      lost += Math.abs(total) < Math.abs(cell) ? cell - next + total : total - next + cell;
    total = next;
  }
  return lost;
}

function folded(name: AggregatorName, cells: readonly number[]): number {
  const aggregator: Fold | Ranking = aggregators[name];
  if ("step" in aggregator) {
    const [first = 0, ...others] = cells;
    const { start, step, compensated, finish = (total: number) => total } = aggregator;
    const plain = start === undefined ? others.reduce(step, first) : cells.reduce(step, start);
    const total = compensated && Number.isFinite(plain) ? plain + lostBy(cells) : plain;
    return finish(lostBy(cells) === 0 ? plain : total, cells.length);
  }
  if (cells.some(Number.isNaN)) return Number.NaN;
  const sorted = [...cells].sort((a, b) => a - b);
  return aggregator.ofSorted((rank) => sorted[rank] ?? 0, sorted.length);
}

/** Whether a cell is what its contributions make of it, as its type stores that. */
export function agrees(node: Node, step: WhyStep): boolean {
  const made = visit(table, node, step);
  if (made === "nothing") return step.value === undefined || Object.is(step.value, 0);
  const stored = node.type.isScalar ? made : cellTypes[node.type.cellType].store(made);
  return Object.is(stored, step.value);
}
