import type { BackendPlan, NumberFunction } from "../backends/backend.js";
import { SphexError } from "../language/source/problem.js";
import { problem as valueProblem } from "../language/values/messages.js";
import type { Tensor } from "../language/values/tensor.js";
import { type InputValue, type InputValues, rejectUnknown } from "./inputs/inputs.js";
import { problem } from "./messages.js";
import { entriesByCanonicalName } from "./options.js";
import type { Execution } from "./runs/execution.js";

/** The last result, a number, of the values of some inputs, in their order. */
export type FunctionOfInputs = (...values: readonly InputValue[]) => number;

/** What runs on inputs: a program that was prepared. */
interface Runs {
  readonly execution: Execution;
  /** Whose runs may be repeated; absent where limits have to be checked. */
  readonly plan: BackendPlan | undefined;
  readonly run: (inputs: InputValues) => Tensor;
}

/**
 * The runs of a program as a function. Where all is numbers it goes past the names of inputs, and past tensors, from the second call on.
 * @throws SphexError where the last result is not a number, and where a name is unknown or there twice.
 */
export function functionOf({ execution, plan, run }: Runs, written: readonly string[]): FunctionOfInputs {
  const names = [...entriesByCanonicalName(written.map((name) => [name, name])).keys()];
  rejectUnknown(names, execution.inputNames);
  requireNumber(execution);
  // One object for all calls, with all names as its own: they are looked up once.
  const inputs = Object.fromEntries(names.map((name): [string, InputValue] => [name, 0]));
  let short: NumberFunction | undefined;
  let isTried = false;
  const atLength = (values: readonly InputValue[]): number => {
    if (values.length !== names.length) throw wrongCount(execution, names, values.length);
    for (const [at, name] of names.entries()) inputs[name] = values[at] as InputValue; // as many
    const result = run(inputs).asNumber();
    if (isTried || !values.every((value) => typeof value === "number")) return result;
    isTried = true;
    short = plan?.numberFunction(names);
    return result;
  };
  return (...values) => short?.(values) ?? atLength(values);
}

function requireNumber(execution: Execution): void {
  const last = execution.checked.results.at(-1);
  if (last === undefined) throw execution.noResult();
  const { type } = last.node;
  if (!type.isScalar) throw new SphexError([valueProblem("value/not-a-number", last.span, { type })]);
}

const wrongCount = ({ span }: Execution, names: readonly string[], found: number): SphexError =>
  new SphexError([problem("input/count", span, { names, found })]);
