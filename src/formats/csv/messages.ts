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

/** Fields of a header between other marks than commas are one field, and Excel takes a line above it that says which mark it is. */
function separatorHint(found: FoundInCsv): string | undefined {
  if (typeof found === "string" || found.kind !== "text") return undefined;
  if (found.text.startsWith("sep=")) return "leave out the line sep=, which only Excel knows";
  return /[;\t|]/.test(found.text) ? "columns stand between commas" : undefined;
}

/** Pandas writes its index as a column without a name. */
function namelessHint(found: FoundInCsv): string | undefined {
  const isNameless = typeof found === "object" && found.kind === "text" && found.text === "";
  return isNameless
    ? "leave out the column without a name: pandas writes its index so, unless index=False"
    : undefined;
}

/** What may be there instead, by what is expected. */
function hintOf(found: FoundInCsv, expected: ExpectedInCsv): string | undefined {
  const kind = typeof expected === "object" ? expected.kind : expected;
  if (headers.has(kind)) return separatorHint(found);
  return names.has(kind) ? namelessHint(found) : undefined;
}

const headers: ReadonlySet<unknown> = new Set(["header", "any header", "input column"]);
const names: ReadonlySet<unknown> = new Set(["dimension", "column"]);

/** What can be wrong with comma-separated values. */
export const csvMessages = {
  "csv/shape": error(({ found, expected }: { found: FoundInCsv; expected: ExpectedInCsv }) => ({
    message: `this must be ${expectedText(expected)}`,
    found: foundText(found),
    expected: expectedText(expected),
    hint: hintOf(found, expected),
  })),
};

declare module "../../language/source/problem.js" {
  interface MessageTables {
    readonly "formats/csv": typeof csvMessages;
  }
}

export const problem = problemsOf<"formats/csv">(csvMessages);
