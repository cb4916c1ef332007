import { append } from "../../language/source/lists.js";
import type { Span } from "../../language/source/span.js";
import type { Word } from "../../language/syntax/tree.js";
import { readConstant, readConstants } from "./constants.js";
import { reportDash } from "./field-checks.js";
import { readField, readImport } from "./fields.js";
import { problem } from "./messages.js";
import type { Constant, DocumentSummary, Field, Model, RankProfile, Schema, Struct } from "./model.js";
import { readModel } from "./models.js";
import { readProfile } from "./profiles.js";
import type { Reading } from "./reading.js";
import { reportSlips } from "./slips.js";
import { readDocumentSummary } from "./summaries.js";
import type { ParsedSchema } from "./syntax/parse.js";
import type * as Tree from "./syntax/tree.js";
import { textOf, withoutComments, wordsIn } from "./text.js";

/** What is gathered while the files of a schema are read. */
interface SchemaDraft {
  name: Word | undefined;
  inherits: readonly Word[];
  documentInherits: readonly Word[];
  readonly fieldsets: Map<string, readonly Word[]>;
  readonly summaries: DocumentSummary[];
  readonly fields: Map<string, Field>;
  readonly constants: Map<string, Constant>;
  readonly models: Map<string, Model>;
  readonly profiles: Map<string, RankProfile>;
  readonly structs: Map<string, Struct>;
  readonly lost: Set<string>;
  /** Where structs, field sets and document summaries are, by keyword and name. */
  readonly blocks: Map<string, { readonly span: Span }>;
  /** The fields of the document, by their names in lower case, which Vespa does not tell from upper case. */
  readonly lowerNames: Map<string, Word>;
}

/** Reads a schema file, and the files of profiles that belong to it. */
export function readSchema(file: ParsedSchema, profiles: readonly ParsedSchema[], reading: Reading): Schema {
  const { source } = file;
  const named = source.name.replace(/^.*\//, "").replace(/\.sd$/, "");
  const start: Span = { source, start: 0, end: 0 };
  const draft: SchemaDraft = {
    ...{ name: undefined, inherits: [], documentInherits: [] },
    ...{
      fieldsets: new Map(),
      summaries: [],
      fields: new Map(),
      constants: new Map(),
      models: new Map(),
      profiles: new Map(),
      structs: new Map(),
      lost: new Set(),
      blocks: new Map(),
      lowerNames: new Map(),
    },
  };
  readFile(file, draft, reading);
  // Where a mistake hides the schema, that is told already.
  if (draft.name === undefined && !reading.problems.some(({ span }) => span.source === source))
    reading.report(problem("schema/none", start, {}));
  for (const each of profiles) readFile(each, draft, reading);
  return { ...draft, name: draft.name ?? { text: named, span: start }, source };
}

function readFile({ items, problems }: ParsedSchema, draft: SchemaDraft, reading: Reading): void {
  append(reading.problems, problems);
  for (const { span } of problems) reading.mistaken.add(span.source);
  const hasSchema = problems.length === 0 && items.some(({ kind }) => kind === "schema");
  for (const each of items)
    if (hasSchema && each.kind !== "schema")
      reading.report(problem("schema/outside", each.keyword.span, { keyword: each.keyword.text }));
    else readItem(each, draft, reading);
}

function readItem(item: Tree.FileItem, draft: SchemaDraft, reading: Reading): void {
  switch (item.kind) {
    case "schema":
      draft.name ??= item.name;
      draft.inherits = [...draft.inherits, ...item.inherits];
      for (const each of item.items) readItem(each, draft, reading);
      return;
    case "document":
      draft.name ??= item.name;
      draft.documentInherits = [...draft.documentInherits, ...item.inherits];
      if (item.name !== undefined && item.name.text !== draft.name?.text) {
        const values = { document: item.name.text, schema: draft.name?.text ?? "" };
        reading.report(problem("schema/document-name", item.name.span, values));
      }
      for (const each of item.items)
        if (each.kind === "field") addFields(each, "document", draft, reading);
        else {
          declareBlock(each, draft, reading);
          addStruct(each, draft);
        }
      return reportSlips(item.items, "a document", reading);
    case "field":
      return addFields(item, "outside", draft, reading);
    case "import":
      for (const each of readImport(item, reading))
        reading.declare(draft.fields, each.name.text, each, "field");
      return;
    case "constant":
    case "constants": {
      const fault = item.kind === "constants" ? "list in schema" : faultOf(item);
      if (fault !== undefined) reading.report(problem("schema/constant", item.keyword.span, { fault }));
      const found = item.kind === "constant" ? [readConstant(item, reading)] : readConstants(item, reading);
      for (const each of found)
        if (each !== undefined) reading.declare(draft.constants, each.name, each, "constant");
      for (const name of reading.takeLost()) draft.lost.add(name);
      return;
    }
    case "onnx-model":
      reportSlips(item.items, "an onnx-model", reading);
      return reading.declare(draft.models, item.name.text, readModel(item), "model");
    case "rank-profile":
      return addProfile(item, undefined, draft, reading);
    case "setting": {
      reportSlips([item], "a schema", reading);
      declareBlock(item, draft, reading);
      addStruct(item, draft);
      const found = /^fieldset\s+([\w$-]+)[^}]*?\bfields\s*:([^\n}]*)/.exec(
        withoutComments(textOf(item.span)),
      );
      const summary = readDocumentSummary(item.span);
      if (summary !== undefined) draft.summaries.push(summary);
      if (item.keyword.text === "fieldset" && !isFieldSet(found?.[2]) && !reading.isMistaken(item.span))
        reading.report(problem("schema/fields", item.keyword.span, {}));
      const [whole = "", name, list = ""] = found ?? [];
      const start = item.span.start + whole.length - list.length;
      if (name === undefined) return;
      reportDash({ text: name, span: item.keyword.span }, reading);
      draft.fieldsets.set(name, wordsIn(list, start, item.span.source));
      return;
    }
    case "other":
      return reportSlips([item], "a schema", reading);
  }
}

