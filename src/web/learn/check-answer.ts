import { type Options, parseTensor, SphexError, type Tensor } from "../../index.js";
import { Variables } from "../../vespa/compat/compat.js";
import { type Answer, answerName, type Exercise } from "./exercise.js";
import { formsUsed } from "./forms-used.js";

/** What is to be said about an answer. */
export type Verdict =
  | { readonly kind: "right" }
  | { readonly kind: "problems"; readonly messages: readonly string[] }
  | { readonly kind: "form"; readonly form: string }
  | { readonly kind: "type"; readonly found: string; readonly expected: string }
  | { readonly kind: "cells"; readonly difference: CellDifference; readonly count: number }
  /** It has the goal's value, but not what it ought to have with other inputs. */
  | { readonly kind: "fixed"; readonly inputs: readonly string[] };

/** A cell that is not as it should be; nothing stands for a cell that is not there. */
export interface CellDifference {
  readonly address: Readonly<Record<string, string>>;
  readonly found: number | undefined;
  readonly expected: number | undefined;
}

/** Work that no exercise needs is stopped. */
const options = (): Options => ({ dialect: "vespa", limits: { cells: 1_000_000, steps: 10_000_000 } });

/** Whether what was written answers an exercise, and if not, why not. */
export async function checkAnswer(
  exercise: Exercise,
  { expression, steps }: Answer,
  signal?: AbortSignal,
): Promise<Verdict> {
  const answer = [...mentionedSteps(expression, steps), { name: answerName, expression }];
  const forms = new Set(answer.flatMap((each) => [...formsUsed(each.expression)]));
  const forbidden = exercise.without?.find((form) => forms.has(form));
  if (forbidden !== undefined) return { kind: "form", form: forbidden };
  const { goal, others, inputs } = exercise;
  const solution = [{ name: answerName, expression: exercise.solution }];
  try {
    const value = await evaluateOn(answer, inputs, signal);
    const verdict = comparison(value, parseTensor(goal));
    if (verdict.kind !== "right" || others === undefined) return verdict;
    const changed = { ...inputs, ...others };
    const second = comparison(
      await evaluateOn(answer, changed, signal),
      await evaluateOn(solution, changed, signal),
    );
    return second.kind === "right" ? second : { kind: "fixed", inputs: Object.keys(others) };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { kind: "problems", messages: error.problems.map(({ message }) => message) };
  }
}

/** The steps that an expression mentions, or one of these steps. */
function mentionedSteps(expression: string, steps: Answer["steps"]): Answer["steps"] {
  const words = new Set(wordsOf(expression));
  const mentioned = steps.toReversed().filter((step) => {
    const isMentioned = wordsOf(step.name).every((word) => words.has(word));
    if (isMentioned) for (const word of wordsOf(step.expression)) words.add(word);
    return isMentioned;
  });
  return mentioned.toReversed();
}

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

/** The value of the last of some cells, each of which may mention those above it, and the inputs. */
async function evaluateOn(
  cells: Answer["steps"],
  inputs: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Tensor> {
  const variables = new Variables(options);
  for (const [name, text] of Object.entries(inputs))
    variables.set(name, await variables.evaluate(text, { name }, signal));
  for (const { name, expression } of cells.slice(0, -1))
    variables.set(name, await variables.evaluate(expression, { name }, signal));
  return await variables.evaluate(cells.at(-1)?.expression ?? "", { name: answerName }, signal);
}

function comparison(value: Tensor, goal: Tensor): Verdict {
  if (!value.type.equals(goal.type))
    return { kind: "type", found: `${value.type}`, expected: `${goal.type}` };
  const differences = differencesOf(value, goal);
  const [difference] = differences;
  return difference === undefined
    ? { kind: "right" }
    : { kind: "cells", difference, count: differences.length };
}

function differencesOf(value: Tensor, goal: Tensor): readonly CellDifference[] {
  const rest = new Map(
    Array.from(value.cells(), ({ address, value }) => [keyOf(address), { address, value }]),
  );
  const differences: CellDifference[] = [];
  for (const { address, value: expected } of goal.cells()) {
    const found = rest.get(keyOf(address))?.value;
    rest.delete(keyOf(address));
    if (found === undefined || !isNear(found, expected)) differences.push({ address, found, expected });
  }
  for (const { address, value: found } of rest.values())
    differences.push({ address, found, expected: undefined });
  return differences;
}

const keyOf = (address: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(address).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The same number, but for rounding. */
function isNear(found: number, expected: number): boolean {
  if (!Number.isFinite(found) || !Number.isFinite(expected))
    return found === expected || bothNaN(found, expected);
  return Math.abs(found - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
}

const bothNaN = (found: number, expected: number): boolean => Number.isNaN(found) && Number.isNaN(expected);
