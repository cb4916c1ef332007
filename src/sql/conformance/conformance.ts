import { reference } from "../../backends/reference/backend.js";
import { greatest } from "../../language/source/lists.js";
import { SphexError } from "../../language/source/problem.js";
import { cellTypes } from "../../language/types/cell.js";
import type { Tensor } from "../../language/values/tensor.js";
import { compileExpression, evaluate, explain } from "../../program/compile.js";
import { type InputValue, inputTypes } from "../../program/inputs/inputs.js";
import type { Options } from "../../program/options.js";
import { onEngine } from "../bound-program.js";
import type { SqlConnection, SqlEngine } from "../driver.js";
import { connected } from "../session.js";
import { blockBinding } from "./block-bindings.js";
import type { ConformanceCase } from "./cases.js";
import { differenceOf, type Terms } from "./compare.js";

/** What became of a case on an engine. */
export type CaseOutcome =
  | { readonly kind: "agrees" }
  /** The engine has another value. */
  | { readonly kind: "wrong"; readonly difference: string }
  /** The engine has no value, and this is why. */
  | { readonly kind: "unsupported"; readonly reason: string }
  /** The reference has no value: there is nothing to compare. */
  | { readonly kind: "refused" };

/** What an engine is compared on. */
export interface ConformanceOptions {
  /** Whether inputs with dense blocks are tables with a column of arrays, and not a part of the statement. */
  readonly hasBlocks?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome of each case: its value on an engine beside that of the reference evaluator. */
export async function* conformance(
  engine: SqlEngine,
  cases: Iterable<ConformanceCase>,
  { signal, hasBlocks = false }: ConformanceOptions = {},
): AsyncGenerator<{ readonly case: ConformanceCase; readonly outcome: CaseOutcome }> {
  let connection = await connected(engine, signal);
  try {
    const shared: SqlEngine = { ...engine, connect: async () => sharing(connection) };
    for (const each of cases) {
      signal?.throwIfAborted();
      const outcome = await outcomeOf(shared, each, hasBlocks);
      // A case may have cost the connection.
      if (outcome.kind === "unsupported" && !(await answers(connection))) {
        await connection.close().catch(() => undefined);
        connection = await connected(engine, signal);
      }
      yield { case: each, outcome };
    }
  } finally {
    await connection.close();
  }
}

const answers = (connection: SqlConnection): Promise<boolean> =>
  connection.query("SELECT 1").then(
    () => true,
    () => false,
  );

/** The one connection of all cases, which stays open. */
const sharing = (connection: SqlConnection): SqlConnection => ({
  query: (text, options) => connection.query(text, options),
  close: async () => {},
});

async function outcomeOf(
  engine: SqlEngine,
  { expression, inputs, dialect = "formalism" }: ConformanceCase,
  hasBlocks: boolean,
): Promise<CaseOutcome> {
  const options: Options = { dialect };
  const computed = referenceValue(expression, inputs, options);
  if (computed === undefined) return { kind: "refused" };
  const { types, values, value: expected } = computed;
  try {
    const program = compileExpression(expression, { ...options, inputs: types });
    const bindings = Object.fromEntries(
      Object.entries(values).map(([name, tensor]) => [
        name,
        hasBlocks ? blockBinding(tensor, engine.dialect) : { tensor },
      ]),
    );
    const found = await program.on(onEngine(engine), bindings).run();
    const difference =
      differenceOf(found, expected, { scale: 0, isFloat: false }) &&
      differenceOf(found, expected, termsOf(expression, values, options));
    return difference === undefined ? { kind: "agrees" } : { kind: "wrong", difference };
  } catch (error) {
    if (!(error instanceof SphexError)) throw error;
    return { kind: "unsupported", reason: reasonOf(error) };
  }
}

function referenceValue(expression: string, inputs: Readonly<Record<string, InputValue>>, options: Options) {
  try {
    const { types, values } = inputTypes(inputs, options);
    const value: Tensor = evaluate(expression, values, { ...options, backend: reference });
    return { types, values, value };
  } catch (error) {
    if (error instanceof SphexError) return undefined;
    throw error;
  }
}

/** What cancels out may differ by as much as its terms allow; of floats the terms are floats, whatever the result is. */
function termsOf(expression: string, values: Readonly<Record<string, Tensor>>, options: Options): Terms {
  const { nodes } = explain(expression, values, options);
  const cells = nodes
    .flatMap(({ value }) => [value?.minimum, value?.maximum])
    .filter((each) => each !== undefined);
  return {
    scale: greatest(cells.map(Math.abs).filter(Number.isFinite)),
    isFloat: nodes.some(({ type }) => cellTypes[type.cellType].decaysTo === "float"),
  };
}

function reasonOf({ problems }: SphexError): string {
  const [first] = problems;
  if (first === undefined) return "an error without a problem";
  const { message, found } = first.description;
  return found === undefined ? message : `${message}: ${found}`;
}
