import { didYouMean, error, quoted, shortened, type UnknownName, warning } from "../../source/message.js";
import type { ForeignName } from "../../syntax/foreign/calls.js";
import type { TensorType } from "../../types/type.js";

interface UnknownReference extends UnknownName {
  /** A function of a like name, where no value has one. */
  readonly nearestFunction?: string | undefined;
  readonly isFunction: boolean;
  /** The parameters and dimensions that have a value there. */
  readonly local?: readonly string[];
  readonly isLambda?: boolean;
}

interface UnknownFunction {
  readonly name: string;
  readonly nearest: string | undefined;
  readonly isValue: boolean;
  readonly isLambda?: boolean;
}

function expectedName(local: readonly string[], isLambda: boolean): string {
  const names = local.slice(0, 5).join(", ");
  if (isLambda) return `a parameter of the lambda: ${names}`;
  return local.length === 0
    ? "a declared input or a name of this program"
    : `${names}, or a name of this program`;
}

/** A bare name among local ones was hardly meant for an input. */
const declaration = (name: string, local: readonly string[]): string | undefined =>
  local.length > 0 && !name.includes("(") ? undefined : `declare it: input ${name}: tensor(…)`;

const call = (name: string | undefined): string | undefined => name && `${name}(…)`;

/** What can be wrong with names: what they refer to, and what they are given to. */
export const nameMessages = {
  "name/unknown": error(
    ({ name, nearest, nearestFunction, isFunction, local = [], isLambda = false }: UnknownReference) => ({
      message: isFunction
        ? `${name} is a function, and not a value by itself`
        : `nothing here is called ${name}`,
      found: quoted(name),
      expected: isFunction ? `a call, such as ${name}(…)` : expectedName(local, isLambda),
      hint: isFunction
        ? undefined
        : (didYouMean(nearest ?? call(nearestFunction)) ?? declaration(name, local)),
      replacement: isFunction ? undefined : nearest,
    }),
  ),
  "name/unknown-function": error(({ name, nearest, isValue, isLambda = false }: UnknownFunction) => ({
    message: isLambda
      ? `${name} is a parameter: a lambda is passed on, and not called`
      : isValue
        ? `${name} is a value, and takes no arguments`
        : `there is no function called ${name}`,
    found: quoted(`${name}(…)`),
    expected: isLambda
      ? `a call that it is passed to, such as map(t, ${name})`
      : "a function of the language or of this program, or a declared feature",
    hint: isLambda ? undefined : isValue ? `to take a cell of it, write ${name}{…}` : didYouMean(nearest),
    replacement: isValue ? undefined : nearest,
  })),
  "name/foreign": error(({ text, message, replacement, hint }: ForeignName & { text: string }) => ({
    message,
    found: quoted(shortened(text.replace(/\s+/g, " "), 60)),
    hint,
    replacement,
  })),
  "name/output": error(({ name, output }: { name: string; output: string }) => ({
    message: `${name} has no outputs: only features that a host declares have them`,
    found: quoted(`.${output}`),
    expected: "an operator, or a slice such as {x:0}",
  })),
  "name/captured": error(({ name, type }: { name: string; type: TensorType | undefined }) => ({
    message:
      type === undefined
        ? `a lambda sees only its own parameters, and ${name} is not one of them`
        : `a lambda sees only its own parameters and scalars, and ${name} is a tensor`,
    found: type === undefined ? quoted(name) : `${type}`,
    expected: type === undefined ? "a parameter of the lambda" : "a parameter of the lambda, or a scalar",
    hint:
      type === undefined
        ? "sphex expand prints an equivalent expression without such lambdas, as Vespa needs it"
        : "combine the two tensors with an operator or join instead",
  })),
  "name/duplicate": error(({ name }: { name: string }) => ({
    message: `${name} is defined twice`,
    found: "a second definition",
    expected: "one definition for each name",
  })),
  "name/cycle": error(({ path }: { path: readonly string[] }) => ({
    message: `this definition depends on itself: ${path.join(" → ")}`,
    found: "a cycle",
    expected: "definitions that do not depend on themselves",
  })),
  "name/shadows": warning(({ name, equality }: { name: string; equality: boolean }) => ({
    message: `this gives the built-in name ${name} another meaning in this program`,
    hint: equality ? "to compare, write ==" : undefined,
  })),
  "name/dimension-or-value": warning((values: { name: string; function: string }) => ({
    message: `${values.name} is a dimension here, so ${values.function} reduces along it, although a value has that name too`,
    hint: `write (${values.name}) for the value`,
  })),
  "syntax/number": error(({ text }: { text: string }) => ({
    message: `${text} is neither a number nor a known name`,
    found: quoted(text),
    expected: "a decimal number without a suffix",
    hint: /^0x/i.test(text) ? `in decimal this is ${Number(text)}` : undefined,
    replacement: `${/^0x/i.test(text) ? Number(text) : Number.parseFloat(text)}`,
  })),
};

export type NameMessages = typeof nameMessages;
