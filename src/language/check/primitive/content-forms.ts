import type { ScalarName } from "../../scalar/functions.js";
import * as synthetic from "../../syntax/synthesize.js";
import type { Expression } from "../../syntax/tree.js";

const { nameOf: call, numberOf, operation } = synthetic;

/** What is the same on Vespa's content nodes as the functions that only its containers have. */
const contentForms: Partial<Readonly<Record<ScalarName, (x: Expression) => Expression>>> = {
  abs: (x) => call("fabs", [x]),
  square: (x) => call("pow", [x, numberOf(2)]),
  sign: (x) => call("if", [operation(x, ">=", numberOf(0)), numberOf(1), numberOf(-1)]),
  round: (x) => {
    const fraction = operation(x, "-", call("floor", [x]));
    const halfUp = call("if", [operation(fraction, "<", numberOf(0.5)), numberOf(0), numberOf(1)]);
    return call("if", [call("isNan", [x]), numberOf(0), operation(call("floor", [x]), "+", halfUp)]);
  },
};

export const contentForm = (name: ScalarName, [x]: readonly Expression[]): Expression | undefined =>
  x === undefined ? undefined : contentForms[name]?.(x);
