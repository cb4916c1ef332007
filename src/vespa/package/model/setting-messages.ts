import {
  alternatives,
  didYouMean,
  error,
  type NoValues,
  quoted,
  shortened,
  warning,
} from "../../../language/source/message.js";
import { cellTypeNames, cellTypes } from "../../../language/types/cell.js";
import type { PhaseName } from "./model.js";

/** What can stand in a script where something else does. */
export type ExpectedInScript =
  | "step"
  | "end of step"
  | "name"
  | "text"
  | "number"
  | "script"
  | "comparison"
  | "case"
  | "input"
  | { readonly sign: string };

/** What a setting takes after its colon. */
export type SettingValues =
  | "a whole number"
  | "a whole number from 0"
  | "a number with a point"
  | "true or false"
  | readonly string[];

/** A value that a setting of a schema cannot have. */
export interface RefusedValue {
  readonly setting: string;
  readonly text: string;
  readonly values: SettingValues;
  readonly nearest: string | undefined;
}

const vespaCells = cellTypeNames.filter((name) => cellTypes[name].vespa);

/** What can stand where an indexing script cannot be read. */
const expectedInScript: Readonly<Record<Exclude<ExpectedInScript, object>, string>> = {
  step: "a step, such as input title or index",
  "end of step": "| and the next step, or the end",
  name: "a name",
  text: "a text in quotes",
  number: "a number",
  script: "a script in braces",
  comparison: "== or another comparison",
  case: 'case "…": …;',
  input: "the name of a field, with a colon and what is done with it",
};

/** Constants that Vespa does not have where they stand. */
const constantFaults = {
  "list in schema": {
    message: "a schema has no list of constants",
    found: "constants outside of a rank profile",
    expected: "constants { … } in a rank profile, or constant name { type: tensor(…) file: … }",
  },
  "alone in profile": {
    message: "a rank profile has its constants in a list",
    found: "a constant by itself",
    expected: "constants { name type: value }",
  },
  "value in schema": {
    message: "the value of a constant of a schema is in a file",
    found: "a value",
    expected: "file: constants/….json, or constants { … } in a rank profile",
  },
  "number in schema": {
    message: "a constant of a schema is a tensor",
    found: "the type of a number",
    expected: "a tensor type, or constants { … } in a rank profile",
  },
};

const braceFaults = {
  hidden: {
    message:
      "Vespa counts the braces of comments and texts in an expression, too, and this one has no partner",
    expected: "both of a pair in comments and texts, or none",
  },
  "in list": {
    message: "for Vespa this brace ends the list of features, although it stands in a comment or a text",
    expected: "no brace that closes",
  },
  deep: {
    message: "Vespa reads only three levels of braces in an expression of a schema",
    expected: "a function of its own for what is within",
  },
};

export type BraceFault = keyof typeof braceFaults;

