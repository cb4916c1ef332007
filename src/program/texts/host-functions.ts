import { builtins } from "../../language/check/calls/builtins.js";
import { hostSignature } from "../../language/check/calls/host-functions.js";
import {
  type FunctionDescription,
  functionDescriptions,
} from "../../language/check/descriptions/function-descriptions.js";
import { preludeNames } from "../../language/check/prelude-names.js";
import type { HostOperation } from "../../language/core/operations.js";
import { overflowOf } from "../../language/limits/overflow.js";
import { shortened } from "../../language/source/message.js";
import { type Problem, SphexError } from "../../language/source/problem.js";
import type { Span } from "../../language/source/span.js";
import { thrownText } from "../../language/source/thrown.js";
import { TensorType } from "../../language/types/type.js";
import { spanOfText } from "../../language/values/messages.js";
import type { Tensor } from "../../language/values/tensor.js";
import { type DeclaredType, type InputValue, tensorOf } from "../inputs/inputs.js";
import { type HostFunctionFault, problem } from "../messages.js";
import { type HostFunction, type Options, parseType, writtenAxes } from "../options.js";

/** They are arguments of a call of JavaScript. */
const mostParameters = 100;

/**
 * The functions of the host as operations of the core.
 * @throws SphexError with a problem for each that is not declared as it must be.
 */
export function hostOperations(options: Options): ReadonlyMap<string, HostOperation> {
  const problems: Problem[] = [];
  const operations = new Map<string, HostOperation>();
  for (const [name, declared] of Object.entries(options.functions ?? {})) {
    const fault = faultOf(name, declared);
    if (fault === undefined) operations.set(name, operationOf(name, declared, options));
    else
      problems.push(problem("option/function", spanOfText("options", `functions.${name}`), { name, fault }));
  }
  if (problems.length > 0) throw new SphexError(problems);
  return operations;
}

/** The functions of the language, and those of the host, as an editor shows them. */
export function describedFunctions(options: Options): ReadonlyMap<string, FunctionDescription> {
  const described = [...hostOperations(options).values()].map((each): [string, FunctionDescription] => [
    each.name,
    {
      name: each.name,
      signature: hostSignature(each),
      description: each.description,
    },
  ]);
  return described.length === 0 ? functionDescriptions() : new Map([...functionDescriptions(), ...described]);
}

/** What is wrong with a declaration; callers without types may give anything. */
function faultOf(name: string, declared: unknown): HostFunctionFault | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return "name";
  if (builtins.has(name) || preludeNames().own(name) !== undefined) return "language";
  if (typeof declared !== "object" || declared === null) return "object";
  const isType = (value: unknown): boolean => typeof value === "string" || value instanceof TensorType;
  // An object may be asked for any name.
  const { parameters, returns, call, pure, description } = declared as Readonly<Record<string, unknown>>;
  const areParameters = Array.isArray(parameters) && parameters.length <= mostParameters;
  if (!areParameters || !parameters.every(isType)) return "parameters";
  if (!isType(returns)) return "returns";
  if (typeof call !== "function") return "call";
  if (pure !== undefined && typeof pure !== "boolean") return "pure";
  return description !== undefined && typeof description !== "string" ? "description" : undefined;
}

function operationOf(name: string, declared: HostFunction, options: Options): HostOperation {
  const result = declaredType(declared.returns);
  const toTensor = (value: InputValue, span: Span): Tensor => {
    try {
      return tensorOf(name, value, result, options).copy();
    } catch (error) {
      if (!(error instanceof SphexError)) throw failure(name, span, error); // of a getter, say
      const [first] = error.problems;
      const found = {
        name,
        reason: first?.description.found ?? first?.message ?? "something else",
        type: result.type,
      };
      throw new SphexError([problem("function/result", span, found)]);
    }
  };
  return {
    name,
    parameters: declared.parameters.map((type) => declaredType(type).type),
    returns: result.type,
    description: declared.description ?? "A function of the host.",
    isPure: declared.pure === true,
    call: (values, span) => {
      const returned = attempt(name, span, () => valueOrPromise(declared.call(...values)));
      if (!(returned instanceof Promise)) return toTensor(returned, span);
      return returned.then(
        (value) => toTensor(value, span),
        (error: unknown) => {
          throw failure(name, span, error);
        },
      );
    },
  };
}

const declaredType = (type: TensorType | string): DeclaredType =>
  typeof type === "string" ? { type: parseType(type), axes: writtenAxes(type) } : { type };

/** What a function of the host returns; what it throws becomes a problem of the call. */
function attempt<T>(name: string, span: Span, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw failure(name, span, error);
  }
}

/** A full stack is the machine's, wherever it was found; everything else is a matter of the host. */
function failure(name: string, span: Span, error: unknown): unknown {
  if (overflowOf(error) !== undefined) return error;
  const reason = shortened(thrownText(error));
  return new SphexError([problem("function/failed", span, { name, reason })], { cause: error });
}

const valueOrPromise = (value: InputValue | PromiseLike<InputValue>): InputValue | Promise<InputValue> =>
  isPromise(value) ? Promise.resolve(value) : value;

const isPromise = (value: InputValue | PromiseLike<InputValue>): value is PromiseLike<InputValue> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
