import { sourceOf } from "../program.js";
import type { Reference } from "../reference.js";
import { type Answer, outcomeOf, type Subject } from "../runs.js";
import { resultsOfText } from "./handover.js";
import { LeftOut } from "./refusal.js";

/** How many cells of an input a small program may have. */
const mostCells = 300;

/**
 * The results of a small program from its text. There are no answers where it is not small, draws numbers, calls the host or
 * uses what the evaluator leaves out, nor where the reference has a problem when it runs, which the evaluator has no codes for.
 */
export function fromText(subject: Subject, _: unknown, reference: Reference): readonly Answer[] {
  const { program, dialect } = subject;
  if (subject.isRandom || program.hosts.length > 0) return [];
  if (program.inputs.some(({ values }) => values[0].data.length > mostCells)) return [];
  const text = sourceOf(program);
  return ([0, 1] as const).flatMap((run): readonly Answer[] => {
    if (!reference.isShort(run) || reference.outcome(run).kind !== "values") return [];
    const values = subject.inputs(run);
    const inputs = new Map(
      program.inputs.flatMap(({ name, type }) => {
        const tensor = values[name];
        return tensor === undefined ? [] : [[name, { type, tensor }] as const];
      }),
    );
    let isLeftOut = false;
    const outcome = outcomeOf(() => {
      try {
        return resultsOfText(text, inputs, dialect);
      } catch (error) {
        isLeftOut = error instanceof LeftOut;
        throw error;
      }
    });
    return isLeftOut ? [] : [{ run, outcome }];
  });
}