/** Whether a field set lists fields by their names. */
const isFieldSet = (list: string | undefined): boolean =>
  /^\s*[\w$.-]+\s*(?:,\s*[\w$.-]+\s*)*$/.test(list ?? "");

/** Of a schema, constants are tensors in files. */
function faultOf({
  type,
  value,
  isRemote,
}: Tree.ConstantStatement): "value in schema" | "number in schema" | undefined {
  if (value !== undefined && !isRemote && !("path" in value)) return "value in schema";
  return type !== undefined && !textOf(type).startsWith("tensor") ? "number in schema" : undefined;
}

/** `struct offer { field price type float {} … }`: a type of fields. */
function addStruct({ span }: Tree.Detail, { structs }: SchemaDraft): void {
  const text = textOf(span);
  const [, name, inherited = ""] =
    /^(?:struct|annotation)\s+([\w$-]+)(?:\s+inherits\s+([^{\n]+))?/.exec(text) ?? [];
  if (name === undefined) return;
  const inherits = inherited.split(",").map((each) => each.trim());
  const members = text.matchAll(/\bfield\s+([\w$-]+)\s+type\s+([^{\n]+)/g);
  structs.set(name, {
    inherits,
    members: new Map(Array.from(members, ([, member = "", type = ""]) => [member, type.trim()])),
  });
}

/** Structs, field sets and document summaries: one of a name. */
function declareBlock({ span, keyword }: Tree.Detail, { blocks }: SchemaDraft, reading: Reading): void {
  const [, name] = /^(?:struct|annotation|fieldset|document-summary)\s+([\w$-]+)/.exec(textOf(span)) ?? [];
  if (name !== undefined)
    reading.declare(blocks, `${keyword.text} ${name}`, { span: keyword.span }, "setting");
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
