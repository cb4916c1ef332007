import { EOF, type IParserErrorMessageProvider, type IToken } from "chevrotain";
import { newline } from "./tokens.js";

/** What the parser needed where it stopped, in words: the "messages" of Chevrotain are only this part of a problem. */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => (expected.name === "name" ? aName : `\`${expected.name}\``),
  buildNotAllInputParsedMessage: () => "the end",
  buildNoViableAltMessage: ({ ruleName }) => byRule[ruleName] ?? "something else",
  buildEarlyExitMessage: ({ ruleName }) => byRule[ruleName] ?? "something else",
};

export const aName = "a name";

// biome-ignore format: a table
const byRule: Readonly<Record<string, string>> = {
  Type:          "a type",
  Value:         "a value",
  Choice:        "a value",
  FilePath:      "a path in the package",
  Text:          "`:` or `{`",
  ConstantValue: "`:` or `{`",
  Features:      "`:` or `{`",
  Port:          "a name",
};

/** What statements are called and how they are written, by the rule that stops where it finds no name. */
// biome-ignore format: a table
export const forms: Readonly<Record<string, { readonly what: string; readonly form: string }>> = {
  Schema:      { what: "schema",       form: "schema name { … }" },
  RankProfile: { what: "rank profile", form: "rank-profile name { … }" },
  Function:    { what: "function",     form: "function name(a, b) { expression: … }" },
  Field:       { what: "field",        form: "field name type string { … }" },
  StructField: { what: "struct-field", form: "struct-field name { … }" },
  Import:      { what: "import",       form: "import field reference.field as name {}" },
  Constant:    { what: "constant",     form: "constant name { type: … file: … }" },
  Entry:       { what: "constant",     form: "name type: value, or name type: file:path" },
  Input:       { what: "input",        form: "query(name) type, or query(name) type: value" },
  Model:       { what: "model",        form: "onnx-model name { … }" },
};

/** What stands there, in words. */
export function foundText({ tokenType, image }: IToken): string {
  if (tokenType === EOF || image === "") return "the end";
  if (tokenType === newline) return "the end of the line";
  return `\`${image.length > 40 ? `${image.slice(0, 37)}…` : image}\``;
}