/** What can be wrong with the settings and constants of schemas and rank profiles. */
export const settingMessages = {
  "schema/setting": error(({ setting, text, values, nearest }: RefusedValue) => ({
    message: `${text} is not a valid value of ${setting}`,
    found: quoted(text),
    expected: typeof values === "string" ? values : alternatives(values),
    hint: didYouMean(nearest),
  })),
  "schema/unread": warning(({ block, keyword }: { block: string; keyword: string }) => ({
    message: `${keyword} is not read: it is not a known statement of ${block}, and Vespa 8 refuses it`,
    found: quoted(keyword),
    expected: `a statement of ${block}`,
  })),
  "schema/field-name": error(({ name, isReserved }: { name: string; isReserved: boolean }) => ({
    message: isReserved ? `${name} already means something else` : `${name} cannot be the name of a field`,
    found: quoted(name),
    expected: isReserved ? "another name" : "letters, digits and _, beginning with a letter",
  })),
  "schema/dashed-name": error(({ name }: { name: string }) => ({
    message: `${name} cannot be the name of this`,
    found: quoted(name),
    expected: "letters, digits and _",
  })),
  "schema/cells": error(({ cells }: { cells: string }) => ({
    message: `Vespa has no cells of type ${cells}`,
    found: quoted(cells),
    expected: alternatives(vespaCells),
  })),
  "schema/document-name": warning(({ document, schema }: { document: string; schema: string }) => ({
    message: "a document must have the name of its schema so that profiles can inherit from each other",
    found: quoted(`document ${document}`),
    expected: `document ${schema}`,
  })),
  "schema/file-name": error(({ schema }: { schema: string }) => ({
    message: "a file has the name of its schema",
    found: quoted(`schema ${schema}`),
    expected: `a file ${schema}.sd`,
  })),
  "schema/document-inherits": error(({ schema, inherited }: { schema: string; inherited: string }) => ({
    message: `the schema ${schema} inherits ${inherited}, and its document does not inherit that of ${inherited}`,
    found: quoted(`schema ${schema} inherits ${inherited}`),
    expected: `document ${schema} inherits ${inherited}`,
  })),
  "schema/line-break": error(({ behind }: { behind: string }) => ({
    message: "Vespa reads no end of a line here in the value of an input or a constant",
    found: `the end of a line after ${quoted(behind)}`,
    expected: "ends of lines after the colon or the comma of a cell alone",
  })),
  "schema/first-line": error((_: NoValues) => ({
    message: "a file of a rank profile begins with the profile",
    found: "a comment, or an empty line",
    expected: "rank-profile in the first line",
  })),
  "schema/brace": error(({ fault, brace }: { fault: BraceFault; brace: string }) => ({
    ...braceFaults[fault],
    found: fault === "deep" ? "a fourth level" : quoted(brace),
  })),
  "schema/line-end": warning((_: NoValues) => ({
    message: "for Vespa a line goes on at a carriage return alone, and what ends with its line goes on, too",
    found: "a carriage return",
    expected: "a line feed, or a carriage return and a line feed",
  })),
  "schema/fields": error((_: NoValues) => ({
    message: "a field set has a name and a list of fields",
    found: "something else",
    expected: "fieldset name { fields: a, b }",
  })),
  "schema/sources": error(({ text }: { text: string }) => ({
    message: "the sources of a summary are fields in one line, with a comma between two of them",
    found: text === "" ? "nothing in this line" : quoted(shortened(text)),
    expected: "source: a, b",
  })),
  "schema/summary": error(({ name }: { name: string }) => ({
    message: `there is no document summary called ${name} in this schema`,
    found: quoted(name),
    expected: "default, or a document-summary of the schema",
  })),
  "schema/property": error(({ text }: { text: string }) => ({
    message: "a rank property has a name and a value",
    found: quoted(shortened(text)),
    expected: "name: value",
  })),
  "schema/property-text": error(({ text }: { text: string }) => ({
    message: "Vespa reads this in a rank property only in quotes",
    found: quoted(shortened(text)),
    expected: "letters, digits, points, commas, parentheses, and - within a word or before a number",
  })),
  "schema/stray": error(({ block, text }: { block: string; text: string }) => ({
    message: `this cannot stand among the statements of ${block}`,
    found: quoted(shortened(text)),
    expected: `a statement of ${block}, or nothing`,
  })),
  "schema/outside": error(({ keyword }: { keyword: string }) => ({
    message: "nothing can stand outside of the schema",
    found: quoted(shortened(keyword)),
    expected: "all of a schema between its braces",
  })),
  "indexing/unexpected": error(({ found, expected }: { found: string; expected: ExpectedInScript }) => ({
    message: "this indexing script cannot be read from here on",
    found: found === "" ? "the end" : quoted(found),
    expected: typeof expected === "string" ? expectedInScript[expected] : quoted(expected.sign),
  })),
  "indexing/field": error(({ step, named, field }: { step: string; named: string; field: string }) => ({
    message: `the indexing of ${field} writes to another field`,
    found: quoted(`${step} ${named}`),
    expected: `${step} alone, or | between two steps`,
  })),
  "indexing/modified": error(({ step, field }: { step: string; field: string }) => ({
    message: `Vespa stores ${field} as it is fed, and refuses a step that changes the value before it is stored`,
    found: quoted(step),
    expected: `a field outside of the document, whose indexing begins with input ${field}`,
  })),
  "indexing/input": error((_: NoValues) => ({
    message: "input is the value of a field, and no field is named",
    expected: "input and the name of a field",
  })),
  "schema/constant": error(({ fault }: { fault: keyof typeof constantFaults }) => constantFaults[fault]),
  "phase/setting": error((values: { setting: string; phase: PhaseName; phases: readonly PhaseName[] }) => ({
    message: `${values.setting} is not a setting of ${values.phase}`,
    found: quoted(values.setting),
    expected: `${values.setting} in ${alternatives(values.phases)}`,
  })),
  "phase/weight": error(({ field }: { field: string }) => ({
    message: `Vespa takes the weight of ${field} behind its rank-type for a second one`,
    found: "a weight behind the rank-type",
    expected: "the weight before the rank-type",
  })),
};
