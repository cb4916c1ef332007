import {
  Alternation,
  type Alternative,
  type BaseParser,
  type IProduction,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
  type TokenType,
} from "chevrotain";
import { choice, type Shape, separated, sequence, times } from "./ebnf.js";

/** The rules that Chevrotain recorded while a parser was made, in the form of a grammar file. */
export const recordedRules = (parser: BaseParser): ReadonlyMap<string, Shape> =>
  new Map(Object.values(parser.getGAstProductions()).map((rule) => [rule.name, shapeOfAll(rule.definition)]));

function shapeOf(production: IProduction): Shape {
  if (production instanceof Terminal) return shapeOfToken(production.terminalType);
  if (production instanceof NonTerminal) return { kind: "rule", name: production.nonTerminalName };
  if (production instanceof Alternation) return choice(production.definition.map(shapeOf));
  if (production instanceof Option) return times("?", shapeOfAll(production.definition));
  if (production instanceof Repetition) return times("*", shapeOfAll(production.definition));
  if (production instanceof RepetitionMandatory) return times("+", shapeOfAll(production.definition));
  if (production instanceof RepetitionWithSeparator) {
    return times("?", separated(shapeOfToken(production.separator), shapeOfAll(production.definition)));
  }
  if (production instanceof RepetitionMandatoryWithSeparator) {
    return separated(shapeOfToken(production.separator), shapeOfAll(production.definition));
  }
  return shapeOfAll((production as Alternative).definition); // the only other production inside a rule
}

function shapeOfAll(productions: readonly IProduction[]): Shape {
  return sequence(productions.map(shapeOf));
}

/** A token with a text of its own is that text; any other is a class. */
function shapeOfToken(token: TokenType): Shape {
  return { kind: typeof token.PATTERN === "string" ? "fixed" : "class", name: token.name };
}
