import {
  type BaseParser,
  getLookaheadPaths,
  type IProduction,
  type LookaheadProductionType,
  NonTerminal,
} from "chevrotain";
import { expect, test } from "vitest";
import { Grammar } from "../../src/language/syntax/grammar.js";
import { expectations } from "../../src/language/syntax/mistakes/expectations.js";
import type { DecisionKind } from "../../src/language/syntax/prepared-parser.js";
import { expectations as schemaExpectations } from "../../src/vespa/package/syntax/expectations.js";
import { SchemaGrammar } from "../../src/vespa/package/syntax/grammar.js";
import "./group-by.js";

/**
 * The tables by which the parsers choose between alternatives are what Chevrotain finds when it analyses the grammars:
 * `npm run lookahead` writes them.
 */
// biome-ignore format: a table
const kinds: Readonly<Record<string, { kind: DecisionKind; type: LookaheadProductionType }>> = {
  Alternation:                      { kind: "OR",               type: "Alternation" },
  Option:                           { kind: "OPTION",           type: "Option" },
  Repetition:                       { kind: "MANY",             type: "Repetition" },
  RepetitionMandatory:              { kind: "AT_LEAST_ONE",     type: "RepetitionMandatory" },
  RepetitionWithSeparator:          { kind: "MANY_SEP",         type: "RepetitionWithSeparator" },
  RepetitionMandatoryWithSeparator: { kind: "AT_LEAST_ONE_SEP", type: "RepetitionMandatoryWithSeparator" },
};

/** A choice of a rule as Chevrotain recorded it. */
interface Choice extends IProduction {
  readonly idx: number;
  readonly maxLookahead?: number;
}

/** The choices in a production, depth first; a rule that is called is not one of its parts. */
function choicesOf(production: IProduction & { readonly definition?: readonly IProduction[] }): Choice[] {
  if (production instanceof NonTerminal) return [];
  const own = kinds[production.constructor.name] === undefined ? [] : [production as Choice]; // all of these have numbers
  return [...own, ...(production.definition ?? []).flatMap(choicesOf)];
}

/** The table of a grammar that Chevrotain has analysed. */
function tableOf(parser: BaseParser, maxLookahead: number, path: string): string {
  const rows = Object.values(parser.getGAstProductions()).flatMap((rule) =>
    choicesOf(rule).map((choice) => {
      const { idx, maxLookahead: own } = choice;
      const { kind, type } = kinds[choice.constructor.name] as (typeof kinds)[string]; // as the visitor says
      const options = { occurrence: idx, rule, prodType: type, maxLookahead: own ?? maxLookahead };
      const all = getLookaheadPaths(options);
      const openings = (kind === "OR" ? all : all.slice(0, 1)).map((sequences) =>
        sequences.map((sequence) => sequence.map(({ name }) => name).join(" ")),
      );
      return `  ${JSON.stringify([rule.name, kind, idx, openings])},`;
    }),
  );
  return `import type { DecisionRow } from "${path}prepared-parser.js";

/** What tells the alternatives of each rule apart, as Chevrotain finds it: \`npm run lookahead\` writes this file. */
// biome-ignore format: a table
export const decisions: readonly DecisionRow[] = [
${rows.join("\n")}
];
`;
}

test("the parser of programs chooses as Chevrotain would", async () => {
  const table = tableOf(new Grammar(expectations), 3, "./");
  await expect(table).toMatchFileSnapshot("../../src/language/syntax/decisions.ts");
});

test("the parser of schemas chooses as Chevrotain would", async () => {
  const table = tableOf(new SchemaGrammar(schemaExpectations), 1, "../../../language/syntax/");
  await expect(table).toMatchFileSnapshot("../../src/vespa/package/syntax/decisions.ts");
});
