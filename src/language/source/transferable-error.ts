import { requireArgument } from "./arguments.js";
import type { Message } from "./message.js";
import {
  CodedProblem,
  type Problem,
  SphexError,
  type TransferableError,
  type TransferableProblem,
} from "./problem.js";

/**
 * An error from what `error.toTransferable()` gave, in another thread. Where values of a problem were types, they are texts.
 * @throws SphexError of its own where the data is something else.
 */
export function receiveError(data: TransferableError): SphexError {
  const { sphexError, problems }: Partial<TransferableError> = Object(data);
  const isError = sphexError === 1 && Array.isArray(problems) && problems.every(isProblemData);
  requireArgument("receiveError", "output", data, isError);
  return new SphexError(data.problems.map(received));
}

const isProblemData = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  "description" in value &&
  "span" in value &&
  "related" in value;

/** A problem with the description that it had. */
function received({ code, severity, description, values, span, related }: TransferableProblem): Problem {
  const row: Message<unknown> = { severity, describe: () => description };
  return new CodedProblem(code, values, span, row, related, severity) as Problem; // of a code that it had there
}
