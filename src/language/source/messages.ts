import { didYouMean, error, quoted } from "./message.js";
import { problemsOf } from "./problem.js";
import { kindText, type ValueKind } from "./value-kind.js";

/** What an argument of a function of the library must be. */
const forms = {
  text: "a text",
  bytes: "a Uint8Array",
  number: "a number",
  function: "a function",
  object: "an object with values by name",
  list: "an array of its elements",
  tensor: "a Tensor",
  type: "a TensorType",
  typeOrText: "a TensorType, or its text",
  cells: "a typed array",
  cellType: "the name of a cell type",
  json: "JSON data",
  names: "an iterable of texts",
  map: "a Map",
  output: "what the library returned",
  format: "the name of a format",
  problem: "a problem",
  source: "a text with its name: { name, text }",
} as const;

export type ExpectedKind = keyof typeof forms;

interface WrongArgument {
  readonly function: string;
  readonly found: ValueKind;
  readonly expected: ExpectedKind;
}

/** What an option must be. */
export type OptionForm =
  | "true or false"
  | "a text"
  | "a function"
  | "an object with values by name"
  | "a number that is not negative"
  | "a finite number that is not negative"
  | "a whole number above 0"
  | "a finite number above 0"
  | "a whole number that is not negative"
  | "an AbortSignal"
  | "a typed array"
  | "a list of texts"
  | "a TensorType, or its text"
  | "a value of the input"
  | "a table, a file or a query"
  | "the name or the number of a result"
  | { readonly oneOf: readonly string[] };

interface UnknownOption {
  readonly name: string;
  readonly nearest: string | undefined;
  readonly all: readonly string[];
}

/** What can be wrong with calls of the library by programs without types. */
export const sourceMessages = {
  "argument/kind": error(({ function: name, found, expected }: WrongArgument) => ({
    message: `this is not a valid argument of ${name}`,
    found: kindText(found),
    expected: forms[expected],
    hint: expected === "type" && found === "string" ? "parseType makes a type from a text" : undefined,
  })),
  "option/unknown": error(({ name, nearest, all }: UnknownOption) => ({
    message: `there is no option called ${name}`,
    found: quoted(name),
    expected: all.length === 0 ? "no options" : all.join(", "),
    hint: didYouMean(nearest),
  })),
  "option/value": error((values: { name: string; found: string; expected: OptionForm }) => ({
    message: `this is not a valid value of the option ${values.name}`,
    found: values.found,
    expected: typeof values.expected === "string" ? values.expected : values.expected.oneOf.join(", "),
  })),
};

declare module "./problem.js" {
  interface MessageTables {
    readonly "language/source": typeof sourceMessages;
  }
}

export const problem = problemsOf<"language/source">(sourceMessages);
