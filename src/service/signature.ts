import type { FunctionDescription } from "../language/check/descriptions/function-descriptions.js";
import { typedSignature } from "../language/check/models/models.js";
import type { CheckedProgram } from "../language/check/statements/program.js";
import type { Statement } from "../language/syntax/tree.js";
import { remarkAbove } from "./comments.js";
import { openCall } from "./cursor.js";
import { parametersOf } from "./parameters.js";
import type { SymbolTable } from "./symbols.js";

/** The function that is called around a cursor. */
export interface SignatureHelp {
  /** `softmax(t, d)` */
  readonly signature: string;
  /** Where each parameter stands in the signature. */
  readonly parameters: readonly { readonly start: number; readonly end: number }[];
  /** Which of them is written at the cursor; the last one where it stands for many. */
  readonly active: number;
  readonly description: string | undefined;
}

/** The names of a text, and the functions that it may call beside its own. */
interface SignatureNames {
  readonly symbols: SymbolTable;
  readonly functions: ReadonlyMap<string, FunctionDescription>;
  readonly checked: Pick<CheckedProgram, "models">;
}

/** The innermost call whose arguments the cursor is in, by the text before it, which need not be complete. */
export function signatureAt(
  before: string,
  { symbols, functions, checked }: SignatureNames,
): SignatureHelp | undefined {
  return calledAt(before, (name) => {
    const own = symbols.program.get(name);
    if (own === undefined) return functions.get(name);
    const model = checked.models.get(name);
    const signature = model === undefined ? ownSignature(own.statement, name) : typedSignature(name, model);
    if (signature === undefined) return undefined;
    const description = remarkAbove(own.statement.span);
    return description === undefined ? { signature } : { signature, description };
  });
}

/** How a function is called, and what it is. */
interface CalledFunction {
  readonly signature: string;
  readonly description?: string;
}

/** As `signatureAt`, of functions that are found by their names. */
export function calledAt(
  before: string,
  functionOf: (name: string) => CalledFunction | undefined,
): SignatureHelp | undefined {
  const call = openCall(before);
  const called = call && functionOf(call.name);
  if (call === undefined || called === undefined) return undefined;
  const { signature, description } = called;
  const parameters = parametersOf(signature);
  const active = Math.min(call.argument, Math.max(0, parameters.length - 1));
  return { signature, parameters, active, description };
}

function ownSignature(statement: Statement, name: string): string | undefined {
  if (statement.kind !== "definition" || statement.parameters === undefined) return undefined;
  return `${name}(${statement.parameters.map(({ text }) => text).join(", ")})`;
}
