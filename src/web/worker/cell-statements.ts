import { parseProgram } from "../../index.js";

/** How many statements a text has as a program, where it is one and no expression: somebody may paste a program into a cell. */
export function statementCount(text: string): number {
  const { tree, problems } = parseProgram({ name: "cell", text });
  const isProgram = tree !== undefined && problems.length === 0;
  // Within parentheses the ends of lines mean nothing, as in a cell.
  const isExpression = parseProgram({ name: "cell", text: `(${text}\n)` }).problems.length === 0;
  return isProgram && !isExpression ? tree.statements.length : 0;
}
