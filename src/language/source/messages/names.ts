import { didYouMean, error, portability, warning } from "./row.js";

export interface UnknownName {
  readonly name: string;
  readonly nearest: string | undefined;
  readonly isFunction: boolean;
  /** The parameters and dimensions that have a value there. */
  readonly local?: readonly string[];
  readonly isLambda?: boolean;
}

function wantedName(local: readonly string[], isLambda: boolean): string {
  const names = local.slice(0, 5).join(", ");
  if (isLambda) return `a parameter of the lambda: ${names}`;
  return local.length === 0
    ? "a declared input or a name of this program"
    : `${names}, or a name of this program`;
}

/** A bare name among local ones was hardly meant for an input. */
const declaration = (name: string, local: readonly string[]): string | undefined =>
  local.length > 0 && !name.includes("(") ? undefined : `declare it: input ${name}: tensor(…)`;

/** What can be wrong with names, calls, declarations and files. */
export const nameMessages = {
  "name/unknown": error(({ name, nearest, isFunction, local = [], isLambda = false }: UnknownName) => ({
    says: isFunction ? `${name} is a function, and no value by itself` : `nothing here is called ${name}`,
    found: `\`${name}\``,
    wanted: isFunction ? `a call, such as ${name}(…)` : wantedName(local, isLambda),
    hint: isFunction ? undefined : (didYouMean(nearest) ?? declaration(name, local)),
  })),
  "name/unknown-function": error(
    ({ name, nearest, isValue }: { name: string; nearest: string | undefined; isValue: boolean }) => ({
      says: isValue ? `${name} is a value, and takes no arguments` : `there is no function called ${name}`,
      found: `\`${name}(…)\``,
      wanted: "a function of the language or of this program, or a declared feature",
      hint: isValue ? `to take a cell of it, write ${name}{…}` : didYouMean(nearest),
    }),
  ),
  "name/output": error(({ name, output }: { name: string; output: string }) => ({
    says: `${name} has no outputs: only features that a host declares have`,
    found: `\`.${output}\``,
    wanted: "an operator, or a slice such as {x:0}",
  })),
  "name/captured": error(({ name }: { name: string }) => ({
    says: `a lambda sees only its own parameters, and ${name} is not one of them`,
    found: `\`${name}\``,
    wanted: "a parameter of the lambda",
    hint: "combine the two tensors with an operator or join instead",
  })),
  "name/duplicate": error(({ name }: { name: string }) => ({
    says: `${name} is defined twice`,
    found: "a second definition",
    wanted: "one definition for each name",
  })),
  "name/cycle": error(({ path }: { path: string }) => ({
    says: `this definition needs itself: ${path}`,
    found: "a cycle",
    wanted: "definitions that end in values",
  })),
  "name/shadows": warning(({ name, equality }: { name: string; equality: boolean }) => ({
    says: `this gives the built-in name ${name} another meaning in this program`,
    hint: equality ? "to compare, write ==" : undefined,
  })),
  "name/dimension-or-value": warning((values: { name: string; function: string }) => ({
    says: `${values.name} is a dimension here, so that ${values.function} reduces along it, although a value has that name too`,
    hint: `write (${values.name}) for the value`,
  })),
  "call/arity": error((values: { name: string; found: number; wanted: string; signature: string }) => ({
    says: `${values.name} takes ${values.wanted} ${values.wanted === "1" ? "argument" : "arguments"}, not ${values.found}`,
    found: `${values.found}`,
    wanted: values.signature,
  })),
  "call/argument": error(
    ({ wanted, found, hint }: { wanted: string; found: string; hint?: string | undefined }) => ({
      says: `this argument must be ${wanted}`,
      found,
      wanted,
      hint,
    }),
  ),
  "call/word": error(
    (values: {
      wanted: string;
      found: string;
      words: string;
      nearest: string | undefined;
      hint?: string | undefined;
    }) => ({
      says: `${values.found} is not ${values.wanted}`,
      found: `\`${values.found}\``,
      wanted: `one of ${values.words}`,
      hint: values.hint ?? didYouMean(values.nearest),
    }),
  ),
  "call/lambda-arity": error(({ found, wanted }: { found: number; wanted: number }) => ({
    says: `this lambda must have ${wanted} ${wanted === 1 ? "parameter" : "parameters"}`,
    found: `${found}`,
    wanted: wanted === 1 ? "f(x)(…)" : "f(x,y)(…)",
  })),
  "call/parameter": error(({ name }: { name: string }) => ({
    says: `two parameters are called ${name}`,
    found: `\`${name}\` again`,
    wanted: "different names",
  })),
  "call/rename-count": error(({ from, to }: { from: number; to: number }) => ({
    says: "rename needs as many new names as dimensions",
    found: `${to} new`,
    wanted: `${from}`,
  })),
  "portability/function": portability(({ name, instead }: { name: string; instead: string }) => ({
    says: `Vespa does not have this form of ${name}`,
    found: `${name} as the Paper writes it`,
    wanted: "a form that Vespa has",
    hint: `in Vespa: ${instead}`,
  })),
  "portability/grouping": warning(({ ours, java }: { ours: string; java: string }) => ({
    says: "Vespa's engines group this differently",
    found: `read here, and on content nodes, as ${ours}`,
    wanted: `its Java front end reads ${java}`,
    hint: "write the parentheses",
  })),
  "portability/text": warning(({ symbol }: { symbol: string }) => ({
    says: `a text is a number, its hash: Vespa's Java front end refuses ${symbol} on it`,
    found: "a text",
    wanted: "a number, or one of == != ~= in",
  })),
  "role/no-value": error(({ role, name }: { role: string; name: string }) => ({
    says: `the ${role} ${name} has no value`,
    found: "a type only",
    wanted: "= and a value",
  })),
  "role/type": error((values: { name: string; given: string; declared: string }) => ({
    says: `the value of ${values.name} does not have its declared type`,
    found: values.given,
    wanted: values.declared,
  })),
  "role/not-constant": error(({ role, name }: { role: string; name: string }) => ({
    says: `the value of the ${role} ${name} depends on an input`,
    found: "an expression of inputs",
    wanted: "an expression of constants",
  })),
  "role/unknown": error((values: { name: string; nearest: string | undefined }) => ({
    says: `the program has no variable or persistent tensor called ${values.name}`,
    found: `\`${values.name}\``,
    wanted: "a name that the program declares as variable or persistent",
    hint: didYouMean(values.nearest),
  })),
  "input/type": error((values: { name: string; given: string; declared: string }) => ({
    says: `${values.name} cannot take a tensor of this type`,
    found: values.given,
    wanted: values.declared,
  })),
  "input/missing": error(({ name, type }: { name: string; type: string }) => ({
    says: `the input ${name} is not given`,
    found: "nothing",
    wanted: type,
  })),
  "input/unknown": error(({ name, nearest }: { name: string; nearest: string | undefined }) => ({
    says: `the program has no input called ${name}`,
    found: `\`${name}\``,
    wanted: "a name that the program declares as input",
    hint: didYouMean(nearest),
  })),
  "input/value": error(({ name, found }: { name: string; found: string }) => ({
    says: `this is no value for ${name}`,
    found,
    wanted: "a tensor, a number, a text of the literal form, a typed array, or nested arrays",
  })),
  "program/no-result": error((_: object) => ({
    says: "the program has no result",
    found: "no expression and no named value",
    wanted: "at least one",
  })),
  "file/no-type": error(({ path }: { path: string }) => ({
    says: `a tensor from a file needs a declared type`,
    found: `file(${JSON.stringify(path)}) without one`,
    wanted: "constant name: tensor(…) = file(…)",
  })),
  "file/no-reader": error(({ path }: { path: string }) => ({
    says: `files cannot be read here`,
    found: `file(${JSON.stringify(path)})`,
    wanted: "a host that gives readFile",
  })),
  "file/unreadable": error(({ path, reason }: { path: string; reason: string }) => ({
    says: `${path} cannot be read: ${reason}`,
    found: reason,
    wanted: "a readable file",
  })),
};
