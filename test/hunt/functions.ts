import {
  type ScalarName,
  scalarFunctions,
  scalarNamed,
  scalarNames,
} from "../../src/language/scalar/functions.js";

/** Functions that may be off by a last digit or two (D16). */
export const inexactFunctions = [
  ...([
    "exp",
    "log",
    "log10",
    "sigmoid",
    "tanh",
    "elu",
    "erf",
    "sin",
    "cos",
    "tan",
    "atan",
    "atan2",
  ] as const),
  ...(["acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh", "pow"] as const),
] satisfies readonly ScalarName[];

const inexact = new Set<string>(inexactFunctions);

const arity = (name: string): number => {
  const found = scalarNamed(name);
  return found === undefined ? 0 : scalarFunctions[found].parameters.length;
};

/** The names of functions of so many arguments that a program can call. */
const namesOf = (count: number): readonly string[] => scalarNames.filter((name) => arity(name) === count);

export const functionsOfTwo = namesOf(2);
export const exactFunctions = namesOf(1).filter((name) => !inexact.has(name));
export const inexactFunctionsOfOne = namesOf(1).filter((name) => inexact.has(name));
