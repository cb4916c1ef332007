import { error, type NoValues, quoted, shortened } from "../../../language/source/message.js";
import { type Phrase, phrases } from "../../../language/source/phrase.js";
import { problemsOf } from "../../../language/source/problem.js";

/** What a schema declares, and how it is written. */
export const declarations = {
  schema: "schema name { … }",
  field: "field name type string { … }",
  import: "import field reference.field as name {}",
  "struct-field": "struct-field name { … }",
  model: "onnx-model name { … }",
  constant: "constant name { type: … file: … }",
  "constant in constants": "name type: value, or name type: file:path",
  input: "query(name) type, or query(name) type: value",
  function: "function name(a, b) { expression: … }",
  "rank profile": "rank-profile name { … }",
  phase: "first-phase { expression: … }",
  setting: "name: value",
  "feature list": "match-features: a b",
};

export type Declaration = keyof typeof declarations;

/** The name of a declaration in messages. */
export const declared = (what: Declaration): string => (what === "constant in constants" ? "constant" : what);

const foundParts = {
  token: ({ text }: { text: string }) => quoted(shortened(text)),
  end: "the end",
  "end of line": "the end of the line",
};

/** What stands where the grammar of schemas has no place for it. */
export type FoundInSchema = Phrase<typeof foundParts>;

const foundText = phrases(foundParts);

const expectedParts = {
  token: ({ text }: { text: string }) => quoted(text),
  name: "a name",
  type: "a type",
  value: "a value",
  path: "a path in the package",
  body: "`:` or `{`",
  end: "the end",
  other: "something else",
  constant: `a constant: ${declarations["constant in constants"]}`,
  input: `an input: ${declarations.input}`,
  "end of expression": "`}`, or braces around an expression of several lines",
};

/** What could stand there. */
export type ExpectedInSchema = Phrase<typeof expectedParts>;

const expectedText = phrases(expectedParts);

/** What can be wrong with the text of a schema. */
export const schemaMessages = {
  "syntax/unexpected": error(({ found, expected }: { found: FoundInSchema; expected: ExpectedInSchema }) => ({
    message:
      typeof found === "object" ? `${foundText(found)} cannot stand here` : "something is missing here",
    found: foundText(found),
    expected: expectedText(expected),
  })),
  "schema/unclosed": error((_: NoValues) => ({
    message: "this { is never closed",
    found: "the end of the file",
    expected: "`}`",
  })),
  "schema/unopened": error((_: NoValues) => ({
    message: "this } closes nothing",
    found: "`}`",
    expected: "`{` before it",
  })),
  "schema/name": error(({ what }: { what: Declaration }) => ({
    message: `this ${declared(what)} has no name that can be read`,
    found: declared(what),
    expected: declarations[what],
  })),
};

declare module "../../../language/source/problem.js" {
  interface MessageTables {
    readonly "vespa/package/syntax": typeof schemaMessages;
  }
}

export const problem = problemsOf<"vespa/package/syntax">(schemaMessages);
