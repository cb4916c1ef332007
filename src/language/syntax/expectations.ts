import { EOF, type IParserErrorMessageProvider, type IToken } from "chevrotain";

/**
 * What the parser wanted where it stopped, in words. Chevrotain lists token sequences; a person wants a noun. The
 * "messages" of this provider are therefore only the wanted part; `parse.ts` makes the problem.
 */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, ruleName }) =>
    wantedInRule[`${ruleName} ${expected.name}`] ?? nameOf(expected.name),
  buildNotAllInputParsedMessage: () => "an operator, or the end",
  buildNoViableAltMessage: ({ ruleName }) => wantedByRule[ruleName] ?? "something else",
  buildEarlyExitMessage: ({ ruleName }) => wantedByRule[ruleName] ?? "something else",
};

// biome-ignore format: a table
const wantedInRule: Readonly<Record<string, string>> = {
  "Program END":        "an operator, or the end of the statement",
  "Arguments )":        "an operator, `,` or `)`",
  "Primary )":          "an operator or `)`",
  "Nested ]":           "an operator, `,` or `]`",
  "Membership ]":       "an operator, `,` or `]`",
  "Membership [":       "`[` and a list of values",
  "Slice ]":            "an operator or `]`",
  "Slice }":            "`,` or `}`",
  "TypeBody )":         "`,` or `)`",
  "Parameters )":       "`,` or `)`",
  "Lambda )":           "`,` or `)`",
  "NameList )":         "`,` or `)`",
  "Body }":             "`,` or `}`",
  "Cell }":             "`,` or `}`",
  "Entry }":            "`,` or `}`",
  "Case ,":             "`,` after the case",
  "Switch default":     "`case` or `default`",
  "Switch }":           "an operator or `}`",
  "TypeBody name":      "a cell type",
  "Dimension name":     "the name of a dimension",
  "Binding name":       "the name of a dimension",
  "NameList name":      "the name of a dimension",
  "Typed )":            "an operator or `)`",
  "ConstantDense ]":    "`,` or `]`",
  "ConstantBraces }":   "`,` or `}`",
  "Address }":          "`,` or `}`",
  "ConstantEntry word": "a number",
};

// biome-ignore format: a table
const wantedByRule: Readonly<Record<string, string>> = {
  Primary:        "an expression",
  Operand:        "an expression",
  Expression:     "an operator",
  Operator:       "an operator",
  Argument:       "an argument",
  Slice:          "an index, or a label",
  Selector:       "a label, or an expression in parentheses",
  Dimension:      "`{}` or `[size]` after the name of the dimension",
  Typed:          "`:` and cells, or `(` and what each cell is",
  Body:           "the cells of the tensor",
  Item:           "a value",
  Entry:          "a value",
  Label:          "a label",
  Statement:      "a statement",
  Declaration:    "`:` and a type, or `=` and a value",
  Call:           "a name after the `.`",
  Switch:         "`case`",
  Constant:       "a number, or cells",
  ConstantItem:   "a number",
  ConstantEntry:  "a cell, or a label",
  ConstantLabel:  "a label",
};

const nameOf = (token: string): string =>
  ({
    name: "a name",
    number: "a number",
    string: "a text",
    word: "a label",
    END: "the end of the statement",
  })[token] ?? `\`${token}\``;

/** What stands there, in words. */
export function foundText(token: IToken): string {
  if (token.tokenType === EOF) return "the end";
  return token.image === "" ? "the end of the statement" : `\`${shortened(token.image)}\``;
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 37)}…` : text);
