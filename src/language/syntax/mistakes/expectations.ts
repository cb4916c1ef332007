import { EOF, type IParserErrorMessageProvider, type IToken } from "chevrotain";
import type { ExpectedPart, UnexpectedToken } from "./unexpected.js";

/**
 * What the parser expected where it stopped. Chevrotain lists token sequences; a person wants a noun. A "message" of this
 * provider is therefore only a position in the grammar, and `expectedAt` has what can stand there.
 */
export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, ruleName }) => `${ruleName} ${expected.name}`,
  buildNotAllInputParsedMessage: () => "behind all",
  buildNoViableAltMessage: ({ ruleName }) => ruleName,
  buildEarlyExitMessage: ({ ruleName }) => ruleName,
};

const token = (spelling: string): ExpectedPart => ({ kind: "token", text: spelling });

/** By a rule and the token that it lacks, or by a rule none of whose alternatives fits. */
// biome-ignore format: a table
const byPosition: Readonly<Record<string, readonly ExpectedPart[]>> = {
  "Program END":        ["operator", "end of statement"],
  "Arguments )":        ["operator", token(","), token(")")],
  "Primary )":          ["operator", token(")")],
  "Nested ]":           ["operator", token(","), token("]")],
  "Membership ]":       ["operator", token(","), token("]")],
  "Membership [":       ["list"],
  "Slice ]":            ["operator", token("]")],
  "Slice }":            [token(","), token("}")],
  "TypeBody )":         [token(","), token(")")],
  "Parameters )":       [token(","), token(")")],
  "Lambda )":           [token(","), token(")")],
  "NameList )":         [token(","), token(")")],
  "Body }":             [token(","), token("}")],
  "Cell }":             [token(","), token("}")],
  "Entry }":            [token(","), token("}")],
  "Case ,":             ["comma after case"],
  "Switch default":     [token("case"), token("default")],
  "Switch }":           ["operator", token("}")],
  "TypeBody name":      ["cell type"],
  "Dimension name":     ["dimension name"],
  "Binding name":       ["dimension name"],
  "NameList name":      ["dimension name"],
  "Port name":          ["dimension name"],
  "Ports )":            [token(","), token(")")],
  "Typed )":            ["operator", token(")")],
  "ConstantDense ]":    [token(","), token("]")],
  "ConstantBraces }":   [token(","), token("}")],
  "Address }":          [token(","), token("}")],
  "ConstantEntry word": ["number"],
  "behind all":         ["operator", "end"],
  Primary:              ["expression"],
  Operand:              ["expression"],
  Expression:           ["operator"],
  Operator:             ["operator"],
  Argument:             ["argument"],
  Slice:                ["index", "label"],
  Selector:             ["label", "expression in parentheses"],
  Dimension:            ["dimension size"],
  Typed:                ["colon and cells", "generated cells"],
  Body:                 ["cells of tensor"],
  Item:                 ["value"],
  Nested:               ["value"],
  Entry:                ["value"],
  Label:                ["label"],
  Statement:            ["statement"],
  Declaration:          ["colon and type", "equals and value"],
  Call:                 ["name of output"],
  Switch:               [token("case")],
  Constant:             ["number", "cells"],
  ConstantItem:         ["number"],
  ConstantEntry:        ["cell", "label"],
  ConstantLabel:        ["label"],
};

/** Tokens that have no spelling of their own. */
const byToken: Readonly<Record<string, ExpectedPart>> = {
  name: "name",
  number: "number",
  string: "text",
  word: "label",
  END: "end of statement",
};

/** What can stand at a position in the grammar, which is one of the provider's messages. */
export function expectedAt(position: string): readonly ExpectedPart[] {
  const listed = byPosition[position];
  if (listed !== undefined) return listed;
  const [, missing] = position.split(" ");
  return [missing === undefined ? "other" : (byToken[missing] ?? token(missing))];
}

/**
 * What of that can stand behind a token: no operator and no comma where no operand has begun, and never what stands there and
 * is refused.
 */
export function expectedBehind(
  previous: IToken | undefined,
  expected: readonly ExpectedPart[],
  found: UnexpectedToken,
): readonly ExpectedPart[] {
  const isOperand = previous !== undefined && /^[\w@"')\]}]/.test(previous.image);
  const fitting = isOperand
    ? expected
    : expected.filter((part) => part !== "operator" && !isToken(part, ","));
  const others = fitting.filter((part) => typeof found !== "object" || !isToken(part, found.text));
  if (isOperand || fitting.length === expected.length) return others.length > 0 ? others : ["other"];
  return [
    previous === undefined || previous.image === "" ? "statement" : "expression",
    ...others.filter(closes),
  ];
}

const isToken = (part: ExpectedPart, text: string): boolean => typeof part === "object" && part.text === text;
const closes = (part: ExpectedPart): boolean => typeof part === "object";

/** What stands there. */
export function foundAt({ tokenType, image }: IToken): UnexpectedToken {
  if (tokenType === EOF) return "end";
  return image === "" ? "end of statement" : { kind: "token", text: image };
}
