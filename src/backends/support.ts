import { inputsOf, lambdaOf, type Node, type OperationName, visit } from "../language/core/operations.js";
import { keysOf } from "../language/source/lists.js";
import type { Problem } from "../language/source/problem.js";
import { problem } from "./messages.js";

/** How a backend covers an operation of the core. */
export type Support =
  /** Computes all of its forms. */
  | "full"
  /** Computes some of its forms; the reference evaluator computes the others. */
  | "partial"
  /** The reference evaluator computes it. */
  | "reference"
  /** Programs that have it are refused. */
  | "none";

/** A row for each operation: a backend that forgets one does not compile. */
export type SupportTable = Readonly<Record<OperationName, Support>>;

/** All operations, supported in one way; exceptions may follow in a spread. */
export function supportTable(support: Support): SupportTable {
  const names = keysOf(inputsOf);
  return Object.fromEntries(names.map((name) => [name, support])) as SupportTable; // of the same names
}

/** A backend, as far as these problems tell about it. */
interface Supporting {
  readonly name: string;
  readonly operations: SupportTable;
}

/** A problem for each expression among these, and all that they are computed from, that a backend cannot compute. */
export function unsupportedProblems({ name, operations }: Supporting, roots: Iterable<Node>): Problem[] {
  if (!Object.values(operations).includes("none")) return [];
  const found: Problem[] = [];
  // Iterating over a set includes what is added meanwhile.
  const reached = new Set(roots);
  for (const node of reached) {
    if (operations[node.op] === "none")
      found.push(problem("backend/unsupported", node.span, { backend: name, operation: node.op }));
    for (const each of visit(inputsOf, node)) reached.add(each);
    const lambda = lambdaOf(node);
    if (lambda !== undefined) reached.add(lambda.body);
  }
  return found;
}
