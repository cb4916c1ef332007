import type { ScalarName } from "../../../language/scalar/functions.js";
import type { Instruction } from "../loop.js";

/** What max and min are where their second operand is a number: no number in the first one stays there anyway. */
const limited: Partial<Readonly<Record<ScalarName, ScalarName>>> = { max: "vespaMax", min: "vespaMin" };

/** A body in which limits that are constants are one instruction each: they need not be asked whether they are numbers. */
export function withPlainLimits(body: readonly Instruction[]): readonly Instruction[] {
  return body.map((each) => {
    const plain = each.op === "apply" ? limited[each.function] : undefined;
    if (each.op !== "apply" || plain === undefined) return each;
    const [, second] = each.arguments;
    const limit = second === undefined ? undefined : body[second];
    const isNumber = limit?.op === "constant" && !Number.isNaN(limit.value);
    return isNumber ? { ...each, function: plain } : each;
  });
}
