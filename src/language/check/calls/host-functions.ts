import type { HostOperation, Node } from "../../core/operations.js";
import { isAssignable } from "../../types/assignable.js";
import { problem } from "../messages.js";
import type { Builtin, Call } from "./call.js";

/** How a function of the host is called: its name, with the types of its parameters. */
export const hostSignature = ({ name, parameters }: HostOperation): string =>
  `${name}(${parameters.join(", ")})`;

/** A function of the host as one that a program can call. */
export const hostBuiltin = (operation: HostOperation): Builtin => ({
  signature: hostSignature(operation),
  description: operation.description,
  least: operation.parameters.length,
  most: operation.parameters.length,
  tensors: [...operation.parameters.keys()],
  elaborate: (call) => hostCall(call, operation),
});

/** A call whose arguments are in the declared types. */
function hostCall(call: Call, operation: HostOperation): Node | undefined {
  const { checker, scope, span } = call;
  const values = operation.parameters.map((declared, at) => {
    const value = call.tensor(at);
    if (value === undefined) return undefined;
    if (isAssignable(value.type, declared)) return checker.graph.cast(value, declared, call.spanOf(at));
    const found = { function: call.name, type: value.type, declared };
    return void checker.report(scope)(problem("call/host-argument", call.spanOf(at), found));
  });
  const sound = values.filter((each) => each !== undefined);
  if (sound.length < values.length) return undefined;
  checker.report(scope)(problem("portability/host-function", span, { name: call.name }));
  return checker.graph.host(operation, sound, scope.level, span);
}
