import { append } from "../../../language/source/lists.js";
import { type Source, type Span, textIn } from "../../../language/source/span.js";
import { problem } from "../model/messages.js";
import type { Constant, Schema } from "../model/model.js";
import type { Reading } from "../model/reading.js";
import type { ParsedSchema } from "../syntax/parse.js";
import type * as Tree from "../syntax/tree.js";
import { readField, readImport } from "./fields/fields.js";
import { readConstant, readConstants } from "./profiles/constants.js";
import { readModel } from "./profiles/models.js";
import { readProfile } from "./profiles/profiles.js";
import { readBlock, readDocumentBlock } from "./schema-blocks.js";
import { SchemaDraft } from "./schema-draft.js";
import { reportSlips } from "./slips.js";

/** Reads a schema file, and the files of profiles that belong to it. */
export function readSchema(file: ParsedSchema, profiles: readonly ParsedSchema[], reading: Reading): Schema {
  const { source } = file;
  const named = source.name.replace(/^.*\//, "").replace(/\.sd$/, "");
  const start: Span = { source, start: 0, end: 0 };
  const draft = new SchemaDraft();
  readFile(file, draft, reading);
  // Where a mistake hides the schema, that is told already.
  if (draft.name === undefined && !reading.problems.some(({ span }) => span.source === source))
    reading.report(problem("schema/none", start, {}));
  for (const each of profiles) readFile(each, draft, reading);
  return { ...draft, name: draft.name ?? { text: named, span: start }, source };
}

function readFile({ source, items, problems }: ParsedSchema, draft: SchemaDraft, reading: Reading): void {
  append(reading.problems, problems);
  reportLineEnd(source, reading);
  for (const { span } of problems) reading.mistaken.add(span.source);
  const hasSchema = problems.length === 0 && items.some(({ kind }) => kind === "schema");
  for (const each of items)
    if (hasSchema && each.kind !== "schema")
      reading.report(problem("schema/outside", each.keyword.span, { keyword: each.keyword.text }));
    else readItem(each, draft, reading);
}

/** Tells of the first line that ends with a carriage return alone. */
function reportLineEnd(source: Source, { report }: Reading): void {
  const start = source.text.search(/\r(?!\n)/);
  if (start >= 0) report(problem("schema/line-end", { source, start, end: start + 1 }, {}));
}

/** The statements of a kind; a detail has one of two. */
type StatementOf<Kind> = Kind extends Tree.Detail["kind"]
  ? Tree.Detail
  : Extract<Tree.FileItem, { kind: Kind }>;

/** What each statement adds to a schema. */
const readers: {
  readonly [Kind in Tree.FileItem["kind"]]: (
    item: StatementOf<Kind>,
    draft: SchemaDraft,
    reading: Reading,
  ) => void;
} = {
  schema: ({ name, inherits, items }, draft, reading) => {
    draft.name ??= name;
    draft.inherits = [...draft.inherits, ...inherits];
    for (const each of items) readItem(each, draft, reading);
  },
  document: readDocument,
  field: (item, draft, reading) => addFields(item, "outside", draft, reading),
  import: (item, { fields }, reading) => {
    for (const each of readImport(item, reading)) reading.declare(fields, each.name.text, each, "field");
  },
  constant: (item, draft, reading) => {
    reportConstantFault(item, constantFault(item), reading);
    addConstants([readConstant(item, reading)], draft, reading);
  },
  constants: (item, draft, reading) => {
    reportConstantFault(item, "list in schema", reading);
    addConstants(readConstants(item, reading), draft, reading);
  },
  "onnx-model": (item, { models }, reading) => {
    reportSlips(item.items, "an onnx-model", reading);
    reading.declare(models, item.name.text, readModel(item), "model");
  },
  "rank-profile": (item, draft, reading) => addProfile(item, undefined, draft, reading),
  setting: (item, draft, reading) => {
    reportSlips([item], "a schema", reading);
    readBlock(item, draft, reading);
  },
  other: (item, _, reading) => reportSlips([item], "a schema", reading),
};

function readItem(item: Tree.FileItem, draft: SchemaDraft, reading: Reading): void {
  readers[item.kind](item as never, draft, reading); // the row of its kind takes it
}

function readDocument(
  { name, inherits, items }: Tree.DocumentStatement,
  draft: SchemaDraft,
  reading: Reading,
): void {
  draft.name ??= name;
  draft.documentInherits = [...draft.documentInherits, ...inherits];
  if (name !== undefined && name.text !== draft.name?.text) {
    const values = { document: name.text, schema: draft.name?.text ?? "" };
    reading.report(problem("schema/document-name", name.span, values));
  }
  for (const each of items)
    if (each.kind === "field") addFields(each, "document", draft, reading);
    else readDocumentBlock(each, draft, reading);
  reportSlips(items, "a document", reading);
}

type ConstantFault = "list in schema" | "value in schema" | "number in schema";

/** Of a schema, constants are tensors in files. */
function constantFault({ type, value, isRemote }: Tree.ConstantStatement): ConstantFault | undefined {
  if (value !== undefined && !isRemote && !("path" in value)) return "value in schema";
  return type !== undefined && !textIn(type).startsWith("tensor") ? "number in schema" : undefined;
}

function reportConstantFault(
  { keyword }: Tree.Statement,
  fault: ConstantFault | undefined,
  reading: Reading,
): void {
  if (fault !== undefined) reading.report(problem("schema/constant", keyword.span, { fault }));
}

function addConstants(
  found: readonly (Constant | undefined)[],
  { constants, lost }: SchemaDraft,
  reading: Reading,
): void {
  for (const each of found) if (each !== undefined) reading.declare(constants, each.name, each, "constant");
  for (const name of reading.takeLost()) lost.add(name);
}

function addFields(
  field: Tree.FieldStatement,
  where: "document" | "outside",
  { fields, lowerNames }: SchemaDraft,
  reading: Reading,
): void {
  const { text, span } = field.name;
  const other = where === "document" ? lowerNames.get(text.toLowerCase()) : undefined;
  if (other !== undefined && other.text !== text) {
    const related = [{ span: other.span, label: "the first" }];
    reading.report(problem("schema/duplicate", span, { what: "field", name: text.toLowerCase() }, related));
  }
  if (where === "document") lowerNames.set(text.toLowerCase(), field.name);
  for (const each of readField(field, where, reading)) reading.declare(fields, each.name.text, each, "field");
}

/** A profile, and those that stand in it: each is one of the schema, by the names of both. */
function addProfile(
  tree: Tree.ProfileStatement,
  outer: string | undefined,
  draft: SchemaDraft,
  reading: Reading,
): void {
  const profile = readProfile(tree, outer, reading);
  const { text, span } = profile.name;
  reading.declare(draft.profiles, text, profile, "rank profile", span);
  for (const each of tree.items) if (each.kind === "rank-profile") addProfile(each, text, draft, reading);
}
