import { counted, error } from "../../language/source/message.js";
import { type Phrase, phrases } from "../../language/source/phrase.js";
import { problemsOf } from "../../language/source/problem.js";
import type { Dimension } from "../../language/types/type.js";
import { indexText } from "../from-cells.js";
import { partsText } from "../messages/bytes.js";

const foundParts = {
  text: ({ text }: { text: string }) => (text === "" ? "nothing" : JSON.stringify(text.slice(0, 40))),
  column: ({ name }: { name: string }) => `${name} again`,
  "missing columns": ({ names }: { names: readonly string[] }) => `no column ${names.join(", ")}`,
  fields: ({ count }: { count: number }) => counted(count, "field"),
  cells: ({ count }: { count: number }) => counted(count, "cell"),
  "no line": "no line",
  "same address": "a repeated address",
  "inner quote": "a quote inside a field",
  "open quote": "a quote that is never closed",
  "text behind quotes": "text after the quotes",
};

type ColumnNames = { readonly names: readonly string[] };

const columnNames = ({ names }: ColumnNames): string => [...names, "value"].join(", ");

const expectedParts = {
  number: "a number",
  index: ({ dimension }: { dimension: Dimension }) => `${indexText(dimension.size)}, for ${dimension.name}`,
  dimension: "the name of a dimension",
  label: 'a label, which is "" where it has no characters',
  header: (columns: ColumnNames) => `a header: ${columnNames(columns)}`,
  "any header": "a header: names of dimensions, and value",
  "input column": ({ names }: ColumnNames) =>
    `a header with a column of an input, such as ${names.join(", ")}`,
  "line below": "a header with a line below it",
  parts: ({ names }: ColumnNames) => partsText(names),
  column: (columns: ColumnNames) => `one of ${columnNames(columns)}`,
  "each dimension once": "each dimension once",
  "own column": ({ name }: { name: string }) => `one column ${name}`,
  "own address": "a cell with an address of its own",
  fields: ({ count }: { count: number }) => `${counted(count, "field")}, as in the header`,
  "most cells": ({ count }: { count: number }) => `at most ${counted(count, "cell")}`,
  "quoted field": "a field in quotes, with quotes inside doubled",
  "closed field": "a field that ends",
  "end of field": "a comma or the end of the line",
};

export type FoundInCsv = Phrase<typeof foundParts>;
export type ExpectedInCsv = Phrase<typeof expectedParts>;

const foundText = phrases(foundParts);
const expectedText = phrases(expectedParts);

/** Fields of a header between other marks than commas are one field. */
function separatorHint(found: FoundInCsv): string | undefined {
  const isOther = typeof found === "object" && found.kind === "text" && /[;\t|]/.test(found.text);
  return isOther ? "columns stand between commas" : undefined;
}

const headers: ReadonlySet<unknown> = new Set(["header", "any header", "input column"]);

/** What can be wrong with comma-separated values. */
export const csvMessages = {
  "csv/shape": error(({ found, expected }: { found: FoundInCsv; expected: ExpectedInCsv }) => ({
    message: `this must be ${expectedText(expected)}`,
    found: foundText(found),
    expected: expectedText(expected),
    hint: headers.has(typeof expected === "object" ? expected.kind : expected)
      ? separatorHint(found)
      : undefined,
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "formats/csv": typeof csvMessages;
  }
}

export const problem = problemsOf<"formats/csv">(csvMessages);
