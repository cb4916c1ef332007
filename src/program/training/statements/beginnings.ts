import type { CheckedProgram } from "../../../language/check/statements/program.js";
import { SphexError } from "../../../language/source/problem.js";
import { type Span, spanOfText } from "../../../language/source/span.js";
import { parseExpression } from "../../../language/syntax/parse.js";
import { begunValue, firstValue, type TrainedVariable } from "./training-text.js";

/** How labels begin that a variable does not have: by a statement of the program, or by an option, whose expression is a text of its own. */
export type Beginnings = ReadonlyMap<string, Span>;

/**
 * The expressions by variable; an option stands in place of a statement.
 * @throws SphexError where a text of an option is no expression.
 */
export function beginningsOf(
  { beginnings }: CheckedProgram,
  labels: Readonly<Record<string, string>>,
): Beginnings {
  const ofOptions = Object.entries(labels).map(([name, text]): [string, Span] => {
    const span = spanOfText(`labels ${name}`, text);
    const { problems } = parseExpression(span.source);
    if (problems.some(({ isError }) => isError)) throw new SphexError(problems);
    return [name, span];
  });
  return new Map([...beginnings, ...ofOptions]);
}

/**
 * What is wrong with a program that has the statements of training, behind the program's own text, as what is wrong with what somebody
 * wrote: with how labels begin or, elsewhere in these statements, with what is minimised.
 */
export function located(
  error: SphexError,
  statements: string,
  variables: readonly TrainedVariable[],
  beginnings: Beginnings,
  objective: Span,
): SphexError {
  const move = (span: Span): Span => {
    const added = span.start - (span.source.text.length - statements.length);
    if (!span.source.text.endsWith(statements) || added < 0) return span;
    for (const [at, { name }] of variables.entries()) {
      const own = beginnings.get(name);
      if (own === undefined) continue;
      const head = `${firstValue(at)} = `;
      const [first, begun] = [statements.indexOf(head), statements.indexOf(`${begunValue(at)} = `)];
      const within = added - first - head.length;
      const length = own.end - own.start;
      if (within >= 0 && within <= length)
        return {
          ...own,
          start: own.start + within,
          end: own.start + Math.min(length, within + span.end - span.start),
        };
      if (added >= begun && !statements.slice(begun, added).includes("\n")) return own;
    }
    return objective;
  };
  return new SphexError(error.problems.map((each) => each.moved(move)));
}
