import { mapTuple } from "../../../../language/source/lists.js";
import type { Value } from "../../value.js";
import type { Direction, Gates } from "./direction.js";

/** The cells of recurrent networks: what one step makes of an element of the sequence and of what lasts. */

/** What lasts from one step to the next: the output, and the cell of an LSTM. Nothing stands for zeros. */
export interface State {
  readonly h: Value | undefined;
  readonly c?: Value | undefined;
}

/** A kind of cell: how many gates it has, its functions, and what one step makes of the state. */
export interface Cell {
  readonly gates: number;
  readonly activations: readonly string[];
  /** Prepares what all steps share, and answers what makes one. */
  readonly step: (direction: Direction) => (step: number, state: State) => State;
}

export const simple: Cell = {
  gates: 1,
  activations: ["Tanh"],
  step: (own) => {
    const only: Gates = { first: 0, count: 1 };
    const inputs = own.inputs(only, [0, 1]);
    return (step, { h }) => ({
      h: own.value("h", own.activate(0, [own.stepOf(inputs, step), ...own.recurrent(only, h)])),
    });
  },
};

/** The update of the output, its reset, and the candidate for it. */
export const gated: Cell = {
  gates: 3,
  activations: ["Sigmoid", "Tanh"],
  step: (own) => (own.node.integer("linear_before_reset", 0) === 0 ? resetBefore(own) : resetAfter(own)),
};

/** The candidate sees the output of the step before through the reset. */
function resetBefore(own: Direction): (step: number, state: State) => State {
  const both: Gates = { first: 0, count: 2 };
  const last: Gates = { first: 2, count: 1 };
  const [ofBoth, ofLast] = [own.inputs(both, [0, 3]), own.inputs(last, [2, 5])];
  return (step, { h }) => {
    const sum = own.sum(both, [own.stepOf(ofBoth, step), ...own.recurrent(both, h)]);
    const update = own.value("update", own.activate(0, [sum(0)]));
    const seen = h && own.value("seen", `${own.activate(0, [sum(1)])} * ${h.text}`);
    const candidate = own.activate(1, [own.stepOf(ofLast, step), ...own.recurrent(last, seen)]);
    return { h: own.value("h", updated(update, candidate, h)) };
  };
}

/** The candidate resets what it has made of the output of the step before. */
function resetAfter(own: Direction): (step: number, state: State) => State {
  const all: Gates = { first: 0, count: 3 };
  const inputs = own.inputs(all, [0]);
  return (step, { h }) => {
    const terms = [...own.recurrent(all, h), ...own.rows(3, { ...all, first: 3 })];
    const batches = h === undefined ? 1 : own.batches;
    const sum = terms.length === 0 ? undefined : own.sum(all, terms, batches);
    const remembered = (position: number, factor = ""): string[] =>
      sum === undefined ? [] : [`${factor}${sum(position)}`];
    const [update, reset] = mapTuple([0, 1], (position) =>
      own.activate(0, [own.stepOf(inputs, step, position), ...remembered(position)]),
    );
    const candidate = own.activate(1, [own.stepOf(inputs, step, 2), ...remembered(2, `${reset} * `)]);
    return { h: own.value("h", updated(own.value("update", update), candidate, h)) };
  };
}

/** The output between what it was and a candidate. */
const updated = (update: Value, candidate: string, h: Value | undefined): string =>
  `(1 - ${update.text}) * ${candidate}${h === undefined ? "" : ` + ${update.text} * ${h.text}`}`;

/** The input, the output, the forgetting and the candidate for the cell. */
export const longShort: Cell = {
  gates: 4,
  activations: ["Sigmoid", "Tanh", "Tanh"],
  step: (own) => {
    const all: Gates = { first: 0, count: 4 };
    const inputs = own.inputs(all, [0, 4]);
    const isCoupled = own.node.integer("input_forget", 0) !== 0;
    /** What the cell adds to a gate, whose weights for it are the part of an input. */
    const peep = (part: number, cell: Value | undefined): string[] =>
      cell === undefined
        ? []
        : own.rows(7, { first: part, count: 1 }).map((weights) => `${weights} * ${cell.text}`);
    return (step, { h, c: cell }) => {
      const sum = own.sum(all, [own.stepOf(inputs, step), ...own.recurrent(all, h)]);
      const input = own.value("input", own.activate(0, [sum(0), ...peep(0, cell)]));
      const candidate = own.activate(1, [sum(3)]);
      const remaining = isCoupled ? `(1 - ${input.text})` : own.activate(0, [sum(2), ...peep(2, cell)]);
      const previous = cell === undefined ? "" : ` + ${remaining} * ${cell.text}`;
      const next = own.value("c", `${input.text} * ${candidate}${previous}`);
      const output = own.activate(0, [sum(1), ...peep(1, next)]);
      return {
        h: own.value("h", `${output} * ${own.activations[2]?.(next.text) ?? next.text}`),
        c: next,
      };
    };
  },
};
