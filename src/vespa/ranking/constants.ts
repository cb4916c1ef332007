import { append } from "../../language/source/lists.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import { Tensor } from "../../language/values/tensor.js";
import { constantValue } from "../package/expressions/constant-values.js";
import type { Package, Profile } from "../package/model/model.js";

/**
 * The values of the constants that a profile uses, by the feature that each is: `constant(weights)`. One that has no
 * value in the package must be given.
 * @throws SphexError with what is wrong with them.
 */
export function constantsOf(
  profile: Profile,
  from: Package,
  names: ReadonlySet<string>,
): Map<string, Tensor> {
  const values = new Map<string, Tensor>();
  const problems: Problem[] = [];
  for (const constant of profile.constants.values()) {
    const name = `constant(${constant.name})`;
    const value = names.has(name) ? constantValue(constant, from) : undefined;
    if (value instanceof Tensor) values.set(name, value);
    else append(problems, value ?? []);
  }
  if (problems.length > 0) throw new SphexError(problems);
  return values;
}
