import { EOF, type IParserErrorMessageProvider, type IToken } from "chevrotain";
import type { Declaration, ExpectedInSchema, FoundInSchema } from "./messages.js";
import { newline } from "./tokens.js";

/**
 * What the parser expected where it stopped: a "message" of this provider is only the token that is missing, or the rule
 * none of whose alternatives fits, and `expectedAt` says what that is.
 */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => `token ${expected.name}`,
  buildNotAllInputParsedMessage: () => "end",
  buildNoViableAltMessage: ({ ruleName }) => ruleName,
  buildEarlyExitMessage: ({ ruleName }) => ruleName,
};

// biome-ignore format: a table
const byRule: Readonly<Record<string, ExpectedInSchema>> = {
  Type:          "type",
  Value:         "value",
  Choice:        "value",
  FilePath:      "path",
  Text:          "body",
  ConstantValue: "body",
  Features:      "body",
  Port:          "name",
  end:           "end",
};

/** What can stand at a position in the grammar, which is one of the provider's messages. */
export function expectedAt(position: string): ExpectedInSchema {
  const [, token] = /^token (.*)$/.exec(position) ?? [];
  if (token === undefined) return byRule[position] ?? "other";
  return token === "name" ? "name" : { kind: "token", text: token };
}

/** What statements declare, by the rule that stops where it finds no name. */
// biome-ignore format: a table
export const declarations: Readonly<Record<string, Declaration>> = {
  Schema:      "schema",
  RankProfile: "rank profile",
  Function:    "function",
  Field:       "field",
  StructField: "struct-field",
  Import:      "import",
  Constant:    "constant",
  Entry:       "constant in constants",
  Input:       "input",
  Model:       "model",
};

/** What stands there. */
export function foundAt({ tokenType, image }: IToken): FoundInSchema {
  if (tokenType === EOF || image === "") return "end";
  return tokenType === newline ? "end of line" : { kind: "token", text: image };
}
