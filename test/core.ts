import type { Dialect } from "../src/language/check/dialect.js";
import { type CheckedProgram, checkProgram } from "../src/language/check/statements/program.js";
import { parseExpression } from "../src/language/syntax/parse.js";
import type { TensorType } from "../src/language/types/type.js";
import { defaultLimits } from "../src/program/options.js";

/** An expression as the checker leaves it: a core graph that nobody has optimised. */
export function checkedExpression(
  text: string,
  types: ReadonlyMap<string, TensorType>,
  dialect: Dialect = "formalism",
): CheckedProgram {
  const tree = parseExpression({ name: "expression", text }).tree;
  if (tree === undefined) throw new Error(`no expression: ${text}`);
  const { cells, expansions } = defaultLimits;
  const statements = [{ kind: "result", expression: tree, span: tree.span }] as const;
  const checked = checkProgram({ statements }, { dialect, inputs: types, cells, expansions });
  const [error] = checked.problems.filter((each) => each.severity === "error");
  if (error !== undefined) throw new Error(`${text}: ${error.message}`);
  return checked;
}
